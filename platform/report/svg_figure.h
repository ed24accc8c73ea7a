#pragma once

#include <string>
#include <vector>

#include "platform/report/curves.h"
#include "platform/report/stability_marks.h"

namespace muster {

/// A figure as a paper has it.
struct figure {
  std::string title, x_name, y_name;
  std::vector<std::string> categories;  ///< of the horizontal axis; empty: it has numbers
  std::vector<curve> curves;            ///< one at least with a point; the place of each gives its colour
  std::vector<stability_mark> marks;    ///< those beyond the curves are left out
};

/// Each figure as SVG that stands alone, drawn by gnuplot: lines with bars of 95 %, theory dashed, limits of stability
/// dotted. Curves over categories are marks and bars without lines. The vertical axis includes every interval; one
/// that reaches to zero or below has a triangle at the foot of a logarithmic axis. Points that are not to be taken as
/// they stand have a ring.
/// @throws output_error as draw_with_gnuplot()
std::vector<std::string> to_svg(const std::vector<figure>& figures);

}  // namespace muster
