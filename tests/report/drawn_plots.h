#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>

namespace muster {

/// What gnuplot has drawn by one plot of a figure. Places are in units of the figure, from its top left corner.
struct drawn_plot {
  std::string title;  ///< in the legend; empty: none
  std::string colour;
  std::string dashes;  ///< of its last line; empty: solid
  std::vector<std::pair<double, double>> line;
  std::vector<std::pair<std::string, std::pair<double, double>>> markers;  ///< by the name of their shape

  std::size_t count(const std::string& shape) const {
    return static_cast<std::size_t>(
        std::count_if(markers.begin(), markers.end(), [&](const auto& m) { return m.first == shape; }));
  }
};

struct drawn_figure {
  std::vector<drawn_plot> plots;
  std::vector<std::string> texts;
  std::vector<std::pair<double, double>> frame;  ///< of the axes: top left, bottom left, bottom right

  /// Plots with such dashes, but for the samples of the legend.
  std::vector<drawn_plot> dashed(const std::string& dashes) const {
    std::vector<drawn_plot> found;
    std::copy_if(plots.begin(), plots.end(), std::back_inserter(found),
                 [&](const drawn_plot& p) { return p.dashes == dashes && p.title != "theory"; });
    return found;
  }
  std::vector<drawn_plot> theories() const { return dashed("7.2,4.0"); }
  std::vector<drawn_plot> limits() const { return dashed("2.0,3.0"); }
  /// With a title, and markers.
  std::vector<drawn_plot> series() const {
    std::vector<drawn_plot> found;
    std::copy_if(plots.begin(), plots.end(), std::back_inserter(found),
                 [](const drawn_plot& p) { return !p.title.empty() && p.markers.size() > 1; });
    return found;
  }
  bool shows(const std::string& text) const { return std::find(texts.begin(), texts.end(), text) != texts.end(); }
  std::size_t count(const std::string& shape) const {
    std::size_t all = 0;
    for (const drawn_plot& p : plots) all += p.count(shape);
    return all;
  }
};

inline const std::string ring_marker = "#gpPt5", cut_marker = "#gpPt10";

namespace drawn {

using boost::property_tree::ptree;

/// Numbers after letters: "M1,2 L3,4", "translate(1,2) scale(3)".
inline std::vector<std::pair<double, double>> places(std::string text) {
  for (char& c : text)
    if (std::string("0123456789.-").find(c) == std::string::npos) c = ' ';
  std::istringstream in(text);
  std::vector<std::pair<double, double>> all;
  for (double x = 0.0, y = 0.0; in >> x >> y;) all.emplace_back(x, y);
  return all;
}

inline void read(const ptree& parent, drawn_figure& into, drawn_plot* plot) {
  for (const auto& [tag, child] : parent) {
    const std::string id = child.get("<xmlattr>.id", "");
    if (tag == "text") {
      into.texts.push_back(child.data().substr(std::min(child.data().size(), child.data().find_first_not_of(' '))));
      if (plot) plot->title = into.texts.back();
    }
    if (tag == "g" && id.rfind("gnuplot_plot_", 0) == 0) {
      drawn_plot found;
      read(child, into, &found);
      into.plots.push_back(std::move(found));
      continue;
    }
    if (plot && tag == "path") {
      plot->colour = child.get("<xmlattr>.stroke", "");
      plot->dashes = child.get("<xmlattr>.stroke-dasharray", "");
      plot->line = places(child.get("<xmlattr>.d", ""));
    }
    if (plot && tag == "use") {
      const auto at = places(child.get("<xmlattr>.transform", ""));  // none: a mere dot
      if (!at.empty()) plot->markers.push_back({child.get("<xmlattr>.xlink:href", ""), at.front()});
    }
    if (!plot && tag == "path" && child.get("<xmlattr>.class", "") != "gridline" && id.empty()) {
      const auto ends = places(child.get("<xmlattr>.d", ""));
      if (ends.size() == 5 && ends[0].first == ends[1].first && ends[1].second == ends[2].second) into.frame = ends;
    }
    read(child, into, plot);
  }
}

}  // namespace drawn

/// Reads a figure that gnuplot has written. @throws boost::property_tree::xml_parser_error for what is not XML
inline drawn_figure read_figure(const std::string& svg) {
  std::istringstream in(svg);
  boost::property_tree::ptree document;
  read_xml(in, document);
  drawn_figure found;
  drawn::read(document, found, nullptr);
  return found;
}

}  // namespace muster
