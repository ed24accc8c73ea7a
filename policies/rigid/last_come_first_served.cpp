#include <algorithm>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/rigid/service_levels.h"

namespace muster {

/// Last come, first served, preemptive and resuming. Source: Baskett, Chandy, Muntz and Palacios, "Open, closed, and
/// mixed networks of queues with different classes of customers" (JACM 22, 1975), service centres of type 4, for jobs
/// that need one core: there the number of jobs depends on the sizes by their mean alone.
///
/// At every event the latest arrivals are in service, up to the first that does not fit beside those after it; the
/// others are preempted.
class last_come_first_served final : public policy {
 public:
  void arrived(const job& j, const cluster_view& cluster, decisions& decide) override {
    jobs_.push_back(&j);
    schedule(cluster, decide);
  }

  void completed(const job& j, const cluster_view& cluster, decisions& decide) override {
    jobs_.erase(std::find(jobs_.rbegin(), jobs_.rend(), &j).base() - 1);
    schedule(cluster, decide);
  }

 private:
  void schedule(const cluster_view& cluster, decisions& decide) override {
    unsigned left = cluster.all_cores();
    std::size_t seen = 0;  // jobs in service
    auto next = jobs_.rbegin();
    for (; next != jobs_.rend() && cluster.need((*next)->type) <= left; ++next) {
      left -= cluster.need((*next)->type);
      seen += (*next)->where == job::place::waiting ? 0 : 1;
    }
    for (auto other = next; seen < cluster.in_service(); ++other) {
      seen += (*other)->where == job::place::waiting ? 0 : 1;
      if ((*other)->where == job::place::in_service) decide.preempt(**other);
    }
    for (auto chosen = jobs_.rbegin(); chosen != next; ++chosen)
      if ((*chosen)->where == job::place::waiting && cluster.fits(**chosen)) decide.start(**chosen);
  }

  std::vector<const job*> jobs_;  // in the system, by arrival
};

extern const policy_entry last_come_first_served_entry;
const policy_entry last_come_first_served_entry = [] {
  policy_entry entry{"last_come_first_served",
                     "The latest arrivals run, preempting earlier ones (Baskett, Chandy, Muntz and Palacios 1975)",
                     {},
                     [](const cluster_view&, const settings&, random_numbers&) -> std::unique_ptr<policy> {
                       return std::make_unique<last_come_first_served>();
                     },
                     unless_all_use_all_cores};
  entry.preempts = true;
  return entry;
}();

}  // namespace muster
