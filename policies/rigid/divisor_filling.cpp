#include <deque>

#include <boost/dynamic_bitset.hpp>

#include "muster/policies/catalogue.h"
#include "muster/policies/rigid/service_levels.h"

namespace muster {

/// DivisorFilling, preemptive: ServerFilling for needs that divide k, the number of cores. Source: Grosof,
/// Harchol-Balter and Scheller-Wolf, "WCFS: a new framework for analyzing multiserver systems" (Queueing Systems 102,
/// 2022); with other orders of jobs in Grosof, Scully, Harchol-Balter and Scheller-Wolf, "Optimal scheduling in the
/// multiserver-job model under heavy traffic" (POMACS 6, 2022).
///
/// At every arrival and completion: M is the first k jobs in the system, by arrival; all jobs if there are fewer. Jobs
/// of M are served whose needs add up to as much of k as any subset of M reaches. k divisors of k always have a subset
/// that adds up to k, so that all cores are busy with k or more jobs.
///
/// Choices where the source is open: it finds one such subset by a recursion over the prime factors of k; here it is
/// the one that has most jobs of the largest need, then of the next one, and so on (within a need by arrival), found by
/// dynamic programming over the cores. Needs are arbitrary: where some do not divide k, cores may stay idle.
class divisor_filling final : public rigid_policy {
 public:
  explicit divisor_filling(const cluster_view& cluster)
      : levels_(cluster, service_levels::of::needs),
        first_(levels_.size()),
        served_(levels_.size()),
        sums_(levels_.size() + 1, boost::dynamic_bitset<>(cluster.all_cores() + 1)) {
    sums_.back().set(0);
  }

  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    behind_.push_back(levels_.level(j.type));
    if (extend_first(cluster) || !all_served_) schedule(cluster, decide);
  }

  void completed(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    --first_[levels_.level(j.type)];
    --first_count_;
    changed_ = true;
    extend_first(cluster);
    schedule(cluster, decide);
  }

 private:
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    if (changed_) choose(cluster.all_cores());
    changed_ = false;
    all_served_ = levels_.serve(served_, first_, cluster, decide);
  }

  // @return whether M has grown
  bool extend_first(rigid_view cluster) {
    const std::size_t before = first_count_;
    for (; first_count_ < cluster.all_cores() && !behind_.empty(); behind_.pop_front()) {
      ++first_[behind_.front()];
      ++first_count_;
      changed_ = true;
    }
    return first_count_ > before;
  }

  void choose(unsigned cores) {
    // Serving as many jobs as fit of the largest need, then of the next one, and so on, mostly fills the cores.
    unsigned left = cores;
    for (std::size_t n = 0; n < levels_.size(); ++n) {
      served_[n] = std::min(first_[n], left / levels_.need(n));
      left -= served_[n] * levels_.need(n);
    }
    if (left == 0 || served_ == first_) return;
    // Otherwise serve of each need as many jobs as leave a sum that the smaller needs reach.
    left = largest_sum(cores);
    for (std::size_t n = 0; n < levels_.size(); ++n) {
      const unsigned need = levels_.need(n);
      served_[n] = std::min(first_[n], left / need);
      while (!sums_[n + 1].test(left - served_[n] * need)) --served_[n];
      left -= served_[n] * need;
    }
  }

  // Fills sums_: sums_[n] is what the needs of jobs of levels n, n + 1, .. can add up to.
  unsigned largest_sum(unsigned cores) {
    for (std::size_t n = levels_.size(); n-- > 0;) {
      sums_[n] = sums_[n + 1];
      std::uint32_t more = std::min(first_[n], cores / levels_.need(n));
      for (std::uint32_t some = 1; more > 0; more -= some, some *= 2) {  // 1, 2, 4, .. and the rest: any number of them
        some = std::min(some, more);
        sums_[n] |= sums_[n] << std::size_t{some} * levels_.need(n);
      }
    }
    unsigned sum = cores;
    while (!sums_[0].test(sum)) --sum;
    return sum;
  }

  service_levels levels_;
  std::vector<std::uint32_t> first_;   // jobs of M, by level
  std::size_t first_count_ = 0;        // number of the jobs of M
  std::deque<std::size_t> behind_;     // levels of the jobs behind M, by arrival
  std::vector<std::uint32_t> served_;  // jobs to be in service by level
  bool all_served_ = true;             // false: cores may have come free for more since
  bool changed_ = false;               // whether M has changed since served_ was computed
  std::vector<boost::dynamic_bitset<>> sums_;
};

extern const policy_entry divisor_filling_entry = [] {
  policy_entry entry;
  entry.name = "divisor_filling";
  entry.about =
      "Of the k earliest jobs those that fill most of the k cores, all of them where needs divide k (Grosof, "
      "Harchol-Balter and Scheller-Wolf 2022)";
  entry.construct = [](const cluster_view& cluster, const settings&, random_numbers&) -> std::unique_ptr<rigid_policy> {
    return std::make_unique<divisor_filling>(cluster);
  };
  entry.check_classes = unless_all_use_all_cores;
  entry.preempts = true;
  entry.stable_up_to = stability_rule::divisor_filling;
  return entry;
}();

}  // namespace muster
