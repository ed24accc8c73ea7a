#pragma once

#include <tlm_utils/multi_passthrough_initiator_socket.h>

#include "muster/modules/scheduler/scheduler_settings.h"

/// @file
/// Checks of the modules that are bound to a scheduler, against its settings. They throw std::invalid_argument: what is
/// wrong and what was expected.

namespace muster {

class scheduler;

/// @param bound banks of servers that are bound
void check_banks(const scheduler_settings& s, std::size_t bound);

/// Checks that a scheduler whose settings say so can share its servers with others.
void check_sharing(const scheduler_settings& s);

/// Reads the registers of the servers over the debug transport. A target that does not answer it, as a foreign server
/// need not, is not checked.
void check_servers(const scheduler_settings& s, const table<group_id, group_location>& locations,
                   tlm_utils::multi_passthrough_initiator_socket<scheduler>& servers);

}  // namespace muster
