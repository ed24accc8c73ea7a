#pragma once

#include <string>

#include "platform/import/slurm/policy_settings.h"
#include "platform/import/slurm/site_lines.h"
#include "platform/import/slurm/unused_values.h"

namespace muster {

/// What slurm.conf says of scheduling, as far as a scenario has it.
struct site_settings {
  std::string cluster;          ///< ClusterName
  bool backfill = true;         ///< SchedulerType: sched/backfill, else sched/builtin
  bool counts_memory = false;   ///< SelectTypeParameters: memory is consumed, as by CR_Core_Memory
  bool whole_nodes = false;     ///< SelectType: select/linear
  double memory_of_core = 0.0;  ///< bytes, DefMemPerCPU; 0: none is set
  double memory_of_node = 0.0;  ///< bytes, DefMemPerNode; 0: none is set
  policy_settings_of_site policy{};
};

/// Takes a line of slurm.conf that is none of nodes or partitions.
/// @param unused receives each parameter that the settings do not have
void take_settings(const site_line& line, site_settings& settings, unused_values& unused);

}  // namespace muster
