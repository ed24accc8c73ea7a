#pragma once

#include <string>

#include <fmt/format.h>

#include "platform/metrics/replication_result.h"
#include "tests/scenario/first_point.h"

namespace muster {

/// M/M/k with cores of capacity 1. @param run lines of its table `run`
inline scenario single_class(int k, double load, const std::string& run) {
  const std::string text = fmt::format(R"(name = "single"
[platform]
servers = [{{ name = "node", cores = {} }}]
[[classes]]
name = "job"
need = 1
share = 1.0
size = {{ distribution = "exponential", mean = 1.0 }}
[arrivals]
rate = {}
[policy]
name = "fcfs"
[run]
{}
)",
                                       k, load * k, run);
  return first_point(text);
}

/// A replication that has found nothing but this mean response time.
inline replication_result with_response_time(double value, cautions marks = {}) {
  replication_result r;
  r.measurements.push_back({"all", "response_time", true, value, 10, {}, marks});
  return r;
}

/// Mean response time of M/M/k with mean size 1 (Erlang, 1917).
inline double erlang_response_time(int k, double load) {
  const double offered = load * k;
  double blocked = 1.0;  // Erlang's B, by recursion over the number of cores
  for (int cores = 1; cores <= k; ++cores) blocked = offered * blocked / (cores + offered * blocked);
  const double waits = blocked / (1.0 - load * (1.0 - blocked));
  return 1.0 + waits / (k - offered);
}

}  // namespace muster
