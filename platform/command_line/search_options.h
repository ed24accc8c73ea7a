#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/model/metric_of_class.h"
#include "platform/model/study.h"
#include "platform/ranks/rank_team.h"
#include "platform/search/scenario_search.h"
#include "platform/store/result_directory.h"
#include "platform/toml/diagnostics.h"

namespace muster {

/// A value that a search puts into the scenario, and the option that it comes from.
struct search_setting {
  std::string setting;       ///< as after --set
  std::string option;        ///< as messages name it
  std::uint32_t before = 0;  ///< characters of the setting that are not among the option's own
};

/// What a command does at each point of its study, which is searched_study::point.
struct point_search {
  std::string main_table;  ///< that csv has
  const char* trials;      ///< name of the file in which trials are stored
  std::string question;    ///< all that the trials depend on, but ranges and metrics
  /// Searches. @return a sentence for each trial whose window is too short
  std::function<std::vector<std::string>()> search;
  /// What is printed of the result.
  std::function<table_document()> text;
  /// The tables of the files in the directory, each with the name of its file.
  /// @param finished whether the search at the point has come to its end
  std::function<std::vector<data_table>(bool finished)> files;
};

/// What the commands that search over parameters have in common (`tune`, `crossover`).
struct search_options {
  scenario_options scenario;
  std::vector<std::string> over;  ///< at least one
  std::string class_name = "all", out;
  std::size_t budget = 0;         ///< 0: left out
  std::size_t times = 0;          ///< the budget left out, in multiples of run.replications
  std::size_t several_times = 0;  ///< the same of a search for more than one thing; 0: there is none
  std::optional<std::size_t> workers;
  bool workers_given = false;
  bool quiet = false;
  output_format format = output_format::table;

  /// The scenario, --set and --over.
  /// @param keys how many --over takes at most
  /// @param steps whether ranges may have a step, or be lists
  void add_subject_to(CLI::App& command, std::size_t keys, bool steps);
  /// --class
  void add_class_to(CLI::App& command);
  /// --budget, -j, --seed, --replications, --out, --quiet and --format.
  /// @param multiple see `times`; 0: there is no budget
  /// @param files what is left in the directory
  /// @param main the table that --format csv has
  void add_run_to(CLI::App& command, std::size_t multiple, const std::string& replications_help,
                  const std::string& files, const char* main);

  /// @name Of one of --over
  /// @{
  std::string key(std::size_t at = 0) const { return over[at].substr(0, over[at].find('=')); }
  search_range range(std::size_t at = 0) const { return search_range(over[at].substr(over[at].find('=') + 1)); }
  /// The parameter with a value, named in messages as --over.
  search_setting parameter(const std::string& value, std::size_t at = 0) const {
    return {key(at) + "=" + value, "--over " + over[at]};
  }
  /// @}
  /// Replications that a search may take at a point.
  /// @param usual the budget left out, in multiples of run.replications
  std::size_t budget_for(const run_spec& run, std::size_t usual) const {
    return budget > 0 ? budget : usual * run.replications;
  }
  /// The scenario with these values, after those of --set, --seed and --replications. A sweep over a table that holds
  /// the parameter is left out, and the table's other keys have their defaults unless --set gives them.
  /// @throws scenario_error that names the options that the user gave
  study read(const std::vector<search_setting>& settings) const;
  /// An error of read() with the values, where they are what the scenario does not take.
  scenario_error told_with(const std::vector<search_setting>& settings, const scenario_error& e) const;
  /// @throws scenario_error if a parameter belongs to the run; results_error if one is given twice
  void check_keys() const;
  /// @param option that gives the metric
  /// @param class_option that gives its class
  /// @param compared what the search tells apart
  /// @throws results_error if there is no such class, or phase, a point does not measure the metric of it, or has
  ///   fewer than two replications
  static void check(const study& s, const metric_of_class& of, const std::string& option,
                    const std::string& class_option, const char* compared);
  /// Runs a search in this process, or on all ranks where mpirun or srun has started several; loads plugins and checks
  /// keys before.
  /// @param read the study of the search
  /// @param search is given who simulates in place of processes of this machine; null: nobody
  /// @param simulate a trial's replication, on any rank
  /// @return the exit status
  int run(const invocation& how, const std::function<study()>& read, const std::function<int(task_runner*)>& search,
          const simulation& simulate) const;
  /// Searches at each point of the study, prints the results, and leaves files and trials in the directory of --out.
  /// Says on standard error which trials have windows that are too short, and whether the search was interrupted: then
  /// files and output have what was found before.
  /// @return the exit status
  /// @throws results_error that names --budget where the search throws std::invalid_argument; else what it throws
  int search_points(searched_study& request, const point_search& command) const;

 private:
  /// The store of a search's trials in a directory, for the same search to go on from. Says on standard error how many
  /// replications are used again.
  trial_store trials_in(const result_directory& directory, const point_search& command,
                        const std::vector<metric_of_class>& metrics) const;
};

}  // namespace muster
