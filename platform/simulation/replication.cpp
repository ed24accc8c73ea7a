#include "platform/simulation/replication.h"

#include <ctime>
#include <limits>
#include <memory>
#include <utility>

#include "muster/modules/kernel/huge_pages.h"
#include "platform/simulation/kernel_run.h"
#include "platform/simulation/measured_cluster.h"
#include "platform/simulation/warm_up_finder.h"
#include "platform/theory/stability/stability.h"

namespace muster {

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A replication that has the kernel for itself.
class replication_alone {
 public:
  replication_alone(const scenario& point, std::uint32_t replication, const watching& watch)
      : whole_(
            "cluster", point, replication, watch, [this] { whole_.hardware().time.stop(); },
            hardware_options{watch.check_protocol}) {}

  measured_cluster& whole() { return whole_; }
  replication_result run() {
    const double began = processor_seconds();
    whole_.begin();
    simulate(whole_.hardware());
    whole_.complete();
    whole_.result().seconds = processor_seconds() - began;
    return std::move(whole_.result());
  }

 private:
  module_of<measured_cluster> whole_;
};

}  // namespace

bool is_unstable(const scenario& point, const watching& watch) {
  return watch.unstable ? *watch.unstable : examine_stability(point).answer == stability::verdict::unstable;
}

scenario as_it_runs(scenario point, const watching& watch) {
  if (point.run.batch_means && point.run.precision && is_unstable(point, watch)) point.run.precision.reset();
  return point;
}

replication_result run_replication(const scenario& point, std::uint32_t replication, const watching& watch) {
  prefer_huge_pages();
  return in_the_kernel(point, [&] {
    replication_alone run(point, replication, watch);
    run.whole().add_instruments();
    return run.run();
  });
}

found_warm_up run_pilot(const scenario& point) {
  constexpr std::uint32_t beyond_all_others = std::numeric_limits<std::uint32_t>::max();
  scenario whole = point;
  whole.run.warm_up = 0.0;
  whole.report.explain = false;
  return in_the_kernel(whole, [&] {
    const watching nobody;
    replication_alone run(whole, beyond_all_others, nobody);
    const warm_up_finder& finder = run.whole().events().add(std::make_unique<warm_up_finder>());
    run.run();
    return finder.warm_up();
  });
}

}  // namespace muster
