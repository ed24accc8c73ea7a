#pragma once

#include "muster/policies/catalogue.h"
#include "platform/model/scenario.h"
#include "platform/model/utility_function.h"
#include "platform/scenario/graph_file.h"
#include "platform/scenario/job_list_file.h"
#include "platform/scenario/network_file.h"
#include "platform/toml/toml_reader.h"

namespace muster {

/// Servers and cores of the largest platform.
constexpr std::int64_t most_servers = 100'000;
constexpr std::int64_t most_cores = 10'000'000;

/// Slotted jobs of the largest finite population.
constexpr std::int64_t most_slotted_jobs = 10'000'000;

/// The files that the points of a study name.
struct study_files {
  explicit study_files(const std::string& folder)
      : graphs(folder, "graph file", parse_graph),
        networks(folder, "network file", parse_network),
        job_lists(folder, "list of jobs", parse_job_list) {}

  named_files<graph_file> graphs;
  named_files<network_file> networks;
  named_files<job_list_file> job_lists;

  /// Content by path of those that were asked for and could be read.
  std::map<std::string, std::string> contents() const;
};

/// What must be known of slotted jobs before the parts of a document are read one after the other.
struct slotted_form {
  bool jobs = false;             ///< whether the scenario has slotted jobs: a class with units, or finite arrivals
  std::string class_with_units;  ///< the first one's name; empty if there is none
  /// Of finite arrivals; else it may be any other.
  arrival_spec::process process = arrival_spec::process::poisson;
  std::int64_t arrival_slots = 0;  ///< arrivals.slots; 0: missing or wrong

  bool list() const { return process == arrival_spec::process::list; }
  bool uniform() const { return process == arrival_spec::process::uniform; }
  bool finite() const { return list() || uniform(); }
};
slotted_form slotted_form_of(const toml_value& document);

/// The policy that a scenario names; null if it names none that there is, which read_policy() reports.
const policy_entry* policy_named_in(const toml_value& document);

/// Reads one point of a study: a document without `sweep`.
/// @return complete and checked if `report_to.problems` is still 0, else not fit to run
/// @param files that it may name
scenario read_scenario(const toml_value& document, study_files& files, reading& report_to);

/// What a scenario says of its compatibility graph.
struct platform_graph {
  bool given = false;                ///< by `platform.graph`; else the classes name their servers
  const graph_file* file = nullptr;  ///< null if there is none, or none that is fit
};

/// @name Parts of it, in the order in which they must be read
/// @{
/// `platform`, and the file that it may name.
platform_graph read_platform(table_reader& document, const slotted_form& form, study_files& files, scenario& what);
/// `classes`.
/// @param entry see policy_named_in()
/// @param servers_known whether `what.servers` can be relied on
/// @return whether each class gives its own rate, not its share of all arrivals
bool read_classes(table_reader& document, const slotted_form& form, const platform_graph& graph,
                  const policy_entry* entry, scenario& what, bool servers_known);
/// `arrivals`, and from it the rates and shares of the classes. The rate stays 0 where something is wrong with it.
/// @param classes_known whether `what.classes` can be relied on
void read_arrivals(table_reader& document, const slotted_form& form, study_files& files, scenario& what, bool by_rate,
                   bool classes_known);
/// The key `policy` of a class: what the policy wants to know of each.
/// @param entry see policy_named_in()
/// @param servers_known whether `what.servers` can be relied on
void read_class_policy(table_reader& table, class_spec& spec, const policy_entry* entry, const scenario& what,
                       bool servers_known);
/// `policy`. @param classes_known whether servers and classes can be relied on
void read_policy(table_reader& document, scenario& what, bool classes_known);
/// `run`. @param classes_known whether `what.classes` can be relied on
void read_run(table_reader& document, const slotted_form& form, scenario& what, bool classes_known);
/// The key `precision` of `run`.
std::optional<precision_spec> read_precision(table_reader& run, const slotted_form& form, const scenario& what,
                                             bool classes_known);
/// @}

/// The key `link` of `platform`. The servers have been read.
void read_link(table_reader& platform, study_files& files, scenario& what);
/// The key `graph` of `platform`.
platform_graph find_graph(table_reader& platform, study_files& files);
/// Makes the classes' servers those that the graph joins them with, in the order of `what.servers`.
void read_graph(table_reader& document, const graph_file& graph, scenario& what);

/// @name Slotted jobs
/// @{
/// What makes a class one of slotted jobs, and its size.
void read_slotted_class(table_reader& table, const slotted_form& form, class_spec& spec, const scenario& what);
/// Reports what only a class of slotted jobs can have.
void refuse_slotted_keys(table_reader& table);
/// Reports where slotted jobs of a class could not use every core.
void check_cores_are_shared(table_reader& table, const class_spec& spec, const scenario& what);
/// The key `utility` of a class. Null if something is wrong with it, which is reported.
std::optional<utility_function> read_utility(table_reader& table);
/// The key `deadline` of a class; left out: none.
deadline_spec read_deadline(table_reader& table, const slotted_form& form, const scenario& what);
/// `arrivals` where they come to an end.
void read_finite_arrivals(table_reader& table, const slotted_form& form, study_files& files, scenario& what,
                          bool classes_known);
/// @}

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
/// Work that all servers together do per unit of time.
double total_capacity(const scenario& what);

}  // namespace muster
