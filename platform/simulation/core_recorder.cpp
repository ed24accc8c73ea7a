#include "platform/simulation/core_recorder.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/model/class_table.h"

namespace muster {

namespace {

constexpr std::uint64_t usual_cores = 128, most_cores = 1024;
constexpr std::size_t enough_slices = 400;
constexpr std::uint64_t most_seen = 20'000;  // where few slices are on the servers that are shown

// Of the first ones.
std::uint64_t servers_shown(const scenario& what) {
  if (what.servers.front().cores > most_cores) return 0;
  std::uint64_t servers = 0, cores = 0;
  for (const server_spec& s : what.servers) {
    const std::uint64_t room = cores < usual_cores ? (usual_cores - cores) / s.cores : 0;
    const std::uint64_t more = std::min<std::uint64_t>(s.count, room);
    servers += more;
    cores += more * s.cores;
    if (more < s.count) break;
  }
  return std::max<std::uint64_t>(1, servers);
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
    : what_(what), simulated_(simulated), others_(others) {
  std::uint64_t first = 0;
  for (const server_spec& s : what.servers) {
    first_server_.push_back(first);
    first += s.count;
  }
  for (const std::size_t at : by_descending_need(what)) classes_.push_back(what.classes[at].name);
  window_.servers = servers_shown(what);
}

void core_recorder::open(ticks now) {
  if (window_.servers == 0) return;
  window_.begin = what_.unit.to_units(now);
  records_ = true;
  simulated_.observe_cores(this);
}

core_window core_recorder::recorded(ticks now) {
  if (records_) close(now);
  return std::move(window_);
}

void core_recorder::close(ticks now) {
  records_ = false;
  window_.end = what_.unit.to_units(now);
  for (const slice_view& slice : simulated_.slices()) add(slice, std::nullopt);
  simulated_.observe_cores(others_);
}

void core_recorder::slice_begins(ticks now, const slice_view& slice) {
  if (others_) others_->slice_begins(now, slice);
  // Not as one ends: it would be counted among those that go on.
  if (records_ && (window_.slices.size() >= enough_slices || seen_ >= most_seen)) close(now);
}

void core_recorder::slice_works(ticks now, const slice_view& slice) {
  if (others_) others_->slice_works(now, slice);
}

void core_recorder::slice_saves(ticks now, const slice_view& slice) {
  if (others_) others_->slice_saves(now, slice);
}

void core_recorder::slice_ends(ticks now, const slice_view& slice) {
  if (others_) others_->slice_ends(now, slice);
  ++seen_;
  add(slice, now);
}

void core_recorder::add(const slice_view& slice, std::optional<ticks> ended) {
  const std::uint64_t server = first_server_[slice.bank] + slice.server;
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
