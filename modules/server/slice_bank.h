#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <tlm>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/protocol/direct_interface.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/server/bank_observers.h"
#include "muster/modules/server/core_ledger.h"
#include "muster/modules/server/interruption_timer.h"
#include "muster/modules/server/resource_ledger.h"
#include "muster/modules/server/server_settings.h"
#include "muster/modules/server/slice_data.h"
#include "muster/modules/server/slice_paces.h"
#include "muster/modules/server/slice_table.h"

namespace muster {

/// The slices that hold cores of a bank of like servers, from their dispatch to their end, and the time that the cores
/// spend on them.
class slice_bank final : private timer_observer, private pooled_work_observer, private slice_data_observer {
 public:
  /// @param given valid
  /// @param observer outlives the bank
  slice_bank(timekeeper& time, const server_settings& given, slice_observer& observer);

  /// Replaces the observer given to the constructor. Called before the simulation.
  void tell(slice_observer& observer) { observer_ = &observer; }
  bank_observers& observers() { return observers_; }

  /// Gives a slice its cores. @param extension null: the dispatch comes from outside muster
  /// @return false: the server has not as many idle cores, or the slice would end beyond the range of the clock
  bool begin(tlm::tlm_generic_payload& p, slice_extension* extension, std::uint32_t server,
             const slice_descriptor& work, ticks now);
  /// Ends a job's slice before its work is done.
  /// @param meant the slice that the scheduler means, so that it need not be searched; null: not known
  /// @param keep_state whether the slice saves, if it has done anything
  /// @return false: there is no such slice
  bool stop(std::uint32_t server, std::uint64_t job, const slice_extension* meant, bool keep_state);
  /// Ends all slices of a server at once; what they have done is lost.
  void lose_all(std::uint32_t server, ticks now);
  /// Notes that a server goes down, when it has lost its slices, or comes back.
  void set_down(std::uint32_t server, bool down) {
    if (paces_) paces_->set_down(server, down);
  }

  core_ledger& cores() { return cores_; }
  const core_ledger& cores() const { return cores_; }
  /// What is held beside cores; null: the servers have nothing else.
  const resource_ledger* resources() const { return resources_ ? &*resources_ : nullptr; }
  const slice_table& held() const { return slices_; }
  /// What its slices have moved until `now`; all 0 where jobs have no data.
  moved_data moved(ticks now) const { return data_ ? data_->moved(now) : moved_data{}; }
  std::vector<slice_view> views() const { return slices_.views(observers_.bank()); }

 private:
  using stage = slice_stage;

  [[gnu::flatten]] void expired(ticks now, std::uint32_t index) override;
  [[gnu::flatten]] void work_done(ticks now, std::uint32_t index) override;
  [[gnu::flatten]] void time_is_up(ticks now, std::uint32_t index) override;
  void data_moved(ticks now, std::uint32_t index) override;
  void prefetch_for_expiration(std::uint32_t index, prefetch_step step) override;
  void prefetch_for_work_done(std::uint32_t index, prefetch_step step) override {
    prefetch_for_expiration(index, step);
  }

  [[gnu::noinline]] void begin_pooled(std::uint32_t index, const slice_descriptor& work, ticks now);
  [[gnu::noinline]] void fetch_or_prepare(std::uint32_t index, const slice_descriptor& work, ticks now);
  void read_or_prepare(std::uint32_t index, const slice_descriptor& work, ticks now);
  [[gnu::noinline]] void prepare(std::uint32_t index, const slice_descriptor& work, ticks now);
  void stop_preparing(std::uint32_t index);
  void show_productive(std::uint32_t index, ticks now);
  [[gnu::noinline]] void leave_stage(std::uint32_t index, ticks now);
  void become_productive(std::uint32_t index, const slice_descriptor& work, ticks now);
  void run(std::uint32_t index, const slice_descriptor& work, ticks now);
  [[gnu::noinline]] void run_to_checkpoint(std::uint32_t index, const slice_descriptor& work, ticks now);
  [[gnu::noinline]] bool pause(std::uint32_t index, ticks now);
  bool begin_checkpoint(std::uint32_t index, ticks now);
  bool settle_data(std::uint32_t index, ticks now);
  void end_checkpoint(std::uint32_t index, ticks now);
  [[gnu::noinline]] void settle_more(std::uint32_t index, ticks now);
  void stop_running(std::uint32_t index);
  void cease(std::uint32_t index);
  void save(std::uint32_t index, slice_extension::end why, ticks now);
  void end(std::uint32_t index, slice_extension::end why, ticks now);
  // Shows a change of stage. Not inlined, so that a server without an observer pays for the test only.
  [[gnu::noinline]] void show(stage from, stage to, std::uint32_t index, ticks now);
  [[gnu::cold, gnu::noinline]] void show_all(stage from, stage to, std::uint32_t index, ticks now);

  timekeeper& time_;
  server_costs costs_;
  bool prepares_;                      // whether slices cost time before their work begins
  interruption_timer* interruptions_;  // null: the servers have none
  slice_observer* observer_;
  core_ledger cores_;
  std::optional<resource_ledger> resources_;
  slice_table slices_{cores_};
  network* network_;     // null: the transfer of a state is among the costs
  std::uint32_t first_;  // place of the first server in the network
  bank_observers observers_;
  std::unique_ptr<slice_paces> paces_;  // null: the servers' speeds do not change
  bool settles_more_;                   // whether there is more to settle at the end of a slice than its cores
  bool pauses_;                         // whether a slice that has worked may have more to do than to end
  std::unique_ptr<slice_data> data_;    // null: jobs have no data
};

}  // namespace muster
