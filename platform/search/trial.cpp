#include "platform/search/trial.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "platform/inference/significance.h"
#include "platform/metrics/sample.h"

namespace muster {

namespace {

// Sums in another order differ in their last digits.
bool is_close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

bool vary(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [&](double v) { return !is_close(v, values.front()); });
}

// 1: the first expectation is below the second one; -1: above it; 0: cannot be told.
int side(const std::vector<double>& first, const std::vector<double>& second, double alpha) {
  const difference apart = students_difference(first, second);
  if (!apart.p || *apart.p / 2.0 > alpha || apart.mean == 0.0) return 0;
  return apart.mean > 0.0 ? 1 : -1;
}

std::vector<double> first_of(std::vector<double> values, std::size_t n) {
  values.resize(n);
  return values;
}

// Folds the objectives: 1 the first is better, -1 the other one, 0 that cannot be told, in each; `same` leaves it out.
template <class Compared, class Same>
bool better_in_all(const std::vector<search_objective>& objectives, Compared compared, Same same) {
  bool any = false;
  for (const search_objective& o : objectives) {
    if (compared(o) > 0)
      any = true;
    else if (!same(o))
      return false;
  }
  return any;
}

}  // namespace

int judge(const search_constraint& bound, const std::vector<double>& values, double alpha) {
  const int sign = bound.at_most ? 1 : -1;
  if (!vary(values))
    return sign * (bound.bound - values.front()) >= 0.0 || is_close(values.front(), bound.bound) ? 1 : -1;
  return sign * side(values, std::vector<double>(values.size(), bound.bound), alpha);
}

bool is_better(const trial& a, const trial& b, const std::vector<search_objective>& objectives, double alpha) {
  const std::size_t n = std::min(a.replications(), b.replications());
  const auto of = [&](const trial& c, const search_objective& o) { return first_of(c.found[o.series], n); };
  return better_in_all(
      objectives, [&](const search_objective& o) { return (o.maximize ? -1 : 1) * side(of(a, o), of(b, o), alpha); },
      [&](const search_objective& o) { return of(a, o) == of(b, o); });
}

bool excels(const trial& a, const trial& b, const std::vector<search_objective>& objectives) {
  const auto apart = [&](const search_objective& o) {
    return (o.maximize ? -1.0 : 1.0) * (mean_of(b.found[o.series]) - mean_of(a.found[o.series]));
  };
  return better_in_all(
      objectives, [&](const search_objective& o) { return apart(o) > 0.0 ? 1 : 0; },
      [&](const search_objective& o) { return apart(o) == 0.0; });
}

double violation(const trial& c, const std::vector<search_constraint>& bounds) {
  if (c.replications() == 0) return std::numeric_limits<double>::infinity();
  double sum = 0.0;
  for (const search_constraint& b : bounds) {
    const double beyond = (b.at_most ? 1.0 : -1.0) * (mean_of(c.found[b.series]) - b.bound);
    if (beyond > 0.0) sum += b.bound == 0.0 ? beyond : beyond / std::abs(b.bound);
  }
  return sum;
}

}  // namespace muster
