#pragma once

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include <systemc>
#include <tlm>

#include <fmt/format.h>

#include "muster/modules/kernel/timekeeper.h"
#include "platform/model/scenario.h"
#include "platform/simulation/cluster_hardware.h"

namespace muster {

inline constexpr ticks end_of_time = std::numeric_limits<ticks>::max() / 4;

/// Gives the process a kernel that has held no simulation, unless the one that it has is new.
///
/// A kernel cannot be used for a second simulation. The first one stays, as static events of SystemC belong to it. No
/// module of an earlier simulation may be left.
inline void renew_kernel() {
  static sc_core::sc_simcontext* first = nullptr;
  sc_core::sc_simcontext* const used = sc_core::sc_get_curr_simcontext();
  if (!first) {
    first = used;
    return;
  }
  if (used != first) delete used;
  sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = new sc_core::sc_simcontext;
}

/// Sets a new kernel up for a scenario, and returns the result of `run`, which leaves no module behind.
/// @throws std::runtime_error on a fault before the simulation begins
template <class Run>
auto in_the_kernel(const scenario& model, const Run& run) {
  renew_kernel();
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  // A run that the kernel warns about is not to be trusted.
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
  sc_core::sc_set_time_resolution(std::pow(10.0, model.unit.resolution_exponent + 15), sc_core::SC_FS);
  // No foreign module is bound, so that local time may lead arbitrarily far without changing the order of events.
  tlm::tlm_global_quantum::instance().set(to_sc_time(end_of_time));
  try {
    return run();
  } catch (const sc_core::sc_report& fault) {
    throw std::runtime_error(fmt::format("{}: {}", fault.get_msg_type(), fault.get_msg()));
  }
}

/// Simulates until the cluster stops the clock, or nothing is left to happen. Before the latter a policy that has jobs
/// wait in an empty cluster is told that no other will come, see scheduler::end_stream().
/// @throws std::runtime_error on a fault. SystemC knows the kernel's time alone, which may lie behind the event's;
/// muster's own modules name that themselves
inline void simulate(cluster_hardware& simulated) {
  try {
    do sc_core::sc_start();
    while (!simulated.time.stopped() && simulated.end_stream());
  } catch (const sc_core::sc_report& fault) {
    const std::string type = fault.get_msg_type(), now = to_sc_time(simulated.time.now()).to_string();
    const bool names_time = type.rfind("/muster/", 0) == 0;
    throw std::runtime_error(type + (names_time ? "" : ", simulated time " + now) + ": " + fault.get_msg());
  }
}

}  // namespace muster
