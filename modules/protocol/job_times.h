#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "muster/policies/job.h"

namespace muster {

/// What a job's time from its arrival to its response is spent on. Every instant counts as one part. A job waits while
/// it has no slice. Where several causes hold, the first in the order decision, network, no_core, fragmentation,
/// behind_others counts.
enum class time_part : std::uint8_t {
  running,   ///< the job's cores are productive: all that a rigid job still needs, at least one of another job
  overhead,  ///< the job's cores prepare (waking, set-up, restore, migration, dispatch) or save its state
  network,   ///< the job's orders or responses are on their way
  decision,  ///< the job's arrival, its orders or its responses wait for the scheduler
  failure,   ///< the job has run, and a failure or a kill has undone what it did
  /// The job waits; fewer cores are free in the cluster than it needs. Where there are resources beside cores: one of
  /// them is short, see job_times::short_of().
  no_core,
  fragmentation,  ///< the job waits; enough cores are free, but too few where it may run
  behind_others   ///< the job waits; enough cores are free where it may run, and the policy gives it none
};
inline constexpr std::size_t time_parts = 8;

/// A value for each time_part, in their order.
template <class Value>
using by_time_part = std::array<Value, time_parts>;

/// How far a slice has come, from its order to the processing of its response.
enum class slice_stage : std::uint8_t { ordered, outbound, overhead, running, saving, returning, answered };

/// How the time of a job in the system has been spent, in ticks. time_account keeps the times. Once the job has its
/// response they are complete and add up to the response time.
class job_times {
 public:
  ticks operator[](time_part part) const { return spent_[static_cast<std::size_t>(part)]; }
  const by_time_part<ticks>& all() const { return spent_; }
  /// The part of time_part::no_core in which a resource was the one that was short, see resource_waits.
  /// @param resource number of the resource, 0: cores
  ticks short_of(std::size_t resource) const {
    const ticks all = (*this)[time_part::no_core];
    if (resources_ && all > 0) return resources_->spent[resource];
    return resource == 0 ? all : 0;
  }

  /// Counts work that a failure or a kill has undone: the share of the job's work since it got its cores that is lost
  /// is the share of its running time since then that becomes time_part::failure.
  /// @param lost work, at most `of` @param of work done since the job got its cores; 0: none
  void lose(ticks lost, ticks of);
  /// Counts as failure what the last core that ran for the job has done, but not the time in which other cores ran too.
  /// @param most time for which that core ran, and which is undone
  void lose_last_core(ticks most);

 private:
  friend class resource_waits;
  friend class time_account;
  friend class slice_stages;

  /// The parts of time_part::no_core, by resource, valid where it is not 0, and the clocks of the job's class when its
  /// present wait began.
  struct resource_times {
    std::vector<ticks> spent, seen;
  };

  static constexpr std::size_t stages = 7, causes = 3;

  ticks& at(time_part part) { return spent_[static_cast<std::size_t>(part)]; }
  std::uint32_t& at_stage(slice_stage stage) { return slices_at_[static_cast<std::size_t>(stage)]; }
  std::uint32_t at_stage(slice_stage stage) const { return slices_at_[static_cast<std::size_t>(stage)]; }
  std::uint32_t running_slices() const {
    if (slices_ > 1) return at_stage(slice_stage::running);
    return slices_ == 1 && lone_ == slice_stage::running ? 1 : 0;
  }
  void move_to_failure(ticks time);
  /// Begins the times of a job. Values that are not set here are as the job before has left them, whose slices have all
  /// ended.
  void begin(ticks arrival) {
    spent_ = {};
    since_ = arrival;
    now_ = time_part::decision;
  }

  by_time_part<ticks> spent_{};
  ticks since_ = 0;                                // instant up to which spent_ is complete
  time_part now_ = time_part::decision;            // what the time from since_ on is spent on, unless waits_
  bool waits_ = false;                             // the clocks of the job's class tell what it is spent on
  bool counted_ = false;                           // the job is among the waiting ones
  bool held_back_ = false;                         // the job has drawn its servers, and one of them is idle
  std::uint32_t slices_ = 0;                       // slices ordered whose responses have not been processed
  slice_stage lone_{};                             // stage of the slice, where there is one
  std::array<std::uint32_t, stages> slices_at_{};  // slices at each stage, where there are several
  std::uint32_t reached_ = 0;                      // stages at which there is a slice, as bits, see slice_stages
  std::array<ticks, causes> seen_{};               // clocks of the job's class at since_, while waits_
  ticks ran_before_ = 0;                           // time running when the job last got its first slice
  ticks alone_since_ = 0, alone_ = 0;              // since when exactly one slice runs; for how long the last one did
  std::size_t place_ = nowhere;                    // the job's place among waiting jobs that have drawn their servers
  std::unique_ptr<resource_times> resources_;      // null where only cores count, or it has not waited

  static constexpr std::size_t nowhere = ~std::size_t{0};
};

}  // namespace muster
