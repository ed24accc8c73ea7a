#include <cmath>

#include <gtest/gtest.h>

#include "tests/policies/timed_scene.h"

// Policies that draw random numbers or split the cores, job by job against loops that are written apart from them and
// have the same random numbers.

namespace muster {
namespace {

constexpr ticks no_time = ~ticks{0};

struct naive_job {
  unsigned type;
  ticks arrival, size;
  ticks start = no_time;
  bool here = false, done = false;
  bool own = false;             ///< on cores of its class alone
  std::size_t start_order = 0;  ///< among all starts
};

/// Jobs in a list that is searched for everything.
struct naive_loop {
  unsigned cores;
  std::vector<unsigned> needs;
  std::vector<naive_job> jobs;
  ticks now = 0;
  std::size_t started = 0;

  naive_loop(unsigned all_cores, std::vector<unsigned> all_needs, const std::vector<scene_job>& given)
      : cores(all_cores), needs(std::move(all_needs)) {
    for (const scene_job& j : given) jobs.push_back({j.type, j.arrival, j.size});
  }

  static bool waits(const naive_job& j) { return j.here && j.start == no_time; }
  static bool runs(const naive_job& j) { return j.start != no_time && !j.done; }
  std::size_t waiting(unsigned type) const {
    return static_cast<std::size_t>(
        std::count_if(jobs.begin(), jobs.end(), [&](const naive_job& j) { return waits(j) && j.type == type; }));
  }
  std::size_t running(unsigned type) const {
    return static_cast<std::size_t>(
        std::count_if(jobs.begin(), jobs.end(), [&](const naive_job& j) { return runs(j) && j.type == type; }));
  }
  unsigned idle() const {
    unsigned busy = 0;
    for (const naive_job& j : jobs) busy += runs(j) ? needs[j.type] : 0;
    return cores - busy;
  }
  naive_job& first(unsigned type) {
    return *std::find_if(jobs.begin(), jobs.end(), [&](const naive_job& j) { return waits(j) && j.type == type; });
  }
  void begin(naive_job& j) {
    j.start = now;
    j.start_order = started++;
  }

  /// @param rule called after each arrival and completion @param timer next time of one @param expire called then
  template <class Rule, class Timer, class Expire>
  std::vector<ticks> run(const Rule& rule, const Timer& timer, const Expire& expire) {
    while (std::any_of(jobs.begin(), jobs.end(), [](const naive_job& j) { return !j.done; })) {
      naive_job* completes = nullptr;
      naive_job* arrives = nullptr;
      for (naive_job& j : jobs) {
        const auto end = [](const naive_job& one) { return std::make_pair(one.start + one.size, one.start_order); };
        if (runs(j) && (!completes || end(j) < end(*completes))) completes = &j;
        if (!j.here && !arrives) arrives = &j;
      }
      const ticks completion = completes ? completes->start + completes->size : no_time;
      const ticks arrival = arrives ? arrives->arrival : no_time;
      now = std::min({completion, arrival, timer()});
      if (completion == now)
        completes->done = true;
      else if (arrival == now)
        arrives->here = true;
      else
        expire();
      rule();
    }
    std::vector<ticks> starts;
    for (const naive_job& j : jobs) starts.push_back(j.start);
    return starts;
  }
};

ticks naive_exponential(random_numbers& random, double mean, double ticks_per_unit) {
  return std::max(ticks{1}, static_cast<ticks>(std::llround(-mean * std::log1p(-random.uniform()) * ticks_per_unit)));
}

/// A random cluster, and jobs that arrive at random.
struct random_case {
  unsigned cores;
  std::vector<unsigned> needs;
  std::vector<double> rates, means;
  std::vector<scene_job> jobs;
  ticks ticks_per_unit;

  random_case(std::mt19937& random, ticks per_unit) : cores(2 + number(random, 12)), ticks_per_unit(per_unit) {
    const unsigned classes = 1 + number(random, 4);
    for (unsigned i = 0; i < classes; ++i) needs.push_back(1 + number(random, cores));
    std::sort(needs.rbegin(), needs.rend());
    for (unsigned i = 0; i < classes; ++i) {
      means.push_back(0.25 * (1 + number(random, 8)));
      rates.push_back(0.6 * cores / needs[i] / means[i] / classes * (1 + number(random, 4)) / 4.0);
    }
    ticks at = 0;
    for (int n = 0; n < 150; ++n) {
      at += number(random, static_cast<unsigned>(ticks_per_unit));
      const unsigned type = number(random, classes);
      const double size = means[type] * static_cast<double>(ticks_per_unit);
      jobs.push_back({type, at, 1 + number(random, static_cast<unsigned>(2 * size))});
    }
  }

  static unsigned number(std::mt19937& random, unsigned below) { return static_cast<unsigned>(random() % below); }

  timed_scene scene(std::string_view policy_name, const timed_scene::changes& changed, std::uint64_t seed,
                    bool declared = true) const {
    table<class_id, job_class> classes;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      job_class type{"class_" + std::to_string(i), needs[i], {group_id{0}}};
      if (declared) type.mean_size = means[i];
      if (declared) type.arrival_rate = rates[i];
      classes.push_back(type);
    }
    return {cores, std::move(classes), ticks_per_unit, policy_name, changed, seed};
  }
};

TEST(nmsr, is_job_by_job_that_of_a_naive_loop) {
  std::mt19937 random(11);
  for (std::uint64_t round = 0; round < 60; ++round) {
    const random_case given(random, 8);  // few ticks, so that events coincide
    const bool from_request = round % 2 == 1;
    // A schedule of each class alone, and a full one.
    std::vector<schedule> schedules;
    for (std::size_t i = 0; i < given.needs.size(); ++i) {
      schedules.emplace_back(given.needs.size());
      unsigned left = given.cores;
      for (std::size_t n = i; n < given.needs.size(); n += i == 0 ? 1 : given.needs.size()) {
        schedules.back()[n] = left / given.needs[n];
        left %= given.needs[n];
      }
    }
    std::vector<std::vector<double>> rates(schedules.size(), std::vector<double>(schedules.size()));
    for (std::size_t a = 0; a < rates.size(); ++a)
      for (std::size_t b = 0; b < rates.size(); ++b)
        if (a != b) rates[a][b] = b == (a + 1) % rates.size() ? 0.5 : 0.25 * random_case::number(random, 3);

    naive_loop loop(given.cores, given.needs, given.jobs);
    seeded_numbers numbers(round);
    std::size_t target = 0;
    bool begun = false, switching = false;
    ticks due = no_time;
    const auto leaving = [&] {
      double sum = 0.0;
      for (std::size_t b = 0; b < rates.size(); ++b) sum += rates[target][b];
      return sum;
    };
    const auto draw = [&] {
      if (rates.size() > 1) due = loop.now + naive_exponential(numbers, 1.0 / leaving(), 8.0);
    };
    const auto rule = [&] {
      if (!begun) draw();
      begun = true;
      bool exceeds = false;
      for (unsigned i = 0; i < given.needs.size(); ++i) exceeds = exceeds || loop.running(i) > schedules[target][i];
      if (switching && !exceeds && !from_request) draw();
      switching = switching && exceeds;
      for (unsigned i = 0; i < given.needs.size(); ++i)
        while (loop.waiting(i) > 0 && loop.running(i) < schedules[target][i] && loop.idle() >= given.needs[i])
          loop.begin(loop.first(i));
    };
    const auto move = [&] {
      due = no_time;
      std::vector<std::size_t> others;
      for (std::size_t b = 0; b < rates.size(); ++b)
        if (rates[target][b] > 0.0) others.push_back(b);
      std::size_t chosen = others.back();
      if (others.size() > 1) {
        double left = numbers.uniform() * leaving();
        for (auto b = others.rbegin(); b != others.rend(); ++b) {
          double below = 0.0;
          for (std::size_t n = 0; n < *b; ++n) below += rates[target][n];
          if (left < below + rates[target][*b]) chosen = *b;
        }
      }
      target = chosen;
      switching = true;
      if (from_request) draw();
    };
    const std::vector<ticks> expected = loop.run(
        rule, [&] { return due; }, move);
    timed_scene::changes changed{{"schedules", schedules}, {"rates", rates}};
    if (from_request) changed.push_back({"timer", std::string{"from_request"}});
    timed_scene scene = given.scene("nmsr", changed, round, false);  // whose chain need not carry the loads
    EXPECT_EQ(scene.run(given.jobs), expected) << "round " << round;
  }
}

TEST(randomized_timers, are_job_by_job_those_of_a_naive_loop) {
  std::mt19937 random(12);
  for (std::uint64_t round = 0; round < 60; ++round) {
    const random_case given(random, 1000);
    const bool log = round % 2 == 1;
    naive_loop loop(given.cores, given.needs, given.jobs);
    seeded_numbers numbers(round);
    std::vector<std::pair<ticks, std::size_t>> due(given.needs.size(), {no_time, 0});  // when, and which of all draws
    std::size_t draws = 0;
    std::vector<std::size_t> known(given.needs.size());
    const auto rule = [&] {
      for (unsigned i = 0; i < given.needs.size(); ++i) {
        const std::size_t queue = loop.waiting(i);
        if (queue == 0 || loop.idle() < given.needs[i]) {
          due[i] = {no_time, 0};
        } else if (due[i].first == no_time || known[i] != queue) {
          known[i] = queue;
          const double weight = std::log(1.0 + static_cast<double>(queue));
          const double mean = std::exp(log ? -weight : -std::sqrt(weight)) / 3.0;
          due[i] = {loop.now + naive_exponential(numbers, mean, 1000.0), draws++};
        }
      }
    };
    const auto expire = [&] {
      const auto next = std::min_element(due.begin(), due.end());
      *next = {no_time, 0};
      loop.begin(loop.first(static_cast<unsigned>(next - due.begin())));
    };
    const auto expected = loop.run(
        rule, [&] { return std::min_element(due.begin(), due.end())->first; }, expire);
    timed_scene scene =
        given.scene("randomized_timers", {{"rate", 3.0}, {"weight", std::string{log ? "log" : "root_log"}}}, round);
    EXPECT_EQ(scene.run(given.jobs), expected) << "round " << round;
  }
}

TEST(balanced_splitting, is_job_by_job_that_of_a_naive_loop) {
  std::mt19937 random(13);
  for (std::uint64_t round = 0; round < 100; ++round) {
    const random_case given(random, 8);
    const auto helpers = random_case::number(random, given.cores + 1);
    const std::size_t classes = given.needs.size();
    double sum = 0.0;
    for (std::size_t i = 0; i < classes; ++i) sum += given.rates[i] * given.means[i] * given.needs[i];
    std::vector<unsigned> places(classes);
    unsigned left = 0;
    for (unsigned k = given.cores; left < std::max(helpers, given.needs.front()); --k) {
      left = given.cores;
      for (std::size_t i = 0; i < classes; ++i) {
        places[i] = static_cast<unsigned>(k * given.rates[i] * given.means[i] / sum + 1e-6);
        left -= places[i] * given.needs[i];
      }
    }
    naive_loop loop(given.cores, given.needs, given.jobs);
    const auto on_own = [&](unsigned type) {
      return std::count_if(loop.jobs.begin(), loop.jobs.end(),
                           [&](const naive_job& j) { return naive_loop::runs(j) && j.own && j.type == type; });
    };
    const auto rule = [&] {
      for (unsigned i = 0; i < classes; ++i)
        while (loop.waiting(i) > 0 && on_own(i) < places[i]) {
          loop.first(i).own = true;
          loop.begin(loop.first(i));
        }
      for (naive_job& j : loop.jobs) {
        if (!naive_loop::waits(j)) continue;
        unsigned free = left;
        for (const naive_job& other : loop.jobs)
          free -= naive_loop::runs(other) && !other.own ? given.needs[other.type] : 0;
        if (given.needs[j.type] > free) break;
        loop.begin(j);
      }
    };
    const auto expected = loop.run(
        rule, [] { return no_time; }, [] {});
    timed_scene scene = given.scene("balanced_splitting", {{"helpers", std::int64_t{helpers}}}, round);
    EXPECT_EQ(scene.run(given.jobs), expected) << "round " << round;
  }
}

}  // namespace
}  // namespace muster
