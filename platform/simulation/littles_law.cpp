#include "platform/simulation/littles_law.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace muster {

void check_littles_law(const cluster& simulated, job_statistics& jobs, const time_unit& unit, ticks now) {
  jobs.settle(now);
  const cluster_view& view = simulated.central.view();
  for (const class_id id : view.classes()) {
    const class_record& r = jobs.classes()[id];
    tick_sum times = r.time_inside;
    const auto add = [&](const job* j) {
      for (; j; j = j->behind) times += now - std::max(j->arrival, jobs.window_begin());
    };
    add(view.first(id));
    add(view.running(id));
    for (const job_extension* j : simulated.central.jobs_pending_admission())
      if (j->type == id) times += now - std::max(j->arrival, jobs.window_begin());
    if (times != r.presence)
      throw std::runtime_error(
          fmt::format("class '{}' violates Little's law: the jobs' times add up to {} {}, the "
                      "number of jobs over time to {}",
                      view.name(id), unit.to_units(times), unit.name, unit.to_units(r.presence)));
  }
}

}  // namespace muster
