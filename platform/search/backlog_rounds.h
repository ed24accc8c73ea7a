#pragma once

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
  backlog_rounds(std::uint64_t short_backlog, std::uint64_t backlog);

  /// The runs of the next round; empty when there is a verdict.
  const std::vector<backlog_run>& next() const { return next_; }
  /// @param courses of the runs of next(), in their order
  void take(const std::vector<backlog_course>& courses);
  /// What the simulations tell: that long queues drain, that they grow, or nothing (neither).
  backlog_outcome verdict() const { return verdict_; }

 private:
  enum class stage { short_backlogs, whole_backlogs, confirmation };

  void end(backlog_outcome verdict);
  void run_two(std::uint64_t waiting);
  void confirm();
  void run_whole_backlogs();

  std::uint64_t short_backlog_, backlog_;
  stage stage_;
  bool had_whole_backlogs_ = false;
  std::vector<backlog_course> known_;  // of the stage
  std::vector<backlog_run> next_;
  backlog_outcome verdict_ = backlog_outcome::neither;
};

}  // namespace muster
