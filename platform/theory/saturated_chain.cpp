#include <map>
#include <tuple>
#include <utility>

#include "platform/theory/saturated_queue.h"

namespace muster {

namespace {

using jobs_by_class = std::vector<unsigned>;

// The saturated queue with exponential sizes. The jobs behind those in service have been drawn, but their classes are
// independent of all that has happened, except that of the first, which does not fit. So the jobs in service and the
// class of the first waiting one are a Markov chain.
class saturated_chain {
 public:
  saturated_chain(const rigid_workload& what, std::size_t most_states) : what_(what), most_states_(most_states) {}

  // @return false if there are too many states
  bool explore() {
    for (const auto& start : filled_from(jobs_by_class(what_.classes.size()), what_.cores)) number_of(start.first);
    for (std::size_t from = 0; from < states_.size(); ++from) {
      if (is_too_large()) return false;
      const state now = states_[from];  // by value: more are added
      rates_.emplace_back();
      for (std::size_t c = 0; c < now.in_service.size(); ++c) {
        if (now.in_service[c] == 0) continue;
        const double rate = now.in_service[c] / what_.classes[c].held;
        state next = now;
        --next.in_service[c];
        const unsigned free = what_.cores - cores_of(next.in_service), needed = what_.classes[now.waiting].need;
        if (needed > free) {
          rates_[from][number_of(next)] += rate;
          continue;
        }
        ++next.in_service[now.waiting];
        for (const auto& [to, chance] : filled_from(next.in_service, free - needed))
          rates_[from][number_of(to)] += rate * chance;
      }
    }
    return !is_too_large();
  }

  // Completions per unit of time. By elimination of one state after the other (Grassmann, Taksar and Heyman, 1985): no
  // subtraction, no loss of digits.
  double throughput() const {
    const std::size_t n = states_.size();
    std::vector<double> rate(n * n);
    for (std::size_t from = 0; from < n; ++from)
      for (const auto& [to, r] : rates_[from]) rate[from * n + to] = r;
    for (std::size_t last = n - 1; last > 0; --last) {
      double out = 0.0;
      for (std::size_t to = 0; to < last; ++to) out += rate[last * n + to];
      for (std::size_t from = 0; from < last; ++from) {
        const double share = rate[from * n + last] /= out;
        if (share == 0.0) continue;
        for (std::size_t to = 0; to < last; ++to) rate[from * n + to] += share * rate[last * n + to];
      }
    }
    std::vector<double> weight{1.0};
    double sum = 1.0, completions = completion_rate(0);
    for (std::size_t at = 1; at < n; ++at) {
      double into = 0.0;
      for (std::size_t from = 0; from < at; ++from) into += weight[from] * rate[from * n + at];
      weight.push_back(into);
      sum += into;
      completions += into * completion_rate(at);
    }
    return completions / sum;
  }

 private:
  struct state {
    jobs_by_class in_service;
    std::size_t waiting;  // class of the first job that waits
    bool operator<(const state& other) const {
      return std::tie(in_service, waiting) < std::tie(other.in_service, other.waiting);
    }
  };
  using chances = std::map<state, double>;

  bool is_too_large() const { return states_.size() > most_states_ || has_too_many_fillings(); }
  bool has_too_many_fillings() const { return filled_.size() > 4 * most_states_; }

  unsigned cores_of(const jobs_by_class& jobs) const {
    unsigned cores = 0;
    for (std::size_t c = 0; c < jobs.size(); ++c) cores += jobs[c] * what_.classes[c].need;
    return cores;
  }

  std::size_t number_of(const state& s) {
    const auto [at, is_new] = numbers_.emplace(s, states_.size());
    if (is_new) states_.push_back(s);
    return at->second;
  }

  // The states that follow when jobs are drawn until one does not fit.
  const chances& filled_from(const jobs_by_class& in_service, unsigned free) {
    if (const auto known = filled_.find(in_service); known != filled_.end()) return known->second;
    chances found;
    for (std::size_t c = 0; c < what_.classes.size(); ++c) {
      const auto& drawn = what_.classes[c];
      if (drawn.need > free) {
        found[{in_service, c}] += drawn.rate;
        continue;
      }
      jobs_by_class next = in_service;
      ++next[c];
      if (has_too_many_fillings()) return overflow_;
      for (const auto& [to, chance] : filled_from(next, free - drawn.need)) found[to] += drawn.rate * chance;
    }
    return filled_[in_service] = std::move(found);
  }

  double completion_rate(std::size_t at) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < what_.classes.size(); ++c) sum += states_[at].in_service[c] / what_.classes[c].held;
    return sum;
  }

  const rigid_workload& what_;
  std::size_t most_states_;
  std::vector<state> states_;
  std::map<state, std::size_t> numbers_;
  std::vector<std::map<std::size_t, double>> rates_;  // from each state to others
  std::map<jobs_by_class, chances> filled_;
  chances overflow_;
};

}  // namespace

std::optional<double> throughput_by_chain(const rigid_workload& what, std::size_t most_states) {
  for (const auto& c : what.classes)
    if (c.size.name() != "exponential" || c.overhead != 0.0) return std::nullopt;
  for (const auto& c : what.classes)
    if (what.cores / c.need > most_states) return std::nullopt;
  saturated_chain chain(what, most_states);
  if (!chain.explore()) return std::nullopt;
  return chain.throughput();
}

}  // namespace muster
