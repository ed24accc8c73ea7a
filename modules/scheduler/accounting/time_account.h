#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "muster/modules/protocol/stage_observer.h"
#include "muster/modules/scheduler/accounting/resource_waits.h"
#include "muster/modules/scheduler/ports/slice_stages.h"
#include "muster/policies/cluster_state.h"

namespace muster {

/// Splits each job's time in the system into the parts of time_part, to the tick; see job_times.
///
/// Cores are free as the scheduler's view shows them when an event has been processed. The causes of waiting are
/// examined afresh then. For each class a clock runs for each cause, so that an event costs a comparison for each class
/// and none for a job. Only jobs that have drawn their servers are examined one by one, while the policy leaves a
/// server idle that one of them may use.
///
/// Where there are resources beside cores, resource_waits tells the causes of waiting.
///
/// Between the end of a slice at its server and the arrival of the response its cores are not free yet, and the jobs
/// that wait for them have no core.
class time_account final : public stage_observer {
 public:
  /// @param state outlives the account @param jobs kind of the jobs
  /// @param resources outlives the account, which observes it if there are any beside cores; null: only cores count
  time_account(const cluster_state& state, job_kind jobs, task_allocator* resources = nullptr);

  /// @name What the scheduler receives, processes and orders
  /// @{
  void arrives(job_extension& j);
  void arrival_is_processed(ticks now, const job_extension& j) { wait_unless_ordered(now, j); }
  /// Notes that the scheduler orders a slice. @param at ordered, or outbound where the slice is sent at once
  void slice_is_ordered(ticks now, const slice_extension& s, slice_stage at);
  void slice_is_sent(ticks now, const slice_extension& s) {
    slice_moves(now, *s.holder, slice_stage::ordered, slice_stage::outbound);
  }
  void response_comes(ticks now, const slice_extension& s) {
    slice_moves(now, *s.holder, slice_stages::last(*s.holder->times), slice_stage::answered);
  }
  void response_is_processed(ticks now, const slice_extension& s) {
    const job_extension& j = *s.holder;
    job_times& t = *j.times;
    add_time(now, t);
    if (--t.slices_ == 0)
      wait_unless_ordered(now, j);
    else
      stages_.end_one_of_several(t);
  }
  void free_cores_change(group_id group) {
    const unsigned free = state_.free_in(group);
    all_free_ += std::uint64_t{free} - free_[group];
    if (any_drawn_) count_held_back(group, free);
    free_[group] = free;
    restricted_changed_ = any_restricted_;
  }
  void all_free_cores_change() {
    for (const group_id group : id_range<group_id>{free_.size()}) free_cores_change(group);
  }
  /// Examines the causes of waiting, as the policy has answered an event.
  void event_is_processed(ticks now) {
    if (may_wait_) begin_waiting(now, *std::exchange(may_wait_, nullptr));
    if (waiting_ > 0 && causes_change()) examine_classes(now);
    if (any_drawn_ && groups_held_back_ + jobs_held_back_ > 0) examine_drawn(now);
  }
  /// @}

  /// Notes the stage of a slice at its server. All time of a slice at a server that does not tell counts as network.
  void slice_moves(ticks now, const job_extension& holder, slice_stage from, slice_stage to) override {
    job_times& t = *holder.times;
    add_time(now, t);
    stages_.move(t, from, to);
  }

  /// Completes the times of a job that has its response.
  const job_times& complete(ticks now, const job_extension& j) {
    settle(now, j);
    end_waiting(now, j);
    return *j.times;
  }

 private:
  /// The time for which each cause has kept jobs of a class waiting, whether or not there were any.
  struct class_clock {
    std::array<ticks, job_times::causes> elapsed{};  // up to `since`
    ticks since = 0;
    std::size_t cause = 0;  // place of the present cause in `elapsed`

    void run_to(ticks now) {
      elapsed[cause] += now - since;
      since = now;
    }
  };
  /// A class, and how many cores must be free for a job of it to start: anywhere, or on servers that it may use.
  struct class_need {
    class_id id;
    unsigned cores;
    time_part if_free;  // the cause of waiting when as many cores are free
  };

  /// Adds the time of a job that has slices.
  static void add_time(ticks now, job_times& t) {
    t.at(t.now_) += now - t.since_;
    t.since_ = now;
  }
  void settle(ticks now, const job_extension& j) {
    if (j.times->waits_)
      add_waiting(now, j);
    else
      add_time(now, *j.times);
  }
  void add_waiting(ticks now, const job_extension& j);
  // Lets a job wait once the event has been processed, as most jobs leave, or get a slice, before. Events may be
  // nested.
  void wait_unless_ordered(ticks now, const job_extension& j) {
    if (may_wait_) begin_waiting(now, *may_wait_);
    may_wait_ = &j;
  }
  void begin_waiting(ticks now, const job_extension& j);
  void see_clocks(ticks now, const job_extension& j);
  void end_waiting(ticks now, const job_extension& j) {
    job_times& t = *j.times;
    if (may_wait_ == &j) may_wait_ = nullptr;
    if (!t.counted_) return;
    t.counted_ = t.waits_ = false;
    --waiting_;
    if (counts_jobs_) stop_counting(now, j);
  }
  /// Whether the number of free cores is no longer in the range where the causes of all classes stay as they are.
  bool causes_change() const { return all_free_ - least_free_ >= range_ || restricted_changed_; }
  void examine_classes(ticks now);
  [[gnu::noinline]] void examine_restricted(ticks now);
  void set_cause(ticks now, class_id id, time_part cause);
  bool is_free(const class_need& c) const { return all_free_ >= c.cores; }
  static std::size_t place_of(time_part cause) {
    return static_cast<std::size_t>(cause) - static_cast<std::size_t>(time_part::no_core);
  }

  /// @name Waiting jobs of which more is counted than the clocks of their class: which resource is short, or whether
  /// servers are idle that they have drawn. Not inlined: where only cores count, the path of an event has none of it.
  /// @{
  [[gnu::noinline]] void count_apart(ticks now, const job_extension& j);
  [[gnu::noinline]] void stop_counting(ticks now, const job_extension& j);
  /// @}

  /// @name Jobs that have drawn their servers
  /// @{
  void join_drawn(const job_extension& j);
  void leave_drawn(const job_extension& j);
  void count_waiting(const job_extension& j, int more);
  void count_held_back(group_id group, unsigned free);
  void examine_drawn(ticks now);
  /// Whether a server of the group is idle that a waiting job may use.
  bool held_back(group_id group) const { return free_[group] > 0 && waiting_for_[group] > 0; }
  /// @}

  const cluster_state& state_;
  const slice_stages stages_;
  table<class_id, class_clock> clocks_;
  std::vector<class_need> anywhere_;          // classes that may use all servers, or draw theirs: by descending need
  std::size_t first_free_ = 0;                // place in anywhere_ from which on as many cores are free as classes need
  std::vector<class_need> restricted_;        // classes that may use some servers only, or need tasks
  table<group_id, unsigned> free_;            // free cores, as the view had them when they last changed
  std::uint64_t all_free_ = 0;                // sum of free_
  std::uint64_t least_free_ = 0, range_ = 0;  // see causes_change()
  bool restricted_changed_ = true;            // whether free cores have changed since the causes were examined
  bool any_restricted_ = false;               // whether some class may not use all servers
  bool any_drawn_ = false;                    // whether jobs of some class draw their servers
  bool counts_jobs_ = false;                  // whether they do, or there are resources beside cores
  std::unique_ptr<resource_waits> resources_;   // null: there are none beside cores
  std::uint64_t waiting_ = 0;                   // waiting jobs; while there is none, the clocks are not kept
  const job_extension* may_wait_ = nullptr;     // a job that waits after this event, unless it gets a slice or leaves
  std::vector<const job_extension*> drawn_;     // waiting jobs that have drawn their servers
  table<group_id, std::uint32_t> waiting_for_;  // how many jobs of drawn_ have drawn the group
  std::size_t groups_held_back_ = 0, jobs_held_back_ = 0;  // see held_back() and job_times::held_back_
};

}  // namespace muster
