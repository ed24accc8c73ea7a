#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/metrics/estimate.h"
#include "platform/model/metric_of_class.h"

namespace muster {

/// How a policy does beside the others.
enum class policy_rank {
  best,      ///< the best mean of those that can be judged
  equal,     ///< not told apart from the best
  worse,     ///< worse than the best beyond chance
  unjudged,  ///< marked as biased, unstable or overloaded, and not worse even so: the estimate does not say what is
             ///< true; or a bound may be kept or not
  excluded,  ///< a bound is not kept
};
/// The words for them, in their order.
inline constexpr std::array rank_words{"best", "equal", "worse", "unjudged", "excluded"};

/// A policy in a contest.
struct entrant {
  std::size_t point = 0;
  std::string policy;
  estimate measured;
  policy_rank rank = policy_rank::unjudged;
  /// The policy's difference to the best, as a share of the best's mean, with the 95 % interval: from the paired
  /// difference. The best itself has none, and nobody has one where the best's mean is zero.
  std::optional<double> share{}, share_low{}, share_high{};
  bool equal_within = false;  ///< it is equal to the best within run.equal_within
  std::string bound_note{};   ///< which of the bounds is not kept, or may not be; empty: all are kept
  bool breaks_bound = false;  ///< one of them is not
};

/// The estimate of a metric of a class that has a value; null if there is none.
inline const estimate* find_estimate(const std::vector<estimate>& all, const metric_of_class& of) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const estimate& e) {
    return e.metric == of.metric && e.class_name == of.class_name;
  });
  return found == all.end() || !found->mean ? nullptr : &*found;
}

/// The policies at points that differ in nothing else, by one metric.
struct contest {
  /// The best, then its equals, then the others by their means, then the unjudged, then the excluded.
  std::vector<entrant> ranked;
  /// Policies that are neither told apart nor equal within run.equal_within, if that is given; the unjudged left out.
  std::vector<std::pair<std::string, std::string>> open;

  /// The best policy; null if none can be judged.
  const entrant* best() const {
    return ranked.empty() || ranked.front().rank != policy_rank::best ? nullptr : &ranked.front();
  }
  std::vector<const entrant*> of(policy_rank rank) const {
    std::vector<const entrant*> of_rank;
    for (const entrant& c : ranked)
      if (c.rank == rank) of_rank.push_back(&c);
    return of_rank;
  }
};

/// The contests of one metric: a table with a row for each value of the verdict's key, for each combination of what the
/// other keys have put in.
struct metric_verdict {
  metric_of_class of;
  std::string unit;                             ///< empty: none
  std::vector<std::vector<contest>> by_others;  ///< in the order of verdict::others, then of verdict::values
};

/// Which policy is best, by each metric that matters.
struct verdict {
  std::string key;                  ///< of the rows; empty: the points differ in their policies alone
  std::vector<std::string> values;  ///< that it takes; one empty text without a key
  std::vector<std::string> others;  ///< the other keys and what they put in, such as "KEY = VALUE"; one empty text
  std::vector<metric_verdict> metrics;
  std::vector<std::string> sentences;  ///< where the lead changes, and what the other keys change
  std::vector<metric_bound> where;     ///< `report.where`: what the best policies keep
};

}  // namespace muster
