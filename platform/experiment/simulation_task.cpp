#include "platform/experiment/simulation_task.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "platform/experiment/replication_text.h"
#include "platform/experiment/sequential_rule.h"
#include "platform/simulation/replication.h"
#include "platform/simulation/watchdog.h"

namespace muster {

using nlohmann::json;

std::string label(const study& s, std::size_t point, std::uint32_t replication, bool pilot) {
  return fmt::format("{}, {}", s.label(point), pilot ? "pilot" : fmt::format("replication {}", replication));
}

std::string simulate(const study& s, const simulation_task& task) {
  const watchdog guard(label(s, task.point, task.replication, task.pilot));
  scenario what = s.points[task.point].what;
  if (task.pilot) return to_text(run_pilot(what));
  if (task.warm_up_jobs) what.run.warm_up_jobs = *task.warm_up_jobs;
  if (sequential_rule(what).hopeless()) what.run.precision.reset();
  return to_text(run_replication(what, task.replication, task.watch));
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
              traces}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

simulation_task task_from_text(const std::string& text) {
  const json in = json::parse(text);
  simulation_task task{in.at(0), in.at(1), in.at(2), {}, {in.at(4), {}}};
  if (!in.at(3).is_null()) task.warm_up_jobs = in.at(3).get<std::uint64_t>();
  for (const json& trace : in.at(5))
    task.watch.traces.push_back({find_trace_kind(trace.at(0).get<std::string>()), trace.at(1).get<std::string>()});
  return task;
}

}  // namespace muster
