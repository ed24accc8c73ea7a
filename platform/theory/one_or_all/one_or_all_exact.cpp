#include "platform/theory/one_or_all/one_or_all_means.h"

#include <algorithm>
#include <array>
#include <complex>
#include <functional>
#include <numeric>

namespace muster {

namespace {

using complex = std::complex<double>;
using vector = std::vector<double>;

/// a b, both finite: std::complex would look for infinities in each product.
complex product(complex a, complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

double dot(const vector& a, const vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

void add_scaled(vector& to, double factor, const vector& added) {
  for (std::size_t n = 0; n < to.size(); ++n) to[n] += factor * added[n];
}

/// Solves x - map(x) = b by GMRES without restart. The eigenvalues of the map are powers of a number below 1 but for
/// a few, so that some tens of steps suffice.
/// @param tolerance of the Euclidean norm of what is left of b
vector solve_fixed_point(const std::function<vector(const vector&)>& map, const vector& b, double tolerance) {
  constexpr std::size_t most_steps = 200;
  const double size = std::sqrt(dot(b, b));
  vector x(b.size(), 0.0);
  if (size <= tolerance) return x;
  std::vector<vector> basis{b}, columns;
  for (double& value : basis[0]) value /= size;
  std::vector<std::pair<double, double>> rotations;
  vector rest{size};
  for (std::size_t step = 0; step < most_steps && std::abs(rest.back()) > tolerance; ++step) {
    vector next = basis[step];
    add_scaled(next, -1.0, map(basis[step]));
    vector column(step + 2, 0.0);
    for (int twice = 0; twice < 2; ++twice)  // twice, so that it is orthogonal to rounding errors
      for (std::size_t n = 0; n <= step; ++n) {
        const double part = dot(basis[n], next);
        column[n] += part;
        add_scaled(next, -part, basis[n]);
      }
    const double length = column[step + 1] = std::sqrt(dot(next, next));
    for (std::size_t n = 0; n < step; ++n) {
      const auto [c, s] = rotations[n];
      const double kept = c * column[n] + s * column[n + 1];
      column[n + 1] = c * column[n + 1] - s * column[n];
      column[n] = kept;
    }
    const double whole = std::hypot(column[step], column[step + 1]);
    const double c = column[step] / whole, s = column[step + 1] / whole;
    rotations.emplace_back(c, s);
    column[step] = whole;
    rest.push_back(-s * rest[step]);
    rest[step] *= c;
    columns.push_back(std::move(column));
    if (length == 0.0) break;
    for (double& value : next) value /= length;
    basis.push_back(std::move(next));
  }
  for (std::size_t n = columns.size(); n-- > 0;) {
    double factor = rest[n];
    for (std::size_t m = n + 1; m < columns.size(); ++m) factor -= columns[m][n] * rest[m];
    rest[n] = factor / columns[n][n];
    add_scaled(x, rest[n], basis[n]);
  }
  return x;
}

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

/// The equation of P at the roots of unity of a degree. Vectors hold the values of P there: real parts from t = 1 on in
/// the upper half plane, then imaginary parts without that of t = 1; the lower half has the conjugates.
class collocation {
 public:
  /// @param terms odd, so that t = -1, where s is infinite, is no node
  collocation(const one_or_all& model, std::size_t terms)
      : model_(model), terms_(terms), upper_((terms + 1) / 2), scale_(best_scale(model)) {
    for (std::size_t j = 0; j < upper_; ++j) {
      const double angle = angle_of(static_cast<double>(j));
      const double tangent = std::tan(angle / 2.0);
      t_.emplace_back(std::cos(angle), std::sin(angle));
      inverse_.push_back(1.0 / complex(1.0, scale_ / model.light_arrivals * tangent));
      slope_.push_back(scale_ / (2.0 * model.light_arrivals) * (1.0 + tangent * tangent));
      complex power = 1.0;
      for (std::size_t w = model.cores; w-- > 0; power = product(power, inverse_[j])) powers_.push_back(power);
      whole_.push_back(power / inverse_[j]);
      at_.push_back(period_transforms_at(model, complex(0.0, -scale_ * tangent)));
    }
    at_empty_ = weights(t_of(model.light_arrivals));
    alive_ = at_[0].alive;
    at_alive_ = weights(t_of(model.light_arrivals * (1.0 - alive_)));
    for (std::size_t j = 1; j < upper_; ++j)
      at_step_.push_back(weights(t_of(model.light_arrivals * (1.0 - at_[j].step))));
  }

  period_start start_of(const vector& values) const {
    period_start start{vector(model_.cores), 0.0};
    const double n = static_cast<double>(terms_);
    start.few[0] = interpolate(at_empty_, to_complex(values)).real();
    const std::vector<complex> p = to_complex(values);
    for (std::size_t j = 0; j < upper_; ++j) {
      const complex inverse = inverse_[j];
      complex term = p[j] * slope_[j] * inverse / n * (j == 0 ? 1.0 : 2.0);
      for (std::size_t w = 1; w < model_.cores; ++w) start.few[w] += (term = product(term, inverse)).real();
    }
    start.unbroken = interpolate(at_alive_, many_of(p, start)).real();
    return start;
  }

  /// The largest error of the equation half-way between nodes, most of which are near t = 1, where P changes fast.
  double defect(const vector& values) const {
    const period_start start = start_of(values);
    const std::vector<complex> p = to_complex(values), many = many_of(p, start);
    double most = 0.0;
    for (std::size_t node = 0; node + 1 < upper_; node = 2 * node + 1) {
      const double angle = angle_of(static_cast<double>(node) + 0.5);
      const period_transforms<complex> at = period_transforms_at(model_, complex(0.0, -scale_ * std::tan(angle / 2.0)));
      complex rest = interpolate(weights({std::cos(angle), std::sin(angle)}), p);
      rest -= at.many * interpolate(weights(t_of(model_.light_arrivals * (1.0 - at.step))), many);
      rest -= start.unbroken * at.alone;
      for (std::size_t w = 0; w < model_.cores; ++w) rest -= start.few[w] * at.few[w];
      most = std::max(most, std::abs(rest));
    }
    return most;
  }

  /// The values of P of the next period.
  vector next(const vector& values) const {
    const period_start start = start_of(values);
    const std::vector<complex> many = many_of(to_complex(values), start);
    vector result(terms_);
    for (std::size_t j = 0; j < upper_; ++j) {
      const period_transforms<complex>& at = at_[j];
      complex p = at.many * (j == 0 ? many[0] : interpolate(at_step_[j - 1], many)) + start.unbroken * at.alone;
      for (std::size_t w = 0; w < model_.cores; ++w) p += start.few[w] * at.few[w];
      result[j] = p.real();
      if (j > 0) result[upper_ - 1 + j] = p.imag();
    }
    result[0] = values[0];  // P(0), to the last bit: where it changes, nothing is stationary
    return result;
  }

 private:
  double angle_of(double node) const { return 2.0 * std::acos(-1.0) * node / static_cast<double>(terms_); }

  template <class Number>
  complex t_of(const Number& s) const {
    return (scale_ - s) / (scale_ + s);
  }

  std::vector<complex> to_complex(const vector& values) const {
    std::vector<complex> p(upper_);
    for (std::size_t j = 0; j < upper_; ++j) p[j] = {values[j], j == 0 ? 0.0 : values[upper_ - 1 + j]};
    return p;
  }

  /// The values of E(z^(W - cores + 1); W >= cores) at the nodes.
  std::vector<complex> many_of(const std::vector<complex>& p, const period_start& start) const {
    std::vector<complex> many(upper_);
    for (std::size_t j = 0; j < upper_; ++j) {
      complex few = 0.0;
      const complex* power = &powers_[j * model_.cores];
      for (std::size_t w = model_.cores; w-- > 0;) few += start.few[w] * *power++;
      many[j] = p[j] * whole_[j] - few;
    }
    return many;
  }

  /// Factors of the values at all nodes whose sum is the value at t of the polynomial through them. Those of a node are
  /// factors of the real part of its value, then of the imaginary part, each with what they add to the real part of the
  /// sum and to its imaginary part; the conjugate in the lower half is among them.
  using interpolation = std::vector<std::array<double, 4>>;

  interpolation weights(complex t) const {
    interpolation factors;
    factors.reserve(upper_);
    const complex common = (1.0 - std::pow(t, static_cast<double>(terms_))) / static_cast<double>(terms_);
    for (std::size_t j = 0; j < upper_; ++j) {
      const complex upper = common / (1.0 - t * std::conj(t_[j]));
      const complex lower = j > 0 ? common / (1.0 - t * t_[j]) : 0.0;
      factors.push_back({upper.real() + lower.real(), upper.imag() + lower.imag(), -(upper.imag() - lower.imag()),
                         upper.real() - lower.real()});
    }
    return factors;
  }

  static complex interpolate(const interpolation& factors, const std::vector<complex>& values) {
    // Real and imaginary parts apart: std::complex would look for infinities in each product.
    double re = 0.0, im = 0.0;
    for (std::size_t j = 0; j < factors.size(); ++j) {
      const double x = values[j].real(), y = values[j].imag();
      const std::array<double, 4>& f = factors[j];
      re += f[0] * x + f[2] * y;
      im += f[1] * x + f[3] * y;
    }
    return {re, im};
  }

  const one_or_all& model_;
  std::size_t terms_, upper_;
  double scale_;
  std::vector<complex> t_;
  std::vector<complex> inverse_;  // 1 / z
  std::vector<complex> powers_;   // of each node z^(w - cores + 1), from w = cores - 1 down to 0
  std::vector<complex> whole_;    // z^(1 - cores)
  vector slope_;                  // t dz/dt at the nodes
  std::vector<period_transforms<complex>> at_;
  interpolation at_empty_, at_alive_;
  double alive_ = 0.0;
  std::vector<interpolation> at_step_;
};

exact_one_or_all solve_with(const one_or_all& model, const std::function<one_or_all_means(const period_start&)>& means,
                            std::size_t terms, double rest = 1e-15) {
  const collocation equation(model, terms);
  // The solution starts from any distribution, whose difference to the stationary one is 0 at t = 1.
  vector values(terms, 0.0);
  values[0] = 1.0;
  values = equation.next(values);
  vector change = equation.next(values);
  add_scaled(change, -1.0, values);
  const auto map = [&](const vector& v) { return equation.next(v); };
  add_scaled(values, 1.0, solve_fixed_point(map, change, rest));
  exact_one_or_all solution;
  solution.start = equation.start_of(values);
  solution.means = means(solution.start);
  solution.terms = terms;
  solution.error_bound = equation.defect(values);
  return solution;
}

double change(double before, double after) { return std::abs(before - after) / std::abs(after); }

}  // namespace

exact_one_or_all solve_roughly(const one_or_all& model,
                               const std::function<one_or_all_means(const period_start&)>& means, std::size_t terms) {
  return solve_with(model, means, terms, 1e-9);
}

exact_one_or_all solve_one_or_all(const one_or_all& model, double tolerance) {
  constexpr std::size_t fewest_terms = 65, most_terms = 4097;
  const auto means = means_of(model);
  exact_one_or_all last = solve_with(model, means, fewest_terms);
  while (true) {
    exact_one_or_all solution = solve_with(model, means, 2 * last.terms - 1);
    solution.error_bound =
        std::max({solution.error_bound, change(last.means.light_response, solution.means.light_response),
                  change(last.means.heavy_response, solution.means.heavy_response)});
    if (solution.error_bound <= tolerance || solution.terms >= most_terms) return solution;
    last = std::move(solution);
  }
}

}  // namespace muster
