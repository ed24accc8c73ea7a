#pragma once

#include <set>
#include <string>
#include <vector>

#include "platform/report/curves.h"

namespace muster {

/// A limit of stability on the horizontal axis.
struct stability_mark {
  double at = 0.0;
  std::string text;                ///< the kind, and which series unless all have it
  std::string kind{};              ///< what limit it is
  std::set<std::size_t> series{};  ///< of the abscissa, which have this limit
};

/// The limits of the rates, as `muster check` finds them, in units of the key: none unless that is `arrivals.rate` or
/// `arrivals.load`. A limit that several series share is one mark.
std::vector<stability_mark> stability_marks(const study& s, const abscissa& over);

}  // namespace muster
