#include "platform/theory/one_or_all/one_or_all_means.h"

#include <algorithm>
#include <complex>
#include <functional>
#include <numeric>
#include <utility>

#include "platform/theory/one_or_all/finite_complex.h"
#include "platform/theory/one_or_all/one_or_all_nodes.h"

namespace muster {

namespace {

using complex = std::complex<double>;
using vector = std::vector<double>;

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

/// The equation of P at nodes. Vectors hold the values of P there: real parts from t = 1 on in the upper half plane,
/// then imaginary parts without that of t = 1; the lower half has the conjugates.
class collocation {
 public:
  collocation(const one_or_all& model, const one_or_all_nodes& nodes) : model_(model), nodes_(nodes) {
    at_.reserve(nodes.upper);
    for (const common_transforms<complex>& common : nodes.common)
      at_.push_back(period_transforms_of(model, common, nodes.alive));
  }

  period_start start_of(const vector& values) const { return beginning_of(to_complex(values)).start; }

  /// The largest error of the equation half-way between nodes.
  double defect(const vector& values) const {
    const std::vector<complex> p = to_complex(values);
    const auto [start, many] = beginning_of(p);
    double most = 0.0;
    for (const one_or_all_nodes::half_way& half : nodes_.halves) {
      const period_transforms<complex> at = period_transforms_of(model_, half.common, nodes_.alive);
      complex rest = nodes_.interpolate(half.here, p);
      rest -= at.many * nodes_.interpolate(half.at_step, many);
      rest -= start.unbroken * at.alone;
      for (std::size_t w = 0; w < model_.cores; ++w) rest -= start.few[w] * at.few[w];
      most = std::max(most, std::abs(rest));
    }
    return most;
  }

  /// The values of P of the next period.
  vector next(const vector& values) const {
    const auto [start, many] = beginning_of(to_complex(values));
    vector result(nodes_.terms);
    for (std::size_t j = 0; j < nodes_.upper; ++j) {
      const period_transforms<complex>& at = at_[j];
      complex p =
          at.many * (j == 0 ? many[0] : nodes_.interpolate(nodes_.at_step[j - 1], many)) + start.unbroken * at.alone;
      for (std::size_t w = 0; w < model_.cores; ++w) p += start.few[w] * at.few[w];
      result[j] = p.real();
      if (j > 0) result[nodes_.upper - 1 + j] = p.imag();
    }
    result[0] = values[0];  // P(0), to the last bit: where it changes, nothing is stationary
    return result;
  }

 private:
  /// The beginning of a period, and the values of E(z^(W - cores + 1); W >= cores) at the nodes.
  struct beginning {
    period_start start;
    std::vector<complex> many;
  };

  /// @param p values of P at the nodes
  beginning beginning_of(const std::vector<complex>& p) const {
    period_start start{vector(model_.cores), 0.0};
    const double n = static_cast<double>(nodes_.terms);
    start.few[0] = nodes_.interpolate(nodes_.at_empty, p).real();
    for (std::size_t j = 0; j < nodes_.upper; ++j) {
      const complex inverse = nodes_.inverse[j];
      complex term = p[j] * nodes_.slope[j] * inverse / n * (j == 0 ? 1.0 : 2.0);
      for (std::size_t w = 1; w < model_.cores; ++w) start.few[w] += (term = product(term, inverse)).real();
    }
    std::vector<complex> many = many_of(p, start);
    start.unbroken = nodes_.interpolate(nodes_.at_alive, many).real();
    return {std::move(start), std::move(many)};
  }

  std::vector<complex> to_complex(const vector& values) const {
    std::vector<complex> p(nodes_.upper);
    for (std::size_t j = 0; j < nodes_.upper; ++j) p[j] = {values[j], j == 0 ? 0.0 : values[nodes_.upper - 1 + j]};
    return p;
  }

  std::vector<complex> many_of(const std::vector<complex>& p, const period_start& start) const {
    std::vector<complex> many(nodes_.upper);
    for (std::size_t j = 0; j < nodes_.upper; ++j) {
      complex few = 0.0;
      const complex* power = &nodes_.powers[j * model_.cores];
      for (std::size_t w = model_.cores; w-- > 0;) few += start.few[w] * *power++;
      many[j] = p[j] * nodes_.whole[j] - few;
    }
    return many;
  }

  const one_or_all& model_;
  const one_or_all_nodes& nodes_;
  std::vector<period_transforms<complex>> at_;
};

exact_one_or_all solve_with(const one_or_all& model, const std::function<one_or_all_means(const period_start&)>& means,
                            const one_or_all_nodes& nodes, double rest = 1e-15) {
  const collocation equation(model, nodes);
  // The solution starts from any distribution, whose difference to the stationary one is 0 at t = 1.
  vector values(nodes.terms, 0.0);
  values[0] = 1.0;
  values = equation.next(values);
  vector change = equation.next(values);
  add_scaled(change, -1.0, values);
  const auto map = [&](const vector& v) { return equation.next(v); };
  add_scaled(values, 1.0, solve_fixed_point(map, change, rest));
  exact_one_or_all solution;
  solution.start = equation.start_of(values);
  solution.means = means(solution.start);
  solution.terms = nodes.terms;
  solution.error_bound = equation.defect(values);
  return solution;
}

double change(double before, double after) { return std::abs(before - after) / std::abs(after); }

}  // namespace

exact_one_or_all solve_roughly(const one_or_all& model,
                               const std::function<one_or_all_means(const period_start&)>& means,
                               const one_or_all_nodes& nodes) {
  return solve_with(model, means, nodes, 1e-9);
}

exact_one_or_all solve_one_or_all(const one_or_all& model, double tolerance) {
  constexpr std::size_t fewest_terms = 65, most_terms = 4097;
  const auto means = means_of(model);
  exact_one_or_all last = solve_with(model, means, {model, fewest_terms});
  while (true) {
    exact_one_or_all solution = solve_with(model, means, {model, 2 * last.terms - 1});
    solution.error_bound =
        std::max({solution.error_bound, change(last.means.light_response, solution.means.light_response),
                  change(last.means.heavy_response, solution.means.heavy_response)});
    if (solution.error_bound <= tolerance || solution.terms >= most_terms) return solution;
    last = std::move(solution);
  }
}

}  // namespace muster
