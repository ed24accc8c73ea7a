#include "muster/policies/slurm/start_search.h"

#include <algorithm>

namespace muster {

namespace {

bool ends_earlier(const slurm_job* a, const slurm_job* b) {
  return a->end != b->end ? a->end < b->end : a->id() < b->id();
}

}  // namespace

start_search::start_search(const node_table& nodes, ticks second, ticks linear, ticks kill_wait)
    : nodes_(nodes),
      second_(second),
      linear_(linear),
      kill_wait_(kill_wait),
      room_(nodes),
      rooms_(nodes.size()),
      with_room_(nodes.size()),
      free_(nodes.size()),
      changed_in_(nodes.size()),
      taken_in_(nodes.size()) {}

void start_search::add(const slurm_job& running) {
  running_.insert(std::lower_bound(running_.begin(), running_.end(), &running, ends_earlier), &running);
  room_.add(running);
  listed_ = false;
}

void start_search::remove(const slurm_job& running) {
  running_.erase(std::lower_bound(running_.begin(), running_.end(), &running, ends_earlier));
  room_.remove(running);
  listed_ = false;
}

void start_search::list_endings() {
  listed_ = true;
  endings_.clear();
  slices_.clear();
  for (const slurm_job* j : running_) {
    for (const slurm_job::holding& h : j->held) slices_.push_back({h.node, &h.held, h.held[0]});
    endings_.push_back({j->end, slices_.size()});
  }
}

ticks start_search::first_end_after(ticks at) const {
  const auto found =
      std::upper_bound(endings_.begin(), endings_.end(), at, [](ticks t, const ending& e) { return t < e.end; });
  return found == endings_.end() ? end_of_clock : found->end;
}

// Counts the tasks that fit on each of the nodes now, and the free cores there. @return all tasks
std::uint64_t start_search::count_room(class_id type, const node_set& nodes) {
  std::uint64_t all = 0;
  free_cores_ = 0;
  room_.select(type);
  with_room_ = nodes;
  with_room_ &= nodes_.with_free_cores();
  nodes.for_each_common(nodes_.with_free_cores(), [&](std::size_t node) {
    rooms_[node] = room_.now(node);
    all += rooms_[node];
    free_cores_ += nodes_.free(node)[0];
    if (rooms_[node] == 0) with_room_.erase(node);
  });
  return all;
}

bool start_search::has_room(class_id type, const node_set& nodes) {
  const unsigned wanted = nodes_.need(type).tasks;
  std::uint64_t all = 0;
  room_.select(type);
  return nodes.any_common(nodes_.with_free_cores(),
                          [&](std::size_t node) { return (all += room_.now(node)) >= wanted; });
}

// When so many of the nodes have room for a task as a job needs at least.
ticks start_search::enough_nodes_from(class_id type, const node_set& nodes) {
  const std::size_t fewest = nodes_.fewest_nodes(type);
  firsts_.clear();
  nodes.for_each([&](std::size_t node) { firsts_.push_back(room_.first(node)); });
  if (firsts_.size() < fewest) return end_of_clock;
  const auto last = firsts_.begin() + static_cast<std::ptrdiff_t>(fewest - 1);
  std::nth_element(firsts_.begin(), last, firsts_.end());
  return *last;
}

bool start_search::fits_now(class_id type, const node_set& nodes) {
  if (count_room(type, nodes) < nodes_.need(type).tasks) return false;
  choose(type);
  return true;
}

ticks start_search::earliest(class_id type, const node_set& nodes, ticks now, ticks bound) {
  std::uint64_t all = count_room(type, nodes);
  const task_need& need = nodes_.need(type);
  if (all >= need.tasks) {
    choose(type);
    return now;
  }
  const ticks enough_nodes = enough_nodes_from(type, nodes);
  if (enough_nodes > std::max(bound, now) || enough_nodes == end_of_clock) return end_of_clock;
  if (!listed_) list_endings();
  ++search_;
  const std::uint64_t cores = need.tasks * need.per_task[0];
  // Jobs that are taken away together with one that ends behind the bound leave no start until then.
  const ticks too_late = first_end_after(bound);
  ticks base = 0, window = 30 * second_;
  std::size_t slice = 0, taken = 0;  // those before `taken` have been taken away
  for (std::size_t next = 0; next < endings_.size();) {
    ticks last = 0;
    while (next < endings_.size()) {
      const ending& ended = endings_[next++];
      if (ended.end > bound && ended.end > now) return end_of_clock;
      std::uint64_t uses = 0;
      for (; slice < ended.last; ++slice) {
        const std::uint64_t is_here = nodes.contains(slices_[slice].node) ? 1 : 0;
        uses += is_here;
        free_cores_ += is_here * slices_[slice].cores;
      }
      if (uses == 0) continue;
      last = ended.end;
      if (base == 0) {
        base = last + 30 * second_ - last % (30 * second_);
        if (too_late <= base + window) return end_of_clock;
      }
      if (next < endings_.size() && endings_[next].end > base + window) break;
    }
    if (last == 0) break;
    do window = linear_ > 0 ? window + linear_ : 2 * window;
    while (next < endings_.size() && endings_[next].end > base + window);
    const bool is_last = too_late <= base + window;
    if (free_cores_ < cores || last < enough_nodes) {  // no look at single nodes is needed
      if (is_last) return end_of_clock;
      continue;
    }
    take_away(taken, slice, type, nodes, all);
    taken = slice;
    if (all < need.tasks) {
      if (is_last) return end_of_clock;
      continue;
    }
    choose(type);
    return guess_end(last, now);
  }
  return end_of_clock;
}

// Takes running jobs from those of the nodes that they use: slices [first, last).
void start_search::take_away(std::size_t first, std::size_t last, class_id type, const node_set& nodes,
                             std::uint64_t& all) {
  changed_.clear();
  ++take_;
  for (std::size_t n = first; n < last; ++n) {
    const slice& s = slices_[n];
    if (!nodes.contains(s.node)) continue;
    amounts& free = free_[s.node];
    if (changed_in_[s.node] != search_) {
      changed_in_[s.node] = search_;
      free = nodes_.free(s.node);
      if (!with_room_.contains(s.node)) rooms_[s.node] = 0;
    }
    if (taken_in_[s.node] != take_) changed_.push_back(s.node);
    taken_in_[s.node] = take_;
    for (std::size_t place = 0; place < free.size(); ++place) free[place] += (*s.held)[place];
  }
  for (const std::size_t node : changed_) {
    const unsigned room = nodes_.room(type, node, free_[node]);
    all += room - rooms_[node];
    rooms_[node] = room;
    if (room > 0) with_room_.insert(node);
  }
}

// A job that has exceeded its limit ends when it is killed, or in a second.
ticks start_search::guess_end(ticks end, ticks now) const {
  return end > now ? end : std::max(end + kill_wait_, now + second_);
}

// The node of a row with the least room for so many tasks, the first one of several. At least one has room.
std::size_t start_search::least_that_suffices(const row& among, unsigned tasks) const {
  std::size_t best = among.first;
  for (std::size_t node = among.first; node <= among.last; ++node)
    if (rooms_[node] >= tasks && (rooms_[best] < tasks || rooms_[node] < rooms_[best])) best = node;
  return best;
}

void start_search::choose(class_id type) {
  rows_.clear();
  with_room_.for_each([&](std::size_t node) {
    if (rows_.empty() || rows_.back().last + 1 != node) rows_.push_back({node, node, 0, 0});
    rows_.back().last = node;
    rows_.back().tasks += rooms_[node];
    rows_.back().most = std::max(rows_.back().most, rooms_[node]);
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
    if (best->most >= left) {
      chosen_.push_back({least_that_suffices(*best, left), left});
      break;
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
