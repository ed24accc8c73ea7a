#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "muster/policies/algorithms/prefetch.h"
#include "muster/policies/class_set.h"
#include "muster/policies/cluster_inventory.h"
#include "muster/policies/job_class.h"
#include "muster/policies/placement_preview.h"
#include "muster/policies/planned_outage.h"
#include "muster/policies/table.h"
#include "muster/policies/virtual_queue.h"

namespace muster {

/// Classes, queues, running jobs and free cores as they are stored: cluster_state changes them, the views read them.
/// Queries that are not inlined are members here, so that a view passed by value stays in a register.
struct cluster_data {
  static constexpr std::uint64_t no_job = std::numeric_limits<std::uint64_t>::max();

  /// The values of a class that change with every event, in one cache line.
  struct alignas(cache_line) class_row {
    job* head = nullptr;
    job* tail = nullptr;
    job* served = nullptr;
    job* requeued_before = nullptr;  ///< the waiting job ahead of which one was requeued last; null: it has left
    std::uint64_t head_id = no_job;  ///< copy of head->id, so that a comparison of classes reads these rows only
    std::uint32_t waiting = 0;
    std::uint32_t in_service = 0;
    std::uint32_t leaving = 0;
    unsigned need = 1;      ///< cores, or tasks where these count
    group_id only_group{};  ///< where the class may use one group only, or tasks count: the place in `free`
    bool single_group = false;
    bool need_of_next = false;  ///< the next class needs as many cores
  };

  /// The number of binary digits of a number of cores.
  static unsigned digits(unsigned cores) { return cores == 0 ? 0 : 32 - static_cast<unsigned>(__builtin_clz(cores)); }

  table<class_id, job_class> classes;
  table<class_id, unsigned> usable;
  table<class_id, class_row> rows;
  /// Idle cores of each group. Where tasks count, behind them for each class how many of its tasks fit.
  table<group_id, unsigned> free;
  virtual_queue pool;
  class_set waiting_classes;
  class_set served_classes;
  std::size_t in_service = 0;
  unsigned slot_cores = 0;
  unsigned all_cores = 0;
  std::array<std::uint32_t, 33> first_by_digits{};  ///< number of the first class whose need has no more binary digits
  std::size_t groups = 0;                           ///< of servers
  bool counts_tasks = false;                        ///< whether jobs need tasks, see job_class::tasks
  bool several_needs = false;  ///< whether jobs of a class may differ in need, see job_class::submitted
  bool same_servers = false;   ///< every class may use the same servers: the free cores are the same for all

  const simulated_clock* clock = nullptr;
  ticks ticks_per_unit = 1;
  ticks time_per_job = 0;                ///< that the policy examines
  mutable std::uint64_t handed_out = 0;  ///< jobs that queries have returned
  cluster_inventory inventory;           ///< where tasks count
  const placement_preview* preview = nullptr;
  table<group_id, double> capacities;     ///< of the cores of each group; empty: 1
  std::vector<server_name> down;          ///< servers that are down, the latest last
  std::vector<planned_outage> outages{};  ///< known beforehand, by `from`

  /// @name Queries, see the functions of the same names in the views
  /// @{
  bool fits(class_id id) const { return rows[id].need <= free_cores(id); }
  unsigned free_cores(class_id id) const {
    const class_row& row = rows[id];
    return row.single_group ? free[row.only_group] : free_cores_of_groups(id);
  }
  double slowest(class_id id) const;
  const job* earliest_fitting() const;
  const job* largest() const;
  const job* largest_fitting_of_any() const;  ///< where classes may use different servers
  /// The earliest waiting job of all classes, of which some have one.
  const job* earliest_of_classes() const;
  /// The first job of the class, or of one of those behind it that need as many cores.
  const job* earliest_of_equal_need(class_id id, bool that_fit) const {
    return rows[id].need_of_next ? earliest_of_several(id, that_fit) : hand_out(*rows[id].head);
  }
  /// The first waiting class that may fit; where all classes use the same servers, the first that does.
  class_id first_that_may_fit() const {
    return waiting_classes.from(same_servers ? first_of_need_at_most(free_cores(class_id{0})) : 0);
  }
  /// @}
  /// Counts a job that a query returns.
  const job* hand_out(const job& j) const {
    ++handed_out;
    return &j;
  }

 private:
  /// The number of the first class that needs no more cores; that of all classes if there is none.
  std::size_t first_of_need_at_most(unsigned cores) const {
    std::size_t first = first_by_digits[digits(cores)];
    while (first < rows.size() && rows[static_cast<class_id>(first)].need > cores) ++first;
    return first;
  }
  const job* earliest_of_several(class_id id, bool that_fit) const;
  unsigned free_cores_of_groups(class_id id) const;
};

}  // namespace muster
