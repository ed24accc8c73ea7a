#include "platform/simulation/recorded_slices.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace muster {

namespace {

constexpr std::uint64_t usual_cores = 512, most_cores_shown = 1024;

/// The number of the first servers, whose slices are recorded. @param cores is increased by the cores of these servers
std::uint64_t servers_recorded(const scenario& model, std::uint64_t& cores) {
  std::uint64_t servers = 0;
  for (const server_spec& s : model.servers)
    for (std::uint32_t n = 0; n < s.count; ++n, ++servers, cores += s.cores)
      if (cores + s.cores > (servers == 0 ? most_cores_shown : usual_cores)) return servers;
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

// The devices that are held. @param held in each place
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

}  // namespace

recorded_slices::recorded_slices(const observed_replication& replication)
    : replication_(replication), point_(replication.point) {
  std::uint64_t first = 0;
  for (const server_spec& s : point_.servers) {
    first_server_.push_back(first);
    places_.push_back(places_of_server(point_, s));
    first += s.count;
  }
  servers_ = first;
  places_.push_back(places_of_cluster(point_));
  shown_of_cluster_ = devices_in_pictures(point_).size();
  window.servers = servers_recorded(point_, cores_);
}

void cluster_tenures::begin(const slice_view& slice) {
  part& of_job = parts_[slice.job];
  ++of_job.slices;
  of_job.held.begun = std::min(of_job.held.begun, slice.held.begun);
}

std::optional<core_ledger::tenure> cluster_tenures::end(const slice_view& slice, std::optional<ticks> ended) {
  const auto found = parts_.find(slice.job);
  if (found == parts_.end()) return std::nullopt;
  constexpr ticks never = core_ledger::tenure::never;
  auto& [slices, held] = found->second;
  held.productive = std::max(held.productive, slice.held.productive);
  held.ceased = std::min({held.ceased, slice.held.ceased, ended.value_or(never)});
  if (--slices > 0) return std::nullopt;
  core_ledger::tenure whole = held;
  parts_.erase(found);
  if (whole.ceased < whole.productive) whole.productive = whole.ceased = never;  // its slices did not run together
  if (whole.ceased == ended) whole.ceased = never;
  return whole;
}

void recorded_slices::add(const slice_view& slice, std::optional<ticks> ended) {
  if (is_recorded(slice, ended)) add_cores(slice, ended);
  if (holds_of_cluster(slice)) add_of_cluster(slice, ended);
}

core_slice recorded_slices::described(const slice_view& slice, const core_ledger::tenure& held,
                                      std::optional<ticks> ended) const {
  const auto in_units = [&](ticks t) {
    return t == core_ledger::tenure::never ? std::nullopt : std::optional(point_.unit.to_units(t));
  };
  core_slice added;
  added.class_name = replication_.class_of(slice.holder->declared_class()).name;
  added.job = slice.job;
  added.begun = point_.unit.to_units(held.begun);
  added.works = in_units(held.productive);
  added.saves = in_units(held.ceased);
  if (ended) added.ended = point_.unit.to_units(*ended);
  return added;
}

void recorded_slices::keep(core_slice&& added) {
  if (!added.ended && added.begun >= window.end) return;
  window.slices.push_back(std::move(added));
  ++count_;
}

void recorded_slices::add_of_cluster(const slice_view& slice, std::optional<ticks> ended) {
  const auto held = of_cluster_.end(slice, ended);
  const amounts& parts = slice.holder->own.of_cluster->held;
  if (!held || parts.empty() || ended == held->begun) return;
  core_slice added = described(slice, *held, ended);
  added.server = servers_;
  for (const held_device& device : devices_of(places_.back(), parts.data()))
    if (device.number < shown_of_cluster_) added.devices.push_back(device);
  if (!added.devices.empty()) keep(std::move(added));
}

void recorded_slices::add_cores(const slice_view& slice, std::optional<ticks> ended) {
  core_slice added = described(slice, slice.held, ended);
  added.server = server_of(slice);
  added.count = slice.cores.length;
  std::vector<std::uint32_t> cores;
  const std::uint32_t first = slice.server * point_.servers[slice.bank].cores;
  slice.for_each_core([&](std::uint32_t core) { cores.push_back(core - first); });
  added.cores = in_runs(std::move(cores));
  if (slice.resources) added.devices = devices_of(places_[slice.bank], slice.resources);
  keep(std::move(added));
}

void recorded_slices::pack(const slice_view& slice, std::optional<ticks> ended) {
  if (!is_recorded(slice, ended)) return;
  const double begin = window.begin;
  const auto seconds = [&](ticks t) {
    return static_cast<std::uint64_t>(
        std::llround(std::max(0.0, point_.unit.to_units(t) - begin) * point_.unit.seconds));
  };
  packed_slice packed;
  packed.server = server_of(slice);
  packed.type = replication_.order[static_cast<std::size_t>(slice.holder->declared_class())];
  packed.job = slice.job;
  packed.cores = slice.cores.length;
  packed.begun = seconds(slice.held.begun);
  if (ended) packed.lasted = seconds(*ended) - packed.begun;
  constexpr ticks never = core_ledger::tenure::never;
  if (slice.held.productive != never) packed.overhead = seconds(slice.held.productive) - packed.begun;
  if (ended && slice.held.ceased != never) packed.saving = seconds(*ended) - seconds(slice.held.ceased);
  append(window.packed, packed, last_);
  last_ = packed;
  ++count_;
}

void recorded_slices::add_bin(const joined_servers& rows, ticks from, ticks to,
                              const std::vector<tick_sum>& held_before, const std::vector<tick_sum>& held_after) {
  server_bin bin{point_.unit.to_units(from), point_.unit.to_units(to), {}};
  for (std::size_t row = 0; row < held_after.size(); ++row)
    bin.servers.push_back(rows.share(row, held_after[row] - held_before[row], to - from));
  window.bins.push_back(std::move(bin));
}

}  // namespace muster
