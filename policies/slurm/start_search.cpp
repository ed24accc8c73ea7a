#include "muster/policies/slurm/start_search.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace muster {

namespace {

bool ends_earlier(const slurm_job* a, const slurm_job* b) {
  return a->end != b->end ? a->end < b->end : a->id() < b->id();
}

}  // namespace

start_search::start_search(const node_table& nodes, table<class_id, node_order> orders, ticks second, ticks linear,
                           ticks kill_wait)
    : nodes_(nodes),
      orders_(std::move(orders)),
      second_(second),
      linear_(linear),
      kill_wait_(kill_wait),
      room_(nodes),
      weights_(nodes),
      rooms_(nodes.size()),
      free_cores_(nodes.size()),
      with_room_(nodes.size()) {}

void start_search::add(const slurm_job& running) {
  running_.insert(running_.begin() + static_cast<std::ptrdiff_t>(number(running)), &running);
  room_.add(running);
}

void start_search::remove(const slurm_job& running) {
  running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(number(running)));
  room_.remove(running);
}

// Counts the tasks that fit on each of the nodes now, and the free cores there. @return all tasks
std::uint64_t start_search::count_room(class_id type, const node_set& nodes) {
  std::uint64_t all = 0;
  room_.select(type);
  with_room_ = nodes;
  with_room_ &= room_.open();
  with_room_.for_each([&](std::size_t node) { all += rooms_[node] = room_.now(node); });
  if (nodes_.needs_devices(type))
    nodes.for_each([&](std::size_t node) { weights_.test(type, node, nodes_.free(node)); });
  if (orders_[type] == node_order::least_loaded)
    with_room_.for_each([&](std::size_t node) { free_cores_[node] = nodes_.free(node)[0]; });
  return all;
}

bool start_search::has_room(class_id type, const node_set& nodes) {
  const unsigned wanted = nodes_.need(type).tasks;
  std::uint64_t all = 0;
  room_.select(type);
  return nodes.any_common(room_.open(), [&](std::size_t node) { return (all += room_.now(node)) >= wanted; });
}

bool start_search::fits_now(class_id type, const node_set& nodes) {
  if (count_room(type, nodes) < nodes_.need(type).tasks) return false;
  choose(type);
  return true;
}

ticks start_search::earliest(class_id type, const node_set& nodes, ticks now, ticks bound) {
  if (!nodes_.needs_devices(type)) return search(type, nodes, now, bound);
  // Slurm does not know the bound: the weights are those of its last test.
  const ticks found = search(type, nodes, now, end_of_clock);
  if (found == end_of_clock) weights_.test_idle(type, nodes);
  return found <= bound ? found : end_of_clock;
}

ticks start_search::search(class_id type, const node_set& nodes, ticks now, ticks bound) {
  if (count_room(type, nodes) >= nodes_.need(type).tasks) {
    choose(type);
    return now;
  }
  const ticks latest = std::max(bound, now);  // ends that are later are of no interest
  const ticks enough_nodes = room_.enough_from(nodes, nodes_.fewest_nodes(type), latest);
  if (enough_nodes == end_of_clock) return end_of_clock;
  // Jobs that are taken away together with one that ends behind the bound leave no start until then.
  const std::size_t too_late = behind(bound);
  std::size_t next = first_user(0, nodes);  // jobs before this one are taken away
  if (next == running_.size()) return end_of_clock;
  const ticks first = running_[next]->end;
  const ticks base = first + 30 * second_ - first % (30 * second_);
  ticks window = 30 * second_;
  const auto is_last = [&] { return too_late < running_.size() && running_[too_late]->end <= base + window; };
  if (is_last()) return end_of_clock;
  while (next < running_.size()) {
    // The last job that is taken away is the first one that uses the nodes from the last job in the window on.
    const std::size_t least = next;
    std::size_t last = first_user(std::max(next, behind(base + window) - 1), nodes);
    next = std::min(last + 1, running_.size());
    if (running_[next - 1]->end > latest) return end_of_clock;
    if (last == running_.size()) {
      do {
        if (last == least) return end_of_clock;
        --last;
      } while (!uses(*running_[last], nodes));
    }
    do window = linear_ > 0 ? window + linear_ : 2 * window;
    while (next < running_.size() && running_[next]->end > base + window);
    if (running_[last]->end >= enough_nodes &&
        count_room_after(type, nodes, *running_[last]) >= nodes_.need(type).tasks) {
      choose(type);
      return guess_end(running_[last]->end, now);
    }
    if (is_last()) return end_of_clock;
  }
  return end_of_clock;
}

// How many running jobs end before a job.
std::size_t start_search::number(const slurm_job& running) const {
  const auto found = std::lower_bound(running_.begin(), running_.end(), &running, ends_earlier);
  return static_cast<std::size_t>(found - running_.begin());
}

// How many running jobs end until then.
std::size_t start_search::behind(ticks at) const {
  const auto found =
      std::upper_bound(running_.begin(), running_.end(), at, [](ticks t, const slurm_job* j) { return t < j->end; });
  return static_cast<std::size_t>(found - running_.begin());
}

bool start_search::uses(const slurm_job& j, const node_set& nodes) {
  return std::any_of(j.held.begin(), j.held.end(), [&](const slurm_job::holding& h) { return nodes.contains(h.node); });
}

// The first running job from a number on that uses some of the nodes; their number: there is none.
std::size_t start_search::first_user(std::size_t from, const node_set& nodes) const {
  const std::size_t near = std::min(from + 16, running_.size());
  for (; from < near; ++from)
    if (uses(*running_[from], nodes)) return from;
  if (from == running_.size()) return from;
  const slurm_job* found = room_.first_user(nodes, *running_[from]);
  return found ? number(*found) : running_.size();
}

// Counts the tasks that fit on each of the nodes when a running job and those before it have ended. @return all tasks
std::uint64_t start_search::count_room_after(class_id type, const node_set& nodes, const slurm_job& last) {
  std::uint64_t all = 0;
  const bool by_devices = nodes_.needs_devices(type), by_load = orders_[type] == node_order::least_loaded;
  // Where what is free then is not asked for.
  const bool at_most_one = !by_devices && !by_load && nodes_.most_on_a_node(type) == 1;
  with_room_ = nodes;
  if (!by_devices) with_room_ &= room_.open_from(last.end);
  with_room_.for_each([&](std::size_t node) {
    rooms_[node] = at_most_one && room_.first(node) < last.end ? 1 : room_.after(node, last);
    if (by_devices) weights_.test(type, node, room_.free_after());
    if (rooms_[node] == 0) with_room_.erase(node);
    all += rooms_[node];
    if (by_load) free_cores_[node] = room_.free_after()[0];
  });
  return all;
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
  const unsigned tasks = nodes_.need(type).tasks;
  switch (orders_[type]) {
    case node_order::rows: choose_rows(tasks); break;
    case node_order::least_loaded:
      choose_least_loaded({with_room_, rooms_}, free_cores_, nodes_, weights_, tasks, chosen_);
      break;
    case node_order::from_the_end: choose_last({with_room_, rooms_}, weights_, chosen_); break;
  }
  std::sort(chosen_.begin(), chosen_.end(), [](const node_share& a, const node_share& b) { return a.node < b.node; });
}

void start_search::find_rows() {
  rows_.clear();
  with_room_.for_each([&](std::size_t node) {
    if (rows_.empty() || rows_.back().last + 1 != node || rows_.back().weight != weights_[node])
      rows_.push_back({node, node, 0, 0, weights_[node]});
    rows_.back().last = node;
    rows_.back().tasks += rooms_[node];
    rows_.back().most = std::max(rows_.back().most, rooms_[node]);
  });
}

// The shortest row of the highest weight that suffices for so many tasks, the first one of several; null: none does.
const start_search::row* start_search::shortest_that_suffices(unsigned tasks) const {
  const row* best = nullptr;
  unsigned highest = 0;
  for (const row& r : rows_) {
    if (r.weight > highest) best = nullptr;
    highest = std::max(highest, r.weight);
    if (r.weight < highest || r.tasks < tasks) continue;
    if (!best || std::tie(r.tasks, r.first) < std::tie(best->tasks, best->first)) best = &r;
  }
  return best;
}

// Takes the longest rows of the highest weight, the first ones of several, until a row suffices for the tasks left.
void start_search::choose_rows(unsigned left) {
  find_rows();
  chosen_.clear();
  const row* last = shortest_that_suffices(left);
  if (!last) {
    std::sort(rows_.begin(), rows_.end(), [](const row& a, const row& b) {
      return std::tie(a.weight, a.tasks, b.first) < std::tie(b.weight, b.tasks, a.first);
    });
    for (; rows_.back().tasks < left; rows_.pop_back()) {
      const row& longest = rows_.back();
      for (std::size_t node = longest.first; node <= longest.last; ++node) chosen_.push_back({node, rooms_[node]});
      left -= static_cast<unsigned>(longest.tasks);
    }
    last = shortest_that_suffices(left);
  }
  if (last->most >= left) {
    chosen_.push_back({least_that_suffices(*last, left), left});
    return;
  }
  for (std::size_t node = last->first; left > 0; ++node) {
    chosen_.push_back({node, std::min(left, rooms_[node])});
    left -= chosen_.back().tasks;
  }
}

}  // namespace muster
