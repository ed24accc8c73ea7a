#include "platform/results/metric.h"

namespace muster {

const std::vector<metric_entry>& metric_catalogue() {
  static const std::vector<metric_entry> all{
      {"response_time", "time", "mean time from arrival to completion"},
      {"response_time_p50", "time", "median of the response time"},
      {"response_time_p95", "time", "95th percentile of the response time"},
      {"response_time_p99", "time", "99th percentile of the response time"},
      {"waiting_time", "time", "mean time from arrival to getting cores"},
      {"weighted_response_time", "time",
       "mean response time of the classes, weighted with the load that each brings (Quickswap, Section 6.1)"},
      {"slowdown", "", "mean of response time divided by size"},
      {"jobs_in_system", "", "time average of the jobs waiting or in service"},
      {"throughput", "1/time", "completions per unit of time"},
      {"utilization", "", "share of all core time in which cores ran jobs; of a class: its part of that"},
      {"overhead_share", "", "share of all core time spent on dispatch, set-up, saving, restoring and migration"},
      {"service_rate", "", "gamma: work done per unit of time and job in the system (Balanced fairness, Section 5)"},
      {"interruptions_per_job", "", "interruptions by servers' timers, per completed job"},
      {"migrations_per_job", "",
       "servers that came to an interrupted job and had to fetch its state, per completed job"},
      {"fairness_jain", "", "Jain's index over the classes' mean response times (Quickswap, Appendix C)"},
      {"phase_duration", "time", "mean duration of a phase of the policy; phases of no duration do not count"},
      {"phase_share", "", "share of time that the policy spent in a phase"},
      {"sensitivity", "",
       "largest service_rate over the smallest, minus 1, among points that differ in nothing but swept sizes"},
  };
  return all;
}

}  // namespace muster
