#include "muster/policies/catalogue.h"
#include "muster/policies/pooled/fcfs_pooled.h"
#include "muster/policies/pooled/whole_servers.h"

namespace muster {

/// Scheduling by random interruptions, which tends to balanced fairness the more there are. Source: Balanced fairness
/// paper, Section 4, Algorithm 1.
///
/// Every server interrupts its job after some work; the job leaves all its servers and goes to the end of the queue.
/// The servers are then assigned as under FCFS. The timers belong to the servers (see platform.timers in a scenario);
/// theta is the mean work between their expirations. The paper's loops over the queue from position k on are
/// equivalent: no job ahead of position k can use the servers.
class balanced_fair final : public fcfs_pooled {
 public:
  explicit balanced_fair(double theta) : theta_(theta) {}

  double work_between_interruptions() const override { return theta_; }

 private:
  double theta_;
};

namespace {

[[noreturn]] void no_mean_size(const cluster_view& cluster, class_id without, const char* property) {
  throw policy_error(
      "policy 'balanced_fair', interruptions_per_job: the mean size of all jobs is not known, as class '" +
      cluster.name(without) + "' declares no " + property +
      "; expected theta instead, which is that mean size / interruptions_per_job");
}

double mean_size_of_all(const cluster_view& cluster) {
  double mean = 0.0;
  for (const class_id id : cluster.classes()) {
    const auto share = cluster.arrival_share(id), size = cluster.mean_size(id);
    if (!size) no_mean_size(cluster, id, "mean size");
    if (!share) no_mean_size(cluster, id, "share of the arrivals");
    mean += *share * *size;
  }
  return mean;
}

double theta_of(const cluster_view& cluster, const settings& given) {
  if (given.has("theta")) return given.number("theta");
  return mean_size_of_all(cluster) / given.number("interruptions_per_job");
}

}  // namespace

extern const policy_entry balanced_fair_entry = [] {
  policy_entry entry;
  entry.name = "balanced_fair";
  entry.about =
      "as fcfs_pooled, with jobs interrupted at random and moved to the end of the queue (Balanced fairness, Algorithm "
      "1)";
  entry.parameters = {{"theta", number_parameter{"a number > 0", 0.0, true, {}, "time"},
                       "mean work that a server does on a job before it interrupts it"},
                      {"interruptions_per_job", number_parameter{"a number >= 0", 0.0, false, {}},
                       "the paper's m: mean size of all jobs / theta; 0 is fcfs_pooled", "theta"}};
  entry.construct = [](const cluster_view& cluster, const settings& given,
                       random_numbers&) -> std::unique_ptr<pooled_policy> {
    return std::make_unique<balanced_fair>(theta_of(cluster, given));
  };
  entry.check_classes = unless_whole_servers;
  entry.stable_up_to = stability_rule::in_order;
  return entry;
}();

}  // namespace muster
