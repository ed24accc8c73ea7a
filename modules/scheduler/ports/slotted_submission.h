#pragma once

#include <cstdint>
#include <vector>

#include <tlm>

/// @file
/// The data that the submission of a slotted job carries behind its job_descriptor. The payload must have all of them.

namespace muster {

/// The last slot in which the job may be served, counted from 1; 0: it has no deadline.
std::uint64_t submitted_deadline(const tlm::tlm_generic_payload& p);

/// The gains in utility of the job's units; empty where its class declares them.
std::vector<double> submitted_gains(const tlm::tlm_generic_payload& p);

/// Whether gains make a utility: numbers >= 0 whose sum is finite.
bool are_gains_of_a_utility(const std::vector<double>& gains);

}  // namespace muster
