#include "platform/command_line/search_options.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/cautions/measured_window.h"
#include "platform/command_line/run_text.h"
#include "platform/experiment/interrupt_guard.h"
#include "platform/metrics/metric.h"
#include "platform/scenario/scenario_file.h"
#include "platform/store/stored_run.h"
#include "platform/tables/number_text.h"
#include "platform/tables/writers.h"
#include "platform/toml/dotted_key.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

std::string wrong_range(const std::string& over, bool steps) {
  const std::size_t equals = over.find('=');
  const char* const or_names = steps ? ", or KEY=A,B, such as policy=fcfs,msf" : "";
  if (!split_key(over.substr(0, equals)))
    return fmt::format("expected KEY=LOW:HIGH, such as policy.threshold=0:31{}", or_names);
  if (equals == std::string::npos)
    return fmt::format("expected a range of its values, such as --over {0}=0:31 (integers) or --over {0}=0.1:10.0{1}",
                       over, or_names);
  try {
    const std::string range = over.substr(equals + 1);
    if (!steps && std::count(range.begin(), range.end(), ':') > 1)
      return fmt::format("expected LOW:HIGH, without a step, found {}", in_quotes(range));
    const search_range checked(range);
    if (!steps && checked.is_list()) return fmt::format("expected LOW:HIGH, no list, found {}", in_quotes(range));
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

// The keys of a sweep over tables that the parameter lies in: its points differ in the parameter itself.
std::vector<std::string> swept_tables_with(const std::string& parameter, const study& s) {
  std::vector<std::string> tables;
  for (std::size_t k = 0; k < s.keys.size(); ++k)
    if (s.keys[k] != parameter && s.keys[k] != "policy" && lies_within(parameter, s.keys[k]) &&
        s.points.front().values[k].front() == '{')
      tables.push_back(s.keys[k]);
  return tables;
}

}  // namespace

void search_options::add_subject_to(CLI::App& command, std::size_t keys, bool steps) {
  scenario.add_to(command);
  command.final_callback([this] {
    if (over.empty())
      throw CLI::RequiredError(
          "--over with a range, such as --over policy.threshold=0:31 or --over arrivals.rate=1.0:4.0,");
  });
  command
      .add_option("--over", over,
                  keys == 1 ? "the parameter, and the range of its values"
                            : "a parameter, and the range of its values; repeatable")
      ->type_name(steps ? "KEY=LOW:HIGH[:STEP]|A,B,.." : "KEY=LOW:HIGH")
      ->expected(1, static_cast<int>(keys))
      ->allow_extra_args(false)
      ->check([steps](const std::string& text) { return wrong_range(text, steps); });
}

void search_options::add_class_to(CLI::App& command) {
  command.add_option("--class", class_name, "the class whose metric it is")->type_name("NAME")->capture_default_str();
}

void search_options::add_run_to(CLI::App& command, std::size_t multiple, const std::string& replications_help,
                                const std::string& files, const char* main) {
  times = multiple;
  if (times > 0)
    command
        .add_option(
            "--budget", budget,
            fmt::format(
                "replications in all, for each point (default: {} times run.replications{})", times,
                several_times > 0 ? fmt::format(", {} times with several keys, goals or bounds", several_times) : ""))
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000'000}));
  workers = usual_workers();
  add_workers(command, workers)->default_str(std::to_string(*workers))->each([this](const std::string&) {
    workers_given = true;
  });
  scenario.add_replications_to(command, replications_help);
  add_directory(command, out, "directory in which to leave " + files);
  command.add_flag("--quiet", quiet, "no progress");
  add_format(command, format, main);
}

namespace {

bool is_read(const std::string& file, const std::vector<std::string>& overrides) {
  try {
    read_study(file, overrides);
    return true;
  } catch (const scenario_error&) {
    return false;
  }
}

}  // namespace

study search_options::read(const std::vector<search_setting>& settings) const {
  std::vector<std::string> all = scenario.overrides();
  for (const search_setting& s : settings) all.push_back(s.setting);
  try {
    study found = read_study(scenario.file, all);
    std::vector<std::string> swept;
    for (std::size_t at = 0; at < over.size(); ++at)
      for (const std::string& table : swept_tables_with(key(at), found))
        if (std::find(swept.begin(), swept.end(), table) == swept.end()) swept.push_back(table);
    if (swept.empty()) return found;
    for (const std::string& table : swept) all.insert(all.begin(), table + "={}");
    return read_study(scenario.file, all);
  } catch (const scenario_error& e) {
    std::vector<diagnostic> diagnostics = e.diagnostics();
    for (diagnostic& d : diagnostics)
      for (const search_setting& s : settings)
        if (d.file == "--set " + s.setting) {
          d.file = s.option;
          d.column -= std::min(d.column - 1, s.before);
          break;
        }
    throw scenario_error(std::move(diagnostics));
  }
}

scenario_error search_options::told_with(const std::vector<search_setting>& settings, const scenario_error& e) const {
  if (settings.empty() || !is_read(scenario.file, scenario.overrides())) return e;
  std::vector<diagnostic> diagnostics = e.diagnostics();
  for (diagnostic& d : diagnostics) {
    if (std::any_of(settings.begin(), settings.end(), [&](const auto& s) { return d.file == s.option; })) continue;
    d.message += " (with ";
    for (const search_setting& s : settings) d.message += (&s == &settings.front() ? "" : ", ") + s.setting;
    d.message += ")";
  }
  return scenario_error(std::move(diagnostics));
}

void search_options::check_keys() const {
  for (std::size_t at = 0; at < over.size(); ++at) {
    if (split_key(key(at))->front() == "run")
      throw scenario_error(
          {{"--over " + over[at], 1, 1, key(at), "belongs to the run; expected a parameter of the model"}});
    for (std::size_t before = 0; before < at; ++before)
      if (key(before) == key(at)) throw results_error(fmt::format("--over: {} is given twice", key(at)));
  }
}

void search_options::check(const study& s, const metric_of_class& of, const std::string& option,
                           const std::string& class_option, const char* compared) {
  std::vector<std::string> names{"all"};
  for (const class_spec& c : s.points.front().model.classes) names.push_back(c.name);
  if (is_of_jobs(of.class_name) && std::find(names.begin(), names.end(), of.class_name) == names.end())
    throw results_error(fmt::format("{}: unknown class {}{}", class_option, in_quotes(of.class_name),
                                    suggestion(of.class_name, names)));
  for (const study::point& p : s.points) {
    if (const auto mistake = find_metric(of.metric)->mistake(p.model, of.class_name))
      throw results_error(fmt::format("{}: {}", mistake->of_class ? class_option : option, mistake->message));
    if (p.model.run.replications < 2)
      throw results_error(fmt::format("run.replications: expected at least 2, to tell {} apart", compared));
  }
}

trial_store search_options::trials_in(const result_directory& directory, const point_search& command,
                                      const std::vector<metric_of_class>& metrics) const {
  tell_when_interrupted(fmt::format("the same command goes on from {}", out));
  std::string question = command.question;
  for (std::size_t k = 0; k < over.size(); ++k) question += "\n" + range(k).with_unit(key(k));
  for (const metric_of_class& metric : metrics) question += "\n" + metric.text();
  trial_store store(directory.file(command.trials).string(), question, running_code());
  if (store.taken_over() > 0 && !quiet)
    fmt::print(stderr, "{} in {} are used again\n", counted(store.taken_over(), "replication"), out);
  return store;
}

int search_options::run(const invocation& how, const std::function<study()>& read,
                        const std::function<int(task_runner*)>& search, const simulation& simulate) const {
  const auto prepare = [&] {
    how.load_plugins();
    check_keys();
  };
  return run_here_or_among_ranks(workers_given ? *workers : 1, prepare, read, search, simulate);
}

int search_options::search_points(searched_study& request, const point_search& command) const {
  request.workers = *workers;
  std::optional<result_directory> directory;
  std::optional<trial_store> store;
  if (!out.empty()) {
    directory.emplace(result_directory::of_search(out));
    request.store = &store.emplace(trials_in(*directory, command, request.metrics));
  }
  table_document output(command.main_table);
  std::vector<data_table> files;
  const auto keep_files = [&](bool finished) {
    for (data_table& table : command.files(finished)) add_rows(files, std::move(table));
  };
  int status = done;
  const interrupt_guard interrupts;
  try {
    for (request.point = 0; request.point < request.subject->points.size(); ++request.point) {
      for (const std::string& sentence : first_sentences(command.search())) fmt::print(stderr, "note: {}\n", sentence);
      const table_document found = command.text();
      if (format == output_format::table) fmt::print("{}", found.text());
      std::fflush(stdout);
      output.append(found);
      keep_files(true);
    }
  } catch (const search_interrupted&) {
    keep_files(false);
    status = interrupted;
  } catch (const std::invalid_argument& e) {
    throw results_error(fmt::format("--budget: {}", e.what()));
  }
  if (format != output_format::table) fmt::print("{}", output.in(format));
  for (const data_table& file : files)
    if (directory) directory->write(file.name, to_csv(file));
  fmt::print(stderr, "{}", first_few("note", request.subject->notes(), "the output of muster check --format json"));
  if (status == interrupted)
    fmt::print(stderr, "interrupted{}\n",
               out.empty() ? "" : fmt::format("; the {}s that were finished are in {}", request.space.noun(), out));
  return status;
}

}  // namespace muster
