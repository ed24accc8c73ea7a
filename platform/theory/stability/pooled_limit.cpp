#include "platform/theory/stability/examinations.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muster/policies/catalogue.h"
#include "platform/model/class_table.h"

namespace muster {

namespace {

bool follows_order(const scenario& model) {
  const policy_entry* entry = find_policy(model.policy.name);
  return entry && entry->stable_up_to == stability_rule::in_order;
}

std::string pooled_condition(const scenario& model) {
  if (departures_from_pooled_model(model).empty())
    return "stable if and only if every set of classes has less load than capacity (Balanced fairness, Theorem 1)";
  const char* why = std::isfinite(work_between_interruptions(model))
                        ? "as each server serves the job that has been in the queue longest"
                        : "as jobs are served in the order of arrival";
  return fmt::format(
      "stable if and only if every set of classes has less load than capacity (any sizes, {}; derived from fluid "
      "limits)",
      why);
}

/// Decides the stability of pooled jobs under a policy in order, interrupted or not. They are stable if every set of
/// classes has less load than capacity.
///
/// The condition is derived here from fluid limits, as in greedy_limit.h. The queue of a class is in the order in which
/// its jobs have joined it, arriving or interrupted. Its servers serve the first of them, if none of another class that
/// they can use has joined before, so that no job overtakes one of its class, and the first of a class with a short
/// queue has joined a short time ago: all that arrived after it is still there. The first of a class with a long queue
/// has joined long ago, as jobs arrive and timers expire at no more than certain rates. So all servers of the classes
/// with long queues serve them alone, and work at full rate; if these servers' capacity exceeds those classes' load,
/// the work in their queues shrinks. Sizes, timers and interarrival times may have any law of finite mean. A job's draw
/// of servers counts as a class, and overhead as work.
void decide_in_order(const scenario& model, const std::vector<demand>& demands, stability& s) {
  if (s.overhead != overhead_count::lower_bound) {
    s.policy_rate = s.stable_below = s.work_rate;
    s.known_by = limit_evidence::exact;
    s.condition = pooled_condition(model);
    return;
  }
  const std::optional<std::vector<double>> most = work_at_most(demands);
  if (!most) {
    s.condition = fmt::format(
        "an upper bound, as not all time for {} is counted: every set of classes must have less load than "
        "capacity (Balanced fairness, Theorem 1)",
        fmt::join(uncounted_time(model), ", "));
    return;
  }
  const pooled_set hardest = find_hardest_pressed(model, *most).set;
  s.policy_rate = s.stable_below = s.rate * hardest.capacity / hardest.load;
  s.known_by = limit_evidence::bound;
  s.condition =
      "stable below the rate at which every set of classes, with all that interruptions can cost, has less load than "
      "capacity (derived from fluid limits)";
}

}  // namespace

scenario while_up(scenario model) {
  for (server_spec& s : model.servers)
    if (s.faults) s.capacity *= s.faults->to_failure / (s.faults->to_failure + s.faults->to_repair);
  return model;
}

stability examine_pooled(const scenario& model) {
  stability s;
  s.rate = model.arrivals.rate;
  const std::vector<demand> demands = demands_of(model);
  s.overhead = count_overhead(demands);
  hardest_pressed hardest = find_hardest_pressed(model, work_of(demands));
  s.work = hardest.set.load / hardest.set.capacity;
  s.work_rate = s.unstable_from = s.rate / s.work;
  s.hardest = std::move(hardest.set);
  if (model.servers_fail()) {
    const pooled_set pressed = find_hardest_pressed(while_up(model), work_of(demands)).set;
    s.unstable_from = s.rate * pressed.capacity / pressed.load;
  }
  if (!hardest.sure)
    s.condition = "too many sets of classes to look at all of them (Balanced fairness, Theorem 1)";
  else if (follows_order(model))
    decide_in_order(model, demands, s);
  else
    s.condition =
        "every set of classes must have less load than capacity (Balanced fairness, Theorem 1), which is not known to "
        "be enough for this policy";
  s.answer = verdict_of(s);
  return s;
}

}  // namespace muster
