#include "platform/scenario/scenario_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "platform/scenario/fmu_file.h"
#include "platform/scenario/foreign_file.h"
#include "platform/scenario/log_file.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/scenario/sweep.h"
#include "platform/toml/dotted_key.h"
#include "platform/toml/text_file.h"

namespace muster {

namespace {

constexpr std::size_t largest_scenario = std::size_t{4} << 20;
constexpr std::size_t most_values = 30'000'000;  // in all points of a study: some seconds and some gigabytes
constexpr std::size_t enough_findings = 100;     // further points would tell nothing new

// The number of values of one point, edges of its compatibility graph and units of its jobs included.
std::size_t weight(const toml_value& document) {
  const auto length = [&](const std::vector<std::string>& path) {
    return contents_of<toml_array>(find(document, path)).size();
  };
  std::size_t units = 0;  // a class keeps what each of its units is worth
  if (const toml_value* classes = document.find("classes"); classes && classes->as<toml_array>())
    for (const toml_value& c : *classes->as<toml_array>())
      if (const toml_value* given = c.find("units"); given && given->as<std::int64_t>())
        units += static_cast<std::size_t>(
            std::clamp<std::int64_t>(*given->as<std::int64_t>(), 0, static_cast<std::int64_t>(most_units)));
  return document.count() + units + length({"classes"}) * length({"platform", "servers"});
}

/// The defaults that all points take where the file says nothing.
class common_defaults {
 public:
  // @param swept the keys that the sweep replaces
  void begin(std::vector<default_value> taken, const std::vector<std::string>& swept) {
    for (default_value& d : taken) {
      const std::string key = join_key(d.path);
      const auto holds = [&](const std::string& ancestor) { return key != ancestor && lies_within(key, ancestor); };
      (std::any_of(swept.begin(), swept.end(), holds) ? within_sweep_ : shared_).push_back(std::move(d));
    }
  }

  void meet(const std::vector<default_value>& taken) {
    // Points read their keys in the same order, so the search mostly ends where it begins.
    std::size_t from = 0;
    const auto differs = [&](const default_value& d) {
      for (std::size_t step = 0; step < taken.size(); ++step) {
        const default_value& other = taken[(from + step) % taken.size()];
        if (other.path != d.path) continue;
        from += step + 1;
        return !(other.value == d.value);
      }
      return true;
    };
    shared_.erase(std::remove_if(shared_.begin(), shared_.end(), differs), shared_.end());
  }

  // A value that the sweep replaces anyway is shown complete as of the first point.
  void write_to(toml_value& document) const {
    for (const auto* defaults : {&shared_, &within_sweep_})
      for (const default_value& d : *defaults) assign(document, d.path, {}, d.value, d.element);
  }

 private:
  std::vector<default_value> shared_, within_sweep_;
};

// Checks the values of the file that the sweep replaces by others: they have no effect, but must not be nonsense.
void check_replaced_values(const sweep_plan& plan, study_files& files, findings& errors) {
  findings all = errors;
  const toml_value document = plan.without_sweep(all);
  reading read{all, scenario_schema()};
  read_scenario(document, files, read);
  const std::vector<std::string> swept = plan.swept_keys(document);
  errors.take(all, [&](const std::string& key) {
    return std::any_of(swept.begin(), swept.end(), [&](const std::string& s) { return lies_within(key, s); });
  });
}

toml_value resolve(const sweep_plan& plan, const common_defaults& defaults, findings& errors) {
  toml_value document = plan.point(0, errors);
  defaults.write_to(document);
  if (!plan.axes().empty()) document.as<toml_table>()->push_back({"sweep", {}, plan.sweep_table()});
  return document;
}

// The part of the resolved scenario that replications depend on. The number of replications belongs to it only with
// batch means, whose one replication goes on with it. Bounds on results do not belong to it.
// @param s has its files and logs
std::string model_of(toml_value resolved, const study& s, bool any_batch_means) {
  if (!any_batch_means)
    for (const char* key : {"replications", "precision", "equal_within", "most_replications"})
      erase(resolved, {"run", key});
  erase(resolved, {"report", "where"});
  if (const toml_value* report = resolved.find("report"); report && report->as<toml_table>()->empty())
    erase(resolved, {"report"});
  std::string text = to_toml(*resolved.as<toml_table>());
  for (const auto* files : {&s.files, &s.logs})
    for (const auto& [name, content] : *files) text += fmt::format("\n{} {}\n{}", name, content.size(), content);
  return text;
}

// Refuses a file that is no scenario, before it is read whole: a log is far longer than any scenario.
void refuse_other_files(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;  // what a pipe has can be read but once
  std::string begin(std::size_t{4} << 10, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(in.gcount()));
  const std::string found = other_than_scenario(begin, path);
  if (!found.empty()) throw scenario_error({{path, 1, 1, "file", found}});
}

bool is_unknown_policy(const diagnostic& d) { return d.message.rfind("unknown policy ", 0) == 0; }

// The command of a run that had loaded plugins; empty if it had none, or is not known.
std::string command_with_plugins(const std::filesystem::path& manifest) {
  std::ifstream in(manifest);
  const auto stored = nlohmann::json::parse(in, nullptr, false);
  if (!stored.is_object() || !stored.contains("command") || !stored["command"].is_string()) return "";
  const auto command = stored["command"].get<std::string>();
  return command.find("--plugin") == std::string::npos ? "" : command;
}

// Completes what is wrong with a scenario that a run has left beside its results: where it names an unknown policy and
// that run had loaded plugins, the command of the run is added, with the advice to load them again.
void name_missing_plugin(const std::string& path, std::vector<diagnostic>& errors) {
  if (std::none_of(errors.begin(), errors.end(), is_unknown_policy)) return;
  const std::filesystem::path manifest = std::filesystem::path{path}.parent_path() / "manifest.json";
  const std::string command = command_with_plugins(manifest);
  if (!command.empty())
    errors.push_back({manifest.string(), 1, 1, "command",
                      fmt::format("the run was `{}`; give the same --plugin here", printable(command, 1000))});
}

study read_points(std::string_view text, const std::string& display_name, const std::vector<std::string>& overrides,
                  const std::string& folder, std::vector<std::vector<queued_job>>& queues);

}  // namespace

study_with_queues read_study_with_queues(const std::string& path, const std::vector<std::string>& overrides) {
  study_with_queues result;
  refuse_other_files(path);
  std::string text;
  try {
    text = read_text_file(path, "TOML file", largest_scenario);
  } catch (const std::runtime_error& error) {
    throw scenario_error({{path, 1, 1, "file", error.what()}});
  }
  try {
    result.read = read_points(text, path, overrides, std::filesystem::path{path}.parent_path().string(), result.queues);
    return result;
  } catch (const scenario_error& error) {
    std::vector<diagnostic> all = error.diagnostics();
    name_missing_plugin(path, all);
    throw scenario_error(all);
  }
}

study read_study(const std::string& path, const std::vector<std::string>& overrides) {
  return read_study_with_queues(path, overrides).read;
}

study read_study(std::string_view text, const std::string& display_name, const std::vector<std::string>& overrides,
                 const std::string& folder) {
  std::vector<std::vector<queued_job>> queues;
  return read_points(text, display_name, overrides, folder, queues);
}

namespace {

// @param queues gets what the queue of each point tells
study read_points(std::string_view text, const std::string& display_name, const std::vector<std::string>& overrides,
                  const std::string& folder, std::vector<std::vector<queued_job>>& queues) {
  std::vector<std::string> sources{display_name};
  for (const std::string& given : overrides) sources.push_back("--set " + given);
  findings errors{std::move(sources)};
  auto document = parse_toml(text, 0, errors);
  if (!document) errors.throw_if_any();
  sweep_plan plan{std::move(*document), overrides, errors};
  if (plan.point_count() > sweep_plan::most_points) errors.throw_if_any();

  study result;
  for (const sweep_axis& axis : plan.axes()) result.keys.push_back(axis.key);
  study_files files{folder};
  common_defaults defaults;
  std::vector<converted_value> converted;
  std::size_t listed = 0;
  for (std::size_t i = 0; i < plan.point_count() && errors.count() < enough_findings; ++i) {
    const toml_value point = plan.point(i, errors);
    if (const std::size_t values = weight(point); values > most_values / plan.point_count()) {
      errors.add({}, "file",
                 fmt::format("{} points of {} values; expected at most {} values in all", plan.point_count(), values,
                             most_values));
      break;
    }
    reading read{errors, scenario_schema()};
    scenario model = read_scenario(point, files, read);
    converted.insert(converted.end(), read.converted.begin(), read.converted.end());
    // Points may share the jobs of a log.
    const auto& jobs = model.arrivals.jobs;
    const bool shared = !result.points.empty() && result.points.back().model.arrivals.jobs == jobs;
    listed += model.arrivals.list.size() + (jobs && !shared ? jobs->in_memory() : 0);
    if (listed > most_values) {
      errors.add({}, "file", fmt::format("expected at most {} jobs of lists in all points", most_values));
      break;
    }
    if (errors.count() > 0) continue;
    if (result.points.empty())
      defaults.begin(std::move(read.defaults), plan.swept_keys(point));
    else
      defaults.meet(read.defaults);
    result.points.push_back({std::move(model), {}});
    queues.push_back(std::move(files.queued));
  }
  result.files = files.contents();
  for (const auto& [key, log] : files.logs) result.logs.emplace(log->path, log->digest);
  for (const auto& [path, fmu] : files.fmus) result.logs.emplace(path, fmu->digest);
  if (!plan.axes().empty() && errors.count() < enough_findings) check_replaced_values(plan, files, errors);
  errors.throw_if_any();
  plan.replace(converted);
  for (std::size_t i = 0; i < result.points.size(); ++i) result.points[i].values = plan.values(i);
  result.name = result.points.front().model.name;
  result.about = result.points.front().model.about;
  toml_value resolved = resolve(plan, defaults, errors);
  result.resolved = to_toml(*resolved.as<toml_table>());
  const bool any_batch_means = std::any_of(result.points.begin(), result.points.end(),
                                           [](const study::point& p) { return p.model.run.batch_means; });
  result.model_text = model_of(std::move(resolved), result, any_batch_means);
  return result;
}

}  // namespace

}  // namespace muster
