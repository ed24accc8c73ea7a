#include "muster/policies/slurm/node_rooms.h"

#include <algorithm>

namespace muster {

void node_rooms::add(const slurm_job& running) {
  for (const slurm_job::holding& h : running.held) {
    uses_of_node& at = uses_[h.node];
    const use added{running.end, running.id(), &h.held, &running};
    at.by_end.insert(std::upper_bound(at.by_end.begin(), at.by_end.end(), added, ends_earlier), added);
    ++at.version;
  }
}

void node_rooms::remove(const slurm_job& running) {
  for (const slurm_job::holding& h : running.held) {
    uses_of_node& at = uses_[h.node];
    at.by_end.erase(std::lower_bound(at.by_end.begin(), at.by_end.end(),
                                     use{running.end, running.id(), nullptr, nullptr}, ends_earlier));
    ++at.version;
  }
}

void node_rooms::select(class_id type) {
  row_ = &rows_[static_cast<std::size_t>(type) % rows];
  if (row_->of == type && !row_->of_node.empty()) return;
  row_->of = type;
  row_->of_node.assign(nodes_.size(), {});
}

void node_rooms::count(std::size_t node, room& r) {
  r.counted = uses_[node].version;
  r.now = nodes_.room(row_->of, node, nodes_.free(node));
}

void node_rooms::search(std::size_t node, room& r) {
  r.searched = uses_[node].version;
  r.first = 0;
  if (now(node) > 0) return;
  const std::uint64_t cores = nodes_.need(row_->of).per_task[0];
  free_ = nodes_.free(node);
  for (const use& u : uses_[node].by_end) {
    for (std::size_t place = 0; place < free_.size(); ++place) free_[place] += (*u.held)[place];
    r.first = u.end;
    if (free_[0] >= cores && nodes_.room(row_->of, node, free_) > 0) return;
  }
  r.first = end_of_clock;
}

unsigned node_rooms::after(std::size_t node, const slurm_job& last) {
  const use latest{last.end, last.id(), nullptr, nullptr};
  free_ = nodes_.free(node);
  for (const use& u : uses_[node].by_end) {
    if (ends_earlier(latest, u)) break;
    for (std::size_t place = 0; place < free_.size(); ++place) free_[place] += (*u.held)[place];
  }
  return nodes_.room(row_->of, node, free_);
}

const slurm_job* node_rooms::first_user(const node_set& nodes, const slurm_job& from) const {
  const use earliest{from.end, from.id(), nullptr, nullptr};
  const use* first = nullptr;
  nodes.for_each([&](std::size_t node) {
    const auto& all = uses_[node].by_end;
    if (all.empty()) return;
    const bool is_front = !ends_earlier(all.front(), earliest);
    const auto found = is_front ? all.begin() : std::lower_bound(all.begin(), all.end(), earliest, ends_earlier);
    if (found != all.end() && (!first || ends_earlier(*found, *first))) first = &*found;
  });
  return first ? first->of : nullptr;
}

}  // namespace muster
