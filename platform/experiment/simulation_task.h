#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "platform/model/scenario.h"
#include "platform/simulation/watching.h"

namespace muster {

/// One simulation of a study, in terms that any process understands that has read the study.
struct simulation_task {
  std::size_t point = 0;
  std::uint32_t replication = 0;
  bool pilot = false;                           ///< finds the warm-up of the point's replications, and is none of them
  std::optional<std::uint64_t> warm_up_jobs{};  ///< as a pilot has found it
  watching watch{};
};

/// A simulation in words, such as "point 1, arrivals.rate = 4, replication 0", or "pilot" in place of the latter.
std::string label(const study& s, std::size_t point, std::uint32_t replication, bool pilot);

/// Simulates in this process, which can hold only one simulation. A policy that does not return is named on standard
/// error, see watchdog.
/// @return the result, see replication_text.h
/// @throws std::runtime_error on a fault
std::string simulate(const study& s, const simulation_task& task);

/// A task as text, on its way to a process on another host, which may have another working directory: the traces have
/// absolute paths.
std::string to_text(const simulation_task& task);
simulation_task task_from_text(const std::string& text);

}  // namespace muster
