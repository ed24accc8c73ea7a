#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/model/study.h"
#include "platform/store/result_store.h"

namespace muster {

/// How narrow an interval of a point has become, where a precision was wanted.
struct precision_fact {
  std::size_t point = 0;
  std::size_t target = 0;  ///< of run.precision
  std::uint32_t replications = 0;
  std::optional<double> half_width;  ///< share of the mean; none: no interval
  bool reached = false;
};

/// The factor by which control variates have lowered the variance of an estimate.
struct variance_fact {
  std::size_t point = 0;
  std::string class_name, metric;
  double factor = 1.0;  ///< so many times fewer jobs are as precise
};

/// The course of a run: what it has stored, how long it took, how precise it is.
struct run_facts {
  result_store::totals stored;            ///< of all replications, those included that an earlier run has stored
  std::uint64_t replications_reused = 0;  ///< those of an earlier run
  std::uint64_t points_finished = 0;
  bool interrupted = false;
  std::string fault;      ///< empty if there was none
  code_fingerprint code;  ///< that has made the replications
  std::vector<std::string> notes;
  std::vector<precision_fact> precision;
  std::vector<variance_fact> variance;  ///< where it has fallen
};

/// manifest.json: how the results beside it came about.
std::string manifest(const study& s, const std::string& command, std::size_t workers,
                     std::chrono::system_clock::time_point began, const run_facts& facts);

}  // namespace muster
