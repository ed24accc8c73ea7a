#pragma once

#include "platform/scenario/scenario.h"
#include "platform/scenario/toml_reader.h"

namespace muster {

/// Cores of the largest platform.
constexpr std::int64_t most_cores = 10'000'000;

/// Reads one point of a study: a document without `sweep`.
/// @return complete and checked if `report_to.problems` is still 0, else not fit to run
scenario read_scenario(const toml_value& document, reading& report_to);

/// @name Parts of it, in the order in which they must be read
/// @{
/// `classes`. @param servers_known whether `what.servers` can be relied on
/// @return whether each class gives its own rate, not its share of all arrivals
bool read_classes(table_reader& document, scenario& what, bool servers_known);
/// `arrivals`, and from it the rates and shares of the classes. The rate stays 0 where something is wrong with it.
/// @param classes_known whether `what.classes` can be relied on
void read_arrivals(table_reader& document, scenario& what, bool by_rate, bool classes_known);
/// `policy`. @param classes_known whether servers and classes can be relied on
void read_policy(table_reader& document, scenario& what, bool classes_known);
/// @}

/// Ends of what the simulation's clock can tell.
struct clock_range {
  double shortest;  ///< units of time: one step
  double longest;   ///< units of time; leaves room for sums
  std::string unit;
};
clock_range clock_of(const scenario& what);

/// All cores of the platform.
std::uint64_t total_cores(const scenario& what);

}  // namespace muster
