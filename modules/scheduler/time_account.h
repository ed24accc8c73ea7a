#pragma once

#include <array>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/policies/cluster_state.h"
#include "muster/policies/policy.h"

namespace muster {

/// Splits each job's time in the system into the parts of time_part, to the tick; see job_times.
///
/// What is free is what the scheduler's view shows when an event has been processed: the causes of waiting are examined
/// afresh then. For each class a clock runs for each cause, so that an event costs a comparison for each class and none
/// for a job; only jobs that have drawn their servers are examined one by one, while the policy leaves a server idle
/// that one of them may use.
///
/// Between the end of a slice at its server and the arrival of the response its cores are not free yet, and the jobs
/// that wait for them have no core.
class time_account {
 public:
  /// @param state outlives the account @param jobs their kind
  time_account(const timekeeper& time, const cluster_state& state, progress jobs);

  /// @name What the scheduler receives, processes and orders
  /// @{
  void arrives(job_extension& j);
  void arrival_is_processed(const job_extension& j) { wait_unless_ordered(j); }
  /// @param at ordered, or outbound where it is sent at once
  void slice_is_ordered(const slice_extension& s, slice_stage at);
  void slice_is_sent(const slice_extension& s) { move(*s.holder, slice_stage::ordered, slice_stage::outbound); }
  void response_comes(const slice_extension& s) { move(*s.holder, last_stage(*s.holder), slice_stage::answered); }
  void response_is_processed(const slice_extension& s);
  void free_cores_change(group_id group);
  /// The policy has answered an event: the causes of waiting are examined.
  void event_is_processed();
  /// @}

  /// @name What becomes of a slice at its server. Of servers that do not tell, all of it counts as network.
  /// @{
  void slice_begins(const job_extension& j, bool productive) {
    move(j, slice_stage::outbound, productive ? slice_stage::running : slice_stage::overhead);
  }
  void slice_works(const job_extension& j) { move(j, slice_stage::overhead, slice_stage::running); }
  void slice_saves(const job_extension& j) { move(j, slice_stage::running, slice_stage::saving); }
  /// @param at the stage at which it ends
  void slice_ends(const job_extension& j, slice_stage at) { move(j, at, slice_stage::returning); }
  /// @}

  /// The job has its response: its times are complete.
  const job_times& complete(const job_extension& j);

 private:
  /// The time for which each cause has kept jobs of a class waiting, whether or not there were any.
  struct class_clock {
    std::array<ticks, job_times::causes> elapsed{};  // up to `since`
    ticks since = 0;
    std::size_t cause = 0;  // place of the present one in `elapsed`

    ticks at(std::size_t of, ticks now) const { return elapsed[of] + (of == cause ? now - since : 0); }
  };
  /// A class whose jobs can start if so many cores are free, wherever they are; or such that only its own servers tell.
  struct class_need {
    class_id id;
    unsigned cores;
    time_part if_free;  // the cause of waiting when they are
  };

  void move(const job_extension& j, slice_stage from, slice_stage to);
  static slice_stage last_stage(const job_extension& j);
  void settle(const job_extension& j) {
    if (j.times->since_ != time_.now()) add_time(j);
  }
  void add_time(const job_extension& j);
  void wait_unless_ordered(const job_extension& j);
  void begin_waiting(const job_extension& j);
  void see_clocks(const job_extension& j);
  void end_waiting(const job_extension& j);
  time_part part_of(const job_times& t) const;
  void examine_classes();
  void set_cause(class_id id, time_part cause);
  bool is_free(const class_need& c) const { return all_free_ >= c.cores; }
  static std::size_t place_of(time_part cause) {
    return static_cast<std::size_t>(cause) - static_cast<std::size_t>(time_part::no_core);
  }

  /// @name Jobs that have drawn their servers
  /// @{
  void join_drawn(const job_extension& j);
  void leave_drawn(const job_extension& j);
  void count_waiting(const job_extension& j, int more);
  void examine_drawn();
  /// Whether a server of the group is idle that a waiting job may use.
  bool held_back(group_id group) const { return free_[group] > 0 && waiting_for_[group] > 0; }
  /// @}

  const timekeeper& time_;
  const cluster_state& state_;
  const progress jobs_;
  table<class_id, class_clock> clocks_;
  std::vector<class_need> anywhere_;    // classes that may use all servers, or draw theirs: by descending need
  std::size_t first_free_ = 0;          // the first of these of which as many cores are free; the causes say the same
  std::vector<class_need> restricted_;  // the others
  table<group_id, unsigned> free_;      // cores, as the view had them when they last changed
  std::uint64_t all_free_ = 0;          // their sum
  bool changed_ = true;                 // they have, since the causes were examined
  std::uint64_t waiting_ = 0;           // jobs; while there is none, the clocks are not kept
  const job_extension* may_wait_ = nullptr;     // a job that waits after this event, unless it gets a slice or leaves
  std::vector<const job_extension*> drawn_;     // waiting jobs that have drawn their servers
  table<group_id, std::uint32_t> waiting_for_;  // how many of these have drawn the group
  std::size_t groups_held_back_ = 0, jobs_held_back_ = 0;
};

}  // namespace muster
