#include "platform/theory/stability/policy_limit.h"

#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "muster/policies/algorithms/schedule_mix.h"
#include "platform/theory/stability/greedy_limit.h"
#include "platform/theory/stability/long_queues.h"
#include "platform/theory/stability/saturated_queue.h"

namespace muster {

namespace {

constexpr double limit_rounding = 1e-9;  // relative; limits that agree so well differ by rounding

// Returns the result of a function of a workload at total rate 1, which is computed once in a process.
template <class Result>
Result kept(Result (*compute)(const rigid_workload&), const rigid_workload& workload) {
  static std::mutex guard;
  static std::map<std::pair<Result (*)(const rigid_workload&), std::string>, Result> results;
  const rigid_workload scaled = workload.per_arrival();
  const auto key = std::pair{compute, scaled.key()};
  {
    const std::lock_guard lock(guard);
    if (const auto known = results.find(key); known != results.end()) return known->second;
  }
  Result result = compute(scaled);
  const std::lock_guard lock(guard);
  return results.emplace(key, result).first->second;
}

double best_mix(const rigid_workload& scaled) {
  return largest_mix(scaled.needs(), scaled.loads(), scaled.cores).bound;
}

template <admission_order order>
stability_gap proved_gap(const rigid_workload& scaled) {
  const bool with_drains = order == admission_order::largest_first_with_drains;
  return greedy_limit(scaled.cores, scaled.needs(), scaled.loads(), with_drains ? drains::sometimes : drains::never);
}

// The highest rate at which simulated queues drain; proved_gap's stable_below if there is none above it.
template <admission_order order>
double draining_rate(const rigid_workload& scaled) {
  const stability_gap gap = kept(proved_gap<order>, scaled);
  return rate_at_which_long_queues_drain(scaled, order, gap.stable_below,
                                         std::min(gap.unstable_from, kept(best_mix, scaled)));
}

bool is_full_chain(const rigid_workload& workload) {
  std::vector<unsigned> needs = workload.needs();
  std::sort(needs.begin(), needs.end());
  needs.push_back(workload.cores);
  for (std::size_t at = 1; at < needs.size(); ++at)
    if (needs[at] % needs[at - 1] != 0) return false;
  return true;
}

bool all_divide(const rigid_workload& workload) {
  return std::all_of(workload.classes.begin(), workload.classes.end(),
                     [&](const auto& c) { return workload.cores % c.need == 0; });
}

bool is_one_or_all_workload(const rigid_workload& workload) {
  return workload.classes.size() == 2 && is_full_chain(workload) &&
         std::min(workload.classes[0].need, workload.classes[1].need) == 1 &&
         std::max(workload.classes[0].need, workload.classes[1].need) == workload.cores;
}

/// Applies the rules. No limit is above `rate_without_policy`, from which on no policy is stable.
class limit_by_rule {
 public:
  limit_by_rule(const rigid_workload& workload, double rate_without_policy, bool preemption_costs, limit_search search)
      : workload_(workload),
        most_(workload.at_most()),
        highest_(rate_without_policy),
        preemption_costs_(preemption_costs),
        search_(search) {}

  policy_limit of(stability_rule rule) const {
    switch (rule) {
      case stability_rule::in_order: return in_order();
      case stability_rule::greedy_by_need: return greedy<admission_order::largest_first>(shrinking_queues);
      case stability_rule::greedy_by_arrival: return greedy<admission_order::earliest_first>(shrinking_queues);
      case stability_rule::greedy_with_drains:
        return greedy<admission_order::largest_first_with_drains>(
            "no condition is known but where each need divides the next larger (derived from fluid limits)");
      case stability_rule::classes_in_turn: return in_turn();
      case stability_rule::best_mix: return mix();
      case stability_rule::best_mix_in_turn: return mix_in_turn();
      case stability_rule::preemptive_best_mix:
        return preemption_costs_ ? unknown("not known where preemption costs time") : mix();
      case stability_rule::filling: return filling();
      case stability_rule::divisor_filling: return divisor_filling();
      case stability_rule::not_known: break;
    }
    return unknown(
        "no sufficient condition is known for this policy; the limit of the best mix of schedules is necessary");
  }

 private:
  static constexpr const char* shrinking_queues =
      "stable below the load at which queues of every set of classes shrink (derived from fluid limits)";

  policy_limit unknown(std::string why) const { return policy_limit::at_most(highest_, std::move(why)); }

  // The limit between that with the longest times for which cores are held and that with the shortest.
  policy_limit between(double below, double from, std::string condition) const {
    if (highest_ < from * (1.0 - limit_rounding)) from = highest_;
    if (below >= from * (1.0 - limit_rounding)) return policy_limit::exactly(from, std::move(condition));
    if (!(below > 0.0)) return unknown(std::move(condition));
    return {below, below, from, limit_evidence::bound, std::move(condition)};
  }

  policy_limit load_1(std::string condition) const {
    return between(cores_over_work(most_), cores_over_work(workload_), std::move(condition));
  }

  double cores_over_work(const rigid_workload& w, unsigned idle = 0) const {
    return w.rate() * (w.cores - idle) / w.work();
  }

  policy_limit in_order() const {
    const bool known = workload_.is_known();
    const saturated_throughput least = throughput(workload_), most = known ? least : throughput(most_);
    const std::string condition = fmt::format("stable up to the throughput of a queue that never empties ({}{})",
                                              least.method, least.simulated ? ", 99 % interval" : "");
    if (!known) return between(most.low, least.high, condition + "; between the shortest and the longest waking");
    if (!least.simulated) return between(least.rate, least.rate, condition);
    return {least.rate, least.low, std::min(least.high, highest_), limit_evidence::simulated, condition};
  }

  saturated_throughput throughput(const rigid_workload& w) const {
    // Cycles are computed at the rates as they are, so that rounded shares do not move the result.
    if (const auto rate = throughput_by_cycles(w))
      return saturated_throughput::computed(*rate, "one-or-all, exponential light jobs");
    return kept(saturated_throughput_of, w);
  }

  template <admission_order order>
  policy_limit greedy(const char* otherwise) const {
    // Cores that wake late come free late: smaller jobs take the others of a gang, and its class waits.
    if (!workload_.is_known())
      return unknown("not known where cores of a job come free one after the other, as they do after waking");
    if (is_one_or_all_workload(workload_))
      return load_1("stable if and only if the work bound holds (Quickswap, Theorems 3 and 4, one-or-all)");
    if (is_full_chain(workload_))
      return load_1(
          "stable if and only if the work bound holds (each need divides the next larger, the largest all cores; "
          "derived from fluid limits)");
    const stability_gap gap = kept(proved_gap<order>, workload_);
    policy_limit proved = between(gap.stable_below, gap.unstable_from, otherwise);
    if (search_ == limit_search::quick || proved.known_by == limit_evidence::exact) return proved;
    const double rate = kept(draining_rate<order>, workload_);
    if (!(rate > proved.stable_below)) return proved;
    return {rate, rate, proved.unstable_from, limit_evidence::simulated_bound,
            "long queues drain in simulations at this rate and at lower ones; nothing is proved of it"};
  }

  policy_limit in_turn() const {
    const auto limit = [&](const rigid_workload& w) {
      double sum = 0.0;
      for (const auto& c : w.classes) {
        const auto places = w.cores / c.need;
        sum += c.rate * c.held / places;
      }
      return w.rate() / sum;
    };
    const char* condition = is_one_or_all_workload(workload_)
                                ? "stable if and only if the work bound holds (Quickswap, Theorems 3 and 4, one-or-all)"
                                : "stable if and only if sum_j lambda_j / (floor(k/j) mu_j) < 1 (Quickswap, Remark 1, "
                                  "sufficient; necessary as one class at a time is served)";
    return between(limit(most_), limit(workload_), condition);
  }

  policy_limit mix() const {
    if (!workload_.is_known()) return unknown("not known where waking takes time");
    return between(highest_, highest_, "stable if and only if some mix of schedules carries more than the load");
  }

  policy_limit mix_in_turn() const {
    const bool as_derived = std::all_of(workload_.classes.begin(), workload_.classes.end(),
                                        [](const auto& c) { return c.is_exponential(); });
    return as_derived ? mix() : unknown("not known where sizes are not exponential, or jobs have overhead");
  }

  policy_limit filling() const {
    if (preemption_costs_ || !workload_.is_known()) return unknown("not known where preemption or waking costs time");
    if (is_full_chain(workload_))
      return load_1(
          "stable if and only if the work bound holds (each need divides the next larger, the largest all cores)");
    // A job of that need that does not fit leaves fewer cores idle than it needs, and a larger or equal one in service.
    unsigned idle = 0;
    for (const unsigned need : workload_.needs()) idle = std::max(idle, std::min(need - 1, workload_.cores - need));
    return between(
        cores_over_work(workload_, idle), highest_,
        fmt::format("stable below the load of all cores but {}, the most that jobs that do not fit leave idle", idle));
  }

  policy_limit divisor_filling() const {
    if (preemption_costs_ || !workload_.is_known()) return unknown("not known where preemption or waking costs time");
    if (all_divide(workload_))
      return load_1("stable if and only if the work bound holds (every need divides the cores)");
    return unknown("no condition is known where a need does not divide the cores");
  }

  const rigid_workload& workload_;
  rigid_workload most_;
  double highest_;
  bool preemption_costs_;
  limit_search search_;
};

}  // namespace

policy_limit policy_limit_of(stability_rule rule, const rigid_workload& workload, bool preemption_costs,
                             limit_search search) {
  const double highest = kept(best_mix, workload);
  if (workload.is_bounded()) return limit_by_rule(workload, highest, preemption_costs, search).of(rule);
  // Longer times lower the limits of a queue in order and of classes in turn, so that the limit with the shortest times
  // is an upper bound. Of other rules only the limit of any policy is known.
  const bool monotone = rule == stability_rule::in_order || rule == stability_rule::classes_in_turn;
  if (!monotone)
    return policy_limit::at_most(highest, "no policy is stable above the limit of the best mix of schedules");
  const rigid_workload least = workload.at_least();
  const policy_limit shortest = limit_by_rule(least, highest, false, search).of(rule);
  return policy_limit::at_most(shortest.unstable_from, shortest.condition);
}

}  // namespace muster
