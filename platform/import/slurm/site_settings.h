#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "platform/import/slurm/site_lines.h"
#include "platform/import/slurm/unused_values.h"

namespace muster {

/// A parameter of the policy `slurm` that a site sets.
struct policy_setting {
  std::string text;   ///< of its value in a scenario
  site_place at;      ///< where the site sets it
  std::string given;  ///< as it stands there
};
using policy_settings_of_site = std::map<std::string, policy_setting>;  // by name

/// Whether a scenario has a parameter.
struct policy_taking {
  bool known = false;      ///< the policy has a parameter of this name
  std::string expected{};  ///< where it is known and does not have this value
  bool taken() const { return known && expected.empty(); }
};
/// Takes a parameter of slurm.conf that the policy `slurm` has, other than SchedulerParameters.
policy_taking take_policy_parameter(const site_place& at, std::string_view key, std::string_view value,
                                    policy_settings_of_site& settings);
/// Takes neither PreemptType nor PreemptMode where only one of them has been taken, without which jobs do not preempt.
/// Called when all files are read. @param unused receives the other one
void settle_preemption(policy_settings_of_site& settings, unused_values& unused);
/// Takes an option of SchedulerParameters, such as "bf_interval=60" or "defer".
policy_taking take_scheduler_option(const site_place& at, std::string_view option, policy_settings_of_site& settings);
/// The names of all options that take_scheduler_option() knows.
std::vector<std::string> scheduler_options();

/// What slurm.conf says of scheduling, as far as a scenario has it.
struct site_settings {
  std::string cluster;           ///< ClusterName
  bool backfill = true;          ///< SchedulerType: sched/backfill, else sched/builtin
  bool counts_memory = false;    ///< SelectTypeParameters: memory is consumed, as by CR_Core_Memory
  bool whole_nodes = false;      ///< SelectType: select/linear
  bool enforces_limits = false;  ///< AccountingStorageEnforce: limits hold
  double memory_of_core = 0.0;   ///< bytes, DefMemPerCPU; 0: none is set
  double memory_of_node = 0.0;   ///< bytes, DefMemPerNode; 0: none is set
  policy_settings_of_site policy{};
};

/// Takes a line of slurm.conf that is none of nodes or partitions.
/// @param unused receives each parameter that the settings do not have
void take_settings(const site_line& line, site_settings& settings, unused_values& unused);

}  // namespace muster
