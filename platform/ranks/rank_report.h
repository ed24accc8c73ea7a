#pragma once

#include <cstddef>
#include <string>

#include "platform/experiment/worker_pool.h"
#include "platform/model/study.h"
#include "platform/store/code_fingerprint.h"

namespace muster {

/// The report of a rank before the work begins.
struct rank_report {
  std::string host;
  std::size_t workers = 1;  ///< simulations at a time
  std::string version;      ///< version of muster
  std::string study;        ///< digest of the study that the rank has read, and of the files that it names
  std::string error;        ///< the reason why it has read nothing; empty if it has read the study
  code_fingerprint code{};  ///< fingerprint of the code that runs there
};

/// A digest of a study and the files that it names: equal digests mean equal studies.
std::string digest(const study& s);

std::string to_text(const rank_report& report);
rank_report report_from_text(const std::string& text);

/// The text of an outcome on its way to rank 0, and its reverse.
std::string to_text(const task_outcome& outcome);
task_outcome outcome_from_text(const std::string& text);

}  // namespace muster
