#include <algorithm>
#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "tests/oracles/markov_chain.h"
#include "tests/simulation/replicate.h"

// Jobs that need two resources on two servers, held against the exact stationary distributions of their Markov chains.

namespace muster {
namespace {

constexpr std::size_t classes = 3, servers = 2, longest = 9;
constexpr std::array<std::array<int, 2>, servers> has{{{4, 1}, {3, 2}}};            // cores and GPUs
constexpr std::array<std::array<int, 2>, classes> needs{{{2, 1}, {1, 0}, {1, 2}}};  // the last fits one server only
constexpr std::array<double, classes> rates{0.2, 0.5, 0.06}, means{1.0, 0.8, 1.5};
// Classes in descending order of the share of their scarcest resource, of 7 cores and 3 GPUs: 2/3, 1/3, 1/7.
constexpr std::array<int, classes> by_share{2, 0, 1};

/// Jobs in service by server and class, and the class of each waiting job plus 1 in the order of arrival.
struct state {
  std::array<std::array<std::uint8_t, classes>, servers> served{};
  std::array<std::uint8_t, longest + 1> queue{};

  bool operator==(const state& other) const { return served == other.served && queue == other.queue; }
  std::size_t waiting() const {
    return static_cast<std::size_t>(std::find(queue.begin(), queue.end(), 0) - queue.begin());
  }
  bool start(std::size_t type) {
    for (std::size_t s = 0; s < servers; ++s) {
      bool fits = true;
      for (std::size_t r = 0; r < 2; ++r) {
        int held = needs[type][r];
        for (std::size_t c = 0; c < classes; ++c) held += served[s][c] * needs[c][r];
        fits = fits && held <= has[s][r];
      }
      if (!fits) continue;
      ++served[s][type];
      return true;
    }
    return false;
  }
  void leave_queue(std::size_t at) {
    std::copy(queue.begin() + static_cast<std::ptrdiff_t>(at) + 1, queue.end(),
              queue.begin() + static_cast<std::ptrdiff_t>(at));
    queue.back() = 0;
  }
  // @return whether the job in that place of the queue has been started
  bool start_at(std::size_t at) {
    if (!start(queue[at] - 1U)) return false;
    leave_queue(at);
    return true;
  }
};

void first_come_first_served(state& s) {
  while (s.queue[0] != 0 && s.start_at(0)) {
  }
}

void first_fit(state& s) {
  for (std::size_t at = 0; s.queue[at] != 0;)
    if (!s.start_at(at)) ++at;
}

void largest_share_first(state& s) {
  for (const int type : by_share)
    for (std::size_t at = 0; s.queue[at] != 0;)
      if (s.queue[at] != type + 1 || !s.start_at(at)) ++at;
}

// The class that holds the smallest share of its scarcest resource starts its first job, if it fits.
void least_share_first(state& s) {
  constexpr std::array<double, classes> shares{1.0 / 3.0, 1.0 / 7.0, 2.0 / 3.0};
  for (;;) {
    std::size_t best = longest + 1;
    double least = 2.0;
    for (std::size_t at = 0; s.queue[at] != 0; ++at) {
      const std::size_t type = s.queue[at] - 1U;
      state copy = s;
      const double share = (s.served[0][type] + s.served[1][type]) * shares[type];
      if (share >= least || !copy.start(type)) continue;
      best = at;
      least = share;
    }
    if (best > longest) return;
    s.start_at(best);
  }
}

// The mean response time of each class.
std::array<double, classes> exact_means(void (*schedule)(state&)) {
  const auto transitions_of = [&](const state& from) {
    std::vector<std::pair<state, double>> to;
    for (std::size_t c = 0; c < classes; ++c) {
      state arrival = from;
      arrival.queue[from.waiting()] = static_cast<std::uint8_t>(c + 1);
      schedule(arrival);
      to.emplace_back(arrival, rates[c]);
      for (std::size_t s = 0; s < servers; ++s) {
        if (from.served[s][c] == 0) continue;
        state next = from;
        --next.served[s][c];
        schedule(next);
        to.emplace_back(next, from.served[s][c] / means[c]);
      }
    }
    return to;
  };
  const auto chain =
      oracle::explore(state{}, transitions_of, [](const state& s) { return s.waiting() <= longest - 1; });
  const auto solved = oracle::solve_stationary(chain.states.size(), chain.transitions, 1e-10);
  double lost = 0.0;
  std::array<double, classes> jobs{};
  for (std::size_t n = 0; n < chain.states.size(); ++n) {
    const state& s = chain.states[n];
    if (s.waiting() == longest - 1) lost += solved.probability[n];
    for (std::size_t c = 0; c < classes; ++c) {
      double here = 0.0;
      for (const auto& of_server : s.served) here += of_server[c];
      for (const std::uint8_t type : s.queue) here += type == c + 1;
      jobs[c] += solved.probability[n] * here;
    }
  }
  EXPECT_LT(lost, 2e-4) << "the chain is cut too early to be a judge";
  for (std::size_t c = 0; c < classes; ++c) jobs[c] /= rates[c];
  return jobs;
}

/// Jobs of each class, in the system or in a schedule.
using counts = std::array<std::uint8_t, classes>;

// What there is room for on idle servers, class after class in the order of shares; in ascending order of that.
std::vector<counts> all_schedules() {
  std::vector<counts> found;
  for (unsigned number = 0; number < 512; ++number) {
    counts jobs{};
    for (std::size_t n = 0; n < classes; ++n) jobs[by_share[n]] = number >> (6 - 3 * n) & 7;
    state s;
    bool room = true;
    for (const int type : by_share)
      for (unsigned n = 0; n < jobs[type]; ++n) room = room && s.start(static_cast<std::size_t>(type));
    if (room) found.push_back(jobs);
  }
  return found;
}

// Of the schedules of which all jobs are there the last one of the largest weight.
counts heaviest(const std::vector<counts>& schedules, const counts& present) {
  counts best{};
  unsigned largest = 0;
  for (const counts& jobs : schedules) {
    unsigned weight = 0;
    bool there = true;
    for (std::size_t c = 0; c < classes; ++c) {
      weight += jobs[c] * present[c];
      there = there && jobs[c] <= present[c];
    }
    if (!there || weight < largest) continue;
    largest = weight;
    best = jobs;
  }
  return best;
}

// The mean response time of each class where the schedule of the largest weight is always served.
// @param factor of all rates
std::array<double, classes> exact_means_of_max_weight(double factor) {
  constexpr unsigned most = 40;
  const auto schedules = all_schedules();
  const auto transitions_of = [&](const counts& from) {
    std::vector<std::pair<counts, double>> to;
    const counts served = heaviest(schedules, from);
    for (std::size_t c = 0; c < classes; ++c) {
      counts next = from;
      ++next[c];
      to.emplace_back(next, factor * rates[c]);
      next[c] = static_cast<std::uint8_t>(from[c] - 1);
      if (served[c] > 0) to.emplace_back(next, served[c] / means[c]);
    }
    return to;
  };
  const auto chain = oracle::explore(counts{}, transitions_of, [&](const counts& s) {
    return std::all_of(s.begin(), s.end(), [](unsigned jobs) { return jobs <= most; });
  });
  const auto solved = oracle::solve_stationary(chain.states.size(), chain.transitions, 1e-10);
  double lost = 0.0;
  std::array<double, classes> jobs{};
  for (std::size_t n = 0; n < chain.states.size(); ++n)
    for (std::size_t c = 0; c < classes; ++c) {
      jobs[c] += solved.probability[n] * chain.states[n][c] / (factor * rates[c]);
      if (chain.states[n][c] == most) lost += solved.probability[n];
    }
  EXPECT_LT(lost, 1e-6) << "the chain is cut too early to be a judge";
  return jobs;
}

void expect_exact(const char* policy, const std::array<double, classes>& exact, double factor = 1.0) {
  std::vector<std::string> set{std::string{"policy.name="} + policy};
  for (std::size_t c = 0; c < classes; ++c)
    set.push_back("classes.c" + std::to_string(c) + ".rate=" + std::to_string(factor * rates[c]));

  const auto results = replicate(R"(name = "two_resources"
platform.servers = [
  { name = "few", cores = 4, resources = { gpu = 1 } },
  { name = "many", cores = 3, resources = { gpu = 2 } },
]
platform.resources.gpu = { kind = "devices" }
classes = [
  { name = "c0", per_task = { cores = 2, gpu = 1 }, rate = 0.2, size = { distribution = "exponential", mean = 1.0 } },
  { name = "c1", per_task = { cores = 1 }, rate = 0.5, size = { distribution = "exponential", mean = 0.8 } },
  { name = "c2", per_task = { cores = 1, gpu = 2 }, rate = 0.06, size = { distribution = "exponential", mean = 1.5 } },
]
arrivals.process = "poisson"
run = { jobs = 9_500, replications = 30, warm_up = 0.05 }
)",
                                 set);
  for (std::size_t c = 0; c < classes; ++c)
    EXPECT_ESTIMATE(results, "response_time", "c" + std::to_string(c), exact[c]);
}

TEST(two_resources, are_served_by_fcfs_as_their_chain_says) {
  expect_exact("fcfs", exact_means(first_come_first_served));
}
TEST(two_resources, are_served_by_first_fit_as_their_chain_says) { expect_exact("first_fit", exact_means(first_fit)); }
TEST(two_resources, are_served_by_msf_as_their_chain_says) { expect_exact("msf", exact_means(largest_share_first)); }
TEST(two_resources, are_served_by_max_weight_as_its_chain_says) {
  expect_exact("max_weight", exact_means_of_max_weight(5.0), 5.0);
}

TEST(two_resources, are_shared_by_dominant_resource_fairness_as_their_chain_says) {
  expect_exact("dominant_resource_fairness", exact_means(least_share_first));
}

TEST(two_resources, are_held_for_the_share_of_time_that_the_arrivals_need) {
  const auto results = replicate(R"(name = "two_resources"
platform.servers = [{ name = "node", count = 3, cores = 4, resources = { gpu = 2, memory = 8 } }]
platform.resources.gpu = { kind = "devices", shares = 4 }
platform.resources.memory = { kind = "amount" }
platform.resources.licence = { kind = "amount", of = "cluster", amount = 20 }
[[classes]]
name = "shared"
per_task = { gpu = 0.25, memory = 1 }
rate = 2.0
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "whole"
tasks = 2
per_task = { gpu = 1, memory = 3 }
per_job = { licence = 4 }
rate = 0.5
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
process = "poisson"
[policy]
name = "first_fit"
[run]
jobs = 8_000
replications = 30
warm_up = 0.05
)");
  EXPECT_ESTIMATE(results, "resource_utilization", "resource_gpu", (2.0 * 0.25 + 0.5 * 2.0) / 6.0);
  EXPECT_ESTIMATE(results, "resource_utilization", "resource_memory", (2.0 * 1.0 + 0.5 * 6.0) / 24.0);
  EXPECT_ESTIMATE(results, "resource_utilization", "resource_licence", 0.5 * 4.0 / 20.0);
  EXPECT_ESTIMATE(results, "utilization", "all", (2.0 + 0.5 * 2.0) / 12.0);
}

}  // namespace
}  // namespace muster
