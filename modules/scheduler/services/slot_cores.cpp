#include "muster/modules/scheduler/services/slot_cores.h"

namespace muster {

void slot_cores::lay_out() {
  plan_.lay_out(length_, began_ / length_ + 1);
  changes_made_ = 0;
}

void slot_cores::take_surplus(std::uint32_t place, order_sink& orders) {
  const slot_plan::entry& e = plan_.entries()[place];
  if (!e.owner || e.owner->own.allocation->done() || e.owner->own.progress->held <= e.cores) return;
  const std::uint32_t surplus = e.owner->own.progress->held - e.cores;
  e.owner->own.progress->held = e.cores;
  slices_.stop(*e.owner, orders, surplus);
}

void slot_cores::give_missing(slice_sink& slices) {
  for (std::uint32_t place = 0; place < plan_.entries().size(); ++place) give_missing(place, slices);
}

void slot_cores::give_missing(std::uint32_t place, slice_sink& slices) {
  const slot_plan::entry& e = plan_.entries()[place];
  if (!e.owner || e.owner->own.progress->held >= e.cores) return;
  std::size_t known = e.owner->own.allocation->state_at.size();
  e.owner->own.allocation->change_together([&] {
    while (e.owner && !e.owner->own.allocation->done() && e.owner->own.progress->held < e.cores) {
      const auto core = core_for(*e.owner, known);
      if (!core) {
        underallocated_.push_back(place);
        return;
      }
      ++e.owner->own.progress->held;
      tlm::tlm_generic_payload& slice = slices_.add(*e.owner, *core, !e.owner->own.allocation->state_at.empty());
      dispatch_port::slice(slice).booked = parts_.time.now();
      dispatch_port::slice(slice).checkpoints.every = length_;
      slices.send(slice);
    }
  });
}

// A core for a job: of a server that holds the job's state, if one is idle there, or any; nothing if no core is idle.
// @param known how many servers that hold the state, the first ones, may have idle cores: none becomes idle between
// calls
std::optional<placement> slot_cores::core_for(const job_extension& j, std::size_t& known) const {
  for (; known > 0; --known) {
    const std::uint64_t at = j.own.allocation->state_at[known - 1];
    if (const auto core = parts_.cores.single_core(group_of(at), server_of(at))) return core;
  }
  for (const group_id group : parts_.state.type(j.type).groups)
    if (const auto core = parts_.cores.single_core(group)) return core;
  return std::nullopt;
}

std::optional<ticks> slot_cores::next_change() const {
  const auto& changes = plan_.changes();
  if (changes_made_ == changes.size()) return std::nullopt;
  return began_ + changes[changes_made_].at;
}

void slot_cores::make_changes(ticks now, slice_sink& slices, order_sink& orders) {
  const auto& changes = plan_.changes();
  for (std::size_t& made = changes_made_; made < changes.size() && began_ + changes[made].at <= now; ++made) {
    const slot_plan::change& c = changes[made];
    slot_plan::entry& e = plan_.entries()[c.place];
    if (c.cores > 0) {
      ++e.cores;
      give_missing(c.place, slices);
    } else {
      --e.cores;
      take_surplus(c.place, orders);
    }
  }
}

void slot_cores::replace_core(const job_extension& j) {
  if (j.own.progress->place != slot_plan::nowhere) underallocated_.push_back(j.own.progress->place);
}

void slot_cores::core_becomes_idle(slice_sink& slices) {
  if (underallocated_.empty()) return;
  const std::uint32_t place = underallocated_.back();
  underallocated_.pop_back();
  give_missing(place, slices);
}

}  // namespace muster
