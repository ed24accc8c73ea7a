#include "platform/search/stability_search.h"

#include <chrono>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "platform/experiment/worker_pool.h"
#include "platform/model/job_kind.h"
#include "platform/search/backlog_rounds.h"
#include "platform/simulation/backlog.h"

namespace muster {

namespace {

constexpr double close_to_limit = 0.9;  // from that share of the limit on a stable point has a long queue followed

// The course of a run on its way from the child process.
std::string to_text(const backlog_course& course) {
  return fmt::format("{} {} {}", static_cast<int>(course.outcome), course.change, course.variance);
}

backlog_course course_of(const std::string& text) {
  backlog_course course;
  int outcome = 0;
  std::istringstream(text) >> outcome >> course.change >> course.variance;
  course.outcome = static_cast<backlog_outcome>(outcome);
  return course;
}

/// Says on standard error that simulations are under way: on a terminal how far they are, elsewhere once, when they
/// have taken half a second.
class simulation_notice {
 public:
  explicit simulation_notice(std::size_t points) : points_(points) {}
  ~simulation_notice() {
    if (terminal_ && shown_) fmt::print(stderr, "\r\033[K");
  }
  simulation_notice(const simulation_notice&) = delete;
  simulation_notice& operator=(const simulation_notice&) = delete;

  void show(std::size_t done) {
    if (terminal_)
      fmt::print(stderr, "\r\033[Ksimulating long queues: {} of {} points", done, points_);
    else if (!shown_ && clock::now() - began_ >= std::chrono::milliseconds(500))
      fmt::print(stderr, "simulating long queues of {} points, as theory does not tell what becomes of them\n",
                 points_);
    else
      return;
    shown_ = true;
    std::fflush(stderr);
  }

 private:
  using clock = std::chrono::steady_clock;

  std::size_t points_;
  bool terminal_ = ::isatty(STDERR_FILENO) == 1, shown_ = false;
  clock::time_point began_ = clock::now();
};

/// Points that theory leaves open, and what their simulations have found so far.
class backlog_runs {
 public:
  backlog_runs(const study& s, std::vector<stability>& found) : study_(s), found_(found) {
    for (std::size_t p = 0; p < found.size(); ++p) {
      const scenario& model = s.points[p].model;
      if (model.fmus_control()) continue;  // whoever examines a scenario runs no code of others
      const std::uint64_t backlog = backlog_size(model);
      if (backlog == 0) continue;
      if (found[p].answer == stability::verdict::unknown) {
        open_.push_back({p, backlog_rounds(short_backlog_size(model), backlog)});
        begin_round(open_.size() - 1, open_.back().rounds->next());
      } else if (is_close_to_limit(model, found[p])) {
        open_.push_back({p, std::nullopt});
        begin_round(open_.size() - 1, {{0, backlog}});
      }
    }
  }

  void run(std::size_t workers) {
    simulation_notice notice(open_.size());
    worker_pool(workers).run([this] { return next(); }, [this](std::size_t task) { return simulate(task); },
                             [this](const task_outcome& outcome) { return take(outcome); },
                             [&] {
                               notice.show(done_);
                               return true;
                             });
  }

 private:
  struct open_point {
    std::size_t point;
    std::optional<backlog_rounds> rounds;   // none: its limit is known, and one run tells of a long queue
    std::vector<backlog_course> courses{};  // of the round under way
    std::size_t ended = 0;                  // of the round's runs
    bool failed = false;
  };
  struct task {
    std::size_t at;        // of open_
    std::size_t of_round;  // of the round's runs
    backlog_run run;
  };

  // Pooled jobs share their servers fairly, so that their queues shrink at once.
  static bool is_close_to_limit(const scenario& model, const stability& s) {
    return kind_of_jobs(model) == job_kind::rigid && s.answer == stability::verdict::stable && s.policy_rate &&
           s.rate >= close_to_limit * *s.policy_rate;
  }

  void begin_round(std::size_t at, const std::vector<backlog_run>& runs) {
    open_[at].courses.assign(runs.size(), {});
    open_[at].ended = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) tasks_.push_back({at, r, runs[r]});
  }

  std::optional<std::size_t> next() { return begun_ < tasks_.size() ? std::optional(begun_++) : std::nullopt; }

  std::string simulate(std::size_t number) const {
    const auto& [at, of_round, run] = tasks_[number];
    return to_text(follow_backlog(study_.points[open_[at].point].model, run.replication, run.waiting, run.reach));
  }

  // A fault is none of the search's: `run` names it.
  bool take(const task_outcome& outcome) {
    const task& ended = tasks_[outcome.task];
    open_point& o = open_[ended.at];
    o.failed = o.failed || outcome.failed;
    if (!outcome.failed) o.courses[ended.of_round] = course_of(outcome.text);
    if (++o.ended < o.courses.size()) return true;
    if (o.rounds && !o.failed) {
      o.rounds->take(o.courses);
      if (!o.rounds->next().empty()) {
        begin_round(ended.at, o.rounds->next());
        return true;
      }
    }
    ++done_;
    if (!o.failed) settle(o);
    return true;
  }

  void settle(const open_point& o) {
    stability& s = found_[o.point];
    if (!o.rounds)
      s.long_queue = o.courses.front().outcome == backlog_outcome::drains ? queue_course::drains : queue_course::stays;
    else if (o.rounds->verdict() != backlog_outcome::neither)
      settle(s, o.rounds->verdict() == backlog_outcome::drains);
  }

  static void settle(stability& s, bool drains) {
    s.known_by = limit_evidence::simulated_bound;
    s.condition =
        fmt::format("long queues {} in all simulations of the scenario itself at this rate; nothing is proved of it",
                    drains ? "drain" : "grow");
    if (drains) {
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
  std::vector<task> tasks_;  // of all rounds that have begun
  std::size_t begun_ = 0;    // of tasks_
  std::size_t done_ = 0;     // of open_
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
