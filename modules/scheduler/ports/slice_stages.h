#pragma once

#include <array>
#include <cstdint>

#include "muster/modules/protocol/job_times.h"
#include "muster/policies/job_kind.h"

namespace muster {

/// Tells from the stages of a job's slices what the job's time is spent on, and keeps both in its job_times.
class slice_stages {
 public:
  explicit slice_stages(job_kind jobs);

  /// Notes that a job's first slice is ordered. @param at ordered, or outbound where the slice is sent at once
  static void order_first(job_times& t, slice_stage at) {
    t.ran_before_ = t[time_part::running];
    t.lone_ = at;
    t.now_ = part_at(at);
  }
  /// Notes that a further slice is ordered, which slices_ counts already.
  void order_one_more(job_times& t, slice_stage at) const;
  /// Notes that a slice moves from one stage to another. The job's time up to then has been added.
  void move(job_times& t, slice_stage from, slice_stage to) const {
    if (t.slices_ > 1 || jobs_ == job_kind::slotted) {
      move_one_of_several(t, from, to);
    } else {
      t.lone_ = to;
      t.now_ = part_at(to);
    }
  }
  /// Notes that one of several slices has ended.
  void end_one_of_several(job_times& t) const;
  /// The stage of a slice whose response comes. A slice that its server has refused has never begun.
  static slice_stage last(const job_times& t) {
    return t.at_stage(slice_stage::returning) > 0 ? slice_stage::returning : slice_stage::outbound;
  }

 private:
  static time_part part_at(slice_stage stage) {
    static constexpr time_part parts[] = {time_part::decision, time_part::network,  time_part::overhead,
                                          time_part::running,  time_part::overhead, time_part::network,
                                          time_part::decision};
    return parts[static_cast<std::size_t>(stage)];
  }
  void move_one_of_several(job_times& t, slice_stage from, slice_stage to) const;  // also the one of a slotted job
  static void note_last_core(job_times& t);
  void leave(job_times& t, slice_stage stage) const {
    if (--t.at_stage(stage) == 0) t.reached_ &= ~bit(stage);
  }
  void enter(job_times& t, slice_stage stage) const {
    ++t.at_stage(stage);
    t.reached_ |= bit(stage);
  }
  std::uint32_t bit(slice_stage stage) const { return 1u << places_[static_cast<std::size_t>(stage)]; }
  /// The stage that tells what the job's time is spent on: that of one of its slices.
  slice_stage that_tells(const job_times& t) const { return order_[static_cast<unsigned>(__builtin_ctz(t.reached_))]; }

  const job_kind jobs_;
  // Stages in the order in which they count: the first one that a slice of a job is at tells what the job's time is
  // spent on. job_times::reached_ has a bit for each, from the lowest on.
  const std::array<slice_stage, job_times::stages>& order_;
  std::array<std::uint8_t, job_times::stages> places_;  // places of the stages in order_
};

}  // namespace muster
