#include "platform/metrics/control_variates.h"

#include <algorithm>
#include <optional>

#include "platform/metrics/sample.h"

namespace muster {

namespace {

/// A mean, over whole windows and over their parts.
struct observed {
  std::vector<double> values, parts;

  void subtract(const observed& other, double times) {
    for (std::size_t r = 0; r < values.size(); ++r) values[r] -= times * other.values[r];
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] -= times * other.parts[i];
  }
};

// Of what varies at all, or else nothing.
std::optional<double> slope(const observed& of, const observed& over) {
  const double variance = variance_of(over.parts);
  if (variance <= 0.0) return std::nullopt;
  return covariance_of(of.parts, over.parts) / variance;
}

std::vector<observed> controls_of(const replicated_values& found) {
  std::vector<observed> all;
  if (found.controls.empty() || !found.controls.front()) return all;
  const std::size_t parts_of_one = found.parts.size() / found.values.size();
  for (std::size_t at = 0; at < found.controls.front()->size(); ++at) {
    observed c;
    for (const std::vector<control_variate>* of_replication : found.controls) {
      if (!of_replication || at >= of_replication->size() || (*of_replication)[at].parts.size() != parts_of_one)
        return {};
      const control_variate& one = (*of_replication)[at];
      c.values.push_back(one.deviation);
      c.parts.insert(c.parts.end(), one.parts.begin(), one.parts.end());
    }
    all.push_back(std::move(c));
  }
  return all;
}

}  // namespace

controlled_values take_out_controls(const replicated_values& found) {
  constexpr double worth_it = 0.8;
  const std::size_t most = std::min<std::size_t>(6, found.values.size() / 3);
  const auto n = static_cast<double>(found.parts.size());
  const double worth_a_control = 1.0 - std::max(0.05, 8.0 / n);
  observed rest{found.values, found.parts};
  std::vector<observed> left = controls_of(found);
  const double at_first = left.empty() ? 0.0 : variance_of(rest.parts);
  double variance = at_first;
  std::size_t fitted = 0;
  while (fitted < most && !left.empty() && variance > 0.0) {
    std::size_t best = 0;
    double explained = 0.0;
    for (std::size_t at = 0; at < left.size(); ++at) {
      const std::optional<double> b = slope(rest, left[at]);
      const double share = b ? *b * *b * variance_of(left[at].parts) : 0.0;
      if (share > explained) explained = share, best = at;
    }
    const double before = variance_of(rest.parts);
    const double after = (before - explained) * (n - 1.0) / (n - 2.0 - static_cast<double>(fitted));
    if (explained == 0.0 || after > worth_a_control * variance) break;
    const observed taken = std::move(left[best]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    rest.subtract(taken, *slope(rest, taken));
    for (observed& other : left) other.subtract(taken, *slope(other, taken));
    variance = std::max(after, 1e-6 * at_first);
    ++fitted;
  }
  if (fitted == 0 || variance > worth_it * at_first) return {found.values, found.parts};
  return {std::move(rest.values), std::move(rest.parts), fitted, at_first / variance};
}

}  // namespace muster
