#include "platform/import/two_branches.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace muster {

namespace {

struct weighted_value {
  double value, count;
};

// Neighbours joined until so many are left.
std::vector<weighted_value> grouped(const std::vector<double>& values, const std::vector<double>& counts) {
  constexpr std::size_t most = 4'096;
  const std::size_t together = (values.size() + most - 1) / most;
  std::vector<weighted_value> all;
  for (std::size_t n = 0; n < values.size(); n += together) {
    weighted_value group{0.0, 0.0};
    for (std::size_t m = n; m < std::min(n + together, values.size()); ++m) {
      group.value += values[m] * counts[m];
      group.count += counts[m];
    }
    group.value /= group.count;
    all.push_back(group);
  }
  return all;
}

/// A mixture while it becomes more likely.
class two_branches_search {
 public:
  explicit two_branches_search(const std::vector<weighted_value>& sample) : sample_(sample) {
    for (const weighted_value& x : sample_) number_ += x.count;
  }

  // Goes on from a mixture until the likelihood hardly grows. @return the log-likelihood
  double climb(two_branches_fit& at) const {
    constexpr int most_steps = 1'000;
    constexpr double hardly = 1e-5;
    double before = -std::numeric_limits<double>::infinity();
    for (int step = 0; step < most_steps; ++step) {
      two_branches_fit next{};
      const double now = improve(at, next);
      const bool valid = next.first_probability > 0.0 && next.first_probability < 1.0 && next.first_mean > 0.0 &&
                         next.second_mean > 0.0;
      if (!std::isfinite(now) || !valid) return -std::numeric_limits<double>::infinity();
      if (now - before < hardly) return now;
      before = now;
      at = next;
    }
    return before;
  }

 private:
  // The next mixture, and the log-likelihood of this one.
  double improve(const two_branches_fit& at, two_branches_fit& next) const {
    const double p = at.first_probability, q = 1.0 - p;
    double first = 0.0, first_sum = 0.0, second_sum = 0.0, likelihood = 0.0;
    for (const weighted_value& x : sample_) {
      const double a = p / at.first_mean * std::exp(-x.value / at.first_mean);
      const double b = q / at.second_mean * std::exp(-x.value / at.second_mean);
      const double of_first = x.count * a / (a + b);
      first += of_first;
      first_sum += of_first * x.value;
      second_sum += (x.count - of_first) * x.value;
      likelihood += x.count * std::log(a + b);
    }
    next = {first / number_, first_sum / first, second_sum / (number_ - first)};
    return likelihood;
  }

  const std::vector<weighted_value>& sample_;
  double number_ = 0.0;
};

// The mixture of equal loads with the sample's mean and variance; nothing: its variance is too small.
std::optional<two_branches_fit> of_equal_loads(const std::vector<weighted_value>& sample) {
  constexpr double least_scv = 1.01;
  double number = 0.0, sum = 0.0, squares = 0.0;
  for (const weighted_value& x : sample) {
    number += x.count;
    sum += x.count * x.value;
    squares += x.count * x.value * x.value;
  }
  const double mean = sum / number, scv = squares / number / (mean * mean) - 1.0;
  if (!(scv > least_scv)) return std::nullopt;
  const double likely = (1.0 + std::sqrt((scv - 1.0) / (scv + 1.0))) / 2.0;
  return two_branches_fit{likely, mean / (2.0 * likely), mean / (2.0 * (1.0 - likely))};
}

// The halves of the sample, each with its mean.
two_branches_fit of_halves(const std::vector<weighted_value>& sample) {
  const std::size_t middle = sample.size() / 2;
  double low_sum = 0.0, low = 0.0, high_sum = 0.0, high = 0.0;
  for (std::size_t n = 0; n < sample.size(); ++n) {
    (n < middle ? low_sum : high_sum) += sample[n].count * sample[n].value;
    (n < middle ? low : high) += sample[n].count;
  }
  return {low / (low + high), low_sum / low, high_sum / high};
}

}  // namespace

std::optional<two_branches_fit> fit_two_branches(const std::vector<double>& values, const std::vector<double>& counts) {
  if (values.size() < 2) return std::nullopt;
  const std::vector<weighted_value> sample = grouped(values, counts);
  const two_branches_search search(sample);
  two_branches_fit best = of_halves(sample);
  double likelihood = search.climb(best);
  if (auto other = of_equal_loads(sample)) {
    const double of_other = search.climb(*other);
    if (of_other > likelihood) {
      best = *other;
      likelihood = of_other;
    }
  }
  if (!std::isfinite(likelihood)) return std::nullopt;
  return best;
}

}  // namespace muster
