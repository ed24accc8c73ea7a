#include <memory>

#include "muster/policies/slurm/preempt_terms.h"
#include "muster/policies/slurm/slurm_parameters.h"
#include "muster/policies/slurm/slurm_scheduler.h"

namespace muster {

extern const placement_entry first_placement;

extern const policy_entry slurm_entry = [] {
  policy_entry entry;
  entry.name = "slurm";
  entry.about =
      "Main and backfill passes of Slurm 22.05 with its parameters: in order of priority, with reservations of whole "
      "nodes (manual of slurm.conf)";
  entry.parameters = slurm_parameters();
  entry.class_parameters = slurm_partition_parameters();
  entry.construct = [](const cluster_view& cluster, const settings& given,
                       random_numbers&) -> std::unique_ptr<rigid_policy> {
    return std::make_unique<slurm_scheduler>(cluster, given);
  };
  entry.check_classes = [](const cluster_view& cluster) { return node_table::objection(cluster); };
  entry.check_settings = [](const cluster_view& cluster, const settings& given) {
    return slurm_objection(cluster, given);
  };
  entry.uses_estimates = true;
  entry.any_needs = true;
  entry.any_resources = true;
  entry.places_by = &first_placement;
  entry.places_only_tasks = true;
  entry.counts_seconds = true;
  entry.preempts = true;
  entry.preempts_with = preempt_terms_table::preempts;
  entry.kills_for_good = preempt_terms_table::cancels;
  entry.loses_work = true;
  return entry;
}();

}  // namespace muster
