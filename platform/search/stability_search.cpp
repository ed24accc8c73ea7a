#include "platform/search/stability_search.h"

#include <cstdio>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "platform/experiment/worker_pool.h"
#include "platform/model/job_kind.h"
#include "platform/simulation/backlog.h"

namespace muster {

namespace {

constexpr std::size_t runs_of_a_point = 8;  // where theory leaves the point open; else one
// Where all of them grow, one more begins with so many times the backlog: a queue that is stable, but longer than the
// first backlog on average, grows in the first runs.
constexpr std::size_t runs_with_confirmation = runs_of_a_point + 1, longer = 10;
constexpr double close_to_limit = 0.9;  // from that share of the limit on a stable point has a long queue followed
// The outcome of a run on its way from the child process; that of one which is undecided is empty.
const std::string drains = "drain", grows = "grow";

/// Points that theory leaves open, and what their simulations have found so far.
class backlog_runs {
 public:
  backlog_runs(const study& s, std::vector<stability>& found) : study_(s), found_(found) {
    for (std::size_t p = 0; p < found.size(); ++p) {
      const bool open = found[p].answer == stability::verdict::unknown;
      if ((open || is_close_to_limit(s.points[p].model, found[p])) && backlog_size(s.points[p].model) > 0)
        open_.push_back({p, open ? runs_of_a_point : 1});
    }
  }

  void run(std::size_t workers) {
    const bool shown = ::isatty(STDERR_FILENO) == 1;
    worker_pool(workers).run([this] { return next(); }, [this](std::size_t task) { return simulate(task); },
                             [this](const task_outcome& outcome) { return take(outcome); },
                             [&] {
                               if (shown)
                                 fmt::print(stderr, "\r\033[Ksimulating long queues: {} of {} points", at_,
                                            open_.size());
                               std::fflush(stderr);
                               return true;
                             });
    if (shown) fmt::print(stderr, "\r\033[K");
    for (const open_point& o : open_)
      if (o.runs == 1)
        found_[o.point].long_queue = !o.outcome             ? queue_course::not_simulated
                                     : *o.outcome == drains ? queue_course::drains
                                                            : queue_course::stays;
      else if (!o.given_up)
        settle(found_[o.point], *o.outcome);
  }

 private:
  struct open_point {
    std::size_t point;
    std::size_t runs;
    std::size_t started = 0, ended = 0;
    std::optional<std::string> outcome{};  // of all runs so far; none: none has ended
    bool given_up = false;
  };

  // Pooled jobs share their servers fairly, so that their queues shrink at once.
  static bool is_close_to_limit(const scenario& model, const stability& s) {
    return kind_of_jobs(model) == job_kind::rigid && s.answer == stability::verdict::stable && s.policy_rate &&
           s.rate >= close_to_limit * *s.policy_rate;
  }

  std::optional<std::size_t> next() {
    for (; at_ < open_.size(); ++at_)
      if (const auto run = next_of(at_)) return run;
    while (!growing_.empty()) {
      if (const auto run = next_of(growing_.back())) return run;
      growing_.pop_back();
    }
    return std::nullopt;
  }

  std::optional<std::size_t> next_of(std::size_t at) {
    open_point& o = open_[at];
    if (o.given_up || o.started == o.runs) return std::nullopt;
    return at * runs_with_confirmation + o.started++;
  }

  std::string simulate(std::size_t task) const {
    const scenario& model = study_.points[open_[task / runs_with_confirmation].point].model;
    const std::size_t run = task % runs_with_confirmation;
    const backlog_outcome outcome = follow_backlog(model, static_cast<std::uint32_t>(run % runs_of_a_point),
                                                   backlog_size(model) * (run < runs_of_a_point ? 1 : longer));
    return outcome == backlog_outcome::drains ? drains : outcome == backlog_outcome::grows ? grows : "";
  }

  // A fault is none of the search's: `run` names it.
  bool take(const task_outcome& outcome) {
    const std::size_t at = outcome.task / runs_with_confirmation;
    open_point& o = open_[at];
    ++o.ended;
    o.given_up = o.given_up || outcome.failed || outcome.text.empty() || (o.outcome && *o.outcome != outcome.text);
    if (!outcome.failed) o.outcome = outcome.text;
    if (!o.given_up && o.ended == runs_of_a_point && outcome.text == grows) {
      o.runs = runs_with_confirmation;
      growing_.push_back(at);
    }
    return true;
  }

  static void settle(stability& s, const std::string& outcome) {
    s.known_by = limit_evidence::simulated_bound;
    s.condition =
        fmt::format("long queues {} in {} simulations of the scenario itself at this rate; nothing is proved of it",
                    outcome, outcome == drains ? "eight" : "nine");
    if (outcome == drains) {
      s.answer = stability::verdict::stable;
      s.policy_rate = s.stable_below = s.rate;
    } else {
      s.answer = stability::verdict::unstable;
      s.policy_rate.reset();
      s.unstable_from = s.rate;
    }
  }

  const study& study_;
  std::vector<stability>& found_;
  std::vector<open_point> open_;
  std::size_t at_ = 0;                // of open_: the first with runs to start
  std::vector<std::size_t> growing_;  // of open_: those that are run again with longer queues
};

}  // namespace

std::vector<stability> search_stability(const study& s, std::size_t workers) {
  std::vector<stability> found;
  found.reserve(s.points.size());
  for (const study::point& p : s.points) found.push_back(examine_stability(p.model, limit_search::thorough));
  backlog_runs(s, found).run(workers);
  return found;
}

}  // namespace muster
