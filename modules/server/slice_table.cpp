#include "muster/modules/server/slice_table.h"

#include <algorithm>

namespace muster {

// Searches if need be: the slice that the scheduler means may have ended, and its extension be in use for another one.
std::optional<std::uint32_t> slice_table::find(std::uint32_t server, std::uint64_t job,
                                               const slice_extension* meant) const {
  const auto is_meant = [&](const held_slice& s) {
    return s.transaction && s.server == server && s.descriptor().job == job;
  };
  if (meant && slices_.has(meant->place) && is_meant(slices_[meant->place])) return meant->place;
  const auto found = std::find_if(slices_.begin(), slices_.end(), is_meant);
  if (found == slices_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - slices_.begin());
}

ticks slice_table::at_stage_since(std::uint32_t number) const {
  const held_slice& s = slices_[number];
  if (s.at == slice_stage::running) return s.held.productive;
  return s.writes_checkpoint() || s.at == slice_stage::saving ? s.held.ceased : s.held.begun;
}

std::uint64_t slice_table::running_cores(std::uint32_t server) const {
  std::uint64_t cores = 0;
  for (const held_slice& s : slices_)
    if (s.transaction && s.server == server && s.at == slice_stage::running) cores += s.cores.length;
  return cores;
}

void slice_table::add_running_times(table<class_id, tick_sum>& sums, ticks now) const {
  for (std::size_t at = 0; at < run_.size(); ++at) sums[static_cast<class_id>(at)] += run_[at];
  for (const held_slice& s : slices_)
    if (s.transaction && s.holder())
      sums[s.holder()->declared_class()] += static_cast<tick_sum>(s.held.times(now).running) * s.cores.length;
}

slice_view slice_table::view(const held_slice& s, std::uint32_t bank) const {
  const slice_descriptor work = s.descriptor();
  return {bank, s.server, work.job, s.holder(), work.start, s.held, s.why, &cores_, s.cores, s.held_resources()};
}

std::vector<slice_view> slice_table::views(std::uint32_t bank) const {
  std::vector<slice_view> found;
  for (const held_slice& s : slices_)
    if (s.transaction) found.push_back(view(s, bank));
  return found;
}

}  // namespace muster
