#include "muster/policies/slurm/planned_nodes.h"

#include <algorithm>

namespace muster {

void planned_nodes::clear(ticks now, ticks window_end, const node_set& all) {
  slots_.clear();
  slots_.push_back({now, window_end, all});
}

// The number of the slot that begins at an instant, which is made if there is none; all: it is behind the window.
std::size_t planned_nodes::split(ticks at) {
  const auto found =
      std::lower_bound(slots_.begin(), slots_.end(), at, [](const slot& s, ticks t) { return s.end <= t; });
  const auto number = static_cast<std::size_t>(found - slots_.begin());
  if (found == slots_.end() || at <= found->begin) return number;
  slot later{at, found->end, found->free};
  found->end = at;
  slots_.insert(found + 1, std::move(later));
  return number + 1;
}

void planned_nodes::reserve(ticks from, ticks until, const node_set& nodes) {
  const std::size_t first = split(std::max(from, slots_.front().begin));
  const std::size_t last = split(until);
  for (std::size_t n = first; n < last; ++n) slots_[n].free -= nodes;
  for (std::size_t n = std::max<std::size_t>(first, 2) - 1; n <= last && n < slots_.size(); ++n)
    if (slots_[n - 1].free == slots_[n].free) {
      slots_[n - 1].end = slots_[n].end;
      slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(n));
      return;
    }
}

planned_nodes::free_nodes planned_nodes::find_free(ticks from, ticks until, const node_set& usable,
                                                   node_set& nodes) const {
  free_nodes found{0, end_of_clock};
  nodes = usable;
  const auto first =
      std::upper_bound(slots_.begin(), slots_.end(), from, [](ticks t, const slot& s) { return t < s.end; });
  for (auto n = static_cast<std::size_t>(first - slots_.begin()); n < slots_.size(); ++n) {
    const slot& s = slots_[n];
    const bool is_last = n + 1 == slots_.size();
    if (found.change == 0 && !is_last && !common_is_within(slots_[n + 1].free, usable, nodes, s.free))
      found.change = s.end;
    if (s.begin > until) {
      found.beyond = s.begin;
      break;
    }
    nodes &= s.free;
  }
  return found;
}

bool planned_nodes::overlaps(ticks from, ticks until, const node_set& nodes) const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [&](const slot& s) { return s.end > from && s.begin < until && !s.free.includes(nodes); });
}

}  // namespace muster
