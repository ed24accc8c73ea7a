#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/slurm/node_order.h"
#include "muster/policies/slurm/node_rooms.h"
#include "muster/policies/slurm/node_weights.h"

namespace muster {

/// Finds when and on which of some nodes a job can start, as Slurm's select plugin does: now, if the nodes have room
/// for it. Else the running jobs that use these nodes are taken away in the order of their expected ends, several at
/// once, until there is room. The job then starts at the end of the last of these.
///
/// Jobs that end close to each other are taken away together. The first ones are those that end before a window behind
/// the end of the first of them, which is rounded up to half a minute. The window is half a minute, and twice as long
/// each time, or longer by `bf_window_linear`; longer still until the next job ends in it.
///
/// Nodes are taken by rows of neighbours, in ascending order: from the shortest row that suffices for the job, else
/// from the longest row, and so on with the rest of the tasks. The length of a row is the number of tasks that fit in
/// it. The node with the least room is taken where one node of the row suffices for what is left. Nodes of a row have
/// the same weight (node_weights), and rows of a higher one come first. Some classes have another node_order.
class start_search {
 public:
  /// @param nodes outlives the object @param orders of the nodes of each class @param linear 0: windows double
  start_search(const node_table& nodes, table<class_id, node_order> orders, ticks second, ticks linear,
               ticks kill_wait);

  /// Running jobs, which are kept in the order of their ends.
  void add(const slurm_job& running);
  void remove(const slurm_job& running);
  /// The earliest expected end; end_of_clock: no job runs.
  ticks first_end() const { return running_.empty() ? end_of_clock : running_.front()->end; }

  /// Whether a job fits on some nodes now; chosen() has those that it gets.
  bool fits_now(class_id type, const node_set& nodes);
  /// Whether a job fits on some nodes now.
  bool has_room(class_id type, const node_set& nodes);
  /// When a job can start on some nodes, beside running jobs; chosen() has those that it gets.
  /// @param bound the latest time of interest, behind the present one @return end_of_clock: not until then, or never
  ticks earliest(class_id type, const node_set& nodes, ticks now, ticks bound);
  const std::vector<node_share>& chosen() const { return chosen_; }
  node_weights& weights() { return weights_; }
  const node_weights& weights() const { return weights_; }

 private:
  /// Neighbouring nodes with room.
  struct row {
    std::size_t first, last;
    std::uint64_t tasks;
    unsigned most;    ///< tasks that fit on one of them
    unsigned weight;  ///< of each of them
  };

  ticks search(class_id type, const node_set& nodes, ticks now, ticks bound);
  std::uint64_t count_room(class_id type, const node_set& nodes);
  void find_rows();
  const row* shortest_that_suffices(unsigned tasks) const;
  void choose(class_id type);
  void choose_rows(unsigned left);
  std::size_t least_that_suffices(const row& among, unsigned tasks) const;
  std::size_t number(const slurm_job& running) const;
  std::size_t behind(ticks at) const;
  static bool uses(const slurm_job& j, const node_set& nodes);
  std::size_t first_user(std::size_t from, const node_set& nodes) const;
  std::uint64_t count_room_after(class_id type, const node_set& nodes, const slurm_job& last);
  ticks guess_end(ticks end, ticks now) const;

  const node_table& nodes_;
  table<class_id, node_order> orders_;
  ticks second_, linear_, kill_wait_;
  std::vector<const slurm_job*> running_;  // in the order of their ends
  node_rooms room_;
  node_weights weights_;
  std::vector<node_share> chosen_;
  // The following are values of the search that is made.
  std::vector<unsigned> rooms_;            // tasks that fit on each node of with_room_
  std::vector<std::uint64_t> free_cores_;  // of each of them, where the least loaded ones are taken
  node_set with_room_;
  std::vector<row> rows_;
};

}  // namespace muster
