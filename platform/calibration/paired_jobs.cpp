#include "platform/calibration/paired_jobs.h"

#include <unordered_map>

namespace muster {

paired_jobs pair_jobs(const scenario& point, const logged_past& past, const std::vector<replayed_job>& replayed) {
  std::unordered_map<std::uint32_t, const logged_job*> by_line;
  for (const logged_job& job : past.jobs) by_line.emplace(job.line, &job);
  const auto in_ticks = [&](double units) { return static_cast<std::int64_t>(point.unit.to_ticks(units)); };
  const timed_jobs& all = *point.arrivals.jobs;
  paired_jobs pairs;
  for (std::size_t n = point.arrivals.initial; n < all.size(); ++n) {
    const timed_job& job = all[n];
    const auto found = by_line.find(job.line);
    if (found == by_line.end() || !found->second->waited) {
      ++pairs.without_start;
      continue;
    }
    const replayed_job& again = replayed[n];
    if (!again.left) {
      ++pairs.not_ended;
      continue;
    }
    const logged_job& logged = *found->second;
    paired_job pair;
    pair.line = job.line;
    pair.job_class = job.type;
    pair.cores = point.classes[job.type].listed[job.need].need.cores;
    pair.user = job.user;
    pair.arrival = in_ticks(job.arrival);
    pair.logged_wait = in_ticks(*logged.waited / point.unit.seconds);
    pair.logged_end = pair.logged_start() + in_ticks(logged.run / point.unit.seconds);
    pair.wait = static_cast<std::int64_t>(again.start) - static_cast<std::int64_t>(again.arrival);
    pair.start = static_cast<std::int64_t>(again.start);
    pair.end = static_cast<std::int64_t>(again.end);
    pairs.jobs.push_back(pair);
  }
  return pairs;
}

}  // namespace muster
