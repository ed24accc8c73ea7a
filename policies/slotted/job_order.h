#pragma once

#include <cstdint>
#include <set>

#include <boost/pool/pool_alloc.hpp>

#include "muster/policies/cluster_view.h"

namespace muster {

/// Slotted jobs in the order in which a policy serves them: the lowest rank first; of equal ranks the job that arrived
/// first, then the one of the lower id. Every operation is logarithmic in the number of jobs.
class job_order {
 public:
  struct place {
    double rank;
    std::uint64_t arrival, id;
    const job* owner;

    bool operator<(const place& other) const {
      if (rank != other.rank) return rank < other.rank;
      return arrival != other.arrival ? arrival < other.arrival : id < other.id;
    }
  };

  void insert(const job& j, double rank) { places_.insert({rank, j.arrival, j.id, &j}); }
  /// Has no effect if the job is not in the order. @param rank with which it was inserted
  void erase(const job& j, double rank) { places_.erase({rank, j.arrival, j.id, &j}); }
  bool empty() const { return places_.empty(); }
  std::size_t size() const { return places_.size(); }
  const place& first() const { return *places_.begin(); }
  place take_first() {
    const place p = first();
    places_.erase(places_.begin());
    return p;
  }
  void clear() { places_.clear(); }

  auto begin() const { return places_.begin(); }
  auto end() const { return places_.end(); }

 private:
  std::set<
      place, std::less<>,
      boost::fast_pool_allocator<place, boost::default_user_allocator_new_delete, boost::details::pool::null_mutex>>
      places_;
};

}  // namespace muster
