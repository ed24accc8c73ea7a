#include "platform/theory/pooled/balanced_fairness.h"

#include <map>

#include <gtest/gtest.h>

#include "tests/oracles/markov_chain.h"
#include "tests/theory/pooled_scenario.h"

namespace muster {
namespace {

/// Capacity of the servers that the classes in `active` may use, server by server.
double capacity(const scenario& model, const std::vector<bool>& active) {
  double sum = 0.0;
  for (const server_spec& s : model.servers) {
    bool used = false;
    for (std::size_t c = 0; c < active.size(); ++c)
      for (const std::string& name : model.classes[c].servers) used = used || (active[c] && name == s.name);
    if (used) sum += s.capacity * s.cores * s.count;
  }
  return sum;
}

double load(const class_spec& c) { return c.rate * c.size.mean(); }

/// Service rates from equations 3 and 4 as they stand, over all states of less than `jobs` jobs of each class.
std::vector<double> by_summation(const scenario& model, int jobs) {
  const std::size_t n = model.classes.size();
  std::map<std::vector<int>, double> weight;
  std::vector<double> mean(n);
  double sum = 0.0;
  std::vector<int> x(n, 0);
  for (;;) {  // counts up, so that x - e_i comes before x
    double w = 1.0;
    if (std::vector<int>(n, 0) != x) {
      std::vector<bool> active(n);
      w = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        if (x[i] == 0) continue;
        active[i] = true;
        --x[i];
        w += load(model.classes[i]) * weight.at(x);
        ++x[i];
      }
      w /= capacity(model, active);
    }
    weight[x] = w;
    sum += w;
    for (std::size_t i = 0; i < n; ++i) mean[i] += w * x[i];
    std::size_t digit = 0;
    while (digit < n && ++x[digit] == jobs) x[digit++] = 0;
    if (digit == n) break;
  }
  std::vector<double> rates;
  for (std::size_t i = 0; i < n; ++i) rates.push_back(load(model.classes[i]) / (mean[i] / sum));
  return rates;
}

/// Service rates from the recursion for the means as references 22 and 23 of the paper have it.
std::vector<double> by_recursion_for_each_class(const scenario& model) {
  const std::size_t n = model.classes.size(), sets = std::size_t{1} << n;
  std::vector<double> g(sets), rates;
  std::vector<std::vector<double>> l(n, std::vector<double>(sets));
  g[0] = 1.0;
  double sum = 1.0;
  std::vector<double> mean(n);
  for (std::size_t a = 1; a < sets; ++a) {
    std::vector<bool> active(n);
    for (std::size_t i = 0; i < n; ++i) active[i] = a >> i & 1;
    double slack = capacity(model, active);
    for (std::size_t i = 0; i < n; ++i) slack -= active[i] ? load(model.classes[i]) : 0.0;
    for (std::size_t i = 0; i < n; ++i)
      if (active[i]) g[a] += load(model.classes[i]) * g[a - (std::size_t{1} << i)] / slack;
    for (std::size_t i = 0; i < n; ++i) {
      if (!active[i]) continue;
      for (std::size_t j = 0; j < n; ++j)
        if (active[j]) {
          const std::size_t without = a - (std::size_t{1} << j);
          l[i][a] += load(model.classes[j]) * (i == j ? g[a] + g[without] : l[i][without]) / slack;
        }
      mean[i] += l[i][a];
    }
    sum += g[a];
  }
  for (std::size_t i = 0; i < n; ++i) rates.push_back(load(model.classes[i]) * sum / mean[i]);
  return rates;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double relative) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], relative * expected[i]) << i;
}

const std::vector<server_spec> three_servers{{"left", 1, 1, 1.0}, {"right", 1, 1, 0.5}, {"shared", 2, 1, 0.75}};

/// Two classes, then graphs of three: nested, a path, one with a pooled need of everything.
std::vector<scenario> small_graphs() {
  return {
      pooled(three_servers, {{0.5, {"left", "shared"}}, {0.4, {"right", "shared"}, 1.5}}),
      pooled(three_servers, {{0.3, {"left"}}, {0.4, {"left", "shared"}}, {0.5, {"left", "right", "shared"}}}),
      pooled(three_servers, {{0.2, {"left", "right"}}, {0.3, {"right", "shared"}, 0.5}, {0.4, {"shared"}}}),
      pooled(three_servers, {{0.4, {"left"}}, {0.1, {"right"}}, {0.6, {"shared"}}}),
  };
}

std::vector<double> balanced_rates(const scenario& model) {
  return balanced_service_rates(make_compatibility_graph(model));
}

TEST(balanced_fairness, of_one_class_is_a_queue_that_shares_one_processor) {
  expect_near(balanced_rates(pooled({{"x", 3, 2, 1.5}}, {{5.0, {"x"}, 0.7}})), {9.0 - 3.5}, 1e-14);
}

TEST(balanced_fairness, is_the_sum_over_all_states_of_equations_3_and_4) {
  for (const scenario& model : small_graphs()) expect_near(balanced_rates(model), by_summation(model, 45), 1e-6);
}

TEST(balanced_fairness, in_one_pass_is_what_the_recursion_of_each_class_gives) {
  for (const scenario& model : small_graphs())
    expect_near(balanced_rates(model), by_recursion_for_each_class(model), 1e-13);
}

TEST(balanced_fairness, of_classes_with_servers_of_their_own_is_one_queue_each) {
  expect_near(balanced_rates(small_graphs().back()), {0.6, 0.4, 0.9}, 1e-14);
}

TEST(balanced_fairness, serves_twenty_classes) {
  // Class i has server i; all share one more. Nobody but symmetry tells the answer: all rates are equal, and the sum
  // over states depends on the number of active classes only.
  constexpr std::size_t n = 20;
  constexpr double own = 1.0, shared = 3.0, rate = 0.9;
  std::vector<server_spec> servers{{"shared", 1, 1, shared}};
  std::vector<pooled_class_spec> classes;
  for (std::size_t i = 0; i < n; ++i) {
    servers.push_back({"own" + std::to_string(i), 1, 1, own});
    classes.push_back({rate, {"shared", servers.back().name}});
  }
  double g = 1.0, jobs = 0.0, sum = 1.0, jobs_sum = 0.0, sets = 1.0;
  for (std::size_t k = 1; k <= n; ++k) {
    const auto active = static_cast<double>(k);
    const double slack = shared + active * own - active * rate, before = g;
    g = active * rate * before / slack;
    jobs = active * rate * (g + before + jobs) / slack;  // of all classes together
    sets *= static_cast<double>(n - k + 1) / active;
    sum += sets * g;
    jobs_sum += sets * jobs;
  }
  const double gamma = n * rate * sum / jobs_sum;
  expect_near(balanced_rates(pooled(servers, classes)), std::vector<double>(n, gamma), 1e-10);
}

TEST(balanced_fairness, of_a_class_without_arrivals_is_what_a_first_job_would_get) {
  const double nearly_nothing = 1e-9;
  const auto at = [](double rate) {
    return balanced_rates(pooled(three_servers, {{rate, {"left", "shared"}}, {0.9, {"right", "shared"}}}));
  };
  expect_near(at(0.0), at(nearly_nothing), 1e-8);
}

TEST(equations_10_and_11, as_the_paper_prints_them_are_the_recursion_of_two_classes) {
  for (const double own_1 : {0.0, 0.5, 1.0, 7.0})
    for (const double own_2 : {0.25, 1.0})
      for (const double shared : {0.1, 1.0, 4.0})
        for (const double share : {0.05, 0.5, 0.9})
          for (const double load : {0.2, 0.9, 0.999}) {
            const double first = own_1 + shared, second = own_2 + shared;
            const double limit = std::min({(own_1 + own_2 + shared), first / share, second / (1.0 - share)});
            const double a_1 = load * share * limit, a_2 = load * (1.0 - share) * limit;
            std::vector<server_spec> servers{{"2", 1, 1, own_2}, {"3", 1, 1, shared}};
            pooled_class_spec one{a_1, {"3"}};
            if (own_1 > 0.0) {
              servers.push_back({"1", 1, 1, own_1});
              one.servers.emplace_back("1");
            }
            const auto [gamma_1, gamma_2] = tree_service_rates({own_1, own_2}, shared, {a_1, a_2});
            expect_near({gamma_1, gamma_2}, balanced_rates(pooled(servers, {one, {a_2, {"2", "3"}}})), 1e-10);
          }
}

/// Section 2's queue in full: the classes of its jobs in order. An arrival beyond `longest` jobs is lost.
struct queue_state {
  static constexpr std::size_t longest = 13;
  std::uint8_t length = 0;
  std::array<std::uint8_t, longest> classes{};

  bool operator==(const queue_state& other) const { return length == other.length && classes == other.classes; }
  queue_state with(std::uint8_t type) const {
    queue_state next = *this;
    next.classes[next.length++] = type;
    return next;
  }
  queue_state without(std::size_t at) const {
    queue_state next = *this;
    for (std::size_t k = at; k + 1 < length; ++k) next.classes[k] = next.classes[k + 1];
    next.classes[--next.length] = 0;
    return next;
  }
};

/// @param interruptions mean number per unit of work, Algorithm 1's 1 / theta
std::vector<double> by_markov_chain(const scenario& model, std::size_t longest, double interruptions) {
  const auto transitions_of = [&](const queue_state& state) {
    std::vector<std::pair<queue_state, double>> moves;
    for (std::size_t c = 0; c < model.classes.size() && state.length < longest; ++c)
      moves.emplace_back(state.with(static_cast<std::uint8_t>(c)), model.classes[c].rate);
    std::vector<bool> ahead(model.classes.size());
    for (std::size_t k = 0; k < state.length; ++k) {
      const double before = capacity(model, ahead);
      ahead[state.classes[k]] = true;
      const double service = capacity(model, ahead) - before;
      moves.emplace_back(state.without(k), service / model.classes[state.classes[k]].size.mean());
      moves.emplace_back(state.without(k).with(state.classes[k]), service * interruptions);
    }
    return moves;
  };
  const auto chain = oracle::explore(queue_state{}, transitions_of, [](const queue_state&) { return true; });
  const auto stationary = oracle::solve_stationary(chain.states.size(), chain.transitions);
  std::vector<double> mean(model.classes.size()), rates;
  for (std::size_t s = 0; s < chain.states.size(); ++s)
    for (std::size_t k = 0; k < chain.states[s].length; ++k)
      mean[chain.states[s].classes[k]] += stationary.probability[s];
  for (std::size_t c = 0; c < mean.size(); ++c) rates.push_back(load(model.classes[c]) / mean[c]);
  return rates;
}

TEST(balanced_fairness, is_exact_for_exponential_sizes_with_any_number_of_interruptions) {
  const scenario tree = pooled(three_servers, {{0.3, {"left", "shared"}}, {0.2, {"right", "shared"}}});
  const scenario nested =
      pooled(three_servers, {{0.05, {"left"}}, {0.08, {"left", "right"}}, {0.09, {"left", "right", "shared"}}});
  for (const double interruptions : {0.0, 0.5, 5.0}) {
    expect_near(balanced_rates(tree), by_markov_chain(tree, 13, interruptions), 1e-6);
    expect_near(balanced_rates(nested), by_markov_chain(nested, 8, interruptions), 1e-5);
  }
}

TEST(balanced_fairness, is_not_exact_for_classes_of_different_mean_sizes) {
  // One server under FCFS is M/G/1: both classes wait equally long.
  const scenario model = pooled({{"x", 1, 1, 1.0}}, {{0.1, {"x"}, 1.0}, {0.2, {"x"}, 0.1}});
  const double waiting = (0.1 * 2.0 * 1.0 + 0.2 * 2.0 * 0.01) / 2.0 / (1.0 - 0.12);
  const std::vector<double> rates = by_markov_chain(model, 13, 0.0);
  EXPECT_NEAR(rates[0], 1.0 / (waiting + 1.0), 1e-4);
  EXPECT_NEAR(rates[1], 0.1 / (waiting + 0.1), 1e-4);
  expect_near(balanced_rates(model), {0.88, 0.88}, 1e-14);
}

}  // namespace
}  // namespace muster
