#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "muster/policies/class_set.h"
#include "muster/policies/job_class.h"
#include "muster/policies/prefetch.h"
#include "muster/policies/table.h"
#include "muster/policies/virtual_queue.h"

namespace muster {

/// Classes, queues, running jobs and free cores as they are stored: cluster_state changes them, the views read them.
struct cluster_data {
  static constexpr std::uint64_t no_job = std::numeric_limits<std::uint64_t>::max();

  /// What changes of a class with every event, stored together in one cache line.
  struct alignas(cache_line) class_row {
    job* head = nullptr;
    job* tail = nullptr;
    job* served = nullptr;
    job* requeued_before = nullptr;  ///< the waiting job ahead of which one was requeued last; null: it has left
    std::uint64_t head_id = no_job;  ///< copy of head->id, so that a comparison of classes reads these rows only
    std::uint32_t waiting = 0;
    std::uint32_t in_service = 0;
    std::uint32_t leaving = 0;
    unsigned need = 1;
    group_id only_group{};
    bool single_group = false;
    bool need_of_next = false;  ///< the next class needs as many cores
  };

  /// Binary digits of a number of cores.
  static unsigned digits(unsigned cores) { return cores == 0 ? 0 : 32 - static_cast<unsigned>(__builtin_clz(cores)); }

  table<class_id, job_class> classes;
  table<class_id, unsigned> usable;
  table<class_id, class_row> rows;
  table<group_id, unsigned> free;
  virtual_queue pool;
  class_set waiting_classes;
  class_set served_classes;
  std::size_t in_service = 0;
  unsigned slot_cores = 0;
  unsigned all_cores = 0;
  std::array<std::uint32_t, 33> first_by_digits{};  ///< number of the first class whose need has no more binary digits
  bool same_servers = false;  ///< every class may use the same servers: the free cores are the same for all

  const simulated_clock* clock = nullptr;
  ticks ticks_per_unit = 1;
  mutable std::uint64_t handed_out = 0;  ///< jobs that queries have returned
};

}  // namespace muster
