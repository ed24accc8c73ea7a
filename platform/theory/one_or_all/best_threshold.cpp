
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/theory/one_or_all/one_or_all_means.h"
#include "platform/theory/one_or_all/one_or_all_nodes.h"

namespace muster {

namespace {

// The analysis, whose error is a few per cent, finds only thresholds that are not the best worse than this.
constexpr double far_worse = 1.06;
constexpr double error_of_values = 1e-5;

double mean_response(const one_or_all& system, const one_or_all_means& means) {
  return mean_response(system, means.light_response, means.heavy_response);
}

/// The mean response time at a threshold by the analysis. @param accuracy as for analyse_corrected()
double analysed(one_or_all system, std::size_t threshold, double accuracy) {
  system.threshold = threshold;
  return mean_response(system, analyse_corrected(system, accuracy).means);
}

/// All thresholds that the analysis does not find far worse than the best. It looks at some that are spread over all of
/// them, dense where its values change fast, and at all between two of which one is not clearly worse.
std::vector<std::size_t> near_best(const one_or_all& system) {
  constexpr double between_samples = 0.03, accuracy = 1e-4;
  std::map<std::size_t, double> values;
  double least = std::numeric_limits<double>::infinity();
  const auto look_at = [&](std::size_t threshold) {
    const double value = values[threshold] = analysed(system, threshold, accuracy);
    least = std::min(least, value);
  };
  for (std::size_t t = 0; t + 1 < system.cores; t += std::max<std::size_t>(1, t / 3)) look_at(t);
  look_at(system.cores - 1);
  const std::map<std::size_t, double> samples = values;
  for (auto low = samples.begin(), high = std::next(low); high != samples.end(); low = high++)
    if (const double better = std::min(low->second, high->second);
        !((1.0 - between_samples) * better > far_worse * least))
      for (std::size_t t = low->first + 1; t < high->first; ++t) look_at(t);
  std::vector<std::size_t> near;
  for (const auto& [threshold, value] : values)
    if (value <= far_worse * least) near.push_back(threshold);
  return near;
}

/// Nodes that thresholds of about the same size share, whose best scales differ little.
class shared_nodes {
 public:
  explicit shared_nodes(const one_or_all& system) : system_(system) {}

  const one_or_all_nodes& of(std::size_t threshold, std::size_t terms) {
    std::size_t least = 1;  // of those that share: up to twice as high
    while (2 * least <= threshold) least *= 2;
    std::unique_ptr<one_or_all_nodes>& nodes = all_[{least, terms}];
    if (!nodes) {
      one_or_all middle = system_;
      middle.threshold = std::min(least + least / 2, system_.cores - 1);
      nodes = std::make_unique<one_or_all_nodes>(middle, terms);
    }
    return *nodes;
  }

 private:
  const one_or_all& system_;
  std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<one_or_all_nodes>> all_;
};

/// A threshold and its value by a solution of few terms.
class candidate {
 public:
  candidate(one_or_all system, std::size_t threshold) : system_(std::make_unique<one_or_all>(system)) {
    system_->threshold = threshold;
    means_ = means_of(*system_);
  }

  std::size_t threshold() const { return system_->threshold; }
  double least() const { return value_ * (1.0 - error_); }
  double most() const { return value_ * (1.0 + error_); }
  bool has_bounds() const { return value_ > 0.0 && error_ < 1.0; }

  /// Solves at nodes, about twice as many as those of the last call. As the series converges geometrically, the change
  /// is about the error of the last solution, and several times the error that is left. The error is taken for four
  /// times the change, and a share of the defect of the equation, in case that the change is small by chance.
  void refine(const one_or_all_nodes& nodes) {
    const exact_one_or_all solution = solve_roughly(*system_, means_, nodes);
    const double before = value_;
    value_ = mean_response(*system_, solution.means);
    if (before != 0.0) error_ = 4.0 * std::abs(value_ - before) / value_ + 0.02 * solution.error_bound;
  }

 private:
  std::unique_ptr<one_or_all> system_;  // means_ refers to it
  std::function<one_or_all_means(const period_start&)> means_;
  double value_ = 0.0;                                      // 0: not solved yet
  double error_ = std::numeric_limits<double>::infinity();  // as a share of the value
};

/// Those of the thresholds that may be the best by exact solutions.
std::vector<std::size_t> possibly_best(const one_or_all& system, const std::vector<std::size_t>& thresholds) {
  if (thresholds.size() == 1) return thresholds;
  std::vector<candidate> left;
  left.reserve(thresholds.size());
  for (const std::size_t t : thresholds) left.emplace_back(system, t);
  shared_nodes nodes(system);
  constexpr std::size_t fewest = 5, most = 129;
  for (std::size_t terms = fewest; terms <= most && left.size() > 1; terms = 2 * terms - 1) {
    double limit = std::numeric_limits<double>::infinity();
    for (candidate& c : left) {
      c.refine(nodes.of(c.threshold(), terms));
      if (c.has_bounds()) limit = std::min(limit, c.most() * (1.0 + 4.0 * error_of_values));
    }
    left.erase(std::remove_if(left.begin(), left.end(),
                              [&](const candidate& c) { return c.has_bounds() && c.least() > limit; }),
               left.end());
  }
  std::vector<std::size_t> best;
  best.reserve(left.size());
  for (const candidate& c : left) best.push_back(c.threshold());
  return best;
}

std::size_t best_by_exact_solutions(const one_or_all& system, const std::vector<std::size_t>& thresholds) {
  if (thresholds.size() == 1) return thresholds.front();
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  one_or_all tried = system;
  for (const std::size_t t : thresholds) {
    tried.threshold = t;
    const double value = mean_response(system, solve_one_or_all(tried, error_of_values).means);
    if (value < least) std::tie(best, least) = std::tuple(t, value);
  }
  return best;
}

std::size_t best_by_analysis(const one_or_all& system) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < system.cores; ++t)
    if (const double value = analysed(system, t, best_accuracy); value < least)
      std::tie(best, least) = std::tuple(t, value);
  return best;
}

std::size_t search_best(const one_or_all& system) {
  if (system.cores > most_exact_cores) return best_by_analysis(system);
  return best_by_exact_solutions(system, possibly_best(system, near_best(system)));
}

/// What determines the best threshold of a system.
using system_key = std::tuple<std::size_t, bool, double, double, double, double>;

}  // namespace

std::size_t best_threshold(const one_or_all& system) {
  static std::mutex guard;
  static std::map<system_key, std::size_t> thresholds;  // the points of a sweep often differ in the threshold alone
  const std::lock_guard lock(guard);
  const system_key key{system.cores,          system.drains_always,     system.light_arrivals,
                       system.heavy_arrivals, system.light_completions, system.heavy_completions};
  if (const auto known = thresholds.find(key); known != thresholds.end()) return known->second;
  return thresholds[key] = search_best(system);
}

}  // namespace muster
