#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "measure.h"
#include "platform/model/scenario.h"

namespace muster::bare {

/// Ways that a scenario's jobs go; what each finds begins with its seconds.
struct three_ways {
  outcome (*muster)(const scenario&);
  outcome (*bare)(const scenario&);  ///< through a loop that draws the same jobs
  outcome (*fast)(const scenario&);  ///< through a faster one, which draws its own
};

inline void print_heading_of_three() {
  fmt::print("{:<58} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "million jobs per second (medians)", "muster", "bare loop",
             "fast loop", "over bare", "over fast");
}

/// All three in turn, a process each.
/// @param agree whether these outcomes, in the order of the ways, are as they must be
/// @return whether they were in all rounds
inline bool compare(const std::string& name, const scenario& model, const three_ways& ways, int rounds,
                    bool (*agree)(const outcome&, const outcome&, const outcome&)) {
  bool equal = true;
  std::vector<double> muster_times, bare_times, fast_times, over_bare, over_fast;
  for (int round = 0; round < rounds; ++round) {
    const outcome with = in_a_process_of_its_own([&] { return ways.muster(model); });
    const outcome without = in_a_process_of_its_own([&] { return ways.bare(model); });
    const outcome fast = in_a_process_of_its_own([&] { return ways.fast(model); });
    equal = agree(with, without, fast) && equal;
    muster_times.push_back(with[0]);
    bare_times.push_back(without[0]);
    fast_times.push_back(fast[0]);
    over_bare.push_back(without[0] / with[0]);
    over_fast.push_back(fast[0] / with[0]);
  }
  const double million = static_cast<double>(model.run.jobs) / 1e6;
  fmt::print("{:<58} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.3f} {:>10.3f}\n", name, million / median(muster_times),
             million / median(bare_times), million / median(fast_times), median(over_bare), median(over_fast));
  return equal;
}

}  // namespace muster::bare
