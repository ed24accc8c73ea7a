#include <muster/policies/plugin.h>

namespace {

/// The class in which most jobs wait goes first; among classes that fit, and that have at least so many waiting.
class longest_queue final : public muster::rigid_policy {
 public:
  explicit longest_queue(std::int64_t least) : least_(static_cast<std::size_t>(least)) {}

 private:
  void schedule(muster::rigid_view cluster, muster::rigid_decisions& decide) override {
    while (const muster::job* next = choice(cluster)) decide.start(*next);
  }

  const muster::job* choice(muster::rigid_view cluster) const {
    const muster::job* best = nullptr;
    for (const muster::class_id id : cluster.classes())
      if (cluster.waiting(id) >= least_ && cluster.fits(id) &&
          (!best || cluster.waiting(id) > cluster.waiting(best->type)))
        best = cluster.first(id);
    return best ? best : cluster.earliest_fitting();
  }

  std::size_t least_;
};

const muster::policy_entry longest_queue_entry = [] {
  muster::policy_entry entry;
  entry.name = "longest_queue";
  entry.about = "The class in which most jobs wait goes first";
  entry.parameters = {
      {"least", muster::integer_parameter{{1}, {1000}, {2}}, "shorter queues are served in the order of arrival"}};
  entry.construct = [](const muster::cluster_view&, const muster::settings& given,
                       muster::random_numbers&) -> std::unique_ptr<muster::rigid_policy> {
    return std::make_unique<longest_queue>(given.integer("least"));
  };
  return entry;
}();

}  // namespace

MUSTER_PLUGIN(&longest_queue_entry)
