#include "platform/theory/demand.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "muster/policies/catalogue.h"
#include "platform/model/class_table.h"
#include "platform/model/features.h"
#include "platform/model/job_kind.h"

namespace muster {

namespace {

// Transmission of a dispatch and of the end of its slice on one edge.
double transmission(const edge_spec& e, const network_spec& network) {
  const auto bytes = static_cast<double>(network.dispatch_bytes + network.message_bytes);
  return e.bandwidth ? bytes / *e.bandwidth : 0.0;
}

// The round trip to the nearest server; 0 for a network from a file, of which nothing is claimed. Fairly shared edges
// are passed at once, those at the ends of the way by all bytes, the others perhaps in parts.
double shortest_round_trip(const network_spec& network) {
  const std::vector<edge_spec> way = network.shape->way_to_server(network);
  const bool at_once = network.sharing == sharing_rule::max_min;
  double sum = 0.0;
  for (const edge_spec& e : way) sum += 2.0 * e.latency + (at_once ? 0.0 : transmission(e, network));
  if (at_once && !way.empty()) sum += std::max(transmission(way.front(), network), transmission(way.back(), network));
  return sum;
}

bool is_latency_alone(const network_spec& network) {
  if (!network.takes_time()) return true;
  const std::vector<edge_spec> way = network.shape->way_to_server(network);
  return network.shape->one_distance &&
         std::none_of(way.begin(), way.end(), [](const edge_spec& e) { return e.bandwidth.has_value(); });
}

// A server's timer expires once in theta of its work. That makes one interruption in theta of a job's work, whichever
// servers do it, if the timers have no memory, and if no second one can expire before the first takes effect.
bool one_interruption_in_theta(const scenario& model) {
  return model.timers.kind == timer_spec::law::exponential && model.timers.tick == 0.0 && !model.network.takes_time() &&
         !model.decision.takes_time();
}

// Features that take time which demands do not count: all but costs, latencies and waking.
unsigned uncounted_features(const scenario& model) {
  return features_of(model) & ~(with_costs | with_waking | (is_latency_alone(model.network) ? with_links : 0U));
}

class demand_calculator {
 public:
  explicit demand_calculator(const scenario& model)
      : model_(model),
        pooled_(is_pooled(model)),
        slotted_(is_slotted(model)),
        theta_(work_between_interruptions(model)),
        interruptible_(std::isfinite(theta_)),
        counts_interruptions_(one_interruption_in_theta(model)),
        round_trip_(shortest_round_trip(model.network)),
        nothing_else_(uncounted_features(model) == 0 && !preemption_takes_time(model)) {
    for (const server_spec& s : model.servers) servers_.emplace(s.name, &s);
  }

  demand of(const class_spec& c) const {
    const cost_spec& costs = model_.costs;
    demand d;
    d.overhead = round_trip_ + costs.dispatch_latency + costs.set_up;
    if (slotted_) d.overhead += costs.epsilon * model_.slot;
    const double interruptions = interruptible_ && counts_interruptions_ ? c.size.mean() / theta_ : 0.0;
    d.overhead += interruptions * (costs.save + round_trip_ + costs.dispatch_latency + costs.restore);
    // The fewest checkpoints, whatever the law of the sizes: none is written at the end.
    if (model_.checkpoint_cost > 0.0)
      d.overhead += model_.checkpoint_cost * std::max(0.0, c.size.mean() / *model_.checkpoint_every - 1.0);
    double slowest = speed(c.servers.front()), fastest = slowest;
    bool sleep = false;
    std::size_t servers = 0;
    for (const std::string& name : c.servers) {
      const server_spec& s = *servers_.at(name);
      slowest = std::min(slowest, speed(name));
      fastest = std::max(fastest, speed(name));
      sleep = sleep || s.power.delays();
      servers += s.count;
    }
    d.work = c.size.mean() + d.overhead * slowest;
    d.exact = nothing_else_ && !sleep && (!costs_anything() || counts_all(servers, slowest == fastest));
    d.work_at_most = d.exact ? d.work
                     : pooled_ && nothing_else_ && !sleep && !model_.network.takes_time()
                         ? pooled_at_most(c)
                         : std::numeric_limits<double>::infinity();
    return d;
  }

 private:
  double speed(const std::string& server) const {
    const server_spec& s = *servers_.at(server);
    return pooled_ ? s.capacity * s.cores : s.capacity;
  }

  // A job that loses cores before its end may pay every kind of cost.
  bool costs_anything() const {
    const cost_spec& costs = model_.costs;
    return costs.dispatch_latency + costs.set_up > 0.0 || model_.network.takes_time() ||
           ((slotted_ || interruptible_) && costs.any());
  }

  double pooled_at_most(const class_spec& c) const {
    const cost_spec& costs = model_.costs;
    std::vector<double> speeds;  // by single server
    for (const std::string& name : c.servers) speeds.insert(speeds.end(), servers_.at(name)->count, speed(name));
    std::sort(speeds.begin(), speeds.end(), std::greater<>());
    if (c.drawn > 0) speeds.resize(c.drawn);
    const double together = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    const double moving = costs.migration + (costs.bandwidth ? c.state / *costs.bandwidth : 0.0);
    const double first = costs.dispatch_latency + costs.set_up + (speeds.size() > 1 ? costs.save : 0.0),
                 again = costs.save + costs.dispatch_latency + costs.restore + moving;
    const double interruptions = interruptible_ ? c.size.mean() / theta_ : 0.0;
    return c.size.mean() + together * (first + interruptions * again);
  }

  bool counts_all(std::size_t servers, bool one_speed) const {
    if (slotted_) return false;
    return pooled_ ? servers == 1 && (!interruptible_ || counts_interruptions_) : one_speed;
  }

  const scenario& model_;
  bool pooled_, slotted_;
  double theta_;
  bool interruptible_, counts_interruptions_;
  double round_trip_;
  bool nothing_else_;  // nothing but costs, latencies and waking can hold a core
  std::unordered_map<std::string, const server_spec*> servers_;
};

}  // namespace

std::vector<demand> demands_of(const scenario& model) {
  const demand_calculator calculator(model);
  std::vector<demand> all;
  all.reserve(model.classes.size());
  for (const class_spec& c : model.classes) all.push_back(calculator.of(c));
  return all;
}

std::vector<std::string> uncounted_time(const scenario& model) {
  const unsigned of_pooled = is_pooled(model) ? features_of(model) & (with_links | with_waking) : 0U;
  std::vector<std::string> causes = feature_words(uncounted_features(model) | of_pooled);
  if (preemption_takes_time(model)) causes.emplace_back("preemption");
  return causes;
}

bool preemption_takes_time(const scenario& model) {
  const policy_entry* entry = find_policy(model.policy.name);
  return may_preempt(model) && (entry->loses_work || model.costs.any() || model.network.takes_time());
}

bool have_one_capacity(const std::vector<server_spec>& servers) {
  return std::all_of(servers.begin(), servers.end(),
                     [&](const server_spec& s) { return s.capacity == servers.front().capacity; });
}

std::vector<double> each_of(const std::vector<demand>& demands, double demand::*value) {
  std::vector<double> all;
  all.reserve(demands.size());
  for (const demand& d : demands) all.push_back(d.*value);
  return all;
}

std::optional<std::vector<double>> work_at_most(const std::vector<demand>& demands) {
  std::vector<double> work = each_of(demands, &demand::work_at_most);
  if (!std::all_of(work.begin(), work.end(), [](double w) { return std::isfinite(w); })) return std::nullopt;
  return work;
}

overhead_count count_overhead(const std::vector<demand>& demands) {
  if (!std::all_of(demands.begin(), demands.end(), [](const demand& d) { return d.exact; }))
    return overhead_count::lower_bound;
  const bool any = std::any_of(demands.begin(), demands.end(), [](const demand& d) { return d.overhead > 0.0; });
  return any ? overhead_count::exact : overhead_count::none;
}

const char* to_word(overhead_count counted) {
  return counted == overhead_count::none ? "-" : counted == overhead_count::exact ? "exact" : "lower bound";
}

}  // namespace muster
