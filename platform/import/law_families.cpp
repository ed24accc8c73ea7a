#include "platform/import/law_families.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/minima.hpp>

#include "platform/tables/number_text.h"

namespace muster {

namespace {

/// A mixture of two exponential laws.
struct two_branches_fit {
  double first_probability, first_mean, second_mean;
};

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

// The mixture of the greatest likelihood, found by expectation and maximisation (Dempster, Laird and Rubin, 1977),
// which keeps the mean of the sample. It is begun twice: with the mixture of equal loads that has the sample's
// variance, and with the halves of the sample. Samples of very many values are grouped, neighbours to their mean.
// Nothing: one branch has all, or none can be found.
std::optional<two_branches_fit> fit_two_branches(const distinct_values& of) {
  if (of.values.size() < 2) return std::nullopt;
  const std::vector<weighted_value> sample = grouped(of.values, of.counts);
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

constexpr double impossible = -std::numeric_limits<double>::infinity();

// A parameter as it is written.
double as_written(double x) {
  constexpr int digits = 6;
  return rounded_to_digits(x, digits);
}

// The place of the largest value of a function with one maximum in an interval.
template <class Function>
double place_of_maximum(const Function& f, double low, double high) {
  constexpr int bits = 26;
  return boost::math::tools::brent_find_minima([&](double x) { return -f(x); }, low, high, bits).first;
}

std::optional<law_family> fit_exponential(const distinct_values& sample) {
  const double mean = as_written(sample.mean);
  return law_family{"exponential",
                    1,
                    {{"mean", {mean}}},
                    [mean](double x) { return -std::log(mean) - x / mean; },
                    [mean](double x) { return -std::expm1(-x / mean); }};
}

// With mean m, the mean of a logarithm is log(m) - v / 2, where v is its variance. The derivative of the likelihood by
// v is 0 where v^2 + 4 v = 4 E[log(X / m)^2].
std::optional<law_family> fit_lognormal(const distinct_values& sample) {
  double squares = 0.0;
  for (std::size_t n = 0; n < sample.values.size(); ++n) {
    const double y = std::log(sample.values[n] / sample.mean);
    squares += sample.counts[n] * y * y / sample.number;
  }
  const double mean = as_written(sample.mean);
  const double scv = as_written(std::expm1(2.0 * (std::sqrt(1.0 + squares) - 1.0)));
  if (!(scv > 0.0) || !std::isfinite(scv)) return std::nullopt;
  const double variance = std::log1p(scv), mu = std::log(mean) - variance / 2.0;
  return law_family{"lognormal",
                    2,
                    {{"mean", {mean}}, {"scv", {scv}}},
                    [=](double x) {
                      constexpr double log_of_two_pi = 1.8378770664093454836;
                      const double y = std::log(x);
                      return -y - (log_of_two_pi + std::log(variance) + (y - mu) * (y - mu) / variance) / 2.0;
                    },
                    [=](double x) { return std::erfc((mu - std::log(x)) / std::sqrt(2.0 * variance)) / 2.0; }};
}

double log_density_of_weibull(double shape, double scale, double x) {
  const double over_scale = std::log(x / scale);
  return std::log(shape / scale) + (shape - 1.0) * over_scale - std::exp(shape * over_scale);
}

std::optional<law_family> fit_weibull(const distinct_values& sample) {
  constexpr double lowest = 0.1, highest = 100.0;  // of shapes: coefficients of variation of 430 and of 0.013
  const auto scale_of = [](double mean, double shape) { return mean / std::tgamma(1.0 + 1.0 / shape); };
  const auto likelihood = [&](double log_shape) {
    const double k = std::exp(log_shape), scale = scale_of(sample.mean, k);
    double sum = 0.0;
    for (std::size_t n = 0; n < sample.values.size(); ++n)
      sum += sample.counts[n] * log_density_of_weibull(k, scale, sample.values[n]);
    return sum;
  };
  const double mean = as_written(sample.mean);
  const double shape = as_written(std::exp(place_of_maximum(likelihood, std::log(lowest), std::log(highest))));
  const double scale = scale_of(mean, shape);
  return law_family{"weibull",
                    2,
                    {{"shape", {shape}}, {"mean", {mean}}},
                    [=](double x) { return log_density_of_weibull(shape, scale, x); },
                    [=](double x) { return -std::expm1(-std::pow(x / scale, shape)); }};
}

// The likelihood is concave in the number of phases. One phase is an exponential law.
std::optional<law_family> fit_erlang(const distinct_values& sample) {
  constexpr double most = 10'000.0;
  const auto likelihood = [&](double k) {
    return k * std::log(k / sample.mean) - std::lgamma(k) - k + (k - 1.0) * sample.mean_log;
  };
  double low = 2.0, high = most;
  while (low < high) {
    const double middle = std::floor((low + high) / 2.0);
    if (likelihood(middle + 1.0) > likelihood(middle))
      low = middle + 1.0;
    else
      high = middle;
  }
  const double phases = low, mean = as_written(sample.mean);
  return law_family{"erlang",
                    2,
                    {{"phases", {phases}}, {"mean", {mean}}},
                    [=](double x) {
                      return phases * std::log(phases / mean) - std::lgamma(phases) - phases * x / mean +
                             (phases - 1.0) * std::log(x);
                    },
                    [=](double x) { return boost::math::gamma_p(phases, phases * x / mean); }};
}

// No value lies below the scale, mean (shape - 1) / shape: that is a limit of the shape. Shapes up to 2 have no
// variance: no run would ever know a mean, as no log has.
std::optional<law_family> fit_pareto(const distinct_values& sample) {
  constexpr double least = 2.01;
  const auto scale_of = [](double mean, double shape) { return mean * ((shape - 1.0) / shape); };
  const double largest = sample.mean / (sample.mean - sample.values.front());
  if (!(largest > least) || !std::isfinite(largest)) return std::nullopt;
  const auto likelihood = [&](double a) {
    return std::log(a) + a * std::log(scale_of(sample.mean, a)) - (a + 1.0) * sample.mean_log;
  };
  const double found = place_of_maximum(likelihood, least, largest);
  const double shape = as_written(likelihood(largest) >= likelihood(found) ? largest : found);
  const double mean = as_written(sample.mean), scale = scale_of(mean, shape);
  constexpr double rounding = 1e-4;
  return law_family{"pareto",
                    2,
                    {{"shape", {shape}}, {"mean", {mean}}},
                    [=](double x) {
                      if (x < scale * (1.0 - rounding)) return impossible;
                      return std::log(shape) + shape * std::log(scale) - (shape + 1.0) * std::log(x);
                    },
                    [=](double x) { return x <= scale ? 0.0 : 1.0 - std::pow(scale / x, shape); }};
}

std::optional<law_family> fit_hyperexponential(const distinct_values& sample) {
  constexpr double digits = 1e6;
  const std::optional<two_branches_fit> fit = fit_two_branches(sample);
  if (!fit) return std::nullopt;
  // Rounded so that the mean stays: the second branch has what the first one leaves.
  const double first = std::round(fit->first_probability * digits) / digits;
  const double second = std::round((1.0 - first) * digits) / digits;
  const double first_mean = as_written(fit->first_mean);
  const double second_mean = as_written((sample.mean - first * first_mean) / second);
  if (!(first > 0.0) || !(second > 0.0) || !(second_mean > 0.0)) return std::nullopt;
  return law_family{
      "hyperexponential",
      3,
      {{"probabilities", {first, second}}, {"means", {first_mean, second_mean}}},
      [=](double x) {
        return std::log(first / first_mean * std::exp(-x / first_mean) +
                        second / second_mean * std::exp(-x / second_mean));
      },
      [=](double x) { return -first * std::expm1(-x / first_mean) - second * std::expm1(-x / second_mean); }};
}

}  // namespace

distinct_values::distinct_values(std::vector<double> sample) : number(static_cast<double>(sample.size())) {
  std::sort(sample.begin(), sample.end());
  double sum = 0.0, squares = 0.0;
  for (const double x : sample) {
    if (values.empty() || values.back() != x) {
      values.push_back(x);
      counts.push_back(0.0);
    }
    counts.back() += 1.0;
    sum += x;
    mean_log += std::log(x) / number;
  }
  mean = sum / number;
  for (const double x : sample) squares += (x - mean) * (x - mean);
  scv = squares / number / (mean * mean);
}

const std::vector<law_fit>& law_fits() {
  static const std::vector<law_fit> all{fit_exponential, fit_lognormal, fit_weibull,
                                        fit_erlang,      fit_pareto,    fit_hyperexponential};
  return all;
}

}  // namespace muster
