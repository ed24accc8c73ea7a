#pragma once

#include <algorithm>

#include "muster/policies/catalogue.h"
#include "platform/metrics/metric.h"
#include "platform/model/class_table.h"
#include "platform/model/data_spec.h"
#include "platform/model/job_kind.h"
#include "platform/model/scenario.h"

// The conditions on a scenario for its replications to measure a metric.

namespace muster::metric_conditions {

inline bool any_scenario(const scenario&) { return true; }
inline bool any_power(const scenario& model) { return model.draws_power(); }
inline bool any_power_cap(const scenario& model) { return model.caps_power(); }
inline bool any_data(const scenario& model) { return model.data != nullptr; }
inline bool any_inputs(const scenario& model) {
  return model.data && std::any_of(model.data->classes.begin(), model.data->classes.end(),
                                   [](const auto& c) { return c.second.inputs > 0; });
}
inline bool any_price(const scenario& model) { return model.price.has_value(); }
inline bool prices_energy(const scenario& model) { return any_price(model) && model.price->energy && any_power(model); }
inline bool knows_carbon(const scenario& model) { return any_price(model) && model.price->carbon && any_power(model); }
// Caps may also come from outside.
inline bool any_weighed_energy(const scenario& model) {
  return any_power(model) && (model.weighs_energy() || any_power_cap(model));
}
inline bool explained(const scenario& model) { return model.report.explain; }
inline bool needs_tasks(const scenario& model) { return model.counts_tasks(); }
inline bool any_devices_of_servers(const scenario& model) {
  const auto& types = model.resources.types;
  return model.counts_tasks() &&
         std::any_of(types.begin(), types.end(), [](const auto& t) { return t.is_devices() && !t.of_cluster; });
}
inline bool explained_with_resources(const scenario& model) {
  return explained(model) && needs_tasks(model) && model.resources.types.size() > 1;
}
inline bool exchanges_data(const scenario& model) { return model.exchanges_data(); }
inline bool any_faults(const scenario& model) { return model.servers_fail(); }
inline bool share_servers(const scenario& model) {
  return model.schedulers.several() && model.schedulers.share_servers;
}
inline bool steal_jobs(const scenario& model) { return model.schedulers.several() && model.schedulers.steal; }
inline bool any_preemption(const scenario& model) { return is_slotted(model) || may_preempt(model); }

inline bool any_listed(const scenario& model) { return model.arrivals.jobs && kind_of_jobs(model) == job_kind::rigid; }
inline bool bounds_slowdown(const scenario& model) { return any_listed(model) || model.report.slowdown_bound; }
inline bool any_users(const scenario& model) {
  return !model.arrivals.users.empty() && kind_of_jobs(model) == job_kind::rigid;
}
inline bool kills(const scenario& model) { return model.arrivals.estimates.kill || may_kill_for_good(model); }
inline bool uses_estimates(const scenario& model) {
  const policy_entry* const entry = find_policy(model.policy.name);
  return entry && entry->uses_estimates && model.arrivals.estimates.from != estimate_spec::rule::exact;
}

inline constexpr metric_condition always{any_scenario, ""};
inline constexpr metric_condition exchange{exchanges_data, "classes with exchange"};
inline constexpr metric_condition shared{share_servers, "several schedulers that share the servers"};
inline constexpr metric_condition stealing{steal_jobs, "several schedulers with work_stealing"};
inline constexpr metric_condition faults{any_faults, "servers with faults"};
inline constexpr metric_condition explanation{explained, "report.explain = true"};
inline constexpr metric_condition explanation_of_resources{
    explained_with_resources, "report.explain = true and jobs that need resources beside cores"};
inline constexpr metric_condition prices{any_price, "prices"};
inline constexpr metric_condition power{any_power, "servers, or resources of the cluster, with power"};
inline constexpr metric_condition power_cap{any_power_cap, "a power_cap in events"};
inline constexpr metric_condition energy_price{prices_energy, "power, and price.energy"};
inline constexpr metric_condition carbon{knows_carbon, "power, and price.carbon"};
inline constexpr metric_condition weighed_energy{any_weighed_energy,
                                                 "power, and frequencies, a power_cap, price.energy or price.carbon"};
inline constexpr metric_condition data{any_data, "classes with input or output"};
inline constexpr metric_condition data_sets{any_inputs, "classes with inputs"};
inline constexpr metric_condition slotted{is_slotted, "slotted jobs", true};
inline constexpr metric_condition preemption{any_preemption, "slotted jobs or a policy that preempts"};
inline constexpr metric_condition tasks{needs_tasks, "jobs that need tasks, or resources beside cores"};
inline constexpr metric_condition devices{any_devices_of_servers, "jobs that need tasks, and devices"};
inline constexpr metric_condition optimum{has_optimum, "a finite number of slotted jobs of concave utility", true};
inline constexpr metric_condition listed{any_listed, "a list of rigid jobs"};
inline constexpr metric_condition slowdown_bound{bounds_slowdown, "a list of rigid jobs, or report.slowdown_bound"};
inline constexpr metric_condition users{any_users, "rigid jobs whose users are known"};
inline constexpr metric_condition killing{kills, "arrivals.kill_at_estimate = true, or a policy that cancels jobs"};
inline constexpr metric_condition estimates{uses_estimates,
                                            "estimates that are not exact, and a policy that uses them"};

// Conditions of the scope `study`.
inline bool never(const scenario&) { return false; }
inline constexpr metric_condition by_theory{never, "known by theory alone", true};
inline constexpr metric_condition by_theory_of_rigid{never, "known by theory alone"};
inline constexpr metric_condition by_pilot{never, "found by a pilot of each point"};
inline constexpr metric_condition of_points{never, "taken from several points together"};

}  // namespace muster::metric_conditions
