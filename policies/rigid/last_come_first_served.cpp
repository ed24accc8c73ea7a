#include <algorithm>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/rigid/service_levels.h"

namespace muster {

/// Last come, first served, preemptive and resuming. Source: Baskett, Chandy, Muntz and Palacios, "Open, closed, and
/// mixed networks of queues with different classes of customers" (JACM 22, 1975), service centres of type 4. For jobs
/// that need one core the number of jobs depends only on the mean of the sizes.
///
/// At every event the latest arrivals are in service, up to the first that does not fit beside those after it; the
/// others are preempted.
class last_come_first_served final : public rigid_policy {
 public:
  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    jobs_.push_back(&j);
    schedule(cluster, decide);
  }

  void completed(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    jobs_.erase(place_of(j, jobs_));
    leaves_service(j, cluster, decide);
  }

  void preempted(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    leaves_service(j, cluster, decide);
  }

  void interrupted(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    leaves_service(j, cluster, decide);
  }

 private:
  using by_arrival = std::vector<const job*>;

  // The place where the job is, or would be. Ids ascend with the arrivals.
  static by_arrival::iterator place_of(const job& j, by_arrival& jobs) {
    return std::lower_bound(jobs.begin(), jobs.end(), j.id, [](const job* a, std::uint64_t id) { return a->id < id; });
  }

  void leaves_service(const job& j, rigid_view cluster, rigid_decisions& decide) {
    const auto place = place_of(j, in_service_);
    if (place != in_service_.end() && *place == &j) in_service_.erase(place);
    schedule(cluster, decide);
  }

  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    unsigned left = cluster.all_cores();
    auto next = jobs_.rbegin();
    for (; next != jobs_.rend() && cluster.need((*next)->type) <= left; ++next) left -= cluster.need((*next)->type);
    if (next != jobs_.rend()) preempt_up_to(**next, decide);
    for (auto chosen = jobs_.rbegin(); chosen != next; ++chosen)
      if ((*chosen)->where == job::place::waiting && cluster.fits(**chosen)) start(**chosen, decide);
  }

  // Preempts the job and all earlier ones, the latest first.
  void preempt_up_to(const job& latest, rigid_decisions& decide) {
    for (auto j = in_service_.rbegin(); j != in_service_.rend(); ++j)
      if ((*j)->id <= latest.id && (*j)->where == job::place::in_service) decide.preempt(**j);
  }

  void start(const job& j, rigid_decisions& decide) {
    in_service_.insert(place_of(j, in_service_), &j);
    decide.start(j);
  }

  by_arrival jobs_;        // jobs in the system
  by_arrival in_service_;  // jobs that have started, and are not known to have left their cores
};

extern const policy_entry last_come_first_served_entry = [] {
  policy_entry entry;
  entry.name = "last_come_first_served";
  entry.about = "The latest arrivals run, preempting earlier ones (Baskett, Chandy, Muntz and Palacios 1975)";
  entry.construct = without_settings<last_come_first_served>;
  entry.check_classes = unless_all_use_all_cores;
  entry.any_needs = true;
  entry.preempts = true;
  return entry;
}();

}  // namespace muster
