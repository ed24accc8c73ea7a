#include "platform/simulation/core_recorder.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/model/class_table.h"

namespace muster {

namespace {

constexpr std::uint64_t usual_cores = 512, most_cores = 1024;
constexpr std::size_t fewest_slices = 400, slices_of_a_core = 3;
constexpr std::uint64_t most_seen = 20'000;  // where few slices are on the servers whose slices are recorded
constexpr std::size_t fewest_readings = 64;

/// The first servers, whose slices are recorded.
std::uint64_t servers_recorded(const scenario& what, std::uint64_t& cores) {
  std::uint64_t servers = 0;
  for (const server_spec& s : what.servers)
    for (std::uint32_t n = 0; n < s.count; ++n, ++servers, cores += s.cores)
      if (cores + s.cores > (servers == 0 ? most_cores : usual_cores)) return servers;
  return servers;
}

// Such as "0-3,7".
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

}  // namespace

core_recorder::core_recorder(const scenario& what, cluster& simulated, server_observer* others)
    : what_(what), simulated_(simulated), others_(others), rows_(what) {
  std::uint64_t first = 0;
  for (const server_spec& s : what.servers) {
    first_server_.push_back(first);
    first += s.count;
  }
  for (const std::size_t at : by_descending_need(what)) classes_.push_back(what.classes[at].name);
  std::uint64_t cores = 0;
  window_.servers = servers_recorded(what, cores);
  enough_ = std::max<std::size_t>(fewest_slices, slices_of_a_core * static_cast<std::size_t>(cores));
  every_ = std::min<std::uint64_t>(enough_, most_seen) / fewest_readings;
}

void core_recorder::open(ticks now) {
  window_.begin = what_.unit.to_units(now);
  uses_.assign(rows_.count(), {0, now, 0});
  for (const slice_view& slice : simulated_.slices()) use_of(slice).cores += slice.cores.length;
  read(now);
  records_ = true;
  simulated_.observe_cores(this);
}

core_window core_recorder::recorded(ticks now) {
  if (records_) close(now);
  return std::move(window_);
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
  window_.end = what_.unit.to_units(now);
  for (const slice_view& slice : simulated_.slices()) add(slice, std::nullopt);
  simulated_.observe_cores(others_);
  read(now);
  add_bins();
}

void core_recorder::add_bins() {
  for (std::size_t at = 1; at < readings_.size(); ++at) {
    const reading &from = readings_[at - 1], &to = readings_[at];
    if (to.now == from.now) continue;  // many may end at once
    server_bin bin{what_.unit.to_units(from.now), what_.unit.to_units(to.now), {}};
    for (std::size_t row = 0; row < to.held.size(); ++row)
      bin.servers.push_back(rows_.share(row, to.held[row] - from.held[row], to.now - from.now));
    window_.bins.push_back(std::move(bin));
  }
}

void core_recorder::slice_begins(ticks now, const slice_view& slice) {
  if (others_) others_->slice_begins(now, slice);
  if (!records_) return;
  // Not as one ends: it would be counted among those that go on.
  if (window_.slices.size() >= enough_ || seen_ >= most_seen)
    close(now);
  else
    use_of(slice).change(now, slice.cores.length);
}

void core_recorder::slice_works(ticks now, const slice_view& slice) {
  if (others_) others_->slice_works(now, slice);
}

void core_recorder::slice_saves(ticks now, const slice_view& slice) {
  if (others_) others_->slice_saves(now, slice);
}

void core_recorder::slice_ends(ticks now, const slice_view& slice) {
  if (others_) others_->slice_ends(now, slice);
  if (!records_) return;
  use_of(slice).change(now, 0 - static_cast<std::uint64_t>(slice.cores.length));
  if (++seen_ % every_ == 0) read(now);
  add(slice, now);
}

void core_recorder::add(const slice_view& slice, std::optional<ticks> ended) {
  const std::uint64_t server = server_of(slice);
  if (!slice.holder || server >= window_.servers || ended == slice.held.begun) return;
  const auto in_units = [&](ticks t) {
    return t == core_ledger::tenure::never ? std::nullopt : std::optional(what_.unit.to_units(t));
  };
  core_slice added;
  added.server = server;
  added.class_name = classes_[static_cast<std::size_t>(slice.holder->type)];
  added.job = slice.job;
  added.count = slice.cores.length;
  added.begun = what_.unit.to_units(slice.held.begun);
  added.works = in_units(slice.held.productive);
  added.saves = in_units(slice.held.ceased);
  if (ended) added.ended = what_.unit.to_units(*ended);
  if (!ended && added.begun >= window_.end) return;
  std::vector<std::uint32_t> cores;
  const std::uint32_t first = slice.server * what_.servers[slice.bank].cores;
  slice.for_each_core([&](std::uint32_t core) { cores.push_back(core - first); });
  added.cores = in_runs(std::move(cores));
  window_.slices.push_back(std::move(added));
}

}  // namespace muster
