#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"
#include "platform/simulation/recorded_slices.h"

namespace muster {

namespace {

constexpr std::size_t fewest_slices = 400, slices_of_a_core = 3;
constexpr std::uint64_t most_seen = 20'000;  // slices on any server, where few are on those that are recorded
constexpr std::size_t fewest_readings = 64;

/// Records what the servers do for a while; then it observes no more. Slices are recorded of the servers that
/// recorded_slices has: as many as three for each core, 400 at least. Of all servers it records the shares of busy
/// cores, by row of servers, in 64 to 128 bins with as many slices each. Of a log log_recorder records more.
class core_recorder final : public instrument {
 public:
  explicit core_recorder(const observed_replication& replication)
      : point_(replication.point),
        simulated_(replication.simulated),
        events_(replication.events),
        slices_(replication),
        uses_(point_),
        enough_(std::max<std::size_t>(fewest_slices, slices_of_a_core * static_cast<std::size_t>(slices_.cores()))),
        every_(std::min<std::uint64_t>(enough_, most_seen) / fewest_readings) {}

  void window_opens(ticks now) override {
    slices_.window.begin = point_.unit.to_units(now);
    uses_.begin(now);
    for (const slice_view& slice : simulated_.slices()) begin(now, slice);
    read(now);
    records_ = true;
    events_.tell_slices(*this);
  }
  void slice_begins(ticks now, const slice_view& slice) override {
    // The recording ends as a slice begins, not as one ends: that one would be counted among those that go on.
    if (slices_.window.slices.size() >= enough_ || seen_ >= most_seen)
      close(now);
    else
      begin(now, slice);
  }
  void slice_ends(ticks now, const slice_view& slice) override {
    uses_.change(slices_.server_of(slice), now, 0 - static_cast<std::uint64_t>(slice.cores.length));
    if (++seen_ % every_ == 0) read(now);
    slices_.add(slice, now);
  }
  void window_closes(ticks now) override {
    if (records_) close(now);
  }
  void add_to(replication_result& result) override { result.pictures.cores = std::move(slices_.window); }

 private:
  struct reading {
    ticks now;
    std::vector<tick_sum> held;  // core time of each row
  };

  void begin(ticks now, const slice_view& slice) {
    uses_.change(slices_.server_of(slice), now, slice.cores.length);
    slices_.begin(slice);
  }
  void read(ticks now) {
    if (readings_.size() > 2 * fewest_readings) {
      for (std::size_t at = 1; 2 * at < readings_.size(); ++at) readings_[at] = std::move(readings_[2 * at]);
      readings_.resize(fewest_readings + 1);
      every_ *= 2;
    }
    readings_.push_back({now, uses_.held_until(now)});
  }
  void close(ticks now) {
    records_ = false;
    slices_.window.end = point_.unit.to_units(now);
    for (const slice_view& slice : simulated_.slices()) slices_.add(slice, std::nullopt);
    events_.tell_no_slices(*this);
    read(now);
    add_bins();
  }
  void add_bins() {
    for (std::size_t at = 1; at < readings_.size(); ++at) {
      const reading &from = readings_[at - 1], &to = readings_[at];
      if (to.now == from.now) continue;  // many slices may end at one instant
      slices_.add_bin(uses_.rows(), from.now, to.now, from.held, to.held);
    }
  }

  const scenario& point_;
  const cluster_hardware& simulated_;
  event_distributor& events_;
  recorded_slices slices_;
  row_uses uses_;
  std::vector<reading> readings_;
  std::size_t enough_;      // slices that suffice
  std::uint64_t every_;     // slices that end, on any server, between readings
  std::uint64_t seen_ = 0;  // slices that have ended, on any server
  bool records_ = false;
};

}  // namespace

extern const instrument_entry core_recorder_instrument{
    instrument_order::others,
    [](const observed_replication& replication) { return drawn_replication(replication) && !drawn_log(replication); },
    [](observed_replication& replication) {
      // The recorder is told of slices from the beginning of the window on.
      replication.events.tell_no_slices(replication.add<core_recorder>(replication));
    }};

}  // namespace muster
