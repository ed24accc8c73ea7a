#include "platform/experiment/simulation_task.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "platform/metrics/quantile_sketch.h"
#include "platform/model/connected_fmu.h"
#include "platform/simulation/watchdog.h"
#include "platform/toml/diagnostics.h"

template <>
struct nlohmann::adl_serializer<std::optional<double>> {
  static void to_json(json& out, const std::optional<double>& value) { out = value ? json(*value) : json(nullptr); }
  static void from_json(const json& in, std::optional<double>& value) {
    value = in.is_null() ? std::nullopt : std::optional(in.get<double>());
  }
};

namespace muster {

using nlohmann::json;

void to_json(json& out, const coarse_sketch& s) { out = to_text(s); }
void from_json(const json& in, coarse_sketch& s) { s = sketch_from_text(in.get<std::string>()); }

void to_json(json& out, const measurement& m) {
  out = {m.class_name, m.metric, m.value_if_any(), m.jobs, m.half_width, m.marks.words(), m.parts};
}

void from_json(const json& in, measurement& m) {
  const auto value = in.at(2).get<std::optional<double>>();
  m = {in.at(0),
       in.at(1),
       value.has_value(),
       value.value_or(0.0),
       in.at(3),
       in.at(4).get<std::optional<double>>(),
       cautions::of_words(in.at(5)),
       in.at(6).get<std::vector<double>>()};
}

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

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(remark, text, class_name)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(class_balance, class_name, left, present)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(presence_sample, time, class_name, jobs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(class_responses, class_name, times)
// Bins and slices go without names, as there are some hundred of them.
void to_json(json& out, const time_bin& b) {
  out = {b.begin, b.end, b.utilization, b.overhead_share, b.jobs, b.servers};
}
void from_json(const json& in, time_bin& b) { b = {in.at(0), in.at(1), in.at(2), in.at(3), in.at(4), in.at(5)}; }
void to_json(json& out, const server_bin& b) { out = {b.begin, b.end, b.servers}; }
void from_json(const json& in, server_bin& b) { b = {in.at(0), in.at(1), in.at(2)}; }
void to_json(json& out, const held_device& d) { out = {d.number, d.share}; }
void from_json(const json& in, held_device& d) { d = {in.at(0), in.at(1)}; }
void to_json(json& out, const core_slice& s) {
  out = {s.server, s.class_name, s.job, s.cores, s.count, s.begun, s.works, s.saves, s.ended, s.devices};
}
void from_json(const json& in, core_slice& s) {
  const auto time = [&](std::size_t at) { return in.at(at).get<std::optional<double>>(); };
  s = {in.at(0), in.at(1), in.at(2), in.at(3), in.at(4), in.at(5), time(6), time(7), time(8), in.at(9)};
}
void to_json(json& out, const queue_bin& b) { out = {b.begin, b.end, b.used, b.wanted}; }
void from_json(const json& in, queue_bin& b) { b = {in.at(0), in.at(1), in.at(2), in.at(3)}; }
void to_json(json& out, const slowdown_cell& c) { out = {c.cores, c.run_below, c.jobs, c.slowdown}; }
void from_json(const json& in, slowdown_cell& c) {
  c = {in.at(0), in.at(1).get<std::optional<double>>(), in.at(2), in.at(3)};
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(core_window, begin, end, servers, slices, packed, bins)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(long_wait, class_name, job, arrival, wait, until, has_left, running)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(replication_pictures, responses, bins, cores, waits, queue, slowdowns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(control_variate, name, deviation, parts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(replication_result, measurements, balances, presence, pictures, notes, controls,
                                   in_parts, jobs, events, simulated_time, seconds)

std::string to_text(const replication_result& result) {
  return json(result).dump(-1, ' ', false, json::error_handler_t::replace);
}

replication_result replication_from_text(const std::string& text) {
  return json::parse(text).get<replication_result>();
}

// The packed slices of a log are a long text. They follow the rest as they are: the reader of CBOR takes its input
// character by character.
std::string to_bytes(const replication_result& result) {
  const std::string& packed = result.pictures.cores.packed;
  json all(result);
  all["pictures"]["cores"]["packed"] = "";
  std::string bytes = fmt::format("{:020}", packed.size());
  json::to_cbor(all, bytes);
  return bytes += packed;
}

replication_result replication_from_bytes(const std::string& bytes) {
  constexpr std::size_t head = 20;
  const std::string_view all = bytes;
  const std::size_t end = all.size() - std::stoull(bytes.substr(0, head));
  replication_result result = json::from_cbor(all.begin() + head, all.begin() + end).get<replication_result>();
  result.pictures.cores.packed = all.substr(end);
  return result;
}

std::string to_text(const found_warm_up& found) { return json{found.jobs, found.settled}.dump(); }

found_warm_up warm_up_from_text(const std::string& text) {
  const json in = json::parse(text);
  return {in.at(0), in.at(1)};
}

}  // namespace muster
