#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "muster/policies/backfilling/planned_job.h"

namespace muster {

/// Waiting jobs in a lasting order, in which the next one that takes at most a given time is found without a look at
/// all those between: jobs are in blocks of at most 64, each of which knows the shortest time in it.
class ordered_jobs {
 public:
  /// A place in the order: jobs of equal keys come by arrival.
  struct place {
    tick_sum key = 0;
    std::uint64_t id = 0;

    bool operator<(const place& other) const { return key != other.key ? key < other.key : id < other.id; }
  };
  struct entry {
    place at;
    ticks duration;
    planned_job* of;
  };

  bool empty() const { return blocks_.empty(); }
  void insert(const entry& e);
  /// Removes the job of a place, which must be there.
  void erase(const place& at);
  /// The first job; null: there is none.
  const entry* first() const { return blocks_.empty() ? nullptr : &blocks_.front()->jobs.front(); }
  /// The first job, of those behind a place, that takes at most a time; null: there is none.
  const entry* behind(const place& at, ticks longest = end_of_clock) const;
  /// The first job that takes at most a time; null: there is none.
  const entry* first_within(ticks longest) const { return search(0, 0, longest); }

 private:
  struct block {
    std::vector<entry> jobs;
    ticks shortest = end_of_clock;
    void find_shortest();
  };

  std::size_t block_of(const place& at) const;
  const entry* search(std::size_t number, std::size_t from, ticks longest) const;

  std::vector<std::unique_ptr<block>> blocks_;  // none is empty
  std::vector<std::unique_ptr<block>> spare_;
};

}  // namespace muster
