#include "platform/scenario/range_of_clock.h"

#include <algorithm>

#include <fmt/format.h>

namespace muster {

namespace {

constexpr double share_that_is_safe = 0.5;

// What takes a time, and how long.
struct span {
  double time = 0.0;  // in units of time
  std::string of;     // such as "run.jobs: 1000 jobs take"
};

span of_arrivals(const scenario& model) {
  const run_spec& run = model.run;
  const bool goes_on = run.batch_means && run.precision && !run.precision->targets.empty();
  const std::uint64_t jobs = run.jobs * (goes_on ? run.precision->most_replications : 1);
  const std::string of = goes_on ? fmt::format("run.jobs: up to {} jobs, until the precision is reached, take", jobs)
                                 : fmt::format("run.jobs: {} jobs take", jobs);
  return {mean_time_of_arrivals(model.arrivals, jobs), of};
}

// All cores work at once at best.
double least_time_of_work(const scenario& model) {
  double work = 0.0, capacity = 0.0;
  for (const class_spec& c : model.classes)
    for (const listed_need& n : c.listed) work += static_cast<double>(n.jobs) * n.need.cores * n.size;
  for (const server_spec& s : model.servers) capacity += static_cast<double>(s.count) * s.cores * s.capacity;
  return work / capacity;
}

span of_list(const scenario& model) {
  const double last = model.arrivals.jobs->back().arrival, work = least_time_of_work(model);
  return work > last ? span{work, "arrivals: the work of all jobs takes all cores"}
                     : span{last, "arrivals: the last job arrives after"};
}

span of_slots(const scenario& model) {
  const std::uint64_t last = model.arrivals.entry->last_slot(model);
  return {static_cast<double>(last) * model.slot, fmt::format("arrivals: the last slot, {}, ends after", last)};
}

span longest(const scenario& model) {
  if (model.arrivals.jobs && !model.arrivals.jobs->empty()) return of_list(model);
  if (model.arrivals.rate > 0.0) return of_arrivals(model);
  return model.arrivals.finite() ? of_slots(model) : span{};
}

}  // namespace

double mean_time_of_arrivals(const arrival_spec& arrivals, std::uint64_t jobs) {
  double left = static_cast<double>(jobs), begun = 0.0, rate = arrivals.rate;
  for (const rate_event& change : arrivals.changes) {
    const double here = rate * (change.at - begun);
    if (left <= here) break;
    left -= here;
    begun = change.at;
    rate = arrivals.rate * change.factor;
  }
  return begun + left / rate;
}

std::string unit_with_room(const time_unit& own, double time) {
  for (const time_unit& unit : time_units()) {
    const double range = unit.to_units(end_of_clock) * unit.seconds;
    if (unit.seconds > own.seconds && time * own.seconds < range)
      return fmt::format("; that of time_unit '{}' is {:.3g} s", unit.name, range);
  }
  return "";
}

std::optional<long_replication> find_long_replication(const scenario& model) {
  const span expected = longest(model);
  const double range = model.unit.to_units(end_of_clock);
  if (expected.time <= share_that_is_safe * range) return std::nullopt;
  const std::string advice = unit_with_room(model.unit, expected.time / share_that_is_safe);
  return long_replication{
      expected.time / range,
      fmt::format("{} about {:.3g} {}, more than half of {:.3g} {}, the range of the clock, beyond which a run "
                  "fails{}",
                  expected.of, expected.time, model.unit.name, range, model.unit.name,
                  advice.empty() ? "; take fewer jobs" : advice)};
}

}  // namespace muster
