#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muster/policies/placement.h"
#include "muster/policies/resources.h"
#include "platform/model/arrival_spec.h"
#include "platform/model/class_spec.h"
#include "platform/model/platform_spec.h"
#include "platform/model/policy_spec.h"
#include "platform/model/run_spec.h"
#include "platform/model/time_unit.h"

namespace muster {

struct connected_fmu;
struct data_spec;

/// One point of a study, complete and checked: every default is filled in, every name known, every value possible.
struct scenario {
  std::string name, about;
  time_unit unit;
  /// Whether a cluster_control may take any server out of service and change its speed, beyond what events say.
  bool controlled = false;
  std::vector<server_spec> servers;
  cluster_resources resources;  ///< cores first
  /// Power of each of `resources` that the cluster has as a whole, the others left at 0. Empty: none draws any.
  std::vector<resource_power> power_of_cluster{};
  cost_spec costs;
  timer_spec timers;
  /// Work after which a job's progress is kept against failures of its servers; 0: always; none: never.
  std::optional<double> checkpoint_every;
  double checkpoint_cost = 0.0;  ///< time of the cores of a job for each of its checkpoints
  double slot = 1.0;             ///< length of a slot of slotted jobs, in units of time
  network_spec network;
  decision_spec decision;
  const placement_entry* placement = placement_catalogue().front();  ///< of rigid jobs
  std::vector<class_spec> classes;                                   ///< in the order of the file
  arrival_spec arrivals;
  policy_spec policy;
  run_spec run;
  record_spec record;
  report_spec report;
  std::optional<price_spec> price{};                         ///< none: nothing has a price
  std::vector<power_cap_event> power_caps{};                 ///< by `at`
  std::vector<parameter_event> parameter_changes{};          ///< by `at`
  std::vector<std::shared_ptr<const connected_fmu>> fmus{};  ///< models of others that run beside the cluster
  schedulers_spec schedulers{};
  std::shared_ptr<const data_spec> data{};  ///< null: jobs neither read nor write data

  /// Whether one of `fmus` changes the cluster while it runs.
  bool fmus_control() const;
  /// What each of `fmus` is connected with, in sentences.
  std::vector<std::string> notes_on_fmus() const;
  /// Whether replications record the values of the parts of their window, and control variates: there are enough of
  /// them to make use of those, and the arrivals go on.
  bool records_parts() const {
    constexpr std::uint32_t fewest = 10;
    return !run.batch_means && !arrivals.finite() && (run.precision || run.replications >= fewest);
  }
  /// Whether jobs need tasks, or anything beside cores: then each class holds a task_need, see class_table().
  bool counts_tasks() const {
    return std::any_of(classes.begin(), classes.end(), [](const class_spec& c) { return c.tasks.has_value(); });
  }
  /// Whether servers, or resources of the cluster, draw power.
  bool draws_power() const {
    return any_draws(power_of_cluster) ||
           std::any_of(servers.begin(), servers.end(), [](const server_spec& s) { return s.power.any(); });
  }
  /// The least run time that bounded_slowdown divides by, in units of time.
  double slowdown_bound() const {
    constexpr double usual_seconds = 10.0;
    return report.slowdown_bound.value_or(usual_seconds / unit.seconds);
  }
  /// Whether tasks of jobs exchange data while they work.
  bool exchanges_data() const {
    return std::any_of(classes.begin(), classes.end(), [](const class_spec& c) { return c.exchange.has_value(); });
  }
  bool servers_fail() const {
    return std::any_of(servers.begin(), servers.end(), [](const server_spec& s) { return s.may_be_out(); });
  }
  /// Whether the rate of arrivals changes at given times.
  bool rate_changes() const { return !arrivals.changes.empty(); }
  /// Whether the speeds of servers change at given times or by a governor, or caps on power may slow them.
  bool speeds_change() const {
    return !power_caps.empty() || std::any_of(servers.begin(), servers.end(), [](const server_spec& s) {
      return !s.speeds.empty() || s.changes_frequency();
    });
  }
  /// Whether there is a choice between energy and time: frequencies, a cap on power, or what energy costs or emits.
  bool weighs_energy() const {
    return !power_caps.empty() || (price && (price->energy || price->carbon)) ||
           std::any_of(servers.begin(), servers.end(), [](const server_spec& s) { return s.frequencies != nullptr; });
  }
  /// Whether power is capped at times; where a cluster_control may do so, it counts as if.
  bool caps_power() const { return !power_caps.empty() || (controlled && draws_power()); }
};

}  // namespace muster
