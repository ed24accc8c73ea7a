#pragma once

#include <cstdint>
#include <set>

#include <boost/pool/pool_alloc.hpp>

#include "muster/policies/job.h"

namespace muster {

/// Slotted jobs in the order in which a policy serves them: the lowest rank first; of equal ranks the job that arrived
/// first, then the one of the lower id. Every operation is at most logarithmic in the number of jobs. Inserting a job
/// next to the one inserted before it takes constant time: jobs that arrive, or lose their cores, one after the other
/// mostly are neighbours.
class job_order {
 public:
  job_order() = default;
  job_order(const job_order&) = delete;
  job_order& operator=(const job_order&) = delete;

  struct place {
    double rank;
    std::uint64_t arrival, id;
    const job* owner;

    bool operator<(const place& other) const {
      if (rank != other.rank) return rank < other.rank;
      return arrival != other.arrival ? arrival < other.arrival : id < other.id;
    }
  };

  void insert(const job& j, double rank) { latest_ = places_.insert(latest_, {rank, j.arrival, j.id, &j}); }
  /// Removes a job, if it is in the order. @param rank with which it was inserted
  void erase(const job& j, double rank) {
    if (const auto at = places_.find({rank, j.arrival, j.id, &j}); at != places_.end()) erase(at);
  }
  bool empty() const { return places_.empty(); }
  std::size_t size() const { return places_.size(); }
  const place& first() const { return *places_.begin(); }
  place take_first() {
    const place p = first();
    erase(places_.begin());
    return p;
  }
  void clear() {
    places_.clear();
    latest_ = places_.end();
  }

  auto begin() const { return places_.begin(); }
  auto end() const { return places_.end(); }

 private:
  using places = std::set<
      place, std::less<>,
      boost::fast_pool_allocator<place, boost::default_user_allocator_new_delete, boost::details::pool::null_mutex>>;

  void erase(places::const_iterator at) {
    const auto next = places_.erase(at);
    if (at == latest_) latest_ = next;
  }

  places places_;
  places::const_iterator latest_ = places_.end();  // the job inserted last, or the next one if it has been removed
};

}  // namespace muster
