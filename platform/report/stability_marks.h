#pragma once

#include <set>
#include <string>
#include <vector>

#include "platform/report/curves.h"
#include "platform/store/point_stability.h"

namespace muster {

/// A limit of stability on the horizontal axis.
struct stability_mark {
  double at = 0.0;
  std::string text;                ///< the kind, and which series unless all have it
  std::string kind{};              ///< what limit it is
  std::set<std::size_t> series{};  ///< of the abscissa, which have this limit
};

/// The limits of the rates in units of the key: none unless that is `arrivals.rate` or `arrivals.load`. A limit that
/// several series share is one mark.
/// @param stability by point; empty: nothing is known
std::vector<stability_mark> stability_marks(const study& s, const abscissa& over,
                                            const std::vector<point_stability>& stability);

}  // namespace muster
