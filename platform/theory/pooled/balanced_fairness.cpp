#include "platform/theory/pooled/balanced_fairness.h"

#include <boost/range/iterator_range.hpp>

namespace muster {

namespace {

using subset = std::size_t;  // bit i: class i is in it

subset only(std::size_t i) { return subset{1} << i; }

/// Calls an action with each class of a set, without a branch for each class: the sets are many and follow no pattern.
template <class Action>
void for_each_class(subset set, Action&& action) {
  for (; set; set &= set - 1) action(static_cast<std::size_t>(__builtin_ctzll(set)));
}

/// The slack mu(A) - sum of the loads in A, for every set A of classes.
///
/// A server counts in A if one of its classes is in A: all servers but those whose classes all lie outside. Their sum
/// over subsets takes one pass per class. A load counts in A as if it were a server of its class alone, below zero.
std::vector<double> slack_of_all_sets(const compatibility_graph& graph, std::size_t classes) {
  const subset all = only(classes) - 1;
  std::vector<double> sums(all + 1);
  for (std::size_t i = 0; i < classes; ++i) sums[only(i)] -= graph[i].load;
  for (std::size_t s = classes; s < num_vertices(graph); ++s) {
    subset users = 0;
    for (const auto i : boost::make_iterator_range(adjacent_vertices(s, graph))) users |= only(i);
    if (users) sums[users] += graph[s].capacity;
  }
  for (std::size_t i = 0; i < classes; ++i)
    for (subset a = 0; a <= all; ++a)
      if (a & only(i)) sums[a] += sums[a ^ only(i)];
  const double everything = sums[all];
  for (subset a = 0; a < all - a; ++a) {
    const double outside = sums[all - a];
    sums[all - a] = everything - sums[a];
    sums[a] = everything - outside;
  }
  return sums;
}

}  // namespace

// G(A), the sum of Phi(x) prod a_i^x_i (equation 3) over the states x whose active classes are A: to multiply equation
// 4 with mu(A) and to sum it over these x gives
//   mu(A) G(A) = sum over i in A of a_i (G(A) + G(A \ i)),  G(empty) = 1.
// The mean number of class i is a_i d/da_i of log(sum of G), so 1 / gamma_i is that derivative without the factor a_i,
// which also serves classes of no load. The reference's recursion for L_i(A) = a_i dG(A)/da_i takes a pass over all
// sets for each class. Going backwards gives all classes in one: with D(A) = mu(A) - sum of a_i in A and H(A) = (d sum
// of G / dG(A)) / D(A),
//   H(A) = (1 + sum over j not in A of a_j H(A + j)) / D(A),
//   d sum of G / da_i = sum over A with i of H(A) (G(A) + G(A \ i)).
// All terms are positive: nothing cancels.
std::vector<double> balanced_service_rates(const compatibility_graph& graph) {
  const std::size_t classes = class_vertices(graph);
  const subset all = only(classes) - 1;
  std::vector<double> slack = slack_of_all_sets(graph, classes);
  std::vector<double> load(classes);
  for (std::size_t i = 0; i < classes; ++i) load[i] = graph[i].load;
  std::vector<double> g(all + 1);
  g[0] = 1.0;
  double sum = 1.0;
  for (subset a = 1; a <= all; ++a) {
    double from_smaller = 0.0;
    for_each_class(a, [&](std::size_t i) { from_smaller += load[i] * g[a ^ only(i)]; });
    sum += g[a] = from_smaller / slack[a];
  }
  std::vector<double>& h = slack;  // larger sets come first, and a set's slack is read only once
  std::vector<double> time_per_work(classes);
  for (subset a = all; a > 0; --a) {
    double to_larger = 1.0;
    for_each_class(all ^ a, [&](std::size_t j) { to_larger += load[j] * h[a | only(j)]; });
    h[a] = to_larger / slack[a];
    for_each_class(a, [&](std::size_t i) { time_per_work[i] += h[a] * (g[a] + g[a ^ only(i)]); });
  }
  std::vector<double> rates(classes);
  for (std::size_t i = 0; i < classes; ++i) rates[i] = sum / time_per_work[i];
  return rates;
}

std::pair<double, double> tree_service_rates(std::pair<double, double> own, double shared,
                                             std::pair<double, double> loads) {
  const auto& [mu_1, mu_2] = own;
  const double mu = mu_1 + mu_2 + shared;
  const double rho_1 = loads.first / (mu_1 + shared), rho_2 = loads.second / (mu_2 + shared);
  const double slack = mu - loads.first - loads.second;  // mu (1 - rho)
  const double common = slack + shared * rho_1 * rho_2;
  return {1.0 / (1.0 / slack + mu_2 / (mu_1 + shared) * (1.0 - rho_2) / (1.0 - rho_1) / common),
          1.0 / (1.0 / slack + mu_1 / (mu_2 + shared) * (1.0 - rho_1) / (1.0 - rho_2) / common)};
}

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
