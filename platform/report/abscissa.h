#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/model/scenario.h"

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

/// In short a key is its last part, if that tells it from the others, and a value goes without its parameters if it is
/// long and its name alone tells it from the key's other values.
abscissa abscissa_over(const study& s, std::optional<std::size_t> key);

/// The last part of a key, where no other key of the sweep ends so.
std::string short_key(const study& s, std::size_t key);

/// The rate or load of arrivals if it takes more than one value; else the last key of numbers that does; else the last.
abscissa usual_abscissa(const study& s);

}  // namespace muster
