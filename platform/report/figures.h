#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/report/curves.h"

namespace muster {

/// Figures as SVG by the names of their files: METRIC.svg of the whole system, METRIC.CLASS.svg of a class or phase
/// where there are few of them. Those without a value above or below zero are left out. A study of one point has none,
/// as a table says more.
/// @throws output_error as to_svg()
std::vector<std::pair<std::string, std::string>> figures_of(const study& s, const study_estimates& all);

/// The unit of a number or time that a scenario's key takes: "1/s" of `arrivals.rate`; empty where there is none.
std::string unit_of_key(const study& s, const std::string& key);

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

/// What gnuplot writes for the plots of a script, in their order.
/// @param script of plots for the terminal svg
/// @throws output_error if gnuplot is not there, or refuses the script: with its words
std::vector<std::string> draw_with_gnuplot(const std::string& script);

/// Text as a string of a script, in which gnuplot takes nothing for a command; control characters become U+FFFD.
std::string gnuplot_string(const std::string& text);

}  // namespace muster
