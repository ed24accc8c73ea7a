#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <tlm>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/kernel/transaction_pool.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

/// A write to scheduler_register::withdrawal, and for whom the job is.
struct withdrawal : tlm::tlm_extension<withdrawal> {
  static void begin(tlm::tlm_generic_payload& p, withdrawal& own);
  void reset() {}
  tlm::tlm_extension_base* clone() const override { return new withdrawal{*this}; }
  void copy_from(const tlm::tlm_extension_base& from) override { *this = static_cast<const withdrawal&>(from); }

  std::uint64_t most_cores = 0;
  std::uint32_t thief = 0;
};

/// Lets schedulers that have idle cores, and no waiting job, take waiting jobs from others.
///
/// When jobs have been passed to schedulers or been answered by them, and all else of the instant has come, the
/// registers of the schedulers are read. Each scheduler, in ascending order, that has idle cores, no waiting job, and
/// no withdrawal under way takes a job from the one with the most waiting jobs, those left out for which withdrawals
/// are under way; of equal ones from the first. One information delay later a withdrawal is sent to that scheduler: it
/// gives up the job that has waited longest of those that need no more cores than were idle, or refuses, as there is
/// none any more. The job is passed on at once, and the registers are read again. After a refusal they are read with
/// the next job that is passed on or answered. A job is taken once. A scheduler without the register is a SystemC error
/// of type /muster/dispatcher.
class work_stealing final : private timer_observer {
 public:
  using payload = tlm::tlm_generic_payload;

  /// What the front end of the schedulers does for the stealing.
  class front_end {
   public:
    /// The value of a register. @param address of scheduler_register; one that can be read
    virtual std::uint64_t read(std::uint32_t scheduler, std::uint64_t address) = 0;
    virtual void send_withdrawal(std::uint32_t scheduler, payload& p) = 0;
    /// Passes a job on that has been taken from another scheduler.
    virtual void pass_stolen(std::uint32_t scheduler, payload& job) = 0;

   protected:
    ~front_end() = default;
  };

  /// @param front outlives the stealing
  work_stealing(timekeeper& time, front_end& front, std::uint32_t schedulers, ticks information_delay);

  /// Looks at the schedulers, at the end of the instant.
  void look_later();
  /// A scheduler has answered a job. @return whether it has given the job up, so that pass_stolen() follows
  bool takes(std::uint32_t from, payload& job);
  /// A scheduler has answered a withdrawal.
  void withdrawal_answered(std::uint32_t from, payload& p);

  /// Jobs that a scheduler has taken from others so far.
  std::uint64_t jobs_stolen(std::uint32_t scheduler) const { return stolen_[scheduler]; }

 private:
  /// What is done at a later time: a withdrawal from a scheduler, or the passing on of a job.
  struct errand {
    payload* job = nullptr;  ///< null: a withdrawal
    std::uint32_t thief = 0, victim = 0;
    std::uint64_t idle_cores = 0;
  };
  static constexpr std::uint32_t look_cookie = ~std::uint32_t{0};

  void expired(ticks now, std::uint32_t cookie) override;
  void look();
  std::uint32_t longest_queue() const;
  std::uint64_t left_in(std::uint32_t scheduler) const;
  void withdraw(const errand& e);

  timekeeper& time_;
  front_end& front_;
  const ticks delay_;
  transaction_pool<withdrawal> pool_;
  index_pool<errand> errands_;
  bool looks_ = false;                              // a look is under way
  std::vector<std::uint64_t> waiting_;              // jobs, as they were read last
  std::vector<std::uint64_t> claimed_;              // withdrawals from each scheduler that are under way
  std::vector<std::deque<std::uint32_t>> thieves_;  // of withdrawals that have been sent to each scheduler, in order
  std::vector<char> steals_;                        // whether a withdrawal, or its job, is under way to the scheduler
  std::vector<std::uint64_t> stolen_;
};

}  // namespace muster
