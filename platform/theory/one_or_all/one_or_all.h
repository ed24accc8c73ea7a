#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

#include <boost/math/differentiation/autodiff.hpp>

#include "platform/theory/one_or_all/finite_complex.h"

namespace muster {

/// A power series in s, cut after s^3. A transform that is evaluated at the series s gives its derivatives at 0 to
/// rounding errors, where differences of values would lose half of the digits.
using power_series = boost::math::differentiation::autodiff_fvar<double, 3>;

/// The power series of s itself.
inline power_series series_s() { return boost::math::differentiation::make_fvar<double, 3>(0.0); }

/// The first and second moment of a random time. The sum of two is that of independent times.
struct time_moments {
  double first = 0.0, second = 0.0;

  double variance() const { return second - first * first; }
  friend time_moments operator+(const time_moments& a, const time_moments& b) {
    return {a.first + b.first, a.second + 2.0 * a.first * b.first + b.second};
  }
};

/// The moments of the time whose Laplace transform has this series.
inline time_moments moments_of(const power_series& transform) { return {-transform.at(1), 2.0 * transform.at(2)}; }

/// MSFQ with jobs that need one core or all: Poisson arrivals and exponential sizes (Quickswap, Sections 4.2 and 5).
/// Rates are per unit of time. All rates are positive, `cores` is at least 2 and `threshold` below it.
struct one_or_all {
  std::size_t cores = 2, threshold = 0;
  bool drains_always = true;  ///< phase 4 follows phase 3 whether or not a heavy job waits
  double light_arrivals = 0.0, heavy_arrivals = 0.0;
  double light_completions = 1.0;  ///< of one light job in service: mu_1
  double heavy_completions = 1.0;  ///< mu_k

  double light_load() const { return light_arrivals / (static_cast<double>(cores) * light_completions); }
  double heavy_load() const { return heavy_arrivals / heavy_completions; }
};

/// The mean response time of all jobs, from those of the classes.
inline double mean_response(const one_or_all& system, double light, double heavy) {
  return (system.light_arrivals * light + system.heavy_arrivals * heavy) /
         (system.light_arrivals + system.heavy_arrivals);
}

/// A number over another one that is not 0.
template <class Number>
Number over(double number, const Number& other) {
  return Number(number) / other;
}
/// A number over a complex one, by Smith's method. It has the bits of std::complex, without its checks for infinities
/// and underflow: both numbers are far from the ends of their range.
inline std::complex<double> over(double number, const std::complex<double>& other) {
  const double re = other.real(), im = other.imag();
  if (std::abs(re) < std::abs(im)) {
    const double ratio = re / im, denominator = re * ratio + im;
    return {number * ratio / denominator, -number / denominator};
  }
  const double ratio = im / re, denominator = im * ratio + re;
  return {number / denominator, (0.0 - number * ratio) / denominator};
}

/// The Laplace transform of the busy period of M/M/1 that one job starts (Remark 3).
/// @param s of no negative real part, or a series without constant term
template <class Number>
Number busy_period(const Number& s, double arrivals, double completions) {
  using std::sqrt;
  const Number all = s + (arrivals + completions);
  const double twice = 2.0 * std::sqrt(arrivals * completions);
  // The product of two roots, unlike the root of the product, has no cut where the real part of s is not negative.
  return over(2.0 * completions, all + sqrt(all - twice) * sqrt(all + twice));
}

/// The transforms, by j, of the times from j light jobs in the system to j - 1 while light jobs are served: H_{3,j} of
/// Lemma 7. That of j = cores holds for each higher number, too; j = 0 has none.
///
/// Misprint in Lemmas 5 and 7: the busy period at j = k is that of jobs of k mu_1, so B_{S_1/k} where B_{S_1} stands.
template <class Number>
std::vector<Number> light_passages(const one_or_all& model, const Number& s) {
  std::vector<Number> passages(model.cores + 1, Number(1.0));
  const double k = static_cast<double>(model.cores);
  passages[model.cores] = busy_period(s, model.light_arrivals, k * model.light_completions);
  for (std::size_t j = model.cores - 1; j >= 1; --j) {
    const double completions = static_cast<double>(j) * model.light_completions;
    passages[j] =
        over(completions, s + (model.light_arrivals + completions) - Number(model.light_arrivals) * passages[j + 1]);
  }
  return passages;
}

/// Solves the birth-and-death process of at most `threshold` light jobs until a heavy one comes: x_j, by the number j
/// of light jobs, in x_j (light_arrivals + heavy_arrivals + j mu_1) = x[j] + light_arrivals x_{j+1} + j mu_1 x_{j-1}.
/// @param x what each number of light jobs adds in a unit of time
/// @param above, again x_{threshold + 1} = above + again x_threshold
template <class Value>
std::vector<Value> until_heavy_comes(const one_or_all& model, std::vector<Value> x, const Value& above, double again) {
  const std::size_t l = model.threshold;
  const double up = model.light_arrivals;
  std::vector<double> pivot(l + 1);
  for (std::size_t j = 0; j <= l; ++j) {
    const double die = static_cast<double>(j) * model.light_completions;
    pivot[j] = up + model.heavy_arrivals + die;
    if (j == 0) continue;
    pivot[j] -= die * up / pivot[j - 1];
    x[j] = x[j] + (die / pivot[j - 1]) * x[j - 1];
  }
  x[l] = (1.0 / (pivot[l] - up * again)) * (x[l] + up * above);
  for (std::size_t j = l; j-- > 0;) x[j] = (1.0 / pivot[j]) * (x[j] + up * x[j + 1]);
  return x;
}

/// The transforms of the chain of light periods. A period begins when light jobs are to be served and no heavy job is
/// in the system; W is the number of light jobs in the system then (0: the cluster is empty). During the drain of phase
/// 4 and the heavy jobs of phase 1 that follow, of length T together, light jobs come and wait: W of the next period.
///
/// E(e^{-sT}), which is E(z^W) of the next period with s = light_arrivals (1 - z), is
///   few[w]                                   from W = w < cores,
///   many * step^(w - cores + 1) + alone * alive^(w - cores + 1)   from w >= cores.
/// This is Lemma 6 without the assumption that no phase is skipped (few, and alone).
template <class Number>
struct period_transforms {
  std::vector<Number> few;
  Number many, step, alone;
  double alive = 0.0;  ///< probability that no heavy job comes while the light jobs go from `cores` to one fewer
};

/// What period_transforms of systems that differ in their thresholds alone have in common.
template <class Number>
struct common_transforms {
  Number s, phase_1, sigma;  ///< phase_1: the busy period that one heavy job starts
  std::vector<Number> passage;
};

/// @param s of no negative real part, or a series without constant term
template <class Number>
common_transforms<Number> common_transforms_at(const one_or_all& model, const Number& s) {
  const Number phase_1 = busy_period(s, model.heavy_arrivals, model.heavy_completions);
  const Number sigma = Number(model.heavy_arrivals) * (Number(1.0) - phase_1);
  return {s, phase_1, sigma, light_passages(model, sigma)};
}

/// @param alive the passages without a heavy job: light_passages(model, model.heavy_arrivals)
template <class Number>
period_transforms<Number> period_transforms_of(const one_or_all& model, const common_transforms<Number>& common,
                                               const std::vector<double>& alive) {
  const std::size_t k = model.cores, l = model.threshold;
  const double up = model.light_arrivals, mu = model.light_completions, heavy = model.heavy_arrivals;
  const auto& [s, phase_1, sigma, passage] = common;
  std::vector<Number> drained(l + 1, Number(1.0));  // by the number of light jobs at the beginning of phase 4
  const Number both = sigma + s;
  for (std::size_t i = 1; i <= l; ++i) {
    const double completions = static_cast<double>(i) * mu;
    drained[i] = quotient(Number(drained[i - 1] * completions), Number(both + completions));
  }
  period_transforms<Number> transforms;
  transforms.step = passage[k];
  transforms.few.assign(k, Number(0.0));
  Number down(1.0);  // from w to the threshold
  if (model.drains_always) {
    for (std::size_t w = 1; w <= l; ++w) transforms.few[w] = drained[w];
    for (std::size_t w = l + 1; w < k; ++w) transforms.few[w] = product(down = product(down, passage[w]), drained[l]);
    const double all = up + heavy;
    const Number first = k > 1 ? transforms.few[1] : Number(1.0);
    transforms.few[0] = Number(up / all) * first + Number(heavy / all) * phase_1;
    transforms.many = down * drained[l];
    transforms.alone = Number(0.0);
    transforms.alive = alive[k];
    return transforms;
  }
  std::vector<Number> comes(l + 1);  // a heavy job, to each number of light ones
  for (std::size_t j = 0; j <= l; ++j) comes[j] = Number(heavy) * phase_1 * drained[j];
  const Number above = (passage[l + 1] - alive[l + 1]) * drained[l];  // a heavy job has come while above the threshold
  const std::vector<Number> low = until_heavy_comes(model, std::move(comes), above, alive[l + 1]);
  std::copy(low.begin(), low.end(), transforms.few.begin());
  double none = 1.0;
  for (std::size_t w = l + 1; w < k; ++w) {
    down = down * passage[w];
    none *= alive[w];
    transforms.few[w] = (down - none) * drained[l] + Number(none) * transforms.few[l];
  }
  transforms.many = down * drained[l];
  transforms.alone = Number(none) * (transforms.few[l] - drained[l]);
  transforms.alive = alive[k];
  return transforms;
}

/// @param s of no negative real part, or a series without constant term
template <class Number>
period_transforms<Number> period_transforms_at(const one_or_all& model, const Number& s) {
  return period_transforms_of(model, common_transforms_at(model, s), light_passages(model, model.heavy_arrivals));
}

}  // namespace muster
