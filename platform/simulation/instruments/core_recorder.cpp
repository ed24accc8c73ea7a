#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/metrics/replication_result.h"
#include "platform/model/joined_servers.h"
#include "platform/model/resource_places.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

constexpr std::uint64_t usual_cores = 512, most_cores = 1024;
constexpr std::size_t fewest_slices = 400, slices_of_a_core = 3;
constexpr std::uint64_t most_seen = 20'000;  // slices on any server, where few are on those that are recorded
constexpr std::size_t fewest_readings = 64;

/// The number of the first servers, whose slices are recorded. @param cores is increased by the cores of these servers
std::uint64_t servers_recorded(const scenario& model, std::uint64_t& cores) {
  std::uint64_t servers = 0;
  for (const server_spec& s : model.servers)
    for (std::uint32_t n = 0; n < s.count; ++n, ++servers, cores += s.cores)
      if (cores + s.cores > (servers == 0 ? most_cores : usual_cores)) return servers;
  return servers;
}

// The cores as text, such as "0-3,7".
std::string in_runs(std::vector<std::uint32_t> cores) {
  std::sort(cores.begin(), cores.end());
  std::string text;
  for (std::size_t at = 0; at < cores.size();) {
    std::size_t last = at;
    while (last + 1 < cores.size() && cores[last + 1] == cores[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", cores[at]);
    if (last > at) text += fmt::format("-{}", cores[last]);
    at = last + 1;
  }
  return text;
}

// The devices that a slice holds. @param held in each place
std::vector<held_device> devices_of(const std::vector<resource_place>& places, const std::uint64_t* held) {
  std::vector<held_device> devices;
  std::uint32_t number = 0;
  for (std::size_t n = 0; n < places.size(); ++n) {
    if (!places[n].is_device) continue;
    const double share = static_cast<double>(held[n]) / static_cast<double>(places[n].all);
    if (held[n] > 0) devices.push_back({number, static_cast<std::uint16_t>(std::max(1L, std::lround(1000.0 * share)))});
    ++number;
  }
  return devices;
}

/// Records what the servers do for a while; then it observes no more. Slices are recorded of the first servers, those
/// with 512 cores together (at least one, unless it has more than 1,024 cores): as many as three for each core, 400 at
/// least. Of all servers it records the shares of busy cores, by row of servers, in 64 to 128 bins with as many slices
/// each.
class core_recorder final : public instrument {
 public:
  explicit core_recorder(const observed_replication& replication);

  void window_opens(ticks now) override;
  void slice_begins(ticks now, const slice_view& slice) override;
  void slice_ends(ticks now, const slice_view& slice) override;
  void window_closes(ticks now) override {
    if (records_) close(now);
  }
  void add_to(replication_result& result) override { result.pictures.cores = std::move(window_); }

 private:
  /// Cores of a row of servers that jobs hold.
  struct row_use {
    std::uint64_t cores = 0;
    ticks since = 0;    // time of the latest change of `cores`
    tick_sum held = 0;  // core time until `since`

    void change(ticks now, std::uint64_t more) {
      held += static_cast<tick_sum>(now - since) * cores;
      since = now;
      cores += more;  // modulo 2^64
    }
  };
  struct reading {
    ticks now;
    std::vector<tick_sum> held;  // core time of each row
  };

  std::uint64_t server_of(const slice_view& slice) const { return first_server_[slice.bank] + slice.server; }
  row_use& use_of(const slice_view& slice) { return uses_[rows_.row_of(server_of(slice))]; }
  void read(ticks now);
  void close(ticks now);
  void add_bins();
  void add(const slice_view& slice, std::optional<ticks> ended);

  const observed_replication& replication_;
  const scenario& point_;
  const cluster& simulated_;
  event_distributor& events_;
  std::vector<std::uint64_t> first_server_;          // number of the first server of each entry of platform.servers
  std::vector<std::vector<resource_place>> places_;  // beside the cores of a server of each entry
  joined_servers rows_;
  std::vector<row_use> uses_;  // use of each row
  std::vector<reading> readings_;
  std::size_t enough_;      // slices that suffice
  std::uint64_t every_;     // slices that end, on any server, between readings
  std::uint64_t seen_ = 0;  // slices that have ended, on any server
  bool records_ = false;
  core_window window_;
};

core_recorder::core_recorder(const observed_replication& replication)
    : replication_(replication),
      point_(replication.point),
      simulated_(replication.simulated),
      events_(replication.events),
      rows_(point_) {
  std::uint64_t first = 0;
  for (const server_spec& s : point_.servers) {
    first_server_.push_back(first);
    places_.push_back(places_of_server(point_, s));
    first += s.count;
  }
  std::uint64_t cores = 0;
  window_.servers = servers_recorded(point_, cores);
  enough_ = std::max<std::size_t>(fewest_slices, slices_of_a_core * static_cast<std::size_t>(cores));
  every_ = std::min<std::uint64_t>(enough_, most_seen) / fewest_readings;
}

void core_recorder::window_opens(ticks now) {
  window_.begin = point_.unit.to_units(now);
  uses_.assign(rows_.count(), {0, now, 0});
  for (const slice_view& slice : simulated_.slices()) use_of(slice).cores += slice.cores.length;
  read(now);
  records_ = true;
  events_.tell_slices(*this);
}

void core_recorder::read(ticks now) {
  if (readings_.size() > 2 * fewest_readings) {
    for (std::size_t at = 1; 2 * at < readings_.size(); ++at) readings_[at] = std::move(readings_[2 * at]);
    readings_.resize(fewest_readings + 1);
    every_ *= 2;
  }
  readings_.push_back({now, {}});
  for (row_use& use : uses_) {
    use.change(now, 0);
    readings_.back().held.push_back(use.held);
  }
}

void core_recorder::close(ticks now) {
  records_ = false;
  window_.end = point_.unit.to_units(now);
  for (const slice_view& slice : simulated_.slices()) add(slice, std::nullopt);
  events_.tell_no_slices(*this);
  read(now);
  add_bins();
}

void core_recorder::add_bins() {
  for (std::size_t at = 1; at < readings_.size(); ++at) {
    const reading &from = readings_[at - 1], &to = readings_[at];
    if (to.now == from.now) continue;  // many slices may end at one instant
    server_bin bin{point_.unit.to_units(from.now), point_.unit.to_units(to.now), {}};
    for (std::size_t row = 0; row < to.held.size(); ++row)
      bin.servers.push_back(rows_.share(row, to.held[row] - from.held[row], to.now - from.now));
    window_.bins.push_back(std::move(bin));
  }
}

void core_recorder::slice_begins(ticks now, const slice_view& slice) {
  // The recording ends as a slice begins, not as one ends: that one would be counted among those that go on.
  if (window_.slices.size() >= enough_ || seen_ >= most_seen)
    close(now);
  else
    use_of(slice).change(now, slice.cores.length);
}

void core_recorder::slice_ends(ticks now, const slice_view& slice) {
  use_of(slice).change(now, 0 - static_cast<std::uint64_t>(slice.cores.length));
  if (++seen_ % every_ == 0) read(now);
  add(slice, now);
}

void core_recorder::add(const slice_view& slice, std::optional<ticks> ended) {
  const std::uint64_t server = server_of(slice);
  if (!slice.holder || server >= window_.servers || ended == slice.held.begun) return;
  const auto in_units = [&](ticks t) {
    return t == core_ledger::tenure::never ? std::nullopt : std::optional(point_.unit.to_units(t));
  };
  core_slice added;
  added.server = server;
  added.class_name = replication_.class_of(slice.holder->declared_class()).name;
  added.job = slice.job;
  added.count = slice.cores.length;
  added.begun = point_.unit.to_units(slice.held.begun);
  added.works = in_units(slice.held.productive);
  added.saves = in_units(slice.held.ceased);
  if (ended) added.ended = point_.unit.to_units(*ended);
  if (!ended && added.begun >= window_.end) return;
  std::vector<std::uint32_t> cores;
  const std::uint32_t first = slice.server * point_.servers[slice.bank].cores;
  slice.for_each_core([&](std::uint32_t core) { cores.push_back(core - first); });
  added.cores = in_runs(std::move(cores));
  if (slice.resources) added.devices = devices_of(places_[slice.bank], slice.resources);
  window_.slices.push_back(std::move(added));
}

}  // namespace

extern const instrument_entry core_recorder_instrument{
    instrument_order::others, drawn_replication, [](observed_replication& replication) {
      // The recorder is told of slices from the beginning of the window on.
      replication.events.tell_no_slices(replication.add<core_recorder>(replication));
    }};

}  // namespace muster
