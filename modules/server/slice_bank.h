#pragma once

#include <cstring>
#include <optional>
#include <vector>

#include <tlm>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/network/network.h"
#include "muster/modules/protocol/direct_interface.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/server/bank_observers.h"
#include "muster/modules/server/core_ledger.h"
#include "muster/modules/server/interruption_timer.h"
#include "muster/modules/server/server_costs.h"
#include "muster/policies/algorithms/index_pool.h"
#include "muster/policies/table.h"

namespace muster {

/// The slices that hold cores of a bank of like servers, from their dispatch to their end, and the time that the cores
/// spend on them.
class slice_bank final : private timer_observer, private pooled_work_observer {
 public:
  /// @param cores of each server
  /// @param interruptions the servers' timers; outlives the bank; null: they have none
  slice_bank(timekeeper& time, std::uint32_t servers, std::uint32_t cores, const server_costs& costs,
             interruption_timer* interruptions, slice_observer& observer);

  /// Before the simulation. @param observer takes the place of the one given to the constructor
  void tell(slice_observer& observer) { observer_ = &observer; }
  bank_observers& observers() { return observers_; }
  void fetch_state(network& over, std::uint32_t first) {
    network_ = &over;
    first_ = first;
    prepares_ = true;
  }

  /// A slice gets its cores. @param extension null: the dispatch comes from outside muster
  /// @return false: the server has not as many idle cores, or the slice would end beyond the range of the clock
  bool begin(tlm::tlm_generic_payload& p, slice_extension* extension, std::uint32_t server,
             const slice_descriptor& work, ticks now);
  /// Ends a job's slice before its work is done.
  /// @param meant the one that the scheduler means, so that it need not be searched; null: not known
  /// @param keep_state whether it saves, if it has done anything
  /// @return false: there is none
  bool stop(std::uint32_t server, std::uint64_t job, const slice_extension* meant, bool keep_state);
  /// Ends all slices of a server at once; what they have done is lost.
  void lose_all(std::uint32_t server, ticks now);

  core_ledger& cores() { return cores_; }
  const core_ledger& cores() const { return cores_; }
  std::uint32_t cores_each() const { return cores_each_; }
  /// Whether the transaction is a slice of this bank that has not ended. @param place as its extension says
  bool holds(std::uint32_t place, const tlm::tlm_generic_payload& p) const {
    return place != slice_extension::nowhere && slices_.has(place) && slices_[place].transaction == &p;
  }

  /// @name What can be seen of slices
  /// @{
  using stage = slice_stage;  // overhead, running or saving
  struct core_use {
    stage at;
    const job_extension* holder;  ///< null: the dispatch came from outside muster
    core_ledger::tenure held;
    ticks since;  ///< it has been at that stage
  };
  /// @param number of a slice, as the ledger has it
  core_use use(std::uint32_t number) const;
  std::uint64_t running_cores(std::uint32_t server) const;
  /// Adds to the sum of each class the time for which cores have run its jobs until `now`, all cores together.
  void add_running_times(table<class_id, tick_sum>& sums, ticks now) const;
  std::vector<slice_view> views() const;
  /// @}

 private:
  // One cache line; its transaction has the rest.
  struct alignas(cache_line) slice {
    tlm::tlm_generic_payload* transaction = nullptr;
    slice_extension* extension = nullptr;  ///< null: the dispatch came from outside muster
    core_ledger::tenure held;
    core_ledger::chain cores;
    std::uint32_t server = 0;
    union {
      timekeeper::timer timer = 0;  ///< to the end of the stage; none while it runs on shared work
      network::message state;       ///< while it fetches: its job's state
    };
    slice_extension::end why{};  ///< it saves
    stage at = stage::overhead;
    bool fetches = false;  ///< in overhead, while its job's state is on its way

    /// In overhead, as it writes a checkpoint: its cores have been productive before.
    bool writes_checkpoint() const { return at == stage::overhead && held.ceased != core_ledger::tenure::never; }

    /// What was dispatched.
    slice_descriptor descriptor() const {
      slice_descriptor d;
      std::memcpy(&d, transaction->get_data_ptr(), sizeof d);
      return d;
    }
    /// Null likewise.
    job_extension* holder() const { return extension ? extension->holder : nullptr; }
    /// The job's shared work; null: the slice has its own duration.
    pooled_work* work() const {
      return extension && extension->rate > 0.0 ? extension->holder->own.allocation.get() : nullptr;
    }
  };

  static_assert(sizeof(slice) == cache_line);

  [[gnu::flatten]] void expired(ticks now, std::uint32_t index) override;
  [[gnu::flatten]] void work_done(ticks now, std::uint32_t index) override;
  [[gnu::flatten]] void time_is_up(ticks now, std::uint32_t index) override;
  void prefetch_for_expiration(std::uint32_t index, prefetch_step step) override;
  void prefetch_for_work_done(std::uint32_t index, prefetch_step step) override {
    prefetch_for_expiration(index, step);
  }

  [[gnu::noinline]] void begin_pooled(std::uint32_t index, const slice_descriptor& work, ticks now);
  [[gnu::noinline]] void fetch_or_prepare(std::uint32_t index, const slice_descriptor& work, ticks now);
  [[gnu::noinline]] void prepare(std::uint32_t index, const slice_descriptor& work, ticks now);
  void stop_preparing(slice& s);
  [[gnu::noinline]] void leave_stage(std::uint32_t index, ticks now);
  void become_productive(std::uint32_t index, const slice_descriptor& work, ticks now);
  void run(std::uint32_t index, const slice_descriptor& work, ticks now);
  [[gnu::noinline]] void run_to_checkpoint(std::uint32_t index, const slice_descriptor& work, ticks now);
  [[gnu::noinline]] bool begin_checkpoint(std::uint32_t index, ticks now);
  void end_checkpoint(std::uint32_t index, ticks now);
  void cease(std::uint32_t index);
  void save(std::uint32_t index, slice_extension::end why, ticks now);
  void end(std::uint32_t index, slice_extension::end why, ticks now);
  [[gnu::noinline]] void count_time_of(std::size_t type) { run_.resize(type + 1); }
  std::optional<std::uint32_t> find(std::uint32_t server, std::uint64_t job, const slice_extension* meant) const;
  slice_view view(const slice& s) const;
  // Not inlined, so that a server without an observer pays for the test only.
  [[gnu::noinline]] void show(stage from, stage to, std::uint32_t index, ticks now);
  [[gnu::cold, gnu::noinline]] void show_all(stage from, stage to, std::uint32_t index, ticks now);

  timekeeper& time_;
  server_costs costs_;
  bool prepares_;  // slices cost time before their work begins
  interruption_timer* interruptions_;
  slice_observer* observer_;
  std::uint32_t cores_each_;
  core_ledger cores_;
  index_pool<slice> slices_;
  std::vector<tick_sum> run_;  // by class, of slices that have ended
  network* network_ = nullptr;
  std::uint32_t first_ = 0;  // server of the network
  bank_observers observers_;
};

}  // namespace muster
