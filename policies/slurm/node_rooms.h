#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/slurm/node_table.h"

namespace muster {

/// How many tasks of a class fit on each node now, and when the first one does as running jobs end by their limits.
///
/// What has been counted is kept for the kinds of tasks that are asked about, see node_table::kind(), at most `rows` of
/// them, until a job starts or ends on the node.
class node_rooms {
 public:
  /// @param nodes outlives the object
  explicit node_rooms(const node_table& nodes)
      : nodes_(nodes), uses_(nodes.size()), rows_(rows), reached_(nodes.size()) {}

  /// @name Running jobs. Called before anything is asked that their starts and ends change
  /// @{
  void add(const slurm_job& running);
  void remove(const slurm_job& running);
  /// @}

  /// Turns to a class, which the following functions ask about. Called again when jobs have started or ended.
  void select(class_id type);
  /// Nodes on which the class may run and a task fits now.
  const node_set& open() const { return row_->open; }
  /// Tasks that fit on a node now on which the class may run.
  unsigned now(std::size_t node) const { return row_->now[node]; }
  /// The expected end of the job with which room for a task comes on a node; 0: there is room now; end_of_clock: never.
  ticks first(std::size_t node) {
    ticks& end = row_->first[node];
    if (end == unknown_end) end = search(node);
    return end;
  }
  /// When so many of some nodes, on which the class may run, have room for a task; end_of_clock: not until then, or
  /// never.
  ticks enough_from(const node_set& nodes, std::size_t count, ticks until);
  /// Nodes on which the class may run and a task fits when the jobs have ended whose ends are expected until then.
  const node_set& open_from(ticks end);
  /// Tasks that fit on a node when a running job and those that end before it have ended.
  unsigned after(std::size_t node, const slurm_job& last);
  /// What is free on the node of the latest call of after(), then.
  const amounts& free_after() const { return free_; }
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
  /// When a node has room.
  struct opening {
    ticks at;
    std::uint32_t node;

    bool operator<(const opening& other) const { return at != other.at ? at < other.at : node < other.node; }
  };
  /// What is known of a kind of tasks on each node.
  struct row {
    class_id of{};         ///< one of the classes of this kind
    std::size_t seen = 0;  ///< changes that have been taken into account
    std::vector<unsigned> now{};
    node_set open{};  ///< nodes on which a task fits now
    /// The expected end of the job with which room for a task comes on a node; 0: there is room now; end_of_clock:
    /// never.
    std::vector<ticks> first{};
    /// Nodes on which tasks may run in their order, and `first` of each node when `ordered` changes had been seen.
    std::vector<opening> order{};
    std::vector<ticks> ordered_by{};
    std::size_t ordered = 0;
  };
  static constexpr ticks unknown_end = end_of_clock - 1;

  static bool ends_earlier(const use& a, const use& b) { return a.end != b.end ? a.end < b.end : a.id < b.id; }
  void note_change(std::size_t node);
  void count(std::size_t node);
  ticks search(std::size_t node);
  void bring_order_up_to_date();
  static void move_in_order(row& own, const opening& from, const opening& to);

  const node_table& nodes_;
  std::vector<std::vector<use>> uses_;  // of each node, in the order of their ends
  std::vector<std::size_t> changed_;    // nodes, the latest last
  std::size_t forgotten_ = 0;           // changes that are no longer in changed_
  std::vector<row> rows_;
  row* row_ = nullptr;
  amounts free_;      // of the node that is searched
  node_set reached_;  // what open_from() has found
};

}  // namespace muster
