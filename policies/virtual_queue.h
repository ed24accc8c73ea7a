#pragma once

#include <cstdint>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "muster/policies/index_pool.h"
#include "muster/policies/job.h"
#include "muster/policies/prefetch.h"
#include "muster/policies/table.h"

namespace muster {

/// The one queue of pooled jobs, as each group of servers sees it: those that may use the group, in order.
///
/// A job that leaves from within is only marked as gone, and dropped when it comes to the head, so that no neighbour
/// need be touched. All in all a job costs as many steps as it may use groups, however long the queue is.
class virtual_queue {
 public:
  explicit virtual_queue(std::size_t groups = 0) : lines_(groups) {}

  /// The first job that may use the group, or null.
  const job* first(group_id servers) const {
    const line& l = lines_[servers];
    return l.gone == l.entries.size() ? nullptr : places_[l.entries[l.gone].place].holder;
  }

  /// Who stands behind the job with a group where it is the first; null too if one that stood there has left from
  /// within.
  const job* behind_first(const job& j, group_id servers) const {
    const line& l = lines_[servers];
    if (l.gone + 1 >= l.entries.size() || l.entries[l.gone].place != j.queue_place) return nullptr;
    return places_[l.entries[l.gone + 1].place].holder;
  }
  void prefetch_line(group_id servers) const { prefetch(&lines_[servers], 64); }

  /// The job takes the last place with every group that it may use.
  void join(job& j) {
    j.queue_place = places_.take();
    places_[j.queue_place].holder = &j;
    for (std::uint32_t n = 0; n < j.group_count; ++n)
      lines_[j.groups[n]].entries.push_back({j.queue_place, places_[j.queue_place].tickets});
  }

  /// The job, which is in the queue, gives all its places up.
  void withdraw(const job& j) {
    places_[j.queue_place].holder = nullptr;
    ++places_[j.queue_place].tickets;
    places_.give_back(j.queue_place);
    for (std::uint32_t n = 0; n < j.group_count; ++n) drop_gone(lines_[j.groups[n]]);
  }

 private:
  struct place {
    const job* holder = nullptr;
    std::uint32_t tickets = 0;  // given out so far: entries with an earlier one are of jobs that have left
  };
  struct entry {
    std::uint32_t place, ticket;
  };
  // Two cache lines, and the first alone where few jobs wait.
  struct alignas(64) line {
    std::uint32_t gone = 0;  // of entries, from the front
    boost::container::small_vector<entry, 12> entries;
  };

  void drop_gone(line& l) {
    const auto size = static_cast<std::uint32_t>(l.entries.size());
    while (l.gone < size && places_[l.entries[l.gone].place].tickets != l.entries[l.gone].ticket) ++l.gone;
    if (2 * l.gone < size) return;
    l.entries.erase(l.entries.begin(), l.entries.begin() + l.gone);
    l.gone = 0;
  }

  table<group_id, line> lines_;
  index_pool<place> places_;
};

}  // namespace muster
