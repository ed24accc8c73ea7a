#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <boost/circular_buffer.hpp>
#include <systemc>
#include <tlm>

#include "muster/modules/kernel/exclusion_gate.h"
#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/protocol/handshake.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/scheduler/free_servers.h"
#include "muster/modules/scheduler/slot_plan.h"
#include "muster/policies/policy.h"

namespace muster {

/// A group of like servers as the scheduler counts them.
struct server_group {
  std::string name;
  std::uint32_t count = 1;
  std::uint32_t cores = 1;  ///< of each server
  double capacity = 1.0;    ///< work that one core does per unit of time
  /// Whether they are in the same bank as the group before, at the addresses after it: then they share its socket.
  bool same_bank = false;
  bool fails = false;  ///< whether its servers may fail: then the scheduler watches them
};

/// Told when the policy's cycle moves on.
class phase_observer {
 public:
  /// @param begun phase that begins now; the one before ends
  virtual void phase_begins(ticks now, unsigned begun) = 0;

 protected:
  ~phase_observer() = default;
};

/// The central scheduler: takes jobs in, asks the policy, dispatches slices to the servers and answers each job.
///
/// `submissions` is a TLM-2.0 target for any number of initiators (see scheduler_register), `dispatches` has an
/// initiator for each bank of server groups, in their order.
///
/// A rigid job's cores are taken group by group in the order of its class, and within a group from the lowest server
/// that has idle cores; the job is a gang if one server cannot hold it. It runs at the speed of its slowest slice.
///
/// A pooled job takes whole servers as the policy lets them join. When a server interrupts it, all its servers are
/// stopped, and when the last has left it, it goes back to the end of the queue.
///
/// A slotted job takes single cores, each a slice, from one slot's beginning to another's; what it keeps from slot to
/// slot goes on undisturbed. New cores are those of servers that it has been on, where they are idle. When its deadline
/// has passed, it is answered with a generic error, and its extension tells what it has earned. So is one that arrives
/// when no slot in which it may be served is still to begin; the policy never learns of it.
///
/// A job that loses a slice because its server fails loses them all, and with them its work since the latest checkpoint
/// or the latest state saved. A rigid job waits again where its arrival puts it, a pooled one at the end of the queue.
/// From a slotted one only the core is taken, and what that has done in the slot. While a server is down the scheduler
/// counts none of its cores.
///
/// It may take its time to decide, see set_decision_time().
///
/// A thread that is killed or reset while it waits in b_transport leaves its job behind: the job goes on as if it were
/// awaited and counts among all others, and its completion is told to nobody (jobs_abandoned()). The payload of a
/// blocking call is read at the call and written before the return only: the job itself is a copy.
///
/// A job that cannot be is answered with a generic error: of an unknown class, without size, with data at a null
/// pointer, or one whose arrival and size, added up, leave the range of simulated time (end_of_clock). A slice that
/// would end beyond it is a fault that names the job. A call that breaks the base protocol is a SystemC error of type
/// /muster/protocol.
///
/// Faults (a policy that breaks the rules, a server that refuses a slice) are SystemC errors of type /muster/scheduler,
/// and so is a cluster that cannot be, before time 0: classes and groups are checked when the scheduler is built, the
/// policy, the kind of its jobs and the number of sockets at the end of elaboration, and the servers at the start of
/// simulation: one that answers server_register::idle_cores over the debug transport has the cores that its group
/// declares, its bank as many servers, and none that fail unless the group says so.
class scheduler : public sc_core::sc_module, private decisions, private timer_client, private pool_keeper {
 public:
  tlm_utils::multi_passthrough_target_socket<scheduler> submissions{"submissions"};
  tlm_utils::multi_passthrough_initiator_socket<scheduler> dispatches{"dispatches"};

  /// @param classes in descending order of need, with names of their own
  /// @param groups each with servers, cores and a capacity > 0
  scheduler(const sc_core::sc_module_name& name, timekeeper& time, table<class_id, job_class> classes,
            table<group_id, server_group> groups);

  /// Before the end of elaboration. The policy's entry says what kind of jobs it schedules.
  /// @param p made by its entry for view(), see policy_entry::make()
  void set_policy(std::unique_ptr<policy> p);
  /// Before the end of elaboration, and if the policy's jobs are slotted. @param length of a slot, > 0
  void set_slots(ticks length);
  /// Before the end of elaboration. The scheduler then attends to one event after the other, in the order in which they
  /// reach it. Those at which the policy is asked take it `fixed`, and `per_job` for each job that the policy examines:
  /// each head of a queue and each running job that the view hands out, and each job that is served in a slot. The
  /// view shows the orders at once; what they, and the event, make it send to servers leaves when it has decided. Other
  /// events wait meanwhile, a job that arrives among them. The answer to a job that has left does not wait for what
  /// is decided next.
  void set_decision_time(ticks fixed, ticks per_job);
  /// Whether that is set.
  bool takes_time() const { return deciding_ != nullptr; }
  /// @param work after which a job's progress is kept against failures of its servers, again and again; 0: always
  void set_checkpoints(ticks work) { checkpoint_ = work; }
  const policy& active_policy() const { return *policy_; }
  const cluster_view& view() const { return state_; }
  void observe_phases(phase_observer& observer) { phase_observer_ = &observer; }

  /// @name Counts since the start
  /// @{
  std::uint64_t jobs_arrived() const { return arrived_; }
  /// Expired ones included.
  std::uint64_t jobs_completed() const { return completed_; }
  /// Those among the completed for which a thread had waited in b_transport that was killed or reset.
  std::uint64_t jobs_abandoned() const { return abandoned_; }
  std::uint64_t slices_dispatched() const { return dispatched_; }
  /// @}
  /// Jobs that have arrived and are in no queue: it has not attended to them yet, or they came too late to be served.
  std::vector<const job_extension*> unattended_jobs() const;
  /// Slice transactions that have not returned to their pool.
  std::size_t outstanding_slices() const { return slices_.outstanding() - watches_; }
  /// Transactions that no server has: to be sent when it has decided, or ended without its having attended to that.
  std::size_t slices_at_hand() const;
  /// Reads that wait for servers to fail, or to be repaired.
  std::size_t watches() const { return watches_; }

 private:
  struct placement {
    group_id group;
    std::uint32_t server, cores;
  };
  // Both ways out of the scheduler, with what keeps their hop's order; asking the sockets each time would cost more.
  struct way_to_servers {
    tlm::tlm_fw_transport_if<>* transport = nullptr;
    exclusion_gate gate;
  };
  struct way_to_submitter {
    tlm::tlm_bw_transport_if<>* transport;
    exclusion_gate gate;
    std::uint64_t announced;  // jobs that have come from outside
  };

  // What is asked of a group at every slice, close together.
  struct alignas(32) location {
    way_to_servers* way = nullptr;
    double capacity = 1.0;
    std::uint32_t servers = 1;
    std::uint32_t cores = 1;          // of each server
    std::uint32_t first_in_bank = 0;  // its first server among those of the bank
    std::uint32_t first_server = 0;   // among all of the platform
  };

  void end_of_elaboration() override;
  void start_of_simulation() override;
  void locate_servers();
  void adopt_policy();
  cluster_state checked(table<class_id, job_class> classes, const table<group_id, server_group>& groups) const;
  void check_before_elaboration(const char* function) const;
  void check_class(const job_class& type) const;
  void check_servers() const;

  tlm::tlm_sync_enum submit(int from, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void submit_and_wait(int from, tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
  void wait_for_job(int from, tlm::tlm_generic_payload& job, ticks arrival);
  tlm::tlm_generic_payload& copy_of(const tlm::tlm_generic_payload& p);
  void wake_submitter(job_extension& j);
  unsigned look(int from, tlm::tlm_generic_payload& p);
  bool check_submission(tlm::tlm_generic_payload& p, ticks arrival);
  tlm::tlm_response_status submission_status(const tlm::tlm_generic_payload& p, ticks arrival) const;
  bool read_register(tlm::tlm_generic_payload& p);
  std::optional<std::uint64_t> register_value(std::uint64_t address) const;
  void accept(tlm::tlm_generic_payload& p, job_extension& j, int from, ticks at, sc_core::sc_event* blocked);
  void arrive(job_extension& j);
  void take_in(job_extension& j);
  void attend_arrival(tlm::tlm_generic_payload& p);
  void arrive_late(tlm::tlm_generic_payload& p);
  void complete(job_extension& j);
  void answer(job_extension& j, tlm::tlm_response_status status);
  bool respond(job_extension& j);
  void after_policy();
  void check_for_stall();
  job_extension& extension_for(tlm::tlm_generic_payload& p, job_extension* brought);
  [[noreturn, gnu::cold]] void violated(const broken_rule& broken, const sc_core::sc_object& sockets, int which,
                                        const tlm::tlm_phase& phase, const tlm::tlm_generic_payload& p) const;

  void start(const job& waiting) override;
  double place(const job& waiting);
  std::uint32_t idle_cores(group_id group, std::uint32_t server) const;
  std::uint32_t free_server(group_id group) const;
  void take_cores(const placement& at);
  void give_back_cores(const placement& at);
  tlm::tlm_generic_payload& dispatch_of(job_extension& j, const placement& at, ticks duration);
  void write_to_server(tlm::tlm_generic_payload& p, group_id group, std::uint32_t server, std::uint64_t where,
                       unsigned length);
  way_to_servers& way_of(tlm::tlm_generic_payload& p) { return *locations_[slices_.extension(p).group].way; }
  void send(tlm::tlm_generic_payload& p);
  void send_now(tlm::tlm_generic_payload& p);
  bool request(tlm::tlm_generic_payload& p);
  tlm::tlm_sync_enum server_goes_on(int from, tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase,
                                    const sc_core::sc_time& delay);
  bool sent_over(const way_to_servers& way, tlm::tlm_generic_payload& p);
  tlm::tlm_sync_enum server_answers(int from, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                    sc_core::sc_time& delay);
  void react(tlm::tlm_generic_payload& p, ticks at, void (scheduler::*action)(tlm::tlm_generic_payload&));
  void check_slice(const tlm::tlm_generic_payload& p, const char* outcome) const;
  void slice_ended(tlm::tlm_generic_payload& p);
  void link(job_extension& j, slice_extension& slice);
  void gang_left(tlm::tlm_generic_payload& p);
  void fail(job_extension& j);
  void fall_back(job_extension& j);
  ticks at_checkpoint(ticks work) const;
  void watch(group_id group, std::uint32_t server, slice_extension::request change);
  void health_changed(tlm::tlm_generic_payload& p);
  std::uint32_t* cores_withheld(group_id group, std::uint32_t server);
  void core_failed(job_extension& j, ticks ran);
  // A server among all of the platform.
  static std::uint64_t number_of(group_id group, std::uint32_t server) {
    return std::uint64_t{static_cast<std::uint32_t>(group)} << 32 | server;
  }

  std::uint64_t words_of(const job_descriptor& work) const;
  bool fits_slots(const tlm::tlm_generic_payload& p, const job_descriptor& work) const;
  bool draws_properly(const tlm::tlm_generic_payload& p, class_id type) const;
  job_extension::pooling& fresh_pool(job_extension& j);
  void enter_pool(job_extension& j);
  void change_expected(const pooled_work& work, unsigned step) override;
  void join(const job& pooled, group_id servers) override;
  void serve(const job& slotted, double units) override;
  void check_join(const job& pooled, group_id servers) const;
  void dispatch_pooled(job_extension& j, const placement& at);
  /// What is left to know of a slice of a pooled or slotted job.
  struct ended_slice {
    group_id group;
    std::uint64_t server;  ///< among all of the platform
    bool completed, holds_state, failed;
  };
  ended_slice unlink(tlm::tlm_generic_payload& p);
  void slice_left(tlm::tlm_generic_payload& p);
  void saving(tlm::tlm_generic_payload& p);
  void interrupt(job_extension& j);
  void stop_slices(job_extension& j, std::size_t count = ~std::size_t{0}, std::uint64_t how = server_register::stop);
  void send_stops(job_extension& j, std::size_t count, std::uint64_t how);

  std::uint64_t slot_of(ticks at) const { return (at + slots_.length - 1) / slots_.length + 1; }
  void begin_progress(job_extension& j);
  bool comes_too_late(const job_extension& j) const;
  void turn_away(job_extension& j);
  void leave_unserved(tlm::tlm_generic_payload& p);
  void enter_slots(job_extension& j);
  void slot_moves_on(ticks now, std::uint32_t cookie);
  void begin_slot(ticks now);
  unsigned take_stock(ticks now);
  void look_at_progress(job_extension& j, ticks now);
  std::uint32_t units_done(const job_extension& j, ticks work_left) const;
  void carry_out_plan();
  void check_for_idle_slots();
  void await_change();
  void change_cores(ticks now);
  void take_cores_from(std::uint32_t place);
  void give_cores_to(std::uint32_t place);
  std::optional<placement> core_for(const job_extension& j) const;
  void core_left(tlm::tlm_generic_payload& p);
  void deadline_passed(tlm::tlm_generic_payload& p);
  void depart(job_extension& j, bool expired);
  void answer_if_left(job_extension& j);

  /// What to do with a transaction later.
  struct deferred {
    void (scheduler::*action)(tlm::tlm_generic_payload&) = nullptr;
    tlm::tlm_generic_payload* transaction = nullptr;
    timekeeper::timer timer = 0;
  };
  std::uint32_t defer(ticks at, std::uint64_t rank, void (scheduler::*action)(tlm::tlm_generic_payload&),
                      tlm::tlm_generic_payload& p);
  void defer(ticks at, void (scheduler::*action)(tlm::tlm_generic_payload&), tlm::tlm_generic_payload& p) {
    defer(at, time_.travel_rank(), action, p);
  }
  void call_off(std::uint32_t deferred);
  void expired(ticks now, std::uint32_t cookie) override;

  [[noreturn]] void fault(const std::string& what) const;
  [[noreturn]] void misuse(const std::string& what) const;

  /// What it must attend to; without an action: a slot, or a change within one.
  struct event {
    void (scheduler::*action)(tlm::tlm_generic_payload&) = nullptr;
    tlm::tlm_generic_payload* transaction = nullptr;
    std::uint32_t cookie = 0;
  };
  void consider(const event& e);
  void attend();
  ticks decide_on(const event& e);
  void carry_out();
  void forget_deadline(const job_extension& j);
  void begin_service(job_extension& j);

  timekeeper& time_;
  cluster_state state_;
  table<group_id, server_group> groups_;
  table<group_id, free_servers> free_servers_;
  std::unique_ptr<policy> policy_;
  phase_observer* phase_observer_ = nullptr;
  std::uint64_t phases_seen_ = 0;

  bool servers_fail_ = false;
  std::optional<ticks> checkpoint_;
  std::unordered_map<std::uint64_t, std::uint32_t> down_;  // cores that nobody holds, by server
  std::size_t watches_ = 0;

  transaction_pool<slice_extension> slices_;
  transaction_pool<job_extension> blocking_jobs_;
  std::vector<placement> placements_;
  progress jobs_ = progress::rigid;
  bool stopping_ = false;                   // a job's slices are being stopped
  std::vector<deferred> put_off_;           // what that has brought about
  std::vector<way_to_servers> to_servers_;  // by bank
  table<group_id, location> locations_;
  std::vector<way_to_submitter> to_submitters_;
  unsigned dispatching_ = 0;  // calls to servers that have not returned: the policy may be at work
  std::vector<deferred> deferred_;
  std::vector<std::uint32_t> idle_deferred_;

  /// The present slot.
  struct slots {
    ticks length = 1, began = 0;
    bool set = false;  // see set_slots()
    bool deadlines_visible = false;
    bool planned_now = false;  // the policy is at it
    bool next_awaited = false;
    slot_plan plan;
    std::vector<job_extension*> served;  // in the slot before, while the next one is planned
    std::vector<std::uint32_t> owed;     // places in the plan that are short of cores
    std::size_t changes_made = 0;        // of the plan
    timekeeper::recurring next = 0, next_change = 0;
    std::uint64_t idle = 0;  // slots in a row in which jobs waited and none was served
  };
  static constexpr std::uint32_t slot_cookie = ~std::uint32_t{0}, turn_cookie = slot_cookie - 1;
  slots slots_;
  std::vector<const job_extension*> too_late_;  // jobs that came so, and have not been answered

  /// Where decisions take time.
  struct deciding {
    ticks fixed = 0, per_job = 0;
    bool busy = false;
    bool asked = false;        // the policy, at this event
    std::uint64_t seen = 0;    // jobs that the view had handed out before
    std::uint64_t served = 0;  // jobs in the slot that begins
    boost::circular_buffer<event> waiting;
    std::vector<tlm::tlm_generic_payload*> orders;  // to be sent when it has decided
    std::vector<job_extension*> begun;              // jobs that begin service then
    bool begins_slot() const;                       // soon: a slot's beginning waits
  };
  static constexpr std::uint32_t decision_cookie = slot_cookie - 2;
  std::unique_ptr<deciding> deciding_;  // null: they take none

  std::uint64_t arrived_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t abandoned_ = 0;
  std::uint64_t dispatched_ = 0;
  std::uint64_t idle_arrivals_ = 0;  // arrivals since the cluster last had a job in service
};

}  // namespace muster
