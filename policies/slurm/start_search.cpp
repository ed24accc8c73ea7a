#include "muster/policies/slurm/start_search.h"

#include <algorithm>

namespace muster {

namespace {

bool ends_earlier(const slurm_job* a, const slurm_job* b) { return a->end != b->end ? a->end < b->end : a->id() < b->id(); }

}  // namespace

start_search::start_search(const node_table& nodes, ticks second, ticks linear, ticks kill_wait)
    : nodes_(nodes),
      second_(second),
      linear_(linear),
      kill_wait_(kill_wait),
      rooms_(nodes.size()),
      with_room_(nodes.size()),
      free_(nodes.size()),
      changed_in_(nodes.size()) {}

void start_search::add(const slurm_job& running) {
  running_.insert(std::lower_bound(running_.begin(), running_.end(), &running, ends_earlier), &running);
}

void start_search::remove(const slurm_job& running) {
  running_.erase(std::lower_bound(running_.begin(), running_.end(), &running, ends_earlier));
}

// Counts the tasks that fit on each of the nodes now. @return all of them
std::uint64_t start_search::count_room(class_id type, const node_set& nodes) {
  std::uint64_t all = 0;
  with_room_ = nodes;
  with_room_ &= nodes_.with_free_cores();
  nodes.for_each_common(nodes_.with_free_cores(), [&](std::size_t node) {
    rooms_[node] = nodes_.room(type, node, nodes_.free(node));
    all += rooms_[node];
    if (rooms_[node] == 0) with_room_.erase(node);
  });
  return all;
}

bool start_search::fits_now(class_id type, const node_set& nodes) {
  if (count_room(type, nodes) < nodes_.need(type).tasks) return false;
  choose(type);
  return true;
}

ticks start_search::earliest(class_id type, const node_set& nodes, ticks now) {
  std::uint64_t all = count_room(type, nodes);
  const unsigned tasks = nodes_.need(type).tasks;
  if (all >= tasks) {
    choose(type);
    return now;
  }
  ++search_;
  ticks base = 0, window = 30 * second_;
  for (auto next = running_.begin(); next != running_.end();) {
    const slurm_job* last = nullptr;
    while (next != running_.end()) {
      const slurm_job& ended = **next++;
      if (!take_away(ended, type, nodes, all)) continue;
      last = &ended;
      if (base == 0) base = ended.end + 30 * second_ - ended.end % (30 * second_);
      if (next != running_.end() && (*next)->end > base + window) break;
    }
    if (!last) break;
    do window = linear_ > 0 ? window + linear_ : 2 * window;
    while (next != running_.end() && (*next)->end > base + window);
    if (all < tasks) continue;
    choose(type);
    return guess_end(*last, now);
  }
  return end_of_clock;
}

// Takes a running job from those of the nodes that it uses. @return whether it uses one
bool start_search::take_away(const slurm_job& running, class_id type, const node_set& nodes, std::uint64_t& all) {
  bool uses_one = false;
  for (const slurm_job::holding& h : running.held) {
    if (!nodes.contains(h.node)) continue;
    uses_one = true;
    amounts& free = free_[h.node];
    if (changed_in_[h.node] != search_) {
      changed_in_[h.node] = search_;
      free = nodes_.free(h.node);
      if (!with_room_.contains(h.node)) rooms_[h.node] = 0;
    }
    for (std::size_t place = 0; place < free.size(); ++place) free[place] += h.held[place];
    const unsigned room = nodes_.room(type, h.node, free);
    all += room - rooms_[h.node];
    rooms_[h.node] = room;
    if (room > 0) with_room_.insert(h.node);
  }
  return uses_one;
}

// A job that has exceeded its limit ends when it is killed, or in a second.
ticks start_search::guess_end(const slurm_job& last, ticks now) const {
  return last.end > now ? last.end : std::max(last.end + kill_wait_, now + second_);
}

void start_search::choose(class_id type) {
  rows_.clear();
  with_room_.for_each([&](std::size_t node) {
    if (rows_.empty() || rows_.back().last + 1 != node) rows_.push_back({node, node, 0});
    rows_.back().last = node;
    rows_.back().tasks += rooms_[node];
  });
  chosen_.clear();
  for (unsigned left = nodes_.need(type).tasks; left > 0;) {
    row* best = nullptr;
    for (row& r : rows_) {
      if (r.tasks == 0) continue;
      const bool suffices = r.tasks >= left;
      if (!best || (suffices && (best->tasks < left || r.tasks < best->tasks)) || (!suffices && r.tasks > best->tasks))
        best = &r;
    }
    for (std::size_t node = best->first; node <= best->last && left > 0; ++node) {
      const unsigned tasks = std::min(left, rooms_[node]);
      chosen_.push_back({node, tasks});
      left -= tasks;
    }
    best->tasks = 0;
  }
  std::sort(chosen_.begin(), chosen_.end(), [](const node_share& a, const node_share& b) { return a.node < b.node; });
}

}  // namespace muster
