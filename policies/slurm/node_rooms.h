#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/slurm/node_table.h"

namespace muster {

/// How many tasks of a class fit on each node now, and when the first one does as running jobs end by their limits.
///
/// What has been counted is kept for the classes that are asked about, at most `rows` of them, until a job starts or
/// ends on the node.
class node_rooms {
 public:
  /// @param nodes outlives the object
  explicit node_rooms(const node_table& nodes) : nodes_(nodes), uses_(nodes.size()), rows_(rows) {}

  /// @name Running jobs. Called before anything is asked that their starts and ends change
  /// @{
  void add(const slurm_job& running);
  void remove(const slurm_job& running);
  /// @}

  /// Turns to a class, which the following ask about.
  void select(class_id type);
  /// Tasks that fit on a node now.
  unsigned now(std::size_t node) {
    room& r = row_->of_node[node];
    if (r.counted != uses_[node].version) count(node, r);
    return r.now;
  }
  /// The expected end of the job with which room for a task comes on a node; 0: there is room now; end_of_clock: never.
  ticks first(std::size_t node) {
    room& r = row_->of_node[node];
    if (r.searched != uses_[node].version) search(node, r);
    return r.first;
  }
  /// Tasks that fit on a node when a running job and those that end before it have ended.
  unsigned after(std::size_t node, const slurm_job& last);
  /// The first running job by its end, from a running job on, that uses some of the nodes; null: there is none.
  const slurm_job* first_user(const node_set& nodes, const slurm_job& from) const;

 private:
  static constexpr std::size_t rows = 256;

  /// What a running job holds of a node.
  struct use {
    ticks end;
    std::uint64_t id;
    const amounts* held;
    const slurm_job* of;
  };
  struct uses_of_node {
    std::vector<use> by_end{};
    std::uint64_t version = 1;  ///< of by_end
  };
  /// Of a class on a node.
  struct room {
    std::uint64_t counted = 0, searched = 0;  ///< versions for which the others have been found
    ticks first = 0;
    unsigned now = 0;
  };
  struct row {
    class_id of{};
    std::vector<room> of_node{};  ///< empty: of no class yet
  };

  static bool ends_earlier(const use& a, const use& b) { return a.end != b.end ? a.end < b.end : a.id < b.id; }
  void count(std::size_t node, room& r);
  void search(std::size_t node, room& r);

  const node_table& nodes_;
  std::vector<uses_of_node> uses_;
  std::vector<row> rows_;
  row* row_ = nullptr;
  amounts free_;  // of the node that is searched
};

}  // namespace muster
