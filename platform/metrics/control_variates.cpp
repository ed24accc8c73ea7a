#include "platform/metrics/control_variates.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "platform/metrics/sample.h"

namespace muster {

namespace {

using observed = control_set::observed;

// The regression coefficient over something that varies, or else nothing.
std::optional<double> slope(const observed& of, const observed& over) {
  const double variance = variance_of(over.parts);
  if (variance <= 0.0) return std::nullopt;
  return covariance_of(of.parts, over.parts) / variance;
}

// The share of a variance of parts that regression on a control leaves.
double share_left(const observed& of, const observed& over) {
  const double variance = variance_of(of.parts);
  const std::optional<double> b = slope(of, over);
  return variance > 0.0 && b ? std::max(0.0, 1.0 - *b * *b * variance_of(over.parts) / variance) : 1.0;
}

bool is_far_off(const std::vector<double>& deviations) {
  constexpr double by_chance = 0.001;
  const auto n = static_cast<double>(deviations.size());
  const double error = std::sqrt(variance_of(deviations) / n);
  return std::abs(mean_of(deviations)) > students_quantile(n - 1.0, 1.0 - by_chance / 2.0) * error;
}

std::vector<observed> candidates(const std::vector<const std::vector<control_variate>*>& controls,
                                 std::size_t parts_of_one) {
  std::vector<observed> all;
  if (controls.empty() || !controls.front()) return all;
  for (std::size_t at = 0; at < controls.front()->size(); ++at) {
    observed c;
    for (const std::vector<control_variate>* of_replication : controls) {
      if (!of_replication || at >= of_replication->size() || (*of_replication)[at].parts.size() != parts_of_one)
        return {};
      const control_variate& one = (*of_replication)[at];
      c.values.push_back(one.deviation);
      c.parts.insert(c.parts.end(), one.parts.begin(), one.parts.end());
    }
    if (!is_far_off(c.values)) all.push_back(std::move(c));
  }
  return all;
}

// What each replication adds to the jackknife's pseudo-values (Tukey, 1958) because a regression coefficient rests on
// it, too: the coefficient without it times the deviation of the control that the others have. Of several controls that
// are not correlated with each other over all parts each is taken by itself.
// @param rest what regression has left, with the coefficient 0 over all parts
std::vector<double> shares_in_coefficient(const observed& rest, const observed& control) {
  const std::size_t replications = rest.values.size(), parts_of_one = rest.parts.size() / replications;
  const double mean_rest = mean_of(rest.parts), mean_control = mean_of(control.parts);
  const double squares = variance_of(control.parts) * (static_cast<double>(control.parts.size()) - 1.0);
  const double deviation_of_all = mean_of(control.values) * static_cast<double>(replications);
  const auto others = static_cast<double>(rest.parts.size() - parts_of_one);
  std::vector<double> shares(replications);
  for (std::size_t r = 0; r < replications; ++r) {
    double of_rest = 0.0, of_control = 0.0, products = 0.0, squares_of_one = 0.0;
    for (std::size_t at = r * parts_of_one; at < (r + 1) * parts_of_one; ++at) {
      const double y = rest.parts[at] - mean_rest, u = control.parts[at] - mean_control;
      of_rest += y;
      of_control += u;
      products += u * y;
      squares_of_one += u * u;
    }
    const double squares_of_others = squares - squares_of_one - of_control * of_control / others;
    if (!(squares_of_others > 0.0)) continue;
    const double without_it = -(products + of_control * of_rest / others) / squares_of_others;
    shares[r] = without_it * (deviation_of_all - control.values[r]);
  }
  return shares;
}

constexpr double least_share = 1e-6;  // a smaller share may be the rounding of times to ticks

/// Chooses a set, one control variate after the other.
class selection {
 public:
  selection(const std::vector<replicated_values>& means, std::vector<observed> candidates)
      : left_(std::move(candidates)) {
    for (const replicated_values& m : means) means_.push_back({m.values, m.parts});
    shares_.assign(means_.size(), 1.0);
    for (std::size_t at = 0; at < left_.size(); ++at) numbers_.push_back(at);
  }

  /// Chooses candidates. @return their numbers
  std::vector<std::size_t> choose(std::size_t most) {
    constexpr double worth_it = 0.8;
    const auto n = static_cast<double>(means_.front().parts.size());
    const double worth_a_control = 1.0 - std::max(0.05, 8.0 / n);
    std::vector<std::size_t> chosen;
    double left = 1.0;  // share of the variance that is left, in the geometric mean
    while (chosen.size() < most && !left_.empty() && left > least_share) {
      const auto [best, share] = best_candidate();
      const auto used = static_cast<double>(chosen.size());
      const double after = share * (n - 1.0) / (n - 2.0 - used);
      if (share == 1.0 || after > worth_a_control * left) break;
      chosen.push_back(numbers_[best]);
      take(best);
      left = std::max(after, least_share);
    }
    return left <= worth_it ? chosen : std::vector<std::size_t>{};
  }

 private:
  /// The candidate that leaves the least variance, and the share that is left with it, in the geometric mean.
  std::pair<std::size_t, double> best_candidate() const {
    std::pair<std::size_t, double> best{0, 1.0};
    for (std::size_t at = 0; at < left_.size(); ++at) {
      double logarithms = 0.0;
      for (std::size_t m = 0; m < means_.size(); ++m)
        logarithms += std::log(std::max(least_share, shares_[m] * share_left(means_[m], left_[at])));
      const double share = std::exp(logarithms / static_cast<double>(means_.size()));
      if (share < best.second) best = {at, share};
    }
    return best;
  }

  void take(std::size_t best) {
    const auto place = static_cast<std::ptrdiff_t>(best);
    const observed taken = std::move(left_[best]);
    left_.erase(left_.begin() + place);
    numbers_.erase(numbers_.begin() + place);
    for (std::size_t m = 0; m < means_.size(); ++m) {
      shares_[m] = std::max(least_share, shares_[m] * share_left(means_[m], taken));
      means_[m].subtract(taken, *slope(means_[m], taken));
    }
    for (observed& other : left_) other.subtract(taken, *slope(other, taken));
  }

  std::vector<observed> means_, left_;
  std::vector<double> shares_;        // shares of each mean's variance that the chosen ones leave
  std::vector<std::size_t> numbers_;  // numbers of the candidates in left_
};

}  // namespace

void control_set::observed::subtract(const observed& other, double times) {
  for (std::size_t r = 0; r < values.size(); ++r) values[r] -= times * other.values[r];
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] -= times * other.parts[i];
}

control_set::control_set(const std::vector<const std::vector<control_variate>*>& controls,
                         const std::vector<replicated_values>& means) {
  constexpr std::size_t fewest = 10, most = 6;
  if (controls.size() < fewest || means.empty()) return;
  const std::vector<observed> all = candidates(controls, means.front().parts.size() / controls.size());
  for (const std::size_t at : selection(means, all).choose(std::min(most, controls.size() / 3)))
    chosen_.push_back(all[at]);
}

std::vector<observed> control_set::of_replications(const std::vector<std::size_t>& replications) const {
  std::vector<observed> all;
  for (const observed& c : chosen_) {
    const std::size_t parts_of_one = c.parts.size() / c.values.size();
    observed& selected = all.emplace_back();
    for (const std::size_t r : replications) {
      selected.values.push_back(c.values[r]);
      const auto first = c.parts.begin() + static_cast<std::ptrdiff_t>(r * parts_of_one);
      selected.parts.insert(selected.parts.end(), first, first + static_cast<std::ptrdiff_t>(parts_of_one));
    }
  }
  return all;
}

replicated_values control_set::taken_out_of(replicated_values mean) const {
  std::vector<observed> controls = of_replications(mean.replications);
  if (controls.empty() || controls.front().parts.size() != mean.parts.size()) return mean;
  observed rest{mean.values, mean.parts};
  for (std::size_t at = 0; at < controls.size(); ++at) {
    const std::optional<double> b = slope(rest, controls[at]);
    if (!b) continue;
    rest.subtract(controls[at], *b);
    for (std::size_t later = at + 1; later < controls.size(); ++later)
      controls[later].subtract(controls[at], *slope(controls[later], controls[at]));
    ++mean.fitted;
  }
  const auto n = static_cast<double>(mean.parts.size());
  const double before = variance_of(mean.parts);
  const double after = variance_of(rest.parts) * (n - 1.0) / (n - 1.0 - static_cast<double>(mean.fitted));
  if (before > 0.0) mean.variance_factor = std::max(1.0, before / std::max(after, least_share * before));
  mean.values = rest.values;
  for (const observed& control : controls) {
    const std::vector<double> shares = shares_in_coefficient(rest, control);
    for (std::size_t r = 0; r < shares.size(); ++r) mean.values[r] += shares[r];
  }
  mean.bias = mean_of(rest.values) - mean_of(mean.values);
  for (double& v : mean.values) v += mean.bias;
  mean.parts = std::move(rest.parts);
  return mean;
}

}  // namespace muster
