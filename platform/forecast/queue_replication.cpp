#include "platform/forecast/queue_replication.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "platform/simulation/kernel_run.h"
#include "platform/simulation/measured_cluster.h"

namespace muster {

namespace {

constexpr int most_tries = 10'000;

// A time of a law above what has passed. Nothing: the law has hardly any.
std::optional<double> draw_of_law(distribution law, double elapsed, random_stream& bits) {
  for (int n = 0; n < most_tries; ++n)
    if (const double whole = law(bits); whole > elapsed) return whole;
  return std::nullopt;
}

/// Notes when jobs are first given servers.
class start_recorder final : public instrument {
 public:
  /// @param end called when all have started
  start_recorder(std::size_t jobs, const time_unit& unit, std::function<void()> end)
      : unit_(unit), end_(std::move(end)), starts_(jobs, std::numeric_limits<double>::infinity()), left_(jobs) {}

  void slice_begins(ticks now, const slice_view& slice) override {
    if (slice.job >= starts_.size() || starts_[slice.job] <= unit_.to_units(now)) return;
    starts_[slice.job] = unit_.to_units(now);
    if (--left_ == 0) end_();
  }
  const std::vector<double>& starts() const { return starts_; }

 private:
  time_unit unit_;
  std::function<void()> end_;
  std::vector<double> starts_;
  std::size_t left_;
};

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

std::vector<double> first_starts(const scenario& point, std::uint32_t replication, std::size_t jobs) {
  scenario model = point;
  model.run.precision.reset();
  model.run.batch_means = false;
  const watching nobody;
  return in_the_kernel(model, [&] {
    module_of<measured_cluster> whole(
        "cluster", model, replication, nobody, [&] { whole.hardware().time.stop(); }, hardware_options{});
    const start_recorder& recorder =
        whole.events().add(std::make_unique<start_recorder>(jobs, model.unit, [&] { whole.hardware().time.stop(); }));
    whole.begin();
    simulate(whole.hardware());
    return recorder.starts();
  });
}

}  // namespace muster
