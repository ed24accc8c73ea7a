#include "platform/experiment/simulation_task.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "platform/experiment/sequential_rule.h"
#include "platform/simulation/watchdog.h"

namespace muster {

using nlohmann::json;

std::string label(const study& s, const replication_task& task) {
  return fmt::format("{}, {}", s.label(task.point),
                     task.pilot ? "pilot" : fmt::format("replication {}", task.replication));
}

std::string simulate(const study& s, const simulation_task& task) {
  const watchdog guard(label(s, task));
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
  simulation_task task{{in.at(0), in.at(1), in.at(2)}, {}, {in.at(4), {}}};
  if (!in.at(3).is_null()) task.warm_up_jobs = in.at(3).get<std::uint64_t>();
  for (const json& trace : in.at(5))
    task.watch.traces.push_back({find_trace_kind(trace.at(0).get<std::string>()), trace.at(1).get<std::string>()});
  return task;
}

std::string to_text(const replication_result& result) {
  json out{{"notes", json::array()},    {"jobs", result.jobs},
           {"events", result.events},   {"simulated_time", result.simulated_time},
           {"seconds", result.seconds}, {"measurements", json::array()},
           {"balances", json::array()}, {"presence", json::array()}};
  for (const remark& r : result.notes) out["notes"].push_back({r.text, r.class_name});
  for (const measurement& m : result.measurements)
    out["measurements"].push_back({m.class_name, m.metric, m.has_value ? json(m.value) : json(nullptr), m.jobs,
                                   m.half_width ? json(*m.half_width) : json(nullptr), m.marks.words()});
  for (const class_balance& b : result.balances) out["balances"].push_back({b.class_name, b.left, b.present});
  for (const presence_sample& s : result.presence) out["presence"].push_back({s.time, s.class_name, s.jobs});
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

replication_result replication_from_text(const std::string& text) {
  const json in = json::parse(text);
  replication_result result;
  for (const json& r : in.at("notes")) result.notes.push_back({r.at(0), r.at(1)});
  result.jobs = in.at("jobs");
  result.events = in.at("events");
  result.simulated_time = in.at("simulated_time");
  result.seconds = in.at("seconds");
  for (const json& m : in.at("measurements")) {
    result.measurements.push_back(
        {m.at(0), m.at(1), !m.at(2).is_null(), m.at(2).is_null() ? 0.0 : m.at(2).get<double>(), m.at(3), {}});
    if (!m.at(4).is_null()) result.measurements.back().half_width = m.at(4).get<double>();
    result.measurements.back().marks = cautions::of_words(m.at(5));
  }
  for (const json& b : in.at("balances")) result.balances.push_back({b.at(0), b.at(1), b.at(2)});
  for (const json& s : in.at("presence")) result.presence.push_back({s.at(0), s.at(1), s.at(2)});
  return result;
}

std::string to_text(const found_warm_up& found) { return json{found.jobs, found.settled}.dump(); }

found_warm_up warm_up_from_text(const std::string& text) {
  const json in = json::parse(text);
  return {in.at(0), in.at(1)};
}

}  // namespace muster
