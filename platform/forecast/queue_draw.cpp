#include "platform/forecast/queue_draw.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace muster {

namespace {

constexpr int most_tries = 10'000;

// A time of a law above what has passed. Nothing: the law has hardly any.
std::optional<double> draw_of_law(distribution law, double elapsed, random_stream& bits) {
  for (int n = 0; n < most_tries; ++n)
    if (const double whole = law(bits); whole > elapsed) return whole;
  return std::nullopt;
}

}  // namespace

drawn_queue with_drawn_run_times(const scenario& model, const std::vector<queued_job>& queue,
                                 const run_time_history& history, std::uint32_t replication) {
  const double step = model.unit.to_units(1);
  const bool endless = model.arrivals.initial_jobs != nullptr;
  const timed_jobs& all = endless ? *model.arrivals.initial_jobs : *model.arrivals.jobs;
  auto drawn = std::make_shared<timed_jobs>();
  drawn_queue result{model, {}};
  for (std::size_t n = 0; n < all.size(); ++n) {
    timed_job job = all[n];
    if (n < queue.size()) {
      const queued_job& told = queue[n];
      run_time_source from = run_time_source::file;
      if (told.by_request) {
        random_stream bits(model.run.seed, replication, "forecast", fmt::format("run time of job {}", told.place));
        auto whole = history.draw(told.user, told.limit, told.elapsed, bits);
        if (!whole && endless)
          if (const auto time = draw_of_law(model.classes[job.type].size, told.elapsed, bits))
            whole = {*time, run_time_source::law};
        if (whole) {
          job.size = std::max(whole->whole - told.elapsed, step);
          from = whole->from;
        }
      }
      result.sources.push_back(from);
    }
    drawn->push_back(job);
  }
  (endless ? result.model.arrivals.initial_jobs : result.model.arrivals.jobs) = std::move(drawn);
  return result;
}

run_time_history history_of_log(const scenario& model) {
  run_time_history history;
  const arrival_spec& arrivals = model.arrivals;
  if (arrivals.kind == arrival_kind::log && arrivals.jobs)
    for (std::size_t n = arrivals.initial; n < arrivals.jobs->size(); ++n) {
      const timed_job& job = (*arrivals.jobs)[n];
      history.add(job.user < arrivals.users.size() ? arrivals.users[job.user] : "", job.size, job.requested);
    }
  history.settle();
  return history;
}

}  // namespace muster
