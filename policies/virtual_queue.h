#pragma once

#include <cstdint>

#include <boost/container/small_vector.hpp>

#include "muster/policies/algorithms/index_pool.h"
#include "muster/policies/algorithms/prefetch.h"
#include "muster/policies/job.h"
#include "muster/policies/table.h"

namespace muster {

/// The queue of pooled jobs, by group of servers: for each group the jobs that may use it, in the order of the queue.
///
/// A job that leaves is only marked as having left; its entry is removed when it reaches the head of the group's line,
/// so that no neighbour is accessed. The steps per job are proportional to the number of its groups, not to the length
/// of the queue.
class virtual_queue {
 public:
  explicit virtual_queue(std::size_t groups = 0) : lines_(groups) {}

  /// The first job that may use the group, or null.
  const job* first(group_id servers) const {
    const line& l = lines_[servers];
    return l.gone == l.entries.size() ? nullptr : places_[l.entries[l.gone].place].holder;
  }

  /// The job behind the given one in the line of a group. Null if the given one is not the first there, if there is no
  /// further one, or if the next entry is of a job that has left.
  const job* behind_first(const job& j, group_id servers) const {
    const line& l = lines_[servers];
    if (l.gone + 1 >= l.entries.size() || l.entries[l.gone].place != j.queue_place) return nullptr;
    return places_[l.entries[l.gone + 1].place].holder;
  }
  void prefetch_line(group_id servers) const { prefetch(&lines_[servers], cache_line); }

  /// Appends the job to the line of every group that it may use.
  void join(job& j) {
    j.queue_place = places_.take();
    places_[j.queue_place].holder = &j;
    for (std::uint32_t n = 0; n < j.group_count; ++n)
      lines_[j.groups[n]].entries.push_back({j.queue_place, places_[j.queue_place].generation});
  }

  /// Removes the job, which is in the queue, from all lines.
  void withdraw(const job& j) {
    places_[j.queue_place].holder = nullptr;
    ++places_[j.queue_place].generation;
    places_.give_back(j.queue_place);
    for (std::uint32_t n = 0; n < j.group_count; ++n) drop_gone(lines_[j.groups[n]]);
  }

 private:
  struct place {
    const job* holder = nullptr;
    std::uint32_t generation = 0;  // entries of an earlier generation are of jobs that have left
  };
  struct entry {
    std::uint32_t place, generation;
  };
  static constexpr std::uint32_t few = 3;  // with as many entries more, a line is in one cache line
  // A line takes two cache lines, of which only the first is used where few jobs wait.
  struct alignas(cache_line) line {
    std::uint32_t gone = 0;  // entries at the front whose jobs have left
    boost::container::small_vector<entry, 12> entries;
  };

  // Removes the entries of jobs that have left when all in the line have, or when they are the greater part and so many
  // that it is worth moving the others.
  void drop_gone(line& l) {
    const auto size = static_cast<std::uint32_t>(l.entries.size());
    while (l.gone < size && places_[l.entries[l.gone].place].generation != l.entries[l.gone].generation) ++l.gone;
    if (l.gone == size)
      l.entries.clear();
    else if (l.gone >= few && 2 * l.gone >= size)
      l.entries.erase(l.entries.begin(), l.entries.begin() + l.gone);
    else
      return;
    l.gone = 0;
  }

  table<group_id, line> lines_;
  index_pool<place> places_;
};

}  // namespace muster
