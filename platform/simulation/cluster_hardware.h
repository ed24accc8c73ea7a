#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "muster/modules/control/cluster_control.h"
#include "muster/modules/network/link.h"
#include "muster/modules/network/network.h"
#include "muster/modules/protocol/protocol_checker.h"
#include "muster/modules/scheduler/scheduler.h"
#include "muster/modules/server/fault_clock.h"
#include "muster/modules/server/gang_exchange.h"
#include "muster/modules/server/server.h"
#include "muster/modules/server/server_governors.h"
#include "muster/modules/server/server_power.h"
#include "muster/modules/server/server_speeds.h"
#include "muster/modules/source/job_source.h"
#include "platform/model/scenario.h"
#include "platform/random/policy_numbers.h"

namespace muster {

class several_schedulers;
class shared_servers;

/// How the modules of a scenario are bound, beside what the scenario says.
struct hardware_options {
  bool check_protocol = false;   ///< a protocol_checker stands on every hop
  bool exclusive_kernel = true;  ///< nothing else waits in the kernel, see timekeeper::assume_exclusive_kernel()
  /// Entries of servers in whose place a foreign target stands. They have no server here, and no fault clock.
  std::set<std::string> foreign_servers{};
  /// Entries of servers to which a foreign module leads in place of a link.
  std::set<std::string> foreign_links{};
};

/// The modules of a scenario's cluster: source -> scheduler -> (link ->) servers, bound and ready to simulate. The
/// links share one network. It is made within a module, whose children they are. Where there are several schedulers, a
/// dispatcher stands between the source and them, and each bank of servers is divided among them, or all share all.
class cluster_hardware {
 public:
  timekeeper time{"time"};

  /// @param replication keys the random streams of the servers' timers
  /// @param jobs what the source submits; outlives the cluster
  /// @param observer called for each job; outlives the cluster
  cluster_hardware(const scenario& model, std::uint32_t replication, workload& jobs, job_observer& observer,
                   const hardware_options& options = {});
  cluster_hardware(const cluster_hardware&) = delete;
  cluster_hardware& operator=(const cluster_hardware&) = delete;
  ~cluster_hardware();

  job_source source;
  /// Carries out the scenario's events, and what else is requested.
  cluster_control control{time};

 private:
  policy_numbers policy_numbers_, placement_numbers_;
  std::uint64_t jobs_numbered_ = 0;         // by several schedulers
  std::unique_ptr<shared_servers> shared_;  // null: no two schedulers share servers

 public:
  /// The scheduler, or the first of several: classes and policy are those of all.
  scheduler central;
  /// All schedulers, the first one first.
  const std::vector<scheduler*>& schedulers() const { return schedulers_; }
  /// The socket to which jobs are submitted: of the dispatcher, or of the only scheduler.
  tlm::tlm_base_target_socket_b<>& submissions();
  /// @name Sums over all schedulers, see scheduler
  /// @{
  std::uint64_t jobs_arrived() const;
  std::uint64_t jobs_completed() const;
  std::vector<const job_extension*> jobs_pending_admission() const;
  /// Calls visit(const job_extension&) with each job that is in the system: those that wait and those in service by
  /// class, then those pending admission.
  template <class Visit>
  void for_each_job(const Visit& visit) const {
    for (const scheduler* const s : schedulers_) {
      const cluster_view& view = s->view();
      for (const class_id id : view.classes()) {
        for (const job* j = view.first(id); j; j = j->behind) visit(extension_of(*j));
        for (const job* j = view.running(id); j; j = j->behind) visit(extension_of(*j));
      }
    }
    for (const job_extension* j : jobs_pending_admission()) visit(*j);
  }
  /// The account of the times of a job in the system, where times are accounted for.
  time_account& account_of(const job_extension& job);
  /// Tells the policies that no further event will come. @return whether to go on simulating
  bool end_stream();
  /// @}
  /// Banks of servers, one for each entry that is not foreign, in their order.
  const std::vector<std::unique_ptr<server>>& servers() const { return servers_; }
  /// Whether no foreign target stands in the place of servers, so that times of all cores are known.
  bool has_all_servers() const { return servers_.size() == entries_; }
  /// The hop that leaves towards a foreign server or link; null: the entry has none of that name. Its `out` is bound by
  /// who has the foreign module.
  protocol_checker* foreign_hop(const std::string& entry) const;
  /// The bank behind a foreign link, whose `dispatch` is bound by who has that link; null: there is none.
  server* bank_behind_foreign_link(const std::string& entry) const;
  /// The power of the servers; null: they draw none, or their speeds cannot change.
  const server_power* power() const { return power_.get(); }
  /// The exchange of data within jobs; null: there is none, or the network has nothing that could slow it.
  const gang_exchange* exchange() const { return exchange_.get(); }
  /// The slices that hold cores.
  std::vector<slice_view> slices() const;
  /// Sets the observers, which outlive the cluster; null: none. Called before the simulation starts.
  void observe(phase_observer& phases, server_observer* cores = nullptr, network_observer* edges = nullptr);
  /// Replaces the observer of the servers, at any time, also when called by the present one. Null: none.
  void observe_cores(server_observer* cores);

  /// Audits the accounts at time `now`: every job is somewhere, every core's times add up, and where the protocol is
  /// checked, every transaction is answered except those of jobs and slices that are still there.
  /// @throws std::runtime_error that names what does not add up
  void audit(ticks now);
  /// Whether no foreign module takes part: neither a server, nor a link, nor a submitter. Known once all is bound.
  bool is_closed();

 private:
  template <class From, class To>
  void connect(From& from, To& to, const std::string& hop);
  /// Connects the schedulers with a bank of servers, or the link before it. @param entry of the servers
  template <class To>
  void connect_schedulers(std::size_t entry, To& to, const std::string& hop);
  void connect_foreign(const server_spec& s, std::uint32_t first_in_network, bool in_place_of_link);
  void audit_transactions();

  std::unique_ptr<several_schedulers> several_;  ///< null: `central` is the only scheduler
  std::vector<scheduler*> schedulers_;
  std::unique_ptr<server_speeds> speeds_;  ///< null: they are always 1
  std::unique_ptr<server_power> power_;
  std::unique_ptr<server_governors> governors_;  ///< null: no frequency changes
  std::vector<std::unique_ptr<interruption_timer>> timers_;
  std::unique_ptr<network> network_;
  std::unique_ptr<gang_exchange> exchange_;
  std::vector<std::unique_ptr<fault_clock>> faults_;
  std::vector<std::unique_ptr<link>> links_;
  std::vector<std::unique_ptr<server>> servers_;
  std::vector<std::unique_ptr<protocol_checker>> checkers_;  ///< by hop, in the order of binding; none: unchecked
  std::map<std::string, std::unique_ptr<protocol_checker>> foreign_hops_;  ///< by entry
  std::map<std::string, server*> behind_foreign_links_;                    ///< by entry
  std::size_t entries_;                                                    ///< of servers
  bool check_protocol_;
  std::unique_ptr<job_data_source> data_;  ///< null: jobs have none
};

/// A module whose children are the modules that `Part` makes.
template <class Part>
class module_of : public sc_core::sc_module, public Part {
 public:
  template <class... Arguments>
  explicit module_of(const sc_core::sc_module_name& name, Arguments&&... arguments)
      : sc_module(name), Part(std::forward<Arguments>(arguments)...) {}
};

}  // namespace muster
