#pragma once

#include <cstddef>
#include <string>

#include "platform/experiment/worker_pool.h"
#include "platform/model/scenario.h"
#include "platform/store/code_fingerprint.h"

namespace muster {

/// What a rank reports of itself before the work begins.
struct rank_report {
  std::string host;
  std::size_t workers = 1;  ///< simulations at a time
  std::string version;      ///< of muster
  std::string study;        ///< what it has read: a digest of the study and the files that it names
  std::string error;        ///< why it has read nothing; empty if it has
  code_fingerprint code{};  ///< that runs there
};

/// The same for two studies only if they are the same, with the files that they name.
std::string digest(const study& s);

std::string to_text(const rank_report& report);
rank_report report_from_text(const std::string& text);

/// An outcome on its way to rank 0.
std::string to_text(const task_outcome& outcome);
task_outcome outcome_from_text(const std::string& text);

}  // namespace muster
