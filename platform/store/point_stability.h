#pragma once

#include <string>
#include <vector>

namespace muster {

/// Whether a point has a steady state, as a run has found it: rates are total arrival rates, the shares being kept.
struct point_stability {
  std::string answer;       ///< "stable", "unstable" or "not known"
  double load = 0.0;        ///< of the classes that press hardest on their servers
  std::string overhead;     ///< how it counts overhead: "-", "exact" or "lower bound"
  double rate = 0.0;        ///< of the point
  double work_rate = 0.0;   ///< the work bound: from there on no policy is stable
  double limit_rate = 0.0;  ///< the policy's limit, or the best bound of it that is known; may be infinite
  std::string limit_kind;   ///< what `limit_rate` is, such as "limit" or "known to be stable below"
  std::string limit;        ///< the policy's limit for a reader, such as "3.2 +- 0.1"
};

/// The stability of the points of a study.
struct study_stability {
  std::vector<point_stability> points;  ///< empty: no run has come to its end
  std::vector<std::string> conditions;  ///< of the policies, in words with their sources, and what the words mean
};

}  // namespace muster
