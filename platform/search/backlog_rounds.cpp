#include "platform/search/backlog_rounds.h"

#include <algorithm>
#include <cmath>

namespace muster {

namespace {

constexpr std::size_t most_runs = 8;      // in rounds of two
constexpr std::uint64_t longer = 10;      // the backlog of the run that confirms growth, in units of the others'
constexpr double reach_of_longer = 0.3;   // so that its work changes by three times as much as that of the others
constexpr double clear_deviations = 3.5;  // of a sum of changes from 0, in units of its standard deviation

bool agree(const std::vector<backlog_course>& runs) {
  const backlog_outcome first = runs.front().outcome;
  return first != backlog_outcome::neither &&
         std::all_of(runs.begin(), runs.end(), [&](const backlog_course& r) { return r.outcome == first; });
}

bool are_clear(const std::vector<backlog_course>& runs) {
  double change = 0.0, variance = 0.0;
  for (const backlog_course& r : runs) {
    if (!(r.variance > 0.0)) return false;
    change += r.change;
    variance += r.variance;
  }
  if (runs.front().outcome == backlog_outcome::drains) change = -change;
  return change >= clear_deviations * std::sqrt(variance);
}

}  // namespace

backlog_rounds::backlog_rounds(std::uint64_t short_backlog, std::uint64_t backlog)
    : short_backlog_(short_backlog), backlog_(backlog), stage_(stage::short_backlogs) {
  if (short_backlog > 0)
    run_two(short_backlog_);
  else
    run_whole_backlogs();
}

void backlog_rounds::take(const std::vector<backlog_course>& courses) {
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

void backlog_rounds::end(backlog_outcome verdict) {
  verdict_ = verdict;
  next_.clear();
}

void backlog_rounds::run_whole_backlogs() {
  if (stage_ != stage::whole_backlogs) known_.clear();
  stage_ = stage::whole_backlogs;
  had_whole_backlogs_ = true;
  run_two(backlog_);
}

void backlog_rounds::run_two(std::uint64_t waiting) {
  const auto first = static_cast<std::uint32_t>(known_.size());
  next_ = {{first, waiting}, {first + 1, waiting}};
}

void backlog_rounds::confirm() {
  stage_ = stage::confirmation;
  known_.clear();
  next_ = {{0, longer * backlog_, reach_of_longer}};
}

}  // namespace muster
