#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/slurm/node_rooms.h"

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
/// it. The node with the least room is taken where one node of the row suffices for what is left.
class start_search {
 public:
  /// @param nodes outlives the object @param linear 0: windows double
  start_search(const node_table& nodes, ticks second, ticks linear, ticks kill_wait);

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

 private:
  /// A running job, in a list that is searched from its beginning.
  struct ending {
    ticks end;
    std::size_t last;  ///< number of the slice behind its last one
  };
  /// What a running job holds of a node.
  struct slice {
    std::size_t node;
    const amounts* held;
    std::uint64_t cores;
  };
  /// Neighbouring nodes with room.
  struct row {
    std::size_t first, last;
    std::uint64_t tasks;
    unsigned most;  ///< tasks that fit on one of them
  };

  std::uint64_t count_room(class_id type, const node_set& nodes);
  ticks enough_nodes_from(class_id type, const node_set& nodes);
  void choose(class_id type);
  std::size_t least_that_suffices(const row& among, unsigned tasks) const;
  void list_endings();
  ticks first_end_after(ticks at) const;
  void take_away(std::size_t first, std::size_t last, class_id type, const node_set& nodes, std::uint64_t& all);
  ticks guess_end(ticks end, ticks now) const;

  const node_table& nodes_;
  ticks second_, linear_, kill_wait_;
  std::vector<const slurm_job*> running_;  // in the order of their ends
  bool listed_ = true;                     // the following two are those of running_
  std::vector<ending> endings_;
  std::vector<slice> slices_;
  node_rooms room_;
  std::vector<node_share> chosen_;
  // Values of the search that is made: tasks that fit on each node, and what is free when jobs have been taken away.
  std::vector<unsigned> rooms_;
  node_set with_room_;
  std::uint64_t free_cores_ = 0;
  std::vector<amounts> free_;
  std::vector<std::uint64_t> changed_in_;  // number of the search that has changed what is free
  std::uint64_t search_ = 0;
  std::vector<std::uint64_t> taken_in_;  // number of the step that has changed it
  std::uint64_t take_ = 0;
  std::vector<std::size_t> changed_;  // in this step
  std::vector<row> rows_;
  std::vector<ticks> firsts_;  // of nodes, when they have room
};

}  // namespace muster
