#pragma once

#include <memory>
#include <string_view>

#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/kernel/parameter_list.h"
#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/protocol/direct_interface.h"
#include "muster/modules/protocol/handshake.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/source/job_observer.h"
#include "muster/modules/source/paced_arrivals.h"
#include "muster/modules/source/workload.h"

namespace muster {

/// Submits jobs to the scheduler, each at its arrival. A job's response time is the latency of its transaction, seen
/// here. A call of the target's that breaks the base protocol is a SystemC error of type /muster/protocol.
class job_source : public sc_core::sc_module,
                   public listed_module,
                   private timer_observer,
                   private submission_observer,
                   private initiator_hop<job_source> {
 public:
  tlm_utils::simple_initiator_socket<job_source> submissions{"submissions"};

  /// @param jobs outlives the source
  /// @param observer receives each submission and each response; outlives the source
  job_source(const sc_core::sc_module_name& name, timekeeper& time, workload& jobs, job_observer& observer);

  /// Before the simulation: replaces the observer by one that receives submissions and one that receives responses.
  /// @param arrivals,completions outlive the source
  void observe(job_observer& arrivals, job_observer& completions) {
    arrivals_ = &arrivals;
    completions_ = &completions;
  }

  /// Why the rate of arrivals cannot be changed, see workload::fixes_arrivals(); empty: it can.
  std::string_view fixes_arrivals() const { return jobs_->fixes_arrivals(); }
  /// Changes the rate of arrivals, now: the rest of the time until the next arrival, and the times between all that
  /// follow, are divided by a factor. Called where fixes_arrivals() is empty, when the simulation has started.
  /// @param factor of the rate that the workload has by itself, from paced_arrivals::least to paced_arrivals::most
  void set_rate(double factor);

  std::uint64_t jobs_submitted() const { return submitted_; }
  std::uint64_t jobs_answered() const { return answered_; }
  /// Whether the workload has come to its end.
  bool exhausted() const { return exhausted_; }
  std::size_t outstanding_jobs() const { return pool_.outstanding(); }
  /// Lists the counts, see list_parameters().
  void list_into(parameter_list& all) const override;

 private:
  void start_of_simulation() override;
  [[gnu::flatten]] void expired(ticks now, std::uint32_t cookie) override;
  void await_next();
  void submit(tlm::tlm_generic_payload& p);
  void submit_directly(tlm::tlm_generic_payload& p, job_extension& job);
  [[gnu::noinline]] void state_more(tlm::tlm_generic_payload& p, job_extension& job) const;
  [[gnu::noinline]] void note_servers(std::array<std::uint64_t, 2>& drawn) const;
  void write_words(boost::container::small_vector_base<std::uint64_t>& words) const;
  [[gnu::flatten]] tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
    return receive_answer(p, phase, delay);
  }

  /// @name The hop to the scheduler
  /// @{
  friend initiator_hop<job_source>;
  tlm::tlm_sync_enum call(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return submissions->nb_transport_fw(p, phase, delay);
  }
  sc_core::sc_time lead() const { return time_.lead(); }
  bool in_progress(const tlm::tlm_generic_payload& p) const { return pool_.in_progress(p); }
  void responds(tlm::tlm_generic_payload& p, const sc_core::sc_time& delay);
  void responds_at_once(tlm::tlm_generic_payload& p, tlm::tlm_sync_enum, const sc_core::sc_time& delay) {
    responds(p, delay);
  }
  [[noreturn, gnu::cold, gnu::noinline]] void violated(const broken_rule& broken, const tlm::tlm_phase& phase,
                                                       const tlm::tlm_generic_payload& p) const;
  /// @}
  [[gnu::flatten]] void job_answered(job_extension& job, tlm::tlm_response_status status) override;
  void answered(const job_extension& job, tlm::tlm_response_status status, ticks completed);
  [[noreturn, gnu::cold, gnu::noinline]] void leave_clock(const job_extension& job) const;
  [[gnu::cold, gnu::noinline]] void refused(const job_extension& job, tlm::tlm_response_status status) const;

  timekeeper& time_;
  workload* jobs_;
  std::unique_ptr<paced_arrivals> paced_;  // null: the rate has not been changed
  job_observer *arrivals_, *completions_;
  timekeeper::recurring next_arrival_;
  job_request next_;
  direct_submissions* direct_ = nullptr;  // null: jobs are submitted over the hop
  transaction_pool<job_extension> pool_;
  std::uint64_t submitted_ = 0;
  std::uint64_t answered_ = 0;
  bool exhausted_ = false;
  workload_feedback* feedback_ = nullptr;  // who receives completions of the workload; null: nobody
  bool states_more_ = true;                // whether some job brings more than class and size
};

}  // namespace muster
