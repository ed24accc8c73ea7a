#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/modules/scene.h"

// Several FCFS queues of gangs, and rules that deal jobs out to them, by one loop over the arrivals.

namespace muster::plain {

/// The jobs of one queue, in the order of arrival, on like cores: no job overtakes another.
struct plain_queue {
  std::vector<ticks> free_at;  // of each core
  ticks last_start = 0;
  std::vector<ticks> arrivals, completions;

  ticks serve(ticks arrival, unsigned need, ticks size) {
    std::sort(free_at.begin(), free_at.end());
    last_start = std::max({arrival, last_start, free_at[need - 1]});
    for (unsigned core = 0; core < need; ++core) free_at[core] = last_start + size;
    arrivals.push_back(arrival);
    completions.push_back(last_start + size);
    return completions.back();
  }
  /// Jobs that have arrived until then, and not left.
  std::uint64_t jobs_at(ticks then) const {
    const auto until = [&](const std::vector<ticks>& times) {
      return std::count_if(times.begin(), times.end(), [&](ticks t) { return t <= then; });
    };
    return static_cast<std::uint64_t>(until(arrivals) - until(completions));
  }
};

/// When each job leaves, in the order of arrival. @param needs of the classes
inline std::vector<ticks> completions_of_split(const std::vector<job_request>& jobs, const std::vector<unsigned>& needs,
                                               std::vector<unsigned> cores, const std::string& rule, ticks delay,
                                               random_numbers& random) {
  std::vector<plain_queue> queues;
  for (const unsigned c : cores) queues.push_back({std::vector<ticks>(c), 0, {}, {}});
  const auto n = static_cast<unsigned>(queues.size());
  const auto any_of = [&](std::size_t count) {
    return static_cast<std::size_t>(random.uniform() * static_cast<double>(count));
  };
  std::vector<ticks> ends;
  std::size_t turn = 0;
  for (const job_request& j : jobs) {
    std::vector<std::size_t> candidates;
    if (rule == "random") candidates = {any_of(n)};
    if (rule == "round_robin") candidates = {turn++ % n};
    if (rule == "by_class") candidates = {static_cast<std::size_t>(j.type) % n};
    if (rule == "shortest_queue")
      for (std::size_t q = 0; q < n; ++q) candidates.push_back(q);
    if (rule == "power_of_d") {  // two different ones
      candidates = {any_of(n - 1), any_of(n)};
      if (candidates[0] == candidates[1]) candidates[1] = n - 1;
    }
    if (candidates.size() > 1) {
      const auto seen = [&](std::size_t q) { return j.arrival < delay ? 0 : queues[q].jobs_at(j.arrival - delay); };
      std::uint64_t fewest = seen(candidates.front());
      for (const std::size_t q : candidates) fewest = std::min(fewest, seen(q));
      std::vector<std::size_t> shortest;
      for (const std::size_t q : candidates)
        if (seen(q) == fewest) shortest.push_back(q);
      candidates = shortest.size() == 1 ? shortest : std::vector<std::size_t>{shortest[any_of(shortest.size())]};
    }
    ends.push_back(queues[candidates.front()].serve(j.arrival, needs[static_cast<std::size_t>(j.type)], j.size));
  }
  return ends;
}

}  // namespace muster::plain
