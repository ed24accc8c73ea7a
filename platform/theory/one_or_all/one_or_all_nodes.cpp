#include "platform/theory/one_or_all/one_or_all_nodes.h"

#include <algorithm>
#include <cmath>

#include "platform/theory/one_or_all/finite_complex.h"

namespace muster {

namespace {

/// The scale with which series in t converge fastest: the geometric mean of the distances from 0 of the nearest
/// singularity (of P, or the pole of Cauchy's integral) and of the furthest.
double best_scale(const one_or_all& model) {
  const double up = model.light_arrivals, heavy = model.heavy_arrivals;
  const double k_mu = static_cast<double>(model.cores) * model.light_completions, mu = model.heavy_completions;
  // One period carries s over to light_arrivals (1 - step(s)); where it leaves s as it is, P is infinite.
  const double end = std::pow(std::sqrt(mu) - std::sqrt(heavy), 2);
  const auto is_singular = [&](double s) {
    if (s <= -end) return true;
    const double sigma = heavy * (1.0 - busy_period(s, heavy, mu));
    if (sigma <= -std::pow(std::sqrt(k_mu) - std::sqrt(up), 2)) return true;
    return up * (1.0 - busy_period(sigma, up, k_mu)) <= s;
  };
  double low = -end, high = 0.0;
  for (int halving = 0; halving < 60; ++halving) (is_singular((low + high) / 2.0) ? low : high) = (low + high) / 2.0;
  const double most = std::max(std::pow(std::sqrt(mu) + std::sqrt(heavy), 2),
                               heavy + static_cast<double>(model.threshold) * model.light_completions);
  return std::sqrt(std::clamp(-low, 1e-12 * most, up) * most);
}

}  // namespace

one_or_all_nodes::one_or_all_nodes(const one_or_all& model, std::size_t terms_given)
    : terms(terms_given),
      upper((terms + 1) / 2),
      alive(light_passages(model, model.heavy_arrivals)),
      scale_(best_scale(model)) {
  for (std::size_t j = 0; j < upper; ++j) {
    const double angle = angle_of(static_cast<double>(j));
    const double tangent = std::tan(angle / 2.0);
    t_.emplace_back(std::cos(angle), std::sin(angle));
    inverse.push_back(1.0 / complex(1.0, scale_ / model.light_arrivals * tangent));
    slope.push_back(scale_ / (2.0 * model.light_arrivals) * (1.0 + tangent * tangent));
    complex power = 1.0;
    for (std::size_t w = model.cores; w-- > 0; power = product(power, inverse[j])) powers.push_back(power);
    whole.push_back(power / inverse[j]);
    common.push_back(common_transforms_at(model, complex(0.0, -scale_ * tangent)));
  }
  const auto at = [&](const auto& s) { return weights(t_of(s)); };
  const auto at_step_of = [&](const common_transforms<complex>& of) {
    return at(model.light_arrivals * (1.0 - of.passage[model.cores]));
  };
  at_empty = at(model.light_arrivals);
  at_alive = at(model.light_arrivals * (1.0 - alive[model.cores]));
  for (std::size_t j = 1; j < upper; ++j) at_step.push_back(at_step_of(common[j]));
  for (std::size_t node = 0; node + 1 < upper; node = 2 * node + 1) {
    const double angle = angle_of(static_cast<double>(node) + 0.5);
    half_way half;
    half.common = common_transforms_at(model, complex(0.0, -scale_ * std::tan(angle / 2.0)));
    half.here = weights({std::cos(angle), std::sin(angle)});
    half.at_step = at_step_of(half.common);
    halves.push_back(std::move(half));
  }
}

double one_or_all_nodes::angle_of(double node) const {
  return 2.0 * std::acos(-1.0) * node / static_cast<double>(terms);
}

one_or_all_nodes::interpolation one_or_all_nodes::weights(complex t) const {
  interpolation factors;
  factors.reserve(upper);
  const complex all = (1.0 - std::pow(t, static_cast<double>(terms))) / static_cast<double>(terms);
  for (std::size_t j = 0; j < upper; ++j) {
    const complex above = quotient(all, 1.0 - product(t, std::conj(t_[j])));
    const complex below = j > 0 ? quotient(all, 1.0 - product(t, t_[j])) : 0.0;
    factors.push_back({above.real() + below.real(), above.imag() + below.imag(), -(above.imag() - below.imag()),
                       above.real() - below.real()});
  }
  return factors;
}

}  // namespace muster
