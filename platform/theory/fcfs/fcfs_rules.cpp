#include "platform/theory/fcfs/fcfs_rules.h"

#include <numeric>
#include <tuple>
#include <utility>

namespace muster {

bool fcfs_state::operator<(const fcfs_state& other) const {
  return std::tie(in_service, head) < std::tie(other.in_service, other.head);
}

std::size_t fcfs_state::known() const {
  return std::accumulate(in_service.begin(), in_service.end(), std::size_t{head == no_head ? 0u : 1u});
}

void number(fcfs_level& level, const fcfs_outcomes& states) {
  for (const auto& [state, rate] : states) level.emplace(state, level.size());
}

fcfs_rules::fcfs_rules(std::size_t cores, std::vector<fcfs_class> classes)
    : cores_(cores), classes_(std::move(classes)) {
  for (const fcfs_class& c : classes_) rate_ += c.arrivals;
}

double fcfs_rules::completions(const fcfs_state& state) const {
  double sum = 0.0;
  for (std::size_t c = 0; c < classes_.size(); ++c)
    sum += static_cast<double>(state.in_service[c]) * classes_[c].completions;
  return sum;
}

fcfs_outcomes fcfs_rules::after_arrival(const fcfs_state& state) const {
  if (state.head != fcfs_state::no_head) return {{state, rate_}};
  return look(state, 1, rate_);
}

fcfs_outcomes fcfs_rules::after_completion(const fcfs_state& state, std::size_t jobs) const {
  fcfs_outcomes all;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    if (state.in_service[c] == 0) continue;
    fcfs_state next = state;
    --next.in_service[c];
    const double rate = static_cast<double>(state.in_service[c]) * classes_[c].completions;
    if (next.head != fcfs_state::no_head && fits(next, next.head)) {
      ++next.in_service[next.head];
      next.head = fcfs_state::no_head;
    }
    const bool waits = next.head != fcfs_state::no_head;
    for (const auto& [reached, part] : waits ? fcfs_outcomes{{next, rate}} : look(next, jobs - state.known(), rate))
      all[reached] += part;
  }
  return all;
}

// Merges equal states after each job, so that they remain few.
fcfs_outcomes fcfs_rules::look(const fcfs_state& from, std::size_t unseen, double rate) const {
  fcfs_outcomes outcomes, front{{from, rate}};
  for (; unseen > 0 && !front.empty(); --unseen) {
    fcfs_outcomes next;
    for (const auto& [state, part] : front)
      for (std::size_t c = 0; c < classes_.size(); ++c) {
        if (classes_[c].arrivals == 0.0) continue;
        fcfs_state seen = state;
        const bool starts = fits(state, c);
        if (starts)
          ++seen.in_service[c];
        else
          seen.head = c;
        (starts ? next : outcomes)[seen] += part * share(c);
      }
    front = std::move(next);
  }
  for (const auto& [state, part] : front) outcomes[state] += part;
  return outcomes;
}

bool fcfs_rules::fits(const fcfs_state& state, std::size_t c) const {
  std::size_t busy = classes_[c].need;
  for (std::size_t other = 0; other < classes_.size(); ++other) busy += state.in_service[other] * classes_[other].need;
  return busy <= cores_;
}

std::vector<double> stationary_shares(matrix rate) {
  const std::size_t n = rate.size1();
  for (std::size_t last = n - 1; last > 0; --last) {
    double out = 0.0;
    for (std::size_t to = 0; to < last; ++to) out += rate(last, to);
    for (std::size_t from = 0; from < last; ++from) {
      const double share = rate(from, last) /= out;
      if (share == 0.0) continue;
      for (std::size_t to = 0; to < last; ++to) rate(from, to) += share * rate(last, to);
    }
  }
  std::vector<double> shares{1.0};
  double sum = 1.0;
  for (std::size_t at = 1; at < n; ++at) {
    double into = 0.0;
    for (std::size_t from = 0; from < at; ++from) into += shares[from] * rate(from, at);
    shares.push_back(into);
    sum += into;
  }
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace muster
