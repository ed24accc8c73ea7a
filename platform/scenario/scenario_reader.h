#pragma once

#include "platform/scenario/graph_file.h"
#include "platform/scenario/scenario.h"
#include "platform/scenario/toml_reader.h"

namespace muster {

/// Servers and cores of the largest platform.
constexpr std::int64_t most_servers = 100'000;
constexpr std::int64_t most_cores = 10'000'000;

/// Reads one point of a study: a document without `sweep`.
/// @return complete and checked if `report_to.problems` is still 0, else not fit to run
/// @param files that it may name
scenario read_scenario(const toml_value& document, graph_files& files, reading& report_to);

/// What a scenario says of its compatibility graph.
struct platform_graph {
  bool given = false;                ///< by `platform.graph`; else the classes name their servers
  const graph_file* file = nullptr;  ///< null if there is none, or none that is fit
};

/// @name Parts of it, in the order in which they must be read
/// @{
/// `platform`, and the file that it may name.
platform_graph read_platform(table_reader& document, graph_files& files, scenario& what);
/// `classes`. @param servers_known whether `what.servers` can be relied on
/// @return whether each class gives its own rate, not its share of all arrivals
bool read_classes(table_reader& document, const platform_graph& graph, scenario& what, bool servers_known);
/// `arrivals`, and from it the rates and shares of the classes. The rate stays 0 where something is wrong with it.
/// @param classes_known whether `what.classes` can be relied on
void read_arrivals(table_reader& document, scenario& what, bool by_rate, bool classes_known);
/// `policy`. @param classes_known whether servers and classes can be relied on
void read_policy(table_reader& document, scenario& what, bool classes_known);
/// @}

/// The key `graph` of `platform`.
platform_graph find_graph(table_reader& platform, graph_files& files);
/// Makes the classes' servers those that the graph joins them with, in the order of `what.servers`.
void read_graph(table_reader& document, const graph_file& graph, scenario& what);

/// A table such as { distribution = "exponential", mean = 1.0 }. Null if it is missing or wrong, which is reported.
std::optional<distribution> read_distribution(table_reader& table, std::string_view key);

/// Ends of what the simulation's clock can tell.
struct clock_range {
  double shortest;  ///< units of time: one step
  double longest;   ///< units of time; leaves room for sums
  std::string unit;
};
clock_range clock_of(const scenario& what);
/// Reports a time beyond the clock's range.
void check_time(table_reader& table, std::string_view key, double length, const scenario& what);
/// Reports a time that is shorter than the clock's step. @return whether it is not
bool check_step(table_reader& table, std::string_view key, double length, const scenario& what);

/// All servers of the platform.
std::uint64_t total_servers(const scenario& what);
/// All cores of the platform.
std::uint64_t total_cores(const scenario& what);
/// Work that all servers together do per unit of time.
double total_capacity(const scenario& what);

}  // namespace muster
