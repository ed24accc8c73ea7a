#include "platform/theory/pooled/random_assignment.h"

namespace muster {

std::vector<double> chance_within(std::size_t servers, std::size_t drawn) {
  std::vector<double> chance(servers + 1);
  chance[servers] = 1.0;
  for (std::size_t b = servers; b > drawn; --b)
    chance[b - 1] = chance[b] * static_cast<double>(b - drawn) / static_cast<double>(b);
  return chance;
}

// Equation 1, with mu(A) multiplied out and summed over all states, says that the total service rate balances the load:
//   sum over servers s of C (Z - Z without s) = load Z,
// where Z is the sum of all weights, and Z without s that of the states in which s idles, which is the Z of a cluster
// without s and the jobs that may use it. Servers are alike, so Z_b of b servers depends on b alone, and
//   Z_b (b C - load within b) = b C Z_{b-1}:  Z = product over b of 1 / (1 - r_b).
// The mean number of jobs of a class is load d/dload of log Z, and 1 / gamma that derivative without the factor load.
std::vector<double> random_assignment_rates(std::size_t servers, double capacity,
                                            const std::vector<drawing_class>& classes) {
  std::vector<double> slack;
  for (std::size_t b = 0; b <= servers; ++b) slack.push_back(static_cast<double>(b) * capacity);
  for (const drawing_class& c : classes) {
    const std::vector<double> chance = chance_within(servers, c.drawn);
    for (std::size_t b = 0; b <= servers; ++b) slack[b] -= c.load * chance[b];
  }
  std::vector<double> rates;
  for (const drawing_class& c : classes) {
    const std::vector<double> chance = chance_within(servers, c.drawn);
    double time_per_work = 0.0;
    for (std::size_t b = 1; b <= servers; ++b) time_per_work += chance[b] / slack[b];
    rates.push_back(1.0 / time_per_work);
  }
  return rates;
}

}  // namespace muster
