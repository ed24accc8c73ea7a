#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/kernel/parameter_list.h"
#include "muster/modules/scheduler/accounting/account_recorders.h"
#include "muster/modules/scheduler/allocation/core_allocator.h"
#include "muster/modules/scheduler/ports/dispatch_port.h"
#include "muster/modules/scheduler/ports/submission_port.h"
#include "muster/modules/scheduler/scheduler_registers.h"
#include "muster/modules/scheduler/scheduler_settings.h"
#include "muster/modules/scheduler/services/decision_queue.h"
#include "muster/modules/scheduler/services/job_service.h"
#include "muster/policies/cluster_state.h"
#include "muster/policies/policy.h"

namespace muster {

/// The central scheduler: takes jobs in, asks the policy, dispatches slices to the servers and answers each job.
///
/// `submissions` is a TLM-2.0 target for any number of initiators (see scheduler_register), `dispatches` has an
/// initiator for each bank of server groups, in their order.
///
/// What a scheduler does with a job depends on the kind of its policy's jobs: see rigid_service,
/// recovering_rigid_service (where servers may fail), pooled_service and slotted_service. While a server is down the
/// scheduler counts none of its cores.
///
/// A thread that is killed or reset while it waits in b_transport leaves its job behind: the job goes on as if it were
/// awaited and counts among all others, and its completion is reported to no one (jobs_abandoned()). The payload of a
/// blocking call is read at the call and written before the return only: the job itself is a copy.
///
/// Sources and servers of muster's that are bound with nothing between are called directly, see direct_interface.h.
///
/// An invalid job is answered with a generic error: of an unknown class or user, without size, without an estimate
/// where one must be stated, with a need that is not declared, with data at a null pointer, or one whose arrival and
/// size, added up, leave the range of simulated time (end_of_clock). A slice that would end beyond it is a fault that
/// names the job. A call that breaks the base protocol is a SystemC error of type /muster/protocol.
///
/// Faults (a policy that breaks the rules, a server that refuses a slice) are SystemC errors of type /muster/scheduler,
/// and so is an invalid cluster, before time 0: the settings are checked, and the policy made, when the scheduler
/// is built, the number of sockets at the end of elaboration, and the servers at the start of simulation: one that
/// answers server_register::idle_cores over the debug transport has the cores that its group declares, its bank as many
/// servers, and none that fail unless the group says so.
class scheduler : public sc_core::sc_module, public listed_module {
 public:
  tlm_utils::multi_passthrough_target_socket<scheduler> submissions{"submissions"};
  tlm_utils::multi_passthrough_initiator_socket<scheduler> dispatches{"dispatches"};

  scheduler(const sc_core::sc_module_name& name, timekeeper& time, scheduler_settings given);

  const scheduler_settings& settings() const { return settings_; }
  const policy& active_policy() const { return *policy_; }
  const cluster_view& view() const { return state_; }
  /// Reports the policy's phases to an observer. Called before the simulation. @param observer outlives the scheduler
  void observe_phases(phase_observer& observer) { service_->phases().report_to(observer); }
  /// How many phases the policy has.
  unsigned phases() const { return service_->phases().phases(); }
  /// Reports stalls to an observer; without one a stall is a fault. Called before the simulation.
  /// @param observer outlives the scheduler
  void observe_stalls(stall_observer& observer) { service_->stalls().report_to(observer); }
  /// Tells a policy of rigid jobs that no further event will come, if jobs wait though none is in service: calls its
  /// stream_ended(). Called between two calls of sc_start(), when nothing is left to happen.
  /// @return whether to go on simulating; false: no job waits, or the policy started nothing when it was last told
  bool end_stream() { return service_->end_stream(); }
  /// Checks that a parameter of the policy may have another value from now on.
  /// @return the settings with it @throws std::invalid_argument for an unknown parameter, a value that does not fit the
  ///   classes or the other parameters, and one that the policy cannot replace, see policy::can_replace()
  muster::settings parameters_with(const std::string& name, const muster::settings::value& value) const;
  /// Replaces a parameter of the policy. Called between two events. @throws std::invalid_argument as parameters_with()
  void replace_parameter(const std::string& name, const muster::settings::value& value);
  /// The parameters of the policy as they were given, with those that have been replaced since.
  const muster::settings& parameters() const { return parameters_; }
  /// What is free of resources, where tasks count; null: only cores do.
  const task_allocator* tasks() const { return cores_.tasks(); }
  /// How many jobs started elsewhere than scheduler_settings::named_places say, as there was no room.
  std::uint64_t jobs_without_named_places() const { return cores_.without_named_places(); }
  /// The account of jobs' times; null: scheduler_settings do not ask for one.
  time_account* times() { return accounting_ ? &accounting_->account : nullptr; }

  /// @name Counts since the start
  /// @{
  std::uint64_t jobs_arrived() const { return submission_port_.arrived(); }
  /// Jobs that are complete or have expired.
  std::uint64_t jobs_completed() const { return service_->completed(); }
  /// Completed jobs for which a thread had waited in b_transport that was killed or reset.
  std::uint64_t jobs_abandoned() const { return submission_port_.abandoned(); }
  std::uint64_t slices_dispatched() const { return dispatch_port_.slices_sent(); }
  /// @}
  /// Jobs that have arrived and are in no queue: their arrival has not been processed, or came too late.
  std::vector<const job_extension*> jobs_pending_admission() const;
  /// Slice transactions that have not returned to their pool.
  std::size_t outstanding_slices() const { return dispatch_port_.outstanding(); }
  /// Transactions that no server has: orders that have not been sent, and responses that have not been processed.
  std::size_t pending_slices() const { return queue_ ? queue_->pending_transactions() : 0; }
  /// Reads that wait for servers to fail, or to be repaired.
  std::size_t watches() const { return dispatch_port_.watches(); }
  /// Lists the settings and counts, see list_parameters().
  void list_into(parameter_list& all) const override;

 private:
  void end_of_elaboration() override;
  void start_of_simulation() override;

  /// @name Called by the sockets. A function that is called for each job has all that it calls inlined, here and in the
  /// other modules.
  /// @{
  [[gnu::flatten]] tlm::tlm_sync_enum submit(int from, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                             sc_core::sc_time& delay) {
    return submission_port_.receive(from, p, phase, delay);
  }
  void submit_and_wait(int from, tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    submission_port_.receive_and_wait(from, p, delay);
  }
  unsigned look(int, tlm::tlm_generic_payload& p) { return submission_port_.debug(p); }
  bool offer_direct(int to, tlm::tlm_generic_payload& p, tlm::tlm_dmi&) {
    submission_port_.offer_direct(to, p);
    return false;  // there is no memory to point at
  }
  [[gnu::flatten]] tlm::tlm_sync_enum answer(int from, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                             sc_core::sc_time& delay) {
    return dispatch_port_.receive(from, p, phase, delay);
  }
  /// @}

  /// @name Parts made from the settings
  /// @{
  scheduler_settings completed(scheduler_settings given) const;
  core_allocator make_allocator();
  std::unique_ptr<policy> make_policy() const;
  std::unique_ptr<job_service> make_service();
  /// @}
  void connect_parts();
  bool lets_jobs_go() const;
  /// Calls a function. An invalid argument that it throws is a fault that names this scheduler.
  template <class Call>
  decltype(auto) checked(const Call& call) const;
  [[noreturn]] void misuse(const char* message) const;

  /// The account of jobs' times, and what tells it of them.
  struct accounting {
    explicit accounting(scheduler& of);
    time_account account;
    service_recorder around_service;
    std::optional<port_recorder> at_ports;  // present where decisions take time
  };

  timekeeper& time_;
  const scheduler_settings settings_;
  muster::settings parameters_;  // of the policy
  cluster_state state_;
  core_allocator cores_;
  deferred_events deferred_;
  dispatch_port dispatch_port_;
  std::unique_ptr<policy> policy_;
  scheduler_registers registers_;
  submission_port submission_port_;
  std::unique_ptr<job_service> service_;
  std::unique_ptr<accounting> accounting_;  // null: the times of jobs are not accounted for
  std::unique_ptr<decision_queue> queue_;   // null: decisions take no time
};

}  // namespace muster
