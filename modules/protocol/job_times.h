#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "muster/policies/job.h"

namespace muster {

/// What a job's time from its arrival to its response is spent on. Every instant counts as one of these. A job waits
/// while it has no slice; where several causes hold, the first in the order decision, network, no_core, fragmentation,
/// behind_others counts.
enum class time_part : std::uint8_t {
  running,        ///< its cores are productive: of a rigid job all that it still needs, of another job at least one
  overhead,       ///< its cores prepare (waking, set-up, restore, migration, dispatch) or save its state
  network,        ///< its orders or responses are on their way
  decision,       ///< its arrival, its orders or its responses wait for the scheduler
  failure,        ///< it has run, and a failure or a kill has undone what it did
  no_core,        ///< it waits; fewer cores are free in the cluster than it needs
  fragmentation,  ///< it waits; enough are free, but too few where it may run
  behind_others   ///< it waits; enough are free where it may run, and the policy gives them to others or to none
};
inline constexpr std::size_t time_parts = 8;

/// A value for each part, in their order.
template <class Value>
using by_time_part = std::array<Value, time_parts>;

/// How far a slice has come, from its order to the processing of its response.
enum class slice_stage : std::uint8_t { ordered, outbound, overhead, running, saving, returning, answered };

/// How the time of a job in the system has been spent, in ticks. time_account keeps it; once the job has its response
/// it is complete, and the parts add up to the response time.
class job_times {
 public:
  ticks operator[](time_part part) const { return spent_[static_cast<std::size_t>(part)]; }
  const by_time_part<ticks>& all() const { return spent_; }

  /// A failure or a kill undoes a share of what the job has done since it got its cores: as large a share of the time
  /// for which it ran since then becomes time_part::failure.
  /// @param lost work, at most `of` @param of work done since then; 0: none
  void lose(ticks lost, ticks of);
  /// A failure undoes what the last core that ran for the job has done; other cores ran with it before.
  /// @param most time for which that core ran, and which is undone
  void lose_last_core(ticks most);

 private:
  friend class time_account;
  friend class slice_stages;

  static constexpr std::size_t stages = 7, causes = 3;

  ticks& at(time_part part) { return spent_[static_cast<std::size_t>(part)]; }
  std::uint32_t& at_stage(slice_stage stage) { return slices_at_[static_cast<std::size_t>(stage)]; }
  std::uint32_t at_stage(slice_stage stage) const { return slices_at_[static_cast<std::size_t>(stage)]; }
  std::uint32_t running_slices() const {
    if (slices_ > 1) return at_stage(slice_stage::running);
    return slices_ == 1 && lone_ == slice_stage::running ? 1 : 0;
  }
  void move_to_failure(ticks time);
  /// What else there is has its values from the job that had its response before, all of whose slices have ended.
  void begin(ticks arrival) {
    spent_ = {};
    since_ = arrival;
    now_ = time_part::decision;
  }

  by_time_part<ticks> spent_{};
  ticks since_ = 0;                                // up to when they are complete
  time_part now_ = time_part::decision;            // what the time from then on is spent on, unless it waits_
  bool waits_ = false;                             // as the clocks of its class tell
  bool counted_ = false;                           // among the waiting jobs
  bool held_back_ = false;                         // it has drawn its servers, and one of them is idle
  std::uint32_t slices_ = 0;                       // ordered and not yet processed
  slice_stage lone_{};                             // where the only one is
  std::array<std::uint32_t, stages> slices_at_{};  // of several: those at each stage
  std::uint32_t reached_ = 0;                      // of several: stages at which there is one, see time_account
  std::array<ticks, causes> seen_{};               // clocks of its class at since_, while it waits_
  ticks ran_before_ = 0;                           // running, when the job last got its first slice
  ticks alone_since_ = 0, alone_ = 0;              // since when exactly one slice runs; for how long the last one did
  std::size_t place_ = nowhere;                    // among the waiting jobs that have drawn their servers

  static constexpr std::size_t nowhere = ~std::size_t{0};
};

}  // namespace muster
