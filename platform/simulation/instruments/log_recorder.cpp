#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/simulation/even_bins.h"
#include "platform/simulation/instrument_entry.h"
#include "platform/simulation/recorded_slices.h"

namespace muster {

namespace {

constexpr std::size_t most_slices_of_log = 50'000;
constexpr std::size_t fewest_bins_of_log = 512;

/// Records what servers and queue do over the whole time of a log, in place of core_recorder: the first 50,000 slices
/// of the servers that recorded_slices has, and in 512 to 1,024 bins of equal length the shares of busy cores by row of
/// servers, the cores in use, and those that waiting jobs need.
///
/// A job waits, or holds all that it needs: what waits is what all jobs in the system need, less what is in use. The
/// need is known when a job completes, and counts from its arrival on.
class log_recorder final : public instrument {
 public:
  explicit log_recorder(const observed_replication& replication)
      : point_(replication.point),
        simulated_(replication.simulated),
        slices_(replication),
        uses_(point_),
        held_(fewest_bins_of_log, first_step(point_)),
        needed_(fewest_bins_of_log, first_step(point_)) {}

  void window_opens(ticks now) override {
    begin_ = now;
    slices_.window.begin = point_.unit.to_units(now);
    uses_.begin(now);
    for (const slice_view& slice : simulated_.slices()) uses_.change(slices_.server_of(slice), now, slice.cores.length);
    held_.begin(now, uses_.held_until(now));
    needed_.begin(now);
    is_open_ = takes_slices_ = true;
  }
  void job_completes(ticks now, const job_extension& job) override {
    if (is_open_) needed_.add(std::max(begin_, job.arrival), now, simulated_.central.view().cores(job.type));
  }
  void slice_begins(ticks now, const slice_view& slice) override {
    // The slices end as one begins, not as one ends: that one would be counted among those that go on.
    if (takes_slices_ && slices_.count() >= most_slices_of_log) end_slices(now);
    change_use(now, slice, slice.cores.length);
  }
  void slice_ends(ticks now, const slice_view& slice) override {
    change_use(now, slice, 0 - static_cast<std::uint64_t>(slice.cores.length));
    if (takes_slices_) slices_.pack(slice, now);
  }
  void window_closes(ticks now) override {
    if (!is_open_) return;
    take_readings(now);
    is_open_ = false;
    if (takes_slices_) end_slices(now);
    const auto& all = held_.end(now, uses_.held_until(now));
    const std::vector<tick_sum> needed = needed_.until(now);
    for (std::size_t at = 1; at < all.size(); ++at) {
      const auto &from = all[at - 1], &to = all[at];
      slices_.add_bin(uses_.rows(), from.now, to.now, from.read, to.read);
      tick_sum used = 0;
      for (std::size_t row = 0; row < to.read.size(); ++row) used += to.read[row] - from.read[row];
      const auto mean = [&](tick_sum core_time) {
        return static_cast<double>(core_time) / static_cast<double>(to.now - from.now);
      };
      const tick_sum wanted = needed.at(at - 1) > used ? needed[at - 1] - used : 0;
      queue_.push_back({point_.unit.to_units(from.now), point_.unit.to_units(to.now), mean(used), mean(wanted)});
    }
  }
  void add_to(replication_result& result) override {
    result.pictures.cores = std::move(slices_.window);
    result.pictures.queue = std::move(queue_);
  }

 private:
  // A second.
  static ticks first_step(const scenario& point) {
    return std::max<ticks>(1, point.unit.to_ticks(1.0 / point.unit.seconds));
  }
  void take_readings(ticks now) {
    held_.take_until(now, [this](ticks due) { return uses_.held_until(due); });
  }
  void change_use(ticks now, const slice_view& slice, std::uint64_t more) {
    if (!is_open_) return;
    take_readings(now);
    uses_.change(slices_.server_of(slice), now, more);
  }
  void end_slices(ticks now) {
    takes_slices_ = false;
    slices_.window.end = point_.unit.to_units(now);
    for (const slice_view& slice : simulated_.slices())
      if (slice.held.begun < now) slices_.pack(slice, std::nullopt);
  }

  const scenario& point_;
  const cluster_hardware& simulated_;
  recorded_slices slices_;
  row_uses uses_;
  even_readings<std::vector<tick_sum>> held_;  // core time that jobs have held, by row of servers
  even_sums needed_;                           // core time that the completed jobs needed while they were there
  ticks begin_ = 0;
  bool is_open_ = false, takes_slices_ = false;
  std::vector<queue_bin> queue_;
};

}  // namespace

extern const instrument_entry log_recorder_instrument{instrument_order::others, drawn_log,
                                                      add_instrument<log_recorder>};

}  // namespace muster
