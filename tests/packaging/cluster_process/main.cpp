#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>

#include <muster/platform/cluster_process/cluster_process.h>

namespace {

// A room that 40 W heat by 1 K, after a while.
double room_after(double temperature, double watts, double seconds) {
  const double settled = 20.0 + watts / 40.0;
  return settled + (temperature - settled) * std::exp(-seconds / 300.0);
}

}  // namespace

// Arguments: the program muster, and a scenario.
int main(int, char** argv) {
  try {
    muster::cluster_process cluster{{argv[1], argv[2], {{"arrivals.load", "0.8"}}}};
    const std::size_t energy = cluster.find("energy"), speed = cluster.find("speed.node");
    const std::size_t completed = cluster.find("completed"), waiting = cluster.find("waiting.wide");
    const auto minute = static_cast<std::int64_t>(60 * cluster.ticks_per_second());
    double temperature = 20.0, joules = 0.0;
    for (int n = 1; n <= 20; ++n) {
      cluster.advance(n * minute);
      const double watts = (cluster.value(energy) - joules) / 60.0;
      joules = cluster.value(energy);
      temperature = room_after(temperature, watts, 60.0);
      cluster.set(speed, temperature > 30.0 ? 0.5 : 1.0);
    }
    std::printf("after 20 minutes: %.1f degrees, %.0f jobs\n", temperature, cluster.value(completed));

    const auto now = cluster.take_snapshot();
    for (const double rate : {0.5, 1.0, 1.5}) {
      cluster.restore(now);
      cluster.set(cluster.find("arrival_rate"), rate);
      cluster.advance(40 * minute);
      std::printf("after 20 more at %.1f times the rate: %.0f jobs, %.0f wide ones wait\n", rate,
                  cluster.value(completed), cluster.value(waiting));
    }
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
