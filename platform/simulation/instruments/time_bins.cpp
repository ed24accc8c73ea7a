#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/model/class_table.h"
#include "platform/model/joined_servers.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

constexpr std::uint64_t fewest_bins = 50, usual_bins = 200;
constexpr std::uint64_t jobs_per_look = 4;  // arrivals for each look at a core, unless there were too few parts

/// Divides the window of measurement into parts of as many arrivals each, and takes the exact means over each of them:
/// at an arrival it reads the integrals from which the metrics of the whole window are, and the same of each row of
/// servers. There are 200 parts, or fewer where reading all cores so often would be slow, but at least 50. Where the
/// window turns out longer than `run.jobs`, neighbouring parts are joined in pairs.
class time_bins final : public instrument {
 public:
  explicit time_bins(const observed_replication& replication)
      : point_(replication.point),
        jobs_(replication.jobs),
        simulated_(replication.simulated),
        order_(replication.order),
        rows_(point_) {
    const std::uint64_t measured = point_.run.jobs - point_.run.unmeasured();
    const std::uint64_t bins = std::clamp(measured / (jobs_per_look * total_cores(point_)), fewest_bins, usual_bins);
    every_ = std::max<std::uint64_t>(1, (measured + bins - 1) / bins);
    most_ = 2 * static_cast<std::size_t>(bins);
  }

  void window_opens(ticks now) override {
    readings_ = {read(now)};
    jobs_.mark_after(jobs_.arrived() + every_, [this](ticks at) { return mark(at); });
  }
  void window_closes(ticks now) override {
    if (readings_.empty()) return;  // the replication has ended in its warm-up
    if (readings_.size() > 2 && jobs_.arrived() - marked_ < every_ / 2)
      readings_.pop_back();  // no short part at the end
    readings_.push_back(read(now));
  }
  void add_to(replication_result& result) override {
    const auto cores = static_cast<double>(total_cores(point_));
    const time_unit& unit = point_.unit;
    for (std::size_t at = 1; at < readings_.size(); ++at) {
      const reading &from = readings_[at - 1], &to = readings_[at];
      if (to.now == from.now) continue;  // many jobs may arrive at one instant
      const ticks duration = to.now - from.now;
      const auto mean = [&](tick_sum integral) { return unit.to_units(integral) / unit.to_units(duration); };
      time_bin& bin = result.pictures.bins.emplace_back();
      bin.begin = unit.to_units(from.now);
      bin.end = unit.to_units(to.now);
      bin.utilization = mean(to.running - from.running) / cores;
      bin.overhead_share = mean(to.overhead - from.overhead) / cores;
      for (std::size_t n = 0; n < to.jobs.size(); ++n) bin.jobs.push_back(mean(to.jobs[n] - from.jobs[n]));
      for (std::size_t row = 0; row < to.held.size(); ++row)
        bin.servers.push_back(rows_.share(row, to.held[row] - from.held[row], duration));
    }
  }

 private:
  /// The integrals over time until an instant.
  struct reading {
    ticks now;
    tick_sum overhead, running;
    std::vector<tick_sum> jobs;  // jobs in the system, by class as in the scenario
    std::vector<tick_sum> held;  // core time that jobs held, by row of servers
  };
  reading read(ticks now) const {
    jobs_.settle(now);
    reading all{now, 0, 0, std::vector<tick_sum>(order_.size()), std::vector<tick_sum>(rows_.count())};
    std::uint64_t server = 0;
    for (const auto& bank : simulated_.servers()) {
      const std::uint32_t cores = bank->settings().cores;
      for (std::uint32_t first = 0; first < bank->core_count(); first += cores, ++server) {
        tick_sum& held = all.held[rows_.row_of(server)];
        for (std::uint32_t core = first; core < first + cores; ++core) {
          const core_times times = bank->times(core, now);
          all.overhead += times.overhead;
          all.running += times.running;
          held += times.overhead + times.running;
        }
      }
    }
    for (const class_id id : id_range<class_id>{order_.size()})
      all.jobs[order_[static_cast<std::size_t>(id)]] = jobs_.classes()[id].presence;
    return all;
  }
  std::uint64_t mark(ticks now) {
    if (readings_.size() > most_) {
      for (std::size_t at = 1; 2 * at < readings_.size(); ++at) readings_[at] = std::move(readings_[2 * at]);
      readings_.resize(most_ / 2 + 1);
      every_ *= 2;
    }
    readings_.push_back(read(now));
    marked_ = jobs_.arrived();
    return marked_ + every_;
  }

  const scenario& point_;
  job_statistics& jobs_;
  const cluster_hardware& simulated_;
  const std::vector<std::size_t>& order_;
  joined_servers rows_;
  std::uint64_t every_;            // arrivals between readings
  std::uint64_t marked_ = 0;       // arrivals at the latest reading
  std::size_t most_;               // parts at most
  std::vector<reading> readings_;  // readings from the beginning of the window on
};

}  // namespace

extern const instrument_entry time_bins_instrument{instrument_order::others, drawn_replication,
                                                   add_instrument<time_bins>};

}  // namespace muster
