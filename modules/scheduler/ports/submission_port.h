#pragma once

#include <vector>

#include <systemc>
#include <tlm>

#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/protocol/direct_interface.h"
#include "muster/modules/protocol/handshake.h"
#include "muster/modules/scheduler/events/deferred_events.h"
#include "muster/modules/scheduler/ports/dispatch_port.h"
#include "muster/modules/scheduler/scheduler_registers.h"

namespace muster {

/// The rules for the data that a submission must carry, for jobs of one kind.
class submission_rules {
 public:
  /// Whether a submission consists of the descriptor only. If not, the functions below are called for each.
  virtual bool descriptor_is_all() const { return false; }
  /// Whether a job, of a class that exists, may carry so many bytes behind its descriptor.
  virtual bool has_length(const job_descriptor&, std::uint64_t behind) const { return behind == 0; }
  /// Whether the bytes behind the descriptor are valid; their number has been checked.
  virtual bool accepts(const tlm::tlm_generic_payload&, const job_descriptor&) const { return true; }
  /// Sets the values of a job that depend on the data: the class of the view to which it belongs, and of a rigid job
  /// its estimate and its user. At the call the job has no user, and the estimate that it has where sizes are
  /// estimates.
  virtual void read_facts(job_extension& j) const { j.type = j.declared_class(); }

 protected:
  ~submission_rules() = default;
};

/// Takes waiting jobs back, see scheduler_register::withdrawal.
class job_withdrawals {
 public:
  /// Takes a job back, which is answered within the call. @param most_cores that it may need
  /// @return false: no such job waits
  virtual bool withdraw(std::uint64_t most_cores) = 0;

 protected:
  ~job_withdrawals() = default;
};

/// The scheduler's side towards submitters of jobs: checks and accepts submissions, answers jobs that have left, and
/// keeps each hop's order.
class submission_port final : private event_observer {
 public:
  /// @param sockets the scheduler's, named in messages
  /// @param class_count classes of jobs, as they are declared
  /// @param servers while a call to one has not returned, jobs that arrive wait
  submission_port(const sc_core::sc_object& sockets, timekeeper& time, deferred_events& deferred,
                  const scheduler_registers& registers, std::size_t class_count, const dispatch_port& servers);

  /// Adds a submitter, in the order of the sockets. Called at the end of elaboration. @param transport back to it
  void bind(tlm::tlm_bw_transport_if<>& transport) {
    hops_.emplace_back(*this, static_cast<int>(hops_.size()), transport);
  }
  /// Sets who receives the arrivals. Called before the simulation.
  /// @param rules for the data of submissions; outlive the port
  /// @param with_sizes whether the policy sees the size of a job
  /// @param sizes_are_estimates whether the policy has the size of a job as its estimate
  void deliver_to(event_observer& to, const submission_rules& rules, bool with_sizes, bool sizes_are_estimates) {
    to_ = &to;
    rules_ = &rules;
    descriptor_is_all_ = rules.descriptor_is_all();
    visible_size_ = with_sizes ? ~ticks{0} : 0;
    estimated_size_ = sizes_are_estimates ? ~ticks{0} : 0;
  }

  /// Numbers jobs together with other schedulers, see scheduler_settings::jobs_numbered. Called before the simulation.
  void number_by(std::uint64_t& numbered) { numbered_ = &numbered; }

  /// Lets submitters take jobs back. Called before the simulation. @param from outlives the port
  void withdraw_from(job_withdrawals& from) { withdrawals_ = &from; }

  /// @name What submitters call
  /// @{
  tlm::tlm_sync_enum receive(int from, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return hops_[static_cast<std::size_t>(from)].receive(p, phase, delay);
  }
  void receive_and_wait(int from, tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& p) const;
  /// Answers a request for a direct interface, if it is one.
  void offer_direct(int to, tlm::tlm_generic_payload& p) {
    if (auto* const request = p.get_extension<direct_request<direct_submissions>>())
      hops_[static_cast<std::size_t>(to)].offer(*request);
  }
  /// @}

  /// Answers a job that has left the cluster.
  void answer(job_extension& j, tlm::tlm_response_status status);

  std::uint64_t arrived() const { return arrived_; }
  /// Jobs that have been answered and for which a thread had waited in b_transport that was killed or reset.
  std::uint64_t abandoned() const { return abandoned_; }

 private:
  /// The hop from a submitter.
  class hop final : public direct_submissions, private target_hop<hop> {
   public:
    /// @param number of its socket
    hop(submission_port& port, int number, tlm::tlm_bw_transport_if<>& transport)
        : port_(&port), number_(number), transport_(&transport) {}
    void offer(direct_request<direct_submissions>& request) { request.answer(*this, port_->time_, *transport_); }
    [[gnu::flatten]] tlm::tlm_response_status submit_directly(payload& p, job_extension& j) override;
    void tell_directly(submission_observer& submitter) override { submitter_ = &submitter; }
    tlm::tlm_sync_enum receive(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return receive_request(p, phase, delay);
    }
    void answer(job_extension& j, tlm::tlm_response_status status) {
      if (submitter_) {
        submitter_->job_answered(j, status);
      } else {
        j.transaction->set_response_status(status);
        send_response(*j.transaction);
      }
    }
    /// The rank of the submitter's next arrival that is announced from outside the cluster.
    std::uint64_t next_rank() { return timer_rank::outside_arrival(static_cast<std::uint64_t>(number_), announced_++); }

   private:
    friend target_hop<hop>;
    tlm::tlm_sync_enum call_back(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return job_of(p).own.borrowed ? call_back_plain(p, phase, delay) : transport_->nb_transport_bw(p, phase, delay);
    }
    [[gnu::noinline]] tlm::tlm_sync_enum call_back_plain(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    sc_core::sc_time lead() const { return port_->time_.lead(); }
    tlm::tlm_sync_enum begins(payload& p, tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    static void ended(payload& p) {
      if (auto* const brought = transaction_pool<job_extension>::find(p)) brought->transaction = nullptr;
      p.release();
    }
    [[noreturn, gnu::cold, gnu::noinline]] void violated(const broken_rule& broken, const tlm::tlm_phase& phase,
                                                         const payload& p) const;

    submission_port* port_;
    int number_;
    tlm::tlm_bw_transport_if<>* transport_;
    submission_observer* submitter_ = nullptr;  // null: answers go over the hop
    std::uint64_t announced_ = 0;               // jobs that have come from outside
  };

  void happens(scheduler_event kind, tlm::tlm_generic_payload* transaction) override;
  bool check(tlm::tlm_generic_payload& p, ticks arrival) const;
  tlm::tlm_response_status status_of(const tlm::tlm_generic_payload& p, ticks arrival) const;
  /// Whether the descriptor is valid and nothing else is to be checked.
  bool is_plain(const job_descriptor& work, ticks arrival) const {
    return descriptor_is_all_ && work.type < class_count_ && work.size - 1 < end_of_clock - 1 - arrival;
  }
  [[gnu::noinline]] tlm::tlm_response_status status_of(const job_descriptor& work, std::size_t length,
                                                       const tlm::tlm_generic_payload& p, ticks arrival) const;
  [[gnu::noinline]] bool access_register(tlm::tlm_generic_payload& p) const;
  tlm::tlm_response_status withdraw(const tlm::tlm_generic_payload& p) const;
  job_extension& extension_for(tlm::tlm_generic_payload& p, job_extension* brought);
  void accept(tlm::tlm_generic_payload& p, job_extension& j, int from, ticks at, sc_core::sc_event* blocked);
  void arrive(job_extension& j, ticks now);
  tlm::tlm_generic_payload& copy_of(const tlm::tlm_generic_payload& p);
  void wait_for_job(int from, tlm::tlm_generic_payload& job, ticks arrival);
  [[gnu::noinline]] void wake_submitter(job_extension& j);
  const sc_core::sc_object& sockets_;
  timekeeper& time_;
  deferred_events& deferred_;
  const scheduler_registers& registers_;
  std::size_t class_count_;
  const dispatch_port& servers_;
  event_observer* to_ = nullptr;
  const submission_rules* rules_ = nullptr;
  bool descriptor_is_all_ = false;
  ticks visible_size_ = 0;    // bits of a job's size that the policy sees: all or none
  ticks estimated_size_ = 0;  // bits of a job's size that its estimate has: all or none
  std::vector<hop> hops_;     // one for each submitter
  transaction_pool<job_extension> blocking_jobs_;
  std::uint64_t arrived_ = 0;
  std::uint64_t abandoned_ = 0;
  std::uint64_t own_numbered_ = 0;
  std::uint64_t* numbered_ = &own_numbered_;
  job_withdrawals* withdrawals_ = nullptr;  // null: no job is taken back
};

}  // namespace muster
