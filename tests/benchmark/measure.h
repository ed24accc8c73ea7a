#pragma once

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "platform/experiment/worker_pool.h"

namespace muster::bare {

inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// What a run of a benchmark has found; the first number is its processor time in seconds.
using outcome = std::vector<double>;

/// SystemC holds one simulation per process.
inline outcome in_a_process_of_its_own(const std::function<outcome()>& run) {
  outcome found;
  worker_pool(1).run(
      1,
      [&](std::size_t) {
        std::string text;
        for (const double value : run()) text += fmt::format("{} ", value);
        return text;
      },
      [&](const task_outcome& ended) {
        if (ended.failed) throw std::runtime_error(ended.text);
        const char* at = ended.text.c_str();
        for (char* end; *at; at = end + 1) found.push_back(std::strtod(at, &end));
        return true;
      },
      [] { return true; });
  return found;
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace muster::bare
