#pragma once

#include <memory>
#include <vector>

#include <systemc>

#include "muster/modules/control/cluster_control.h"
#include "muster/modules/network/link.h"
#include "muster/modules/network/network.h"
#include "muster/modules/protocol/protocol_checker.h"
#include "muster/modules/scheduler/scheduler.h"
#include "muster/modules/server/fault_clock.h"
#include "muster/modules/server/server.h"
#include "muster/modules/server/server_speeds.h"
#include "muster/modules/source/job_source.h"
#include "platform/model/scenario.h"
#include "platform/random/policy_numbers.h"

namespace muster {

/// A scenario's cluster: source -> scheduler -> (link ->) servers, bound and ready to simulate. The links share one
/// network.
class cluster : public sc_core::sc_module {
 public:
  timekeeper time{"time"};

  /// @param replication keys the random streams of the servers' timers
  /// @param jobs what the source submits; outlives the cluster
  /// @param observer called for each job; outlives the cluster
  /// @param check_protocol puts a protocol_checker on every hop
  cluster(const sc_core::sc_module_name& name, const scenario& model, std::uint32_t replication, workload& jobs,
          job_observer& observer, bool check_protocol = false);

  job_source source;
  /// Carries out the scenario's changes of the rate of arrivals, and what else is requested.
  cluster_control control{time};

 private:
  policy_numbers policy_numbers_, placement_numbers_;

 public:
  scheduler central;
  const std::vector<std::unique_ptr<server>>& servers() const { return servers_; }
  /// The slices that hold cores.
  std::vector<slice_view> slices() const;
  /// Sets the observers, which outlive the cluster; null: none. Called before the simulation starts.
  void observe(phase_observer& phases, server_observer* cores = nullptr, network_observer* edges = nullptr);
  /// Replaces the observer of the servers, at any time, also when called by the present one. Null: none.
  void observe_cores(server_observer* cores);

  /// Audits the accounts at time `now`: every job is somewhere, every core's times add up, and where the protocol is
  /// checked, every transaction is answered except those of jobs and slices that are still there.
  /// @throws std::runtime_error that names what does not add up
  void audit(ticks now) const;

 private:
  template <class From, class To>
  void connect(From& from, To& to, const std::string& hop);
  void audit_transactions() const;

  std::unique_ptr<server_speeds> speeds_;  ///< null: they are always 1
  std::vector<std::unique_ptr<interruption_timer>> timers_;
  std::unique_ptr<network> network_;
  std::vector<std::unique_ptr<fault_clock>> faults_;
  std::vector<std::unique_ptr<link>> links_;
  std::vector<std::unique_ptr<server>> servers_;
  std::vector<std::unique_ptr<protocol_checker>> checkers_;  ///< by hop, in the order of binding; none: unchecked
  bool check_protocol_;
};

}  // namespace muster
