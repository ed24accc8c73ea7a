#include "platform/calibration/start_delays.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <tuple>

namespace muster {

namespace {

/// What happens to a job, in the order in which events of the same moment count.
enum class event_kind : std::uint8_t { ends, arrives, starts };

struct log_event {
  double at;
  event_kind kind;
  std::size_t job;  // place among the jobs

  bool operator<(const log_event& other) const {
    return std::tie(at, kind, job) < std::tie(other.at, other.kind, other.job);
  }
};

// Makes moments one that differ by the rounding of the log alone: a start at the end of another job is a sum of other
// numbers than that end, and may come out before it.
void merge_moments(std::vector<log_event>& events) {
  constexpr double rounding = 1e-6;  // seconds
  double moment = 0.0;
  for (log_event& event : events) {
    if (event.at - moment > rounding) moment = event.at;
    event.at = moment;
  }
  std::sort(events.begin(), events.end());
}

std::vector<log_event> events_of(const logged_past& past) {
  std::vector<log_event> events;
  for (std::size_t n = 0; n < past.jobs.size(); ++n) {
    const logged_job& job = past.jobs[n];
    if (!job.waited || job.cores == 0) continue;
    events.push_back({job.submit, event_kind::arrives, n});
    events.push_back({job.start(), event_kind::starts, n});
    events.push_back({job.end(), event_kind::ends, n});
  }
  std::sort(events.begin(), events.end());
  merge_moments(events);
  return events;
}

std::uint64_t most_held(const logged_past& past, const std::vector<log_event>& events) {
  std::int64_t held = 0, most = 0;
  for (const log_event& event : events) {
    const auto cores = static_cast<std::int64_t>(past.jobs[event.job].cores);
    if (event.kind == event_kind::starts) most = std::max(most, held += cores);
    if (event.kind == event_kind::ends) held -= cores;
  }
  return static_cast<std::uint64_t>(most);
}

/// Follows the log, event by event.
class log_follower {
 public:
  log_follower(const logged_past& past, start_delays& delays, std::uint64_t cores)
      : past_(past), delays_(delays), free_(static_cast<std::int64_t>(cores)) {}

  void follow(const std::vector<log_event>& events) {
    for (const log_event& event : events) {
      const std::int64_t cores = need(event.job);
      switch (event.kind) {
        case event_kind::ends: end(event.at, cores); break;
        case event_kind::arrives: arrive(event.job); break;
        case event_kind::starts: start(event.at, event.job);
      }
    }
  }

 private:
  std::int64_t need(std::size_t job) const { return past_.jobs[job].cores; }

  void end(double now, std::int64_t cores) {
    free_ += cores;
    if (waiting_.empty()) return;
    const std::int64_t first = need(*waiting_.begin());
    if (free_ >= first && free_ - cores < first) enough_since_ = now;
  }

  void arrive(std::size_t job) {
    if (waiting_.empty()) {
      enough_since_.reset();
      kept_by_nothing_ = free_ >= need(job) ? std::optional(job) : std::nullopt;
    }
    waiting_.insert(job);
  }

  void start(double now, std::size_t job) {
    const bool is_first = !waiting_.empty() && *waiting_.begin() == job;
    if (kept_by_nothing_ == job) delays_.from_arrival.push_back(*past_.jobs[job].waited);
    if (is_first && enough_since_) delays_.from_completion.push_back(now - *enough_since_);
    waiting_.erase(job);
    free_ -= need(job);
    // The next one may have had to wait for this one; its own cores tell no more when they became free.
    if (is_first || waiting_.empty() || free_ < need(*waiting_.begin())) enough_since_.reset();
    if (kept_by_nothing_ && (kept_by_nothing_ == job || free_ < need(*kept_by_nothing_))) kept_by_nothing_.reset();
  }

  const logged_past& past_;
  start_delays& delays_;
  std::int64_t free_;
  std::set<std::size_t> waiting_;               // by arrival
  std::optional<double> enough_since_;          // when a completion freed enough cores for the first one
  std::optional<std::size_t> kept_by_nothing_;  // a job that arrived to free cores and an empty queue
};

}  // namespace

start_delays delays_of(const logged_past& past, std::uint64_t cores) {
  const std::vector<log_event> events = events_of(past);
  start_delays delays;
  delays.most_cores = most_held(past, events);
  log_follower(past, delays, std::max(cores, delays.most_cores)).follow(events);
  return delays;
}

}  // namespace muster
