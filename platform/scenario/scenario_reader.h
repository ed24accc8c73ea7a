#pragma once

#include "muster/policies/catalogue.h"
#include "platform/model/scenario.h"
#include "platform/model/utility_function.h"
#include "platform/scenario/graph_file.h"
#include "platform/scenario/job_list_file.h"
#include "platform/scenario/network_file.h"
#include "platform/scenario/scenario_schema.h"
#include "platform/toml/toml_reader.h"

namespace muster {

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

/// One point of a study while its parts are read, and what they must know of each other.
struct point_draft {
  explicit point_draft(study_files& of_study) : files(of_study) {}

  study_files& files;
  const policy_entry* policy = nullptr;     ///< that the document names; null if none that there is
  bool slotted = false;                     ///< whether there are slotted jobs: a class with units, or finite arrivals
  std::string class_with_units;             ///< the first one's name; empty if there is none
  std::string process;                      ///< of the arrivals; empty if it is wrong
  bool graph_given = false;                 ///< by `platform.graph`; else the classes name their servers
  std::shared_ptr<const graph_file> graph;  ///< null if there is none, or none that is fit
  bool servers_known = false;               ///< whether `what.servers` can be relied on
  std::vector<server_spec> absent_servers;  ///< entries with count 0, once they are left out of `what`
  bool classes_known = false;               ///< whether `what.classes` can be, too
  bool by_rate = false;                     ///< whether each class gives its own rate, not its share of all arrivals
  scenario model;

  bool list() const { return process == "list"; }
  bool uniform() const { return process == "uniform"; }
  bool finite() const { return list() || uniform(); }
};

/// Reads one point of a study: a document without `sweep`.
/// @return complete and checked if `report_to.problems` is still 0, else not fit to run
scenario read_scenario(const toml_value& document, study_files& files, reading& report_to);

/// @name Tables of a document, in the order in which they must be read
/// @{
/// The process of `arrivals`, which the other parts depend on.
void read_process(table_reader& document, point_draft& point);
/// The slots of process 'uniform', which deadlines are held against.
void read_arrival_slots(table_reader& document, point_draft& point);
void read_platform(table_reader& document, point_draft& point);
void read_classes(table_reader& document, point_draft& point);
/// Takes entries of servers with count 0 out of the scenario, and their names out of its classes: what is left is the
/// scenario without these entries.
void leave_out_absent_servers(point_draft& point);
/// The rest of `arrivals`, and from it the rates and shares of the classes. The rate stays 0 where it is wrong.
void read_arrivals(table_reader& document, point_draft& point);
void read_policy(table_reader& document, point_draft& point);
void read_run(table_reader& document, point_draft& point);
void read_price(table_reader& document, point_draft& point);
/// @}

/// @name Parts of them
/// @{
void read_link(table_reader& platform, point_draft& point);
/// Makes the classes' servers those that the graph joins them with, in the order of `what.servers`.
void read_graph(table_reader& document, const graph_file& graph, scenario& model);
/// What makes a class one of slotted jobs, and its size.
void read_slotted_class(table_reader& table, class_spec& spec, point_draft& point);
/// Null if something is wrong with it, which is reported.
std::optional<utility_function> read_utility(table_reader& table);
/// What the policy wants to know of each class.
void read_class_policy(table_reader& table, class_spec& spec, const point_draft& point);
/// @}

/// A table such as { distribution = "exponential", mean = 1.0 }. Null if it is missing or wrong, which is reported.
std::optional<distribution> read_distribution(table_reader& table, std::string_view key);

/// The file that a key names. Null if it is missing or wrong, which is reported.
template <class File>
std::shared_ptr<const File> read_file(table_reader& table, std::string_view key, named_files<File>& files) {
  const std::size_t before = table.problems();
  const std::string path = table.text(key);
  if (table.problems() != before) return nullptr;
  auto file = files.at(path);
  if (!file->refusal.empty()) table.complain(key, file->refusal);
  for (const named_file::flaw& flaw : file->flaws)
    table.complain_in(file->path, flaw.where.line, flaw.where.column, key, flaw.message);
  return file->fit() ? file : nullptr;
}

/// Reports those of the keys that are given. @param why they must not be
void refuse(table_reader& table, std::initializer_list<const char*> keys, std::string_view why);

/// Reports a time beyond the range of the clock.
/// @param time in units of time
/// @param takes what has that time, such as "takes {}"
void check_range(table_reader& table, std::string_view key, double time, std::string_view takes);
/// Reports a bandwidth at which a byte takes such a time, if there is one.
void check_bandwidth(table_reader& table, std::string_view key, std::optional<double> bandwidth,
                     std::uint64_t most_bytes = 1);
/// Reports a price or a power so large that sums, products and squares of them may not be finite.
void check_sums(table_reader& table, std::string_view key, double number);
/// Reports a time that is shorter than the clock's step in the same way.
void check_step(table_reader& table, std::string_view key, double time, std::string_view takes);

}  // namespace muster
