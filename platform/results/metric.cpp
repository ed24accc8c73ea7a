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
      {"failures_per_job", "",
       "failures of servers by which a job lost its cores and went back to the queue, per completed job"},
      {"down_share", "", "share of all core time in which cores were down, their server having failed"},
      {"average_power", "W", "mean electrical power of all cores, by the watts of their states"},
      {"energy_per_job", "J", "energy spent per job that left"},
      {"asleep_share", "", "share of all core time in which cores slept"},
      {"preemptions_per_job", "", "slots after one with cores that left a slotted job without any, per job"},
      {"utility", "", "what the slotted jobs that left have earned, all together"},
      {"utility_rate", "1/time", "utility earned per unit of time"},
      {"completed_share", "", "share of the slotted jobs that left complete"},
      {"expired_share", "", "share of the slotted jobs that left at their deadline, incomplete"},
      {"optimal_utility", "",
       "the most utility that any schedule can give the same jobs, the future known, at no cost (ISPEED, equation 1)"},
      {"competitive_ratio", "", "optimal_utility over utility, of each replication (ISPEED, equation 2)"},
      {"competitive_bound", "",
       "2 + alpha: no competitive_ratio of ISPEED is above it, at no cost (ISPEED, Theorem 2)"},
      {"fairness_jain", "", "Jain's index over the classes' mean response times (Quickswap, Appendix C)"},
      {"phase_duration", "time", "mean duration of a phase of the policy; phases of no duration do not count"},
      {"phase_share", "", "share of time that the policy spent in a phase"},
      {"warm_up_jobs", "", "completions at the beginning of each replication that are not measured, found by MSER-5"},
      {"sensitivity", "",
       "largest service_rate over the smallest, minus 1, among points that differ in nothing but swept sizes"},
  };
  return all;
}

}  // namespace muster
