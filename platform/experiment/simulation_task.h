#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/experiment/result_bytes.h"
#include "platform/experiment/worker_pool.h"
#include "platform/model/study.h"
#include "platform/simulation/replication.h"

namespace muster {

/// One simulation of a study.
struct replication_task {
  std::size_t point = 0;
  std::uint32_t replication = 0;
  bool pilot = false;  ///< finds the warm-up of the point's replications, and is none of them
};

/// The task in words: "point 1, arrivals.rate = 4, replication 0", or "pilot" in place of the replication.
std::string label(const study& s, const replication_task& task);

/// One simulation with all that a process which has read the study needs to know of it.
struct simulation_task : replication_task {
  std::optional<std::uint64_t> warm_up_jobs{};  ///< as a pilot has found it
  watching watch{};
  std::vector<double> values{};  ///< of the parameters of a search; the study alone does not tell the scenario
};

/// Simulates in this process. A policy that does not return is named on standard error, see watchdog.
/// @return the result as bytes (see to_bytes()), that of a pilot as text
/// @throws std::runtime_error on a fault
std::string simulate(const study& s, const simulation_task& task);

/// What went wrong in a simulation. Where its process has died, that names the FMUs that ran in it.
/// @param model the scenario that was simulated
std::string fault_of(const task_outcome& failed, const scenario& model);

/// A task as text, on its way to a process on another host, which may have another working directory: the traces have
/// absolute paths.
std::string to_text(const simulation_task& task);
simulation_task task_from_text(const std::string& text);

/// The warm-up that a pilot has found, as text on its way from a worker process.
std::string to_text(const found_warm_up& found);
found_warm_up warm_up_from_text(const std::string& text);

}  // namespace muster
