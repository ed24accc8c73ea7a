#include "platform/forecast/first_starts.h"

#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "platform/simulation/kernel_run.h"
#include "platform/simulation/measured_cluster.h"

namespace muster {

namespace {

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
