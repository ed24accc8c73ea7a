#include "platform/experiment/simulation_task.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "platform/model/connected_fmu.h"
#include "platform/simulation/watchdog.h"
#include "platform/toml/diagnostics.h"

namespace muster {

using nlohmann::json;

std::string label(const study& s, const replication_task& task) {
  return fmt::format("{}, {}", s.label(task.point),
                     task.pilot ? "pilot" : fmt::format("replication {}", task.replication));
}

std::string fault_of(const task_outcome& failed, const scenario& model) {
  if (!failed.died || model.fmus.empty()) return failed.text;
  std::vector<std::string> names;
  for (const auto& connected : model.fmus) names.push_back(in_quotes(connected->name));
  return fmt::format("{}; {} {} ran in it", failed.text, names.size() == 1 ? "FMU" : "FMUs", fmt::join(names, ", "));
}

std::string simulate(const study& s, const simulation_task& task) {
  const watchdog guard(label(s, task));
  scenario model = s.points[task.point].model;
  if (task.pilot) return to_text(run_pilot(model));
  if (task.warm_up_jobs) model.run.warm_up_jobs = *task.warm_up_jobs;
  // What other points record does not depend on how many replications there are to be.
  return to_bytes(run_replication(as_it_runs(std::move(model), task.watch), task.replication, task.watch));
}

std::string to_text(const simulation_task& task) {
  json traces = json::array();
  for (const trace_request& trace : task.watch.traces)
    traces.push_back({trace.kind->name, std::filesystem::absolute(trace.file).string()});
  return json{task.point,
              task.replication,
              task.pilot,
              task.warm_up_jobs ? json(*task.warm_up_jobs) : json(nullptr),
              task.watch.check_protocol,
              traces,
              task.watch.pictures,
              task.values,
              task.watch.unstable ? json(*task.watch.unstable) : json(nullptr)}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

simulation_task task_from_text(const std::string& text) {
  const json in = json::parse(text);
  simulation_task task{{in.at(0), in.at(1), in.at(2)}, {}, {in.at(4), {}, in.at(6)}};
  if (!in.at(3).is_null()) task.warm_up_jobs = in.at(3).get<std::uint64_t>();
  for (const json& trace : in.at(5))
    task.watch.traces.push_back({find_trace_kind(trace.at(0).get<std::string>()), trace.at(1).get<std::string>()});
  task.values = in.at(7).get<std::vector<double>>();
  if (!in.at(8).is_null()) task.watch.unstable = in.at(8).get<bool>();
  return task;
}

std::string to_text(const found_warm_up& found) { return json{found.jobs, found.settled}.dump(); }

found_warm_up warm_up_from_text(const std::string& text) {
  const json in = json::parse(text);
  return {in.at(0), in.at(1)};
}

}  // namespace muster
