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
  row& own = rows_[static_cast<std::size_t>(type) % rows];
  if (own.of != type || own.now.empty() || own.seen < forgotten_) {
    own.of = type;
    own.now.assign(nodes_.size(), unknown_tasks);
    own.first.assign(nodes_.size(), unknown_end);
    own.order.clear();
  } else {
    for (std::size_t n = own.seen - forgotten_; n < changed_.size(); ++n) {
      own.now[changed_[n]] = unknown_tasks;
      own.first[changed_[n]] = unknown_end;
    }
  }
  own.seen = forgotten_ + changed_.size();
  row_ = &own;
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
  for (const std::uint32_t node : row_->order) {
    const ticks first = row_->key[node];
    if (first > until || first == end_of_clock) break;
    if (nodes.contains(node) && ++found == count) return first;
  }
  return end_of_clock;
}

void node_rooms::bring_order_up_to_date() {
  row& own = *row_;
  const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
    return own.key[a] != own.key[b] ? own.key[a] < own.key[b] : a < b;
  };
  const std::size_t changes = forgotten_ + changed_.size() - own.ordered;
  if (own.order.empty() || 4 * changes > nodes_.size()) {
    own.order.clear();
    own.key.resize(nodes_.size());
    nodes_.usable(own.of).for_each([&](std::size_t node) {
      own.key[node] = first(node);
      own.order.push_back(static_cast<std::uint32_t>(node));
    });
    std::sort(own.order.begin(), own.order.end(), earlier);
  } else {
    for (std::size_t n = own.ordered - forgotten_; n < changed_.size(); ++n) {
      const auto node = static_cast<std::uint32_t>(changed_[n]);
      if (!nodes_.usable(own.of).contains(node) || own.key[node] == first(node)) continue;
      own.order.erase(std::lower_bound(own.order.begin(), own.order.end(), node, earlier));
      own.key[node] = first(node);
      own.order.insert(std::lower_bound(own.order.begin(), own.order.end(), node, earlier), node);
    }
  }
  own.ordered = forgotten_ + changed_.size();
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
