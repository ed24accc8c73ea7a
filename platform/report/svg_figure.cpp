#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/report/figures.h"

namespace muster {

namespace {

// Okabe and Ito's colours, told apart by colour-blind eyes, the pale ones darkened for white paper.
constexpr std::array<const char*, series_colours> colours{"#0072b2", "#d55e00", "#00845f", "#b0538f",
                                                          "#8a6d00", "#3b8fc4", "#444444", "#5b2a86"};
// The dashes of series: the first for each colour once, the others where colours come once more.
constexpr std::array<const char*, 3> dashes{"1", "(12,3,3,3)", "(2,3)"};
// gnuplot's numbers of markers: circle, triangle, square, diamond, triangle on its tip, plus, cross.
constexpr std::array<int, 7> markers{7, 9, 5, 13, 11, 1, 2};
constexpr const char* ring = "pointtype 6 pointsize 1.8";
constexpr const char* triangle = "pointtype 11";
constexpr const char* dashed = "dashtype (9,5) linewidth 1.6";
constexpr const char* ink = "linecolor '#222222'";

constexpr const char* style = R"(reset
set encoding utf8
set border 3 linecolor '#222222'
set tics nomirror out
set grid linecolor '#dddddd' linetype 1
set errorbars 0
set rmargin 3
set format '%.6g'
)";

/// What is to be seen on an axis.
struct span {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Whether all is above zero and more than a decade and a half.
  bool use_log_scale() const { return low > 0.0 && std::log10(high / low) > 1.5; }
  /// The span with room at both ends; from zero where that is near.
  span with_room(bool logarithmic) const {
    if (logarithmic) {
      const double room = std::max(1.1, std::pow(high / low, 0.04));
      return {low / room, high * room};
    }
    double room = 0.05 * (high - low);
    if (room <= 1e-9 * std::abs(high)) room = high != 0.0 ? 0.1 * std::abs(high) : 1.0;
    const bool from_zero = low == 0.0 || (low > 0.0 && low < 0.5 * high);
    return {from_zero ? 0.0 : low - room, high + room};
  }
  /// 0 at `low`, 1 at `high`.
  double place_of(double value, bool logarithmic) const {
    return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  }
};

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t cut = most - 1;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0u) == 0x80u) --cut;  // not within a character
  return text.substr(0, cut) + "…";
}

const char* dash(const curve& c) { return dashes[c.style.colour / colours.size() % dashes.size()]; }

std::string colour(const curve& c) { return fmt::format("linecolor '{}'", colours[c.style.colour % colours.size()]); }

/// The script for a figure: settings and data, then one command with all that is plotted.
class figure_script {
 public:
  explicit figure_script(const figure& f) : figure_(f), numeric_(f.categories.empty()) {
    span xs, ys;
    for (const curve& c : f.curves)
      for (const auto* points : {&c.measured, &c.known})
        for (const curve_point& p : *points) {
          xs.add(p.x);
          ys.add(p.y);
        }
    log_x_ = numeric_ && xs.use_log_scale();
    log_y_ = ys.use_log_scale();
    for (const curve& c : f.curves)
      for (const curve_point& p : c.measured)
        for (const auto& end : {p.low, p.high})
          if (end && !(log_y_ && *end <= 0.0)) ys.add(*end);
    y_ = ys.with_room(log_y_);
    if (numeric_)
      set_numbers(xs);
    else
      set_categories();
    for (std::size_t n = 0; n < f.curves.size(); ++n) add_measured(n);
    for (std::size_t n = 0; n < f.curves.size(); ++n) add_theory(n);
    add_explanations();
  }

  std::string text() const {
    // As many columns of the legend as fit, at the widths of the font.
    const std::size_t columns = std::clamp<std::size_t>(660 / (70 + 7 * longest_title_), 1, 4);
    return fmt::format(
        "{}set terminal svg noenhanced size 760,{} font 'Helvetica,Arial,12' background '#ffffff'\n"
        "set key below left Left reverse height 1 maxcols {}\n"
        "set title {} font ',15'\nset xlabel {}\nset ylabel {}\n"
        "set xrange [{}:{}]\nset yrange [{}:{}]\n{}{}{}plot {}\n",
        style, 450 + 19 * (titles_ / columns) + 3 * slanted_, columns, gnuplot_string(shortened(figure_.title, 84)),
        gnuplot_string(figure_.x_name), gnuplot_string(figure_.y_name), x_.low, x_.high, y_.low, y_.high,
        log_x_ ? "set logscale x\n" : "", log_y_ ? "set logscale y\n" : "", settings_, fmt::join(plots_, ", "));
  }

 private:
  void set_numbers(span xs) {
    const span curves = xs.with_room(log_x_);
    for (const stability_mark& m : figure_.marks) {
      const double place = curves.place_of(m.at, log_x_);
      if (!(place >= 0.0 && place <= 1.12)) continue;
      xs.add(m.at);
      marks_.push_back(m);
    }
    x_ = xs.with_room(log_x_);
  }

  void set_categories() {
    constexpr std::size_t most = 40, most_in_a_row = 95;  // characters
    std::size_t longest = 0;
    std::vector<std::string> tics;
    for (const std::string& name : figure_.categories) {
      longest = std::max(longest, std::min(name.size(), most));
      tics.push_back(fmt::format("{} {}", gnuplot_string(shortened(name, most)), tics.size()));
    }
    if (longest * tics.size() > most_in_a_row) slanted_ = longest;
    x_ = {-0.5, static_cast<double>(tics.size()) - 0.5};
    settings_ += fmt::format("set xtics {} ({})\n", slanted_ > 0 ? "rotate by 25 right" : "", fmt::join(tics, ", "));
  }

  /// Over categories the curves are side by side.
  double x_of(std::size_t n, const curve_point& p) const {
    const double curves = static_cast<double>(figure_.curves.size());
    return numeric_ ? p.x : p.x + 0.6 * ((static_cast<double>(n) + 0.5) / curves - 0.5);
  }

  /// Adds data, and how they are plotted; nothing where there are none.
  void plot(const std::string& data, const std::string& how) {
    if (data.empty()) return;
    settings_ += fmt::format("$data{} << END\n{}END\n", plots_.size(), data);
    plots_.push_back(fmt::format("$data{} {}", plots_.size(), how));
  }

  std::string titled(const std::string& words) {
    if (words.empty()) return "notitle";
    const std::string title = shortened(words, 110);
    longest_title_ = std::max(longest_title_, title.size());
    ++titles_;
    return "title " + gnuplot_string(title);
  }

  void add_measured(std::size_t n) {
    const curve& c = figure_.curves[n];
    if (c.measured.empty()) return;
    std::string points, rings, cuts;
    for (const curve_point& p : c.measured) {
      const double x = x_of(n, p);
      const bool is_cut = log_y_ && p.low && *p.low <= 0.0;
      points += fmt::format("{} {} {} {}\n", x, p.y, is_cut ? y_.low : p.low.value_or(p.y), p.high.value_or(p.y));
      if (is_cut) cuts += fmt::format("{} {}\n", x, y_.low);
      if (p.marks.any()) rings += fmt::format("{} {}\n", x, p.y);
      cautions_.add(p.marks);
    }
    any_cut_ = any_cut_ || !cuts.empty();
    plot(points, fmt::format("with {} {} dashtype {} pointtype {} pointsize 0.8 linewidth 1.6 {}",
                             numeric_ ? "yerrorlines" : "yerrorbars", colour(c), dash(c),
                             markers[c.style.marker % markers.size()], titled(c.label)));
    plot(rings, fmt::format("with points {} {} notitle", ring, colour(c)));
    plot(cuts, fmt::format("with points {} {} notitle", triangle, colour(c)));
  }

  /// The series that have the n-th one's theory.
  std::vector<std::size_t> sharing_theory(std::size_t n) const {
    const auto same = [](const curve_point& p, const curve_point& q) { return p.x == q.x && p.y == q.y; };
    const std::vector<curve_point>& own = figure_.curves[n].known;
    std::vector<std::size_t> sharing;
    for (std::size_t other = 0; other < figure_.curves.size(); ++other) {
      const std::vector<curve_point>& known = figure_.curves[other].known;
      if (std::equal(own.begin(), own.end(), known.begin(), known.end(), same)) sharing.push_back(other);
    }
    return sharing;
  }

  void add_theory(std::size_t n) {
    const std::vector<curve_point>& known = figure_.curves[n].known;
    // Series that theory does not tell apart have one curve of it.
    const std::vector<std::size_t> sharing = numeric_ ? sharing_theory(n) : std::vector<std::size_t>{n};
    if (known.empty() || sharing.front() != n) return;
    any_theory_ = true;
    std::string points;
    for (const curve_point& p : known) points += fmt::format("{} {} {}\n", x_of(n, p), p.y, 0.02 * (x_.high - x_.low));
    const bool is_line = numeric_ && known.size() > 1;
    plot(points, fmt::format("{} {} {} notitle", is_line ? "using 1:2 with lines" : "with xerrorbars pointtype 0",
                             dashed, sharing.size() > 1 ? ink : colour(figure_.curves[n])));
  }

  void explain(const std::string& sample, const std::string& words) {
    plots_.push_back(fmt::format("NaN with {} {} {}", sample, ink, titled(words)));
  }

  void add_explanations() {
    if (any_theory_) explain(fmt::format("lines {}", dashed), "theory");
    if (cautions_.any()) explain(fmt::format("points {}", ring), cautions_.words());
    if (any_cut_) explain(fmt::format("points {}", triangle), "interval reaches to 0");
    for (const stability_mark& m : marks_)
      plot(fmt::format("{0} {1}\n{0} {2}\n", m.at, y_.low, y_.high),
           fmt::format("with lines dashtype (4,6) {} {}", ink, titled(fmt::format("{:.4g}: {}", m.at, m.text))));
  }

  const figure& figure_;
  bool numeric_, log_x_ = false, log_y_ = false;
  span x_, y_;
  std::vector<stability_mark> marks_;  // those within the axis
  bool any_theory_ = false, any_cut_ = false;
  cautions cautions_;                                         // of the points that are drawn
  std::size_t titles_ = 0, longest_title_ = 0, slanted_ = 0;  // the last two in characters
  std::string settings_;
  std::vector<std::string> plots_;
};

}  // namespace

std::vector<std::string> to_svg(const std::vector<figure>& figures) {
  if (figures.empty()) return {};
  std::string script;
  for (const figure& f : figures) script += figure_script(f).text();
  return draw_with_gnuplot(script);
}

}  // namespace muster
