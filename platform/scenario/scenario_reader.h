#pragma once

#include "muster/policies/catalogue.h"
#include "platform/model/data_spec.h"
#include "platform/model/scenario.h"
#include "platform/model/utility_function.h"
#include "platform/scenario/file_kinds.h"
#include "platform/scenario/scenario_schema.h"
#include "platform/toml/toml_reader.h"

namespace muster {

/// One point of a study while its parts are read, and what they must know of each other.
struct point_draft {
  explicit point_draft(study_files& of_study) : files(of_study) {}

  study_files& files;
  const policy_entry* policy = nullptr;     ///< that the document names; null if none that there is
  bool slotted = false;                     ///< whether there are slotted jobs: a class with units, or finite arrivals
  std::string class_with_units;             ///< the first one's name; empty if there is none
  const arrival_entry* process = nullptr;   ///< of the arrivals; null if it is wrong
  bool process_known = false;               ///< whether the values of its own keys can be relied on
  bool timed_list = false;                  ///< whether the arrivals are a list or log of rigid or pooled jobs
  bool graph_given = false;                 ///< by `platform.graph`; else the classes name their servers
  std::shared_ptr<const graph_file> graph;  ///< null if there is none, or none that is fit
  bool servers_known = false;               ///< whether `what.servers` can be relied on
  std::vector<server_spec> absent_servers;  ///< entries with count 0, once they are left out of `what`
  bool classes_known = false;               ///< whether `what.classes` can be, too
  bool by_rate = false;                     ///< whether each class gives its own rate, not its share of all arrivals
  scenario model;
  data_spec data;                            ///< becomes that of `model` when all of it is read
  std::shared_ptr<const log_file> log_read;  ///< null if there is none, or none that can be read
  /// Jobs that wait or run at time 0. Null if there are none, or none that can be read.
  std::shared_ptr<const log_file> queue_read;

  /// Whether the jobs are rigid, as far as is known.
  bool rigid() const { return !slotted && !(policy && policy->jobs() != job_kind::rigid); }
  bool log() const { return process && process->kind == arrival_kind::log; }
  bool list() const { return process && process->kind == arrival_kind::list; }
  bool uniform() const { return process && process->kind == arrival_kind::uniform; }
  bool finite() const { return process && process->last_slot; }
  /// Whether no jobs arrive behind those that wait or run at time 0.
  bool initial_jobs_alone() const { return list() && process->keys.empty(); }
};

/// Reads one point of a study: a document without `sweep`.
/// @return complete and checked if `report_to.problems` is still 0, else not fit to run
scenario read_scenario(const toml_value& document, study_files& files, reading& report_to);

/// @name Tables of a document, in the order in which they must be read
/// @{
/// The process of `arrivals`, which the other parts depend on.
void read_process(table_reader& document, point_draft& point);
/// The numbers, lists and words that the process has for keys, such as the slots that deadlines are held against.
void read_values_of_process(table_reader& document, point_draft& point);
void read_platform(table_reader& document, point_draft& point);
void read_schedulers(table_reader& platform, scenario& model);
/// Reports what several schedulers cannot run. Called when all but the policy is known.
void check_schedulers(table_reader& document, const point_draft& point);
/// Reports a rule of placement for jobs that the policy places itself. Called when the classes are known.
void check_placement(table_reader& document, const point_draft& point);
/// What happens to servers and arrivals at given times.
void read_events(table_reader& document, point_draft& point);
void read_classes(table_reader& document, point_draft& point);
/// Takes entries of servers with count 0 out of the scenario, and their names out of its classes: what is left is the
/// scenario without these entries.
void leave_out_absent_servers(point_draft& point);
/// The rest of `arrivals`, and from it the rates and shares of the classes. The rate stays 0 where it is wrong.
void read_arrivals(table_reader& document, point_draft& point);
void read_policy(table_reader& document, point_draft& point);
/// The parameters of the policy that are replaced at given times. Called when the policy is known.
void read_parameter_events(table_reader& document, point_draft& point);
/// The FMUs that run beside the cluster. Called when all that its variables depend on is known.
void read_fmus(table_reader& document, point_draft& point);
void read_run(table_reader& document, point_draft& point);
void read_price(table_reader& document, point_draft& point);
/// @}

/// @name Parts of them
/// @{
/// Reads `platform.resources`: what is declared, and of what the cluster has as a whole amount and power.
void read_resources(table_reader& platform, scenario& model);
/// The place of a resource that a table names. Nothing if it is not declared, which is reported.
/// @param or_cores whether a message may suggest cores
std::optional<std::size_t> find_resource(table_reader& table, const std::string& name,
                                         const cluster_resources& declared, bool or_cores = false);
/// Reads what a device, or a unit of an amount, draws while it is idle and while it is held.
resource_power read_resource_power(table_reader table, const resource_type& type);
/// Reads `resources` of a server's power. Empty: it is not given.
/// @param server whose resources are read
std::vector<resource_power> read_power_of_resources(table_reader& power, const server_spec& server,
                                                    const cluster_resources& declared);
/// Reads the frequencies of a server's cores; empty: it has but one, or something is wrong, which is reported. Its
/// power at work is that of the fastest. Called before its power is read.
std::vector<core_frequency> read_frequencies(table_reader& server, server_spec& spec, const point_draft& point);
/// Reads what chooses among the frequencies of a server. Called when its power is read.
void read_governor(table_reader& server, server_spec& spec, std::vector<core_frequency> rows);
/// The row of the frequency that a table names. Nothing if there is none, which is reported.
std::optional<std::size_t> find_frequency(table_reader& table, const frequency_table& all);
/// Makes frequencies that never change part of the servers' capacity and power. Called when the events are known.
void settle_frequencies(scenario& model);
/// Reads what a server has beside cores.
void read_server_resources(table_reader& server, server_spec& spec, const cluster_resources& declared);
/// Reads the `value` that replaces a parameter of the policy in the table of an event. Nothing if the policy cannot
/// take it, which is reported.
std::optional<setting_value> read_replacement(table_reader& table, const std::string& name, const point_draft& point);
/// Why jobs cannot have tasks, as the policy is known; empty: they can. @param if_slotted why slotted jobs cannot
std::string why_no_tasks(const point_draft& point, const char* if_slotted);
/// Reads what a job of a class holds at once: cores, or tasks.
void read_need(table_reader& table, class_spec& spec, const point_draft& point);
/// Reads what the tasks of a job of a class exchange. Called when the need is read.
void read_exchange(table_reader& table, class_spec& spec, const point_draft& point);
/// Reports an exchange for which a job would take longer than the clock goes. Called when sizes are read, too.
void check_exchange(table_reader& table, const class_spec& spec, const scenario& model);
/// Reports tasks that the compatible servers cannot hold, and more of the cluster's resources than there is.
void check_tasks(table_reader& table, const class_spec& spec, const scenario& model);
/// Why servers or cluster cannot hold tasks, with the largest that they can.
struct task_flaw {
  std::optional<std::size_t> resource;  ///< the one that is short; nothing: it is the number of tasks
  std::string message;
};
/// What is wrong with tasks of jobs of a class. @param joined whether one task stands for all tasks of a job
std::vector<task_flaw> flaws_of(const task_need& need, const class_spec& spec, const scenario& model,
                                bool joined = false);
/// Gives every class tasks, of a core each where it has none, if any class has tasks.
void give_tasks_to_all(scenario& model);
/// Devices as parts of them, rounded to the nearest. @return why there are no such parts; empty: there are
std::string devices_in_parts(const resource_type& type, double devices, std::uint64_t& parts);
/// Sets of each class of a list or log its share and mean size, and of each of its needs the number of jobs and their
/// mean size; of jobs that are killed, what they do until then.
/// @param model whose classes have all their needs, without jobs yet, and whose estimates are known
void count_listed_jobs(scenario& model, const timed_jobs& jobs);
/// Reads a list of rigid or pooled jobs: the jobs, and of the classes the distinct needs, the shares and the mean
/// sizes.
void read_timed_list(table_reader& arrivals, std::string_view key, const job_list_file& list, point_draft& point);
/// Takes the jobs that wait or run at time 0 as all that there are.
void read_initial_jobs_alone(table_reader& arrivals, point_draft& point);
/// Takes the jobs that wait or run at time 0 before endless arrivals. Called when these and the classes are known.
void read_initial_jobs(table_reader& arrivals, point_draft& point);
/// Reads what the scheduler believes of sizes, before the jobs of a list are known.
void read_estimates(table_reader& arrivals, point_draft& point);
/// Completes the estimates, and checks that the jobs have what they take. Called when the jobs of a list are known.
void check_estimates(table_reader& arrivals, point_draft& point);
/// Reads the file that the arrivals name as their log.
void open_log(table_reader& document, point_draft& point);
/// Reads the file of jobs that wait or run at time 0, if there is one. Called when the log is read.
void open_queue(table_reader& document, point_draft& point);
/// Takes the jobs of the log that has been read, and the classes that they become.
void read_log(table_reader& document, point_draft& point, reading& report_to);
void read_link(table_reader& platform, point_draft& point);
/// Reads the disk of the servers of an entry, if they have one.
void read_disk(table_reader& server, const server_spec& spec, point_draft& point);
/// Reads where the storage is. Called when the network is known.
void read_storage(table_reader& platform, point_draft& point);
/// Reads what jobs of a class read and write.
void read_class_data(table_reader& table, const class_spec& spec, point_draft& point);
/// Completes the data. Called when the classes are known.
void take_data(table_reader& document, point_draft& point);
/// Makes the classes' servers those that the graph joins them with, in the order of `what.servers`.
void read_graph(table_reader& document, const graph_file& graph, scenario& model);
/// Reads what makes a class one of slotted jobs, and its size.
void read_slotted_class(table_reader& table, class_spec& spec, point_draft& point);
/// Reads the parameters that the policy has for each class.
void read_class_policy(table_reader& table, class_spec& spec, const point_draft& point);
/// @}

/// A table such as { distribution = "exponential", mean = 1.0 }. Null if it is missing or wrong, which is reported.
/// @param of what its values measure, as descriptions of keys call it
std::optional<distribution> read_distribution(table_reader& table, std::string_view key, std::string_view of = "time");

/// The file that a key names. Null if it is missing or wrong, which is reported.
template <class File>
std::shared_ptr<const File> read_file(table_reader& table, std::string_view key, study_files& files) {
  const std::size_t before = table.problems();
  const std::string path = table.text(key);
  if (table.problems() != before) return nullptr;
  auto file = files.at<File>(path);
  if (!file->refusal.empty()) table.complain(key, file->refusal);
  for (const named_file::flaw& flaw : file->flaws)
    table.complain_in(file->path, flaw.where.line, flaw.where.column, key, flaw.message);
  return file->fit() ? file : nullptr;
}

/// The path of a file that stays where it is, which the key `file` names: relative to the scenario; one of --set to the
/// working folder, if a file is there. @return absolute; empty if it is missing or wrong, which is reported
std::string path_of_file(table_reader& table, const study_files& files);

/// The values of the keys of an entry of a catalogue that are integers, numbers or words, in their order: of a word its
/// place, of a number that may be left out infinity. Lists are described, and not read.
std::vector<double> read_values(table_reader& table, const std::vector<described_key>& keys);

/// Reports those of the keys that are given. @param why they must not be
void refuse(table_reader& table, std::initializer_list<const char*> keys, std::string_view why);

/// Reports a time beyond the range of the clock.
/// @param time in units of time
/// @param takes what has that time, such as "takes {}"
/// @param advice what follows in the message
void check_range(table_reader& table, std::string_view key, double time, std::string_view takes,
                 std::string_view advice = "");
/// Reports a bandwidth at which a byte takes such a time, if there is one.
void check_bandwidth(table_reader& table, std::string_view key, std::optional<double> bandwidth,
                     std::uint64_t most_bytes = 1);
/// Reports a time that is shorter than the clock's step in the same way.
void check_step(table_reader& table, std::string_view key, double time, std::string_view takes);

}  // namespace muster
