#include "platform/calibration/replay_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/store/stored_run.h"
#include "platform/tables/number_text.h"

namespace muster {

namespace {

const paired_job* first_apart(const scenario& point, const paired_jobs& pairs, double seconds) {
  const auto apart = static_cast<std::int64_t>(seconds * static_cast<double>(point.unit.ticks) / point.unit.seconds);
  const paired_job* first = nullptr;
  const auto moment = [](const paired_job& job) { return std::min(job.logged_start(), job.start); };
  for (const paired_job& job : pairs.jobs)
    if (std::abs(job.later()) > apart && (!first || moment(job) < moment(*first))) first = &job;
  return first;
}

// "1 job that arrived before it waits", "3 jobs that arrived before it wait"
std::string waiting_words(const first_difference& d) {
  const std::string words = d.waiting == 1 ? "1 job that arrived before it waits"
                                           : fmt::format("{} jobs that arrived before it wait", d.waiting);
  return d.first_waiting ? fmt::format("{}, the first one in line {} for {}", words, d.first_waiting->line,
                                       counted(d.first_waiting->cores, "core"))
                         : words;
}

std::vector<std::string> reasons_log_first(const scenario& point, const first_difference& d) {
  if (d.free_in_log < static_cast<std::int64_t>(d.job.cores))
    return {fmt::format("The jobs of the log hold {} cores then, and the platform has {}: it has too few.",
                        static_cast<std::int64_t>(d.total) - d.free_in_log + d.job.cores, d.total)};
  if (d.free_in_replay < static_cast<std::int64_t>(d.job.cores))
    return {fmt::format(
        "In the replay too few cores are free: jobs before it hold them still, which started later than in the "
        "log or run for longer.")};
  if (d.waiting > 0)
    return {fmt::format(
        "In the replay enough cores are free, but {}: {} does not pass that over, and the scheduler of the log did.",
        waiting_words(d), point.policy.name)};
  return {
      fmt::format("In the replay enough cores are free, and no job waits before it: {} finds no place for it, or "
                  "the scheduler is late.",
                  point.policy.name)};
}

std::vector<std::string> reasons_replay_first(const scenario& point, const first_difference& d) {
  if (d.free_in_log < static_cast<std::int64_t>(d.job.cores))
    return {
        "In the log too few cores are free, by the platform's number: jobs before it hold them still, "
        "which started later there or ran for longer."};
  if (d.waiting > 0)
    return {
        fmt::format("In the log enough cores are free by the platform's number, but {}: its scheduler did not pass "
                    "that over, and {} did.",
                    waiting_words(d), point.policy.name)};
  return {
      "In the log enough cores are free by the platform's number, and no job waits before it: a pass of its scheduler "
      "was yet to come, or what the scenario does not have kept it (nodes, limits, reservations, dependencies)."};
}

/// Rows of equal length, to which intervals of time are added.
class rows_of_time {
 public:
  rows_of_time(std::vector<use_of_days>& rows, std::int64_t length) : rows_(rows), length_(length) {}

  /// Adds a number to the means of the rows that an interval lies in.
  void add(std::int64_t from, std::int64_t to, double number, double use_of_days::*mean) {
    while (from < to) {
      const std::int64_t row = from / length_, end = std::min(to, (row + 1) * length_);
      rows_[static_cast<std::size_t>(row)].*mean +=
          number * static_cast<double>(end - from) / static_cast<double>(length_);
      from = end;
    }
  }
  use_of_days& at(std::int64_t moment) { return rows_[static_cast<std::size_t>(moment / length_)]; }

 private:
  std::vector<use_of_days>& rows_;
  std::int64_t length_;
};

}  // namespace

std::optional<first_difference> find_first_difference(const scenario& point, const paired_jobs& pairs, double apart) {
  const paired_job* const job = first_apart(point, pairs, apart);
  if (!job) return std::nullopt;
  first_difference d;
  d.job = *job;
  d.in_log = job->later() > 0;
  d.at = std::min(job->logged_start(), job->start);
  d.total = total_cores(point);
  d.free_in_log = d.free_in_replay = static_cast<std::int64_t>(d.total);
  for (const paired_job& other : pairs.jobs) {
    if (&other == job) continue;
    const bool in_log = other.logged_start() <= d.at && d.at < other.logged_end;
    const bool in_replay = other.start <= d.at && d.at < other.end;
    if (in_log) d.free_in_log -= other.cores;
    if (in_replay) d.free_in_replay -= other.cores;
    if (in_log || in_replay) d.holders.push_back({other, in_log, in_replay});
    // Other jobs may wait before this one on the side where it waits on.
    const std::int64_t start = d.in_log ? other.start : other.logged_start();
    if (&other < job && other.arrival <= d.at && start > d.at) {
      if (d.waiting++ == 0) d.first_waiting = other;
    }
  }
  std::stable_sort(d.holders.begin(), d.holders.end(),
                   [](const auto& a, const auto& b) { return a.job.cores > b.job.cores; });
  return d;
}

std::vector<std::string> reasons_of(const scenario& point, const first_difference& d) {
  return d.in_log ? reasons_log_first(point, d) : reasons_replay_first(point, d);
}

use_over_time use_of(const scenario& point, const paired_jobs& pairs) {
  constexpr std::int64_t most_rows = 10'000;
  const auto day =
      static_cast<std::int64_t>(std::llround(86'400.0 / point.unit.seconds * static_cast<double>(point.unit.ticks)));
  std::int64_t last = 0;
  for (const paired_job& job : pairs.jobs) last = std::max({last, job.logged_end, job.end});
  use_over_time use;
  use.cores = total_cores(point);
  const std::int64_t days = last / day + 1, in_row = (days + most_rows - 1) / most_rows;
  use.days = static_cast<std::uint64_t>(in_row);
  use.rows.resize(static_cast<std::size_t>((days + in_row - 1) / in_row));
  for (std::size_t row = 0; row < use.rows.size(); ++row) use.rows[row].day = row * static_cast<std::size_t>(in_row);
  rows_of_time rows(use.rows, day * in_row);
  for (const paired_job& job : pairs.jobs) {
    rows.add(job.logged_start(), job.logged_end, job.cores, &use_of_days::logged_cores);
    rows.add(job.start, job.end, job.cores, &use_of_days::replayed_cores);
    rows.add(job.arrival, job.logged_start(), 1.0, &use_of_days::logged_waiting);
    rows.add(job.start - job.wait, job.start, 1.0, &use_of_days::replayed_waiting);
    ++rows.at(job.logged_start()).logged_starts;
    ++rows.at(job.start).replayed_starts;
  }
  return use;
}

std::vector<replay_comparison> compare_replays(const study& s, const logged_past& past,
                                               const std::vector<std::vector<replayed_job>>& replays) {
  std::vector<replay_comparison> all;
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const scenario& model = s.points[p].model;
    replay_comparison one;
    one.point = p;
    one.pairs = pair_jobs(model, past, replays[p]);
    if (one.pairs.jobs.empty())
      throw results_error(fmt::format("{}: {} has no job whose start the log tells, of {} jobs", past.path, s.label(p),
                                      model.arrivals.jobs->size()));
    one.error = error_of(model, one.pairs);
    one.use = use_of(model, one.pairs);
    one.by_second = find_first_difference(model, one.pairs, 1.0);
    one.by_minute = find_first_difference(model, one.pairs, 60.0);
    all.push_back(std::move(one));
  }
  return all;
}

std::size_t nearest_replay(const std::vector<replay_comparison>& all) {
  const auto nearest = std::min_element(all.begin(), all.end(),
                                        [](const auto& a, const auto& b) { return a.all().apart < b.all().apart; });
  return static_cast<std::size_t>(nearest - all.begin());
}

}  // namespace muster
