#pragma once

#include <vector>

#include "platform/import/slurm/site_hardware.h"

namespace muster {

/// Compares gres.conf with the devices of slurm.conf, which count. @param unused receives where they differ
void check_gres(const std::vector<site_line>& lines, const site_hardware& hardware, unused_values& unused);

}  // namespace muster
