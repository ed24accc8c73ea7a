#include "platform/results/manifest.h"

#include <algorithm>

#include <fmt/chrono.h>
#include <sys/resource.h>
#include <nlohmann/json.hpp>
#include <systemc>

#include "platform/version.h"

namespace muster {

namespace {

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

}  // namespace

std::string manifest(const study& s, const std::string& command, std::size_t workers,
                     std::chrono::system_clock::time_point began, const run_facts& facts) {
  const auto ended = std::chrono::system_clock::now();
  const double wall = std::chrono::duration<double>(ended - began).count();
  const run_spec& run = s.points.front().what.run;
  const nlohmann::ordered_json out{
      {"scenario", s.name},
      {"muster_version", version},
      {"systemc_version", sc_core::sc_version_string},
      {"command", command},
      {"seed", run.seed},
      {"warm_up", run.warm_up},
      {"points", s.points.size()},
      {"replications_finished", facts.replications},
      {"interrupted", facts.interrupted},
      {"workers", workers},
      {"began", utc(began)},
      {"ended", utc(ended)},
      {"wall_seconds", wall},
      {"simulation_seconds", facts.seconds},
      {"jobs", facts.jobs},
      {"events", facts.events},
      {"jobs_per_second", facts.seconds > 0 ? static_cast<double>(facts.jobs) / facts.seconds : 0.0},
      {"events_per_second", facts.seconds > 0 ? static_cast<double>(facts.events) / facts.seconds : 0.0},
      {"peak_memory_bytes", peak_memory()},
      {"notes", facts.notes},
  };
  return out.dump(2) + "\n";
}

}  // namespace muster
