#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "platform/simulation/backlog.h"

namespace muster {

/// One simulation of a long queue.
struct backlog_run {
  std::uint32_t replication;
  std::uint64_t waiting;  ///< jobs of the backlog
  double reach = 0.9;     ///< see follow_backlog()
};

/// A sequential rule for what becomes of a point's long queues: simulations in rounds, until they tell.
///
/// 1. Two runs with short backlogs, if there are such, and two more, up to eight, as long as their one outcome is not
///    clear. Where all clearly drain, that is the verdict. Where all clearly grow, round 3 follows, and round 2 only if
///    that does not confirm it. Else round 2 follows.
/// 2. The same with whole backlogs. What eight of them agree on needs not be clear. Where all drain, that is the
///    verdict; where all grow, round 3 follows.
/// 3. One run with ten times the backlog. Where it grows, too, that is the verdict: a queue that is stable, but longer
///    than its backlog on average, grows in the others.
///
/// Anything else is no verdict. An outcome is clear if the changes of the work in the runs, added up, are three and
/// a half times the standard deviation of their sum. Work whose mean neither grows nor shrinks has a verdict less than
/// once in a hundred times.
class backlog_rounds {
 public:
  /// @param short_backlog 0: there is none
  /// @param backlog at least 1
  backlog_rounds(std::uint64_t short_backlog, std::uint64_t backlog)
      : short_backlog_(short_backlog), backlog_(backlog), stage_(stage::short_backlogs) {
    if (short_backlog > 0)
      run_two(short_backlog_);
    else
      run_whole_backlogs();
  }

  /// The runs of the next round; empty when there is a verdict.
  const std::vector<backlog_run>& next() const { return next_; }
  /// @param courses of the runs of next(), in their order
  void take(const std::vector<backlog_course>& courses) {
    known_.insert(known_.end(), courses.begin(), courses.end());
    const backlog_outcome outcome = known_.front().outcome;
    const bool all_agree = agree(known_), clear = all_agree && are_clear(known_);
    switch (stage_) {
      case stage::short_backlogs:
        if (!all_agree || (!clear && known_.size() == most_runs)) return run_whole_backlogs();
        if (!clear) return run_two(short_backlog_);
        return outcome == backlog_outcome::drains ? end(outcome) : confirm();
      case stage::whole_backlogs:
        if (!all_agree) return end(backlog_outcome::neither);
        if (!clear && known_.size() < most_runs) return run_whole_backlogs();
        return outcome == backlog_outcome::drains ? end(outcome) : confirm();
      case stage::confirmation:
        if (outcome == backlog_outcome::grows) return end(outcome);
        return had_whole_backlogs_ ? end(backlog_outcome::neither) : run_whole_backlogs();
    }
  }
  /// What the simulations tell: that long queues drain, that they grow, or nothing (neither).
  backlog_outcome verdict() const { return verdict_; }

 private:
  static constexpr std::size_t most_runs = 8;  // in rounds of two
  static constexpr std::uint64_t longer = 10;  // the backlog of the run that confirms growth, in units of the others'
  static constexpr double reach_of_longer =
      0.3;  // so that its work changes by three times as much as that of the others
  static constexpr double clear_deviations = 3.5;  // of a sum of changes from 0, in units of its standard deviation

  static bool agree(const std::vector<backlog_course>& runs) {
    const backlog_outcome first = runs.front().outcome;
    return first != backlog_outcome::neither &&
           std::all_of(runs.begin(), runs.end(), [&](const backlog_course& r) { return r.outcome == first; });
  }

  static bool are_clear(const std::vector<backlog_course>& runs) {
    double change = 0.0, variance = 0.0;
    for (const backlog_course& r : runs) {
      if (!(r.variance > 0.0)) return false;
      change += r.change;
      variance += r.variance;
    }
    if (runs.front().outcome == backlog_outcome::drains) change = -change;
    return change >= clear_deviations * std::sqrt(variance);
  }

  enum class stage { short_backlogs, whole_backlogs, confirmation };

  void end(backlog_outcome verdict) {
    verdict_ = verdict;
    next_.clear();
  }
  void run_two(std::uint64_t waiting) {
    const auto first = static_cast<std::uint32_t>(known_.size());
    next_ = {{first, waiting}, {first + 1, waiting}};
  }
  void confirm() {
    stage_ = stage::confirmation;
    known_.clear();
    next_ = {{0, longer * backlog_, reach_of_longer}};
  }
  void run_whole_backlogs() {
    if (stage_ != stage::whole_backlogs) known_.clear();
    stage_ = stage::whole_backlogs;
    had_whole_backlogs_ = true;
    run_two(backlog_);
  }

  std::uint64_t short_backlog_, backlog_;
  stage stage_;
  bool had_whole_backlogs_ = false;
  std::vector<backlog_course> known_;  // of the stage
  std::vector<backlog_run> next_;
  backlog_outcome verdict_ = backlog_outcome::neither;
};

}  // namespace muster
