#include "muster/policies/slurm/node_rooms.h"

#include <algorithm>

namespace muster {

void node_rooms::add(const slurm_job& running) {
  for (const slurm_job::holding& h : running.held) {
    uses_of_node& at = uses_[h.node];
    const use added{running.end, running.id(), &h.held};
    at.by_end.insert(std::upper_bound(at.by_end.begin(), at.by_end.end(), added, ends_earlier), added);
    ++at.version;
  }
}

void node_rooms::remove(const slurm_job& running) {
  for (const slurm_job::holding& h : running.held) {
    uses_of_node& at = uses_[h.node];
    at.by_end.erase(
        std::lower_bound(at.by_end.begin(), at.by_end.end(), use{running.end, running.id(), nullptr}, ends_earlier));
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

}  // namespace muster
