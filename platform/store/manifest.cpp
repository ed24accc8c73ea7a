#include "platform/store/manifest.h"

#include <algorithm>
#include <set>

#include <fmt/chrono.h>
#include <sys/resource.h>
#include <nlohmann/json.hpp>
#include <systemc>

#include "muster/version.h"

namespace muster {

namespace {

using json = nlohmann::ordered_json;

std::string utc(std::chrono::system_clock::time_point t) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(t)));
}

// The largest single process, workers included; the kernel counts in KiB.
std::int64_t peak_memory() {
  rusage own{}, children{};
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  return std::max(own.ru_maxrss, children.ru_maxrss) * 1024;
}

// The value that all points share, or else the list of their values.
json one_or_all(const study& s, json (*of_point)(const run_spec& run)) {
  std::set<json> values;
  for (const study::point& p : s.points) values.insert(of_point(p.model.run));
  return values.size() == 1 ? *values.begin() : json(values);
}

json precision_of(const study& s, const run_facts& facts) {
  json points = json::array();
  for (const precision_fact& f : facts.precision) {
    const precision_target& wanted = s.points[f.point].model.run.precision->targets[f.target];
    points.push_back({{"point", f.point},
                      {"metric", wanted.metric},
                      {"class", wanted.class_name},
                      {"wanted", wanted.half_width},
                      {"half_width", f.half_width ? json(*f.half_width) : nullptr},
                      {"reached", f.reached},
                      {"replications", f.replications}});
  }
  return points;
}

json control_variates_of(const run_facts& facts) {
  json estimates = json::array();
  for (const variance_fact& f : facts.variance)
    estimates.push_back(
        {{"point", f.point}, {"class", f.class_name}, {"metric", f.metric}, {"variance_factor", f.factor}});
  return estimates;
}

}  // namespace

std::string manifest(const study& s, const std::string& command, std::size_t workers,
                     std::chrono::system_clock::time_point began, const run_facts& facts) {
  const auto ended = std::chrono::system_clock::now();
  const result_store::totals& all = facts.stored;
  const json out{
      {"scenario", s.name},
      {"muster_version", version},
      {"systemc_version", sc_core::sc_version_string},
      {"code", facts.code},
      {"command", command},
      {"seed", one_or_all(s, [](const run_spec& run) { return json(run.seed); })},
      {"warm_up",
       one_or_all(s, [](const run_spec& run) { return run.warm_up_by_mser5 ? json("mser5") : json(run.warm_up); })},
      {"points", s.points.size()},
      {"status", facts.interrupted     ? "interrupted"
                 : facts.fault.empty() ? "done"
                                       : "fault"},
      {"fault", facts.fault},
      {"points_finished", facts.points_finished},
      {"replications_finished", all.replications},
      {"replications_reused", facts.replications_reused},
      {"interrupted", facts.interrupted},
      {"workers", workers},
      {"began", utc(began)},
      {"ended", utc(ended)},
      {"wall_seconds", std::chrono::duration<double>(ended - began).count()},
      {"simulation_seconds", all.seconds},
      {"jobs", all.jobs},
      {"events", all.events},
      {"jobs_per_second", all.seconds > 0 ? static_cast<double>(all.jobs) / all.seconds : 0.0},
      {"events_per_second", all.seconds > 0 ? static_cast<double>(all.events) / all.seconds : 0.0},
      {"peak_memory_bytes", peak_memory()},
      {"precision", precision_of(s, facts)},
      {"control_variates", control_variates_of(facts)},
      {"notes", facts.notes},
  };
  // A byte that is no UTF-8, in a path for example, is shown as such and does not cost us the manifest.
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace muster
