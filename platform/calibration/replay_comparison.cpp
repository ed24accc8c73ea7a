#include "platform/calibration/replay_comparison.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "platform/store/stored_run.h"

namespace muster {

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
