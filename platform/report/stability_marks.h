#pragma once

#include <string>
#include <vector>

#include "platform/report/curves.h"

namespace muster {

/// A limit of stability on the horizontal axis.
struct stability_mark {
  double at = 0.0;
  std::string text;  ///< what it is the limit of
};

/// The limits of the rates, as `muster check` finds them, in units of the key: none unless that is `arrivals.rate` or
/// `arrivals.load`. A limit that several series share is one mark.
std::vector<stability_mark> stability_marks(const study& s, const abscissa& over);

}  // namespace muster
