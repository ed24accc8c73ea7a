#pragma once

#include <string>
#include <vector>

#include "platform/import/slurm/site_hardware.h"
#include "platform/import/slurm/site_lines.h"
#include "platform/import/slurm/unused_values.h"

namespace muster {

/// Compares gres.conf with the devices of slurm.conf, which count. @param unused receives where they differ
void check_gres(const std::vector<site_line>& lines, const site_hardware& hardware, unused_values& unused);

/// Lists nodes that take no jobs now, by the State of `scontrol show node`.
void list_states(const std::vector<site_line>& blocks, unused_values& unused);

/// Lists nodes that take no jobs now, by a table of `sinfo`.
/// @throws std::runtime_error that says why the file cannot be read, but not its name
void list_sinfo(const std::string& path, unused_values& unused);

}  // namespace muster
