#pragma once

#include <string>
#include <vector>

#include "muster/modules/control/cluster_control.h"
#include "tests/modules/scene.h"

namespace muster {

using control_action = control_request::action;

/// A scene whose servers are controlled.
struct capped_scene {
  struct order {
    ticks at;
    control_request what;
  };
  capped_scene(const layout& l, const std::vector<job_request>& jobs, const std::vector<order>& orders)
      : inner(l, jobs), control(inner.time) {
    for (const auto& bank : inner.servers) control.add(*bank);
    control.use(*inner.speeds);
    control.use(*inner.power);
    for (const order& o : orders) control.request_at(o.at, o.what);
  }
  ticks end_of(std::uint64_t job) const { return inner.log.of(job).completed; }

  /// What the servers have drawn until now, in watts times ticks, by the times of their cores.
  double energy(const layout& l) const {
    const ticks now = inner.time.now();
    double sum = 0.0;
    std::uint32_t place = 0;
    for (std::size_t g = 0; g < l.groups.size(); ++g)
      for (std::uint32_t n = 0; n < l.groups[g].count; ++n, ++place) {
        const server_watts& w = l.watts[g].each;
        sum += (w.active - w.idle) * inner.power->excess_work(place, now);
        for (std::uint32_t core = n * l.groups[g].cores; core < (n + 1) * l.groups[g].cores; ++core) {
          const core_times t = inner.servers[g]->times(core, now);
          sum += w.idle * static_cast<double>(t.idle) + w.overhead * static_cast<double>(t.overhead) +
                 w.active * static_cast<double>(t.running);
        }
      }
    return sum;
  }

  scene inner;
  cluster_control control;
};

using cap_orders = std::vector<capped_scene::order>;

inline control_request cap(std::uint32_t first, std::uint32_t count, double watts) {
  return {control_action::power_cap, {first, count}, watts};
}

/// Servers of a core each that draws 20 W idle, 30 W in overhead and 100 W at work; each a group of its own.
inline layout warm_servers(std::size_t count) {
  layout l;
  l.groups.clear();
  for (std::size_t n = 0; n < count; ++n) {
    l.groups.push_back({"node_" + std::to_string(n), 1, 1, 1.0});
    l.watts.push_back({1, 1, {20.0, 30.0, 100.0}});
  }
  l.speeds = {{0, 0, 1.0}};
  l.monitored = true;
  return l;
}

}  // namespace muster
