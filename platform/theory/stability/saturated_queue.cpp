#include "platform/theory/stability/saturated_queue.h"

#include <algorithm>

namespace muster {

namespace {

// The probabilities that n jobs need s cores in all, by recursion over n.
class filling_sums {
 public:
  explicit filling_sums(const rigid_workload& workload) : workload_(workload), chance_(workload.cores + 1) {
    chance_[0] = 1.0;
  }

  // Adds one job. @return the probability that all fit
  double add_job() {
    std::vector<double> next(chance_.size());
    for (const auto& c : workload_.classes)
      for (std::size_t s = c.need; s < next.size(); ++s) next[s] += c.rate * chance_[s - c.need];
    chance_ = std::move(next);
    double sum = 0.0;
    for (const double p : chance_) sum += p;
    return sum;
  }

 private:
  const rigid_workload& workload_;
  std::vector<double> chance_;  // by the cores that the jobs need
};

}  // namespace

std::optional<double> throughput_by_cycles(const rigid_workload& workload) {
  if (workload.classes.size() != 2) return std::nullopt;
  const auto [light, heavy] = std::minmax(workload.classes[0], workload.classes[1],
                                          [](const auto& a, const auto& b) { return a.need < b.need; });
  if (light.need != 1 || heavy.need != workload.cores || workload.cores == 1 || !light.is_exponential())
    return std::nullopt;
  const double light_share = light.rate / workload.rate(), heavy_share = heavy.rate / workload.rate();
  double cycle = heavy.held;
  double at_least = 1.0;  // P(L >= n)
  for (unsigned n = 1; n <= workload.cores; ++n)
    cycle += (at_least *= light_share) * light.held / n;  // the n-th light job prolongs the period by 1 / (n mu)
  cycle += at_least * light_share / heavy_share * light.held / workload.cores;  // each further one by 1 / (k mu)
  return workload.rate() / heavy.rate / cycle;
}

std::optional<double> throughput_by_product_form(const rigid_workload& workload) {
  constexpr double most_steps = 2e8;
  const auto& classes = workload.classes;
  const unsigned least = std::min_element(classes.begin(), classes.end(), [](const auto& a, const auto& b) {
                           return a.need < b.need;
                         })->need;
  const unsigned most_jobs = workload.cores / least;
  const double steps = static_cast<double>(most_jobs) * workload.cores * static_cast<double>(classes.size());
  if (steps > most_steps || !std::all_of(classes.begin(), classes.end(), [&](const auto& c) {
        return c.is_exponential() && c.held == classes.front().held;
      }))
    return std::nullopt;
  filling_sums sums(workload);
  double mean = 0.0;  // of 1 / S
  double fits = sums.add_job();
  for (unsigned n = 1; n <= most_jobs; ++n) {
    const double next_fits = sums.add_job();
    mean += (fits - next_fits) / n;
    fits = next_fits;
  }
  return 1.0 / (classes.front().held * mean);
}

saturated_throughput saturated_throughput_of(const rigid_workload& workload) {
  const auto computed = saturated_throughput::computed;
  if (const auto rate = throughput_by_cycles(workload))
    return computed(*rate, "one-or-all with exponential light jobs");
  if (const auto rate = throughput_by_product_form(workload))
    return computed(*rate, "product form, exponential sizes of one mean (Rumyantsev and Morozov 2017)");
  if (const auto rate = throughput_by_chain(workload, most_chain_states))
    return computed(*rate, "exponential sizes, Markov chain of the jobs in service");
  return throughput_by_simulation(workload);
}

}  // namespace muster
