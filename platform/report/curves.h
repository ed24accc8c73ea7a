#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/metrics/caution.h"
#include "platform/model/study.h"
#include "platform/store/study_estimates.h"

namespace muster {

/// Colours of series; those beyond have them once more, with other markers and dashes.
inline constexpr std::size_t series_colours = 8;

/// How a series is drawn. A policy has its colour in every plot, whatever else differs; what the other keys put in
/// gives the marker.
struct series_style {
  std::size_t colour = 0, marker = 0;  ///< places in a list of them, which may be shorter
};

/// What stands on the horizontal axis of the plots: a key of the sweep. Points that differ in nothing else are a
/// series.
struct abscissa {
  std::optional<std::size_t> key;  ///< none: nothing is swept
  bool numeric = false;
  std::vector<std::string> values;   ///< distinct and short, in the order of the sweep
  std::vector<std::size_t> places;   ///< by point: the place of its value among `values`
  std::vector<std::string> labels;   ///< of the series: the other keys in words, short; empty where there are none
  std::vector<double> x;             ///< by point: its value if they are numbers, else the place among `values`
  std::vector<std::size_t> series;   ///< by point: the place among `labels`
  std::vector<series_style> styles;  ///< of the series
};

/// The abscissa of a key. Its labels have the last part of a key, if that tells it from the others, and a value without
/// its parameters if it is long and its name alone tells it from the key's other values.
abscissa abscissa_over(const study& s, std::optional<std::size_t> key);

/// The last part of a key, where no other key of the sweep ends so.
std::string short_key(const study& s, std::size_t key);

/// The abscissa that the page begins with: the rate or load of arrivals if it takes more than one value; else the last
/// key of numbers that does; else the last.
abscissa usual_abscissa(const study& s);

struct curve_point {
  double x = 0.0, y = 0.0;
  std::optional<double> low, high;  ///< 95 %
  cautions marks{};                 ///< why it is not to be taken as it stands
};

/// One metric over the horizontal axis, the other keys kept.
struct curve {
  std::string label;
  std::vector<curve_point> measured, known;  ///< by growing x
  series_style style{};
};

/// The curves of one metric and class, one for each series; without estimates that are missing or not finite.
std::vector<curve> curves_of(const study_estimates& all, const abscissa& over, const std::string& metric,
                             const std::string& class_name);

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
