#include "muster/policies/utility.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace muster {

namespace {

/// The slope at each point of the least concave function above the sums from that point on, whose corners are found on
/// a stack, from the end backwards.
std::vector<double> slopes_ahead(const std::vector<double>& gains, const std::vector<utility_sum>& sums) {
  // The slope over one unit is exactly its gain, so that jobs of equal gain compare as equal.
  const auto slope = [&](std::size_t from, std::size_t to) {
    return to - from == 1 ? gains[from] : (sums[to] - sums[from]) / static_cast<utility_sum>(to - from);
  };
  std::vector<std::size_t> corners{sums.size() - 1};
  std::vector<double> slopes(gains.size());
  for (std::size_t from = slopes.size(); from-- > 0;) {
    while (corners.size() > 1 && slope(from, corners.back()) < slope(corners.back(), corners[corners.size() - 2]))
      corners.pop_back();
    slopes[from] = static_cast<double>(slope(from, corners.back()));
    corners.push_back(from);
  }
  return slopes;
}

}  // namespace

utility::utility(std::vector<double> gains) : gains_(std::move(gains)), sums_(gains_.size() + 1) {
  if (gains_.empty()) throw std::invalid_argument("expected at least one unit");
  for (const double gain : gains_)
    if (!(gain >= 0.0 && std::isfinite(gain))) throw std::invalid_argument("expected gains that are numbers >= 0");
  for (unsigned done = 0; done < units(); ++done) sums_[done + 1] = sums_[done] + gains_[done];
  if (!std::isfinite(static_cast<double>(sums_.back())))
    throw std::invalid_argument("expected gains with a finite sum");
  steepest_ = slopes_ahead(gains_, sums_);
}

bool utility::concave() const { return std::is_sorted(gains_.rbegin(), gains_.rend()); }

// Equation 3 bounds the mean gain of any units that follow the k-th by 1 + alpha times its own.
double utility::alpha() const {
  double alpha = 0.0;
  for (unsigned k = 1; k < units(); ++k) {
    const double ahead = steepest_[k];
    if (ahead > gains_[k - 1])
      alpha =
          gains_[k - 1] > 0.0 ? std::max(alpha, ahead / gains_[k - 1] - 1.0) : std::numeric_limits<double>::infinity();
  }
  return alpha;
}

}  // namespace muster
