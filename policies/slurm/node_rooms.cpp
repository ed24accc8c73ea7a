#include "muster/policies/slurm/node_rooms.h"

#include <algorithm>

namespace muster {

void node_rooms::add(const slurm_job& running) {
  for (const slurm_job::holding& h : running.held) {
    std::vector<use>& at = uses_[h.node];
    const use added{running.end, running.id(), &h.held, &running};
    at.insert(std::upper_bound(at.begin(), at.end(), added, ends_earlier), added);
    note_change(h.node);
  }
}

void node_rooms::remove(const slurm_job& running) {
  for (const slurm_job::holding& h : running.held) {
    std::vector<use>& at = uses_[h.node];
    at.erase(std::lower_bound(at.begin(), at.end(), use{running.end, running.id(), nullptr, nullptr}, ends_earlier));
    note_change(h.node);
  }
}

void node_rooms::note_change(std::size_t node) {
  if (changed_.size() > 2 * nodes_.size()) {
    forgotten_ += changed_.size();
    changed_.clear();
  }
  changed_.push_back(node);
}

void node_rooms::select(class_id type) {
  row& own = rows_[nodes_.kind(type) % rows];
  row_ = &own;
  if (own.now.empty() || nodes_.kind(own.of) != nodes_.kind(type) || own.seen < forgotten_) {
    own.of = type;
    own.now.assign(nodes_.size(), 0);
    own.open = node_set(nodes_.size());
    own.first.assign(nodes_.size(), unknown_end);
    own.order.clear();
    nodes_.usable(type).for_each_common(nodes_.with_free_cores(), [this](std::size_t node) { count(node); });
  } else {
    for (std::size_t n = own.seen - forgotten_; n < changed_.size(); ++n) {
      if (!nodes_.usable(type).contains(changed_[n])) continue;
      count(changed_[n]);
      own.first[changed_[n]] = unknown_end;
    }
  }
  own.seen = forgotten_ + changed_.size();
}

void node_rooms::count(std::size_t node) {
  unsigned& tasks = row_->now[node];
  tasks = nodes_.with_free_cores().contains(node) ? nodes_.room(row_->of, node, nodes_.free(node)) : 0;
  if (tasks > 0)
    row_->open.insert(node);
  else
    row_->open.erase(node);
}

ticks node_rooms::search(std::size_t node) {
  if (now(node) > 0) return 0;
  const std::uint64_t cores = nodes_.need(row_->of).per_task[0];
  free_ = nodes_.free(node);
  for (const use& u : uses_[node]) {
    for (std::size_t place = 0; place < free_.size(); ++place) free_[place] += (*u.held)[place];
    if (free_[0] >= cores && nodes_.room(row_->of, node, free_) > 0) return u.end;
  }
  return end_of_clock;
}

ticks node_rooms::enough_from(const node_set& nodes, std::size_t count, ticks until) {
  bring_order_up_to_date();
  std::size_t found = 0;
  for (const opening& o : row_->order) {
    if (o.at > until || o.at == end_of_clock) break;
    if (nodes.contains(o.node) && ++found == count) return o.at;
  }
  return end_of_clock;
}

const node_set& node_rooms::open_from(ticks end) {
  bring_order_up_to_date();
  reached_.clear();
  for (const opening& o : row_->order) {
    if (o.at > end || o.at == end_of_clock) break;
    reached_.insert(o.node);
  }
  return reached_;
}

void node_rooms::bring_order_up_to_date() {
  row& own = *row_;
  const std::size_t changes = forgotten_ + changed_.size() - own.ordered;
  if (own.order.empty() || own.ordered < forgotten_ || 4 * changes > nodes_.size()) {
    own.order.clear();
    own.ordered_by.resize(nodes_.size());
    nodes_.usable(own.of).for_each([&](std::size_t node) {
      own.ordered_by[node] = first(node);
      own.order.push_back({first(node), static_cast<std::uint32_t>(node)});
    });
    std::sort(own.order.begin(), own.order.end());
  } else {
    for (std::size_t n = own.ordered - forgotten_; n < changed_.size(); ++n) {
      const auto node = static_cast<std::uint32_t>(changed_[n]);
      if (!nodes_.usable(own.of).contains(node) || own.ordered_by[node] == first(node)) continue;
      move_in_order(own, {own.ordered_by[node], node}, {first(node), node});
      own.ordered_by[node] = first(node);
    }
  }
  own.ordered = forgotten_ + changed_.size();
}

// Moves an opening to its new place, and those between by one.
void node_rooms::move_in_order(row& own, const opening& from, const opening& to) {
  const auto old = std::lower_bound(own.order.begin(), own.order.end(), from);
  const auto place = std::lower_bound(own.order.begin(), own.order.end(), to);
  if (from < to)
    *std::move(old + 1, place, old) = to;
  else
    *(std::move_backward(place, old, old + 1) - 1) = to;
}

unsigned node_rooms::after(std::size_t node, const slurm_job& last) {
  const use latest{last.end, last.id(), nullptr, nullptr};
  free_ = nodes_.free(node);
  for (const use& u : uses_[node]) {
    if (ends_earlier(latest, u)) break;
    for (std::size_t place = 0; place < free_.size(); ++place) free_[place] += (*u.held)[place];
  }
  return nodes_.room(row_->of, node, free_);
}

const slurm_job* node_rooms::first_user(const node_set& nodes, const slurm_job& from) const {
  const use earliest{from.end, from.id(), nullptr, nullptr};
  const use* first = nullptr;
  nodes.for_each([&](std::size_t node) {
    const auto& all = uses_[node];
    if (all.empty()) return;
    const bool is_front = !ends_earlier(all.front(), earliest);
    const auto found = is_front ? all.begin() : std::lower_bound(all.begin(), all.end(), earliest, ends_earlier);
    if (found != all.end() && (!first || ends_earlier(*found, *first))) first = &*found;
  });
  return first ? first->of : nullptr;
}

}  // namespace muster
