#include "platform/simulation/time_bins.h"

#include <algorithm>

#include "platform/model/class_table.h"

namespace muster {

namespace {

constexpr std::uint64_t fewest_bins = 50, usual_bins = 200;
constexpr std::uint64_t jobs_per_look = 4;  // at a core, unless there were too few parts

double over(const scenario& what, tick_sum integral, ticks duration) {
  return what.unit.to_units(integral) / what.unit.to_units(duration);
}

}  // namespace

time_bins::time_bins(const scenario& what, job_statistics& jobs, const cluster& simulated)
    : what_(what), jobs_(jobs), simulated_(simulated), order_(by_descending_need(what)), rows_(what) {
  const std::uint64_t measured = what.run.jobs - what.run.unmeasured();
  const std::uint64_t bins = std::clamp(measured / (jobs_per_look * total_cores(what)), fewest_bins, usual_bins);
  every_ = std::max<std::uint64_t>(1, (measured + bins - 1) / bins);
  most_ = 2 * static_cast<std::size_t>(bins);
}

void time_bins::open(ticks now) {
  readings_ = {read(now)};
  jobs_.mark_after(jobs_.arrived() + every_, [this](ticks at) { return mark(at); });
}

time_bins::reading time_bins::read(ticks now) const {
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

std::uint64_t time_bins::mark(ticks now) {
  if (readings_.size() > most_) {
    for (std::size_t at = 1; 2 * at < readings_.size(); ++at) readings_[at] = std::move(readings_[2 * at]);
    readings_.resize(most_ / 2 + 1);
    every_ *= 2;
  }
  readings_.push_back(read(now));
  marked_ = jobs_.arrived();
  return marked_ + every_;
}

std::vector<time_bin> time_bins::bins(ticks end) {
  if (readings_.empty()) return {};  // the replication has ended in its warm-up
  if (readings_.size() > 2 && jobs_.arrived() - marked_ < every_ / 2) readings_.pop_back();  // no short part at the end
  readings_.push_back(read(end));
  const auto cores = static_cast<tick_sum>(total_cores(what_));
  std::vector<time_bin> all;
  for (std::size_t at = 1; at < readings_.size(); ++at) {
    const reading &from = readings_[at - 1], &to = readings_[at];
    if (to.now == from.now) continue;  // many may arrive at once
    const ticks duration = to.now - from.now;
    time_bin bin{what_.unit.to_units(from.now), what_.unit.to_units(to.now), 0.0, 0.0, {}, {}};
    bin.utilization = over(what_, to.running - from.running, duration) / static_cast<double>(cores);
    bin.overhead_share = over(what_, to.overhead - from.overhead, duration) / static_cast<double>(cores);
    for (std::size_t n = 0; n < to.jobs.size(); ++n)
      bin.jobs.push_back(over(what_, to.jobs[n] - from.jobs[n], duration));
    for (std::size_t row = 0; row < to.held.size(); ++row)
      bin.servers.push_back(rows_.share(row, to.held[row] - from.held[row], duration));
    all.push_back(std::move(bin));
  }
  return all;
}

}  // namespace muster
