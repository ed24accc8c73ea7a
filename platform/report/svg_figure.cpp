#include "platform/report/svg_figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "platform/report/axis.h"
#include "platform/report/xml_text.h"

namespace muster {

namespace {

// Okabe and Ito's colours, told apart by colour-blind eyes, the pale ones darkened for white paper.
constexpr std::array<const char*, 7> colours{"#0072b2", "#d55e00", "#00845f", "#b0538f",
                                             "#8a6d00", "#3b8fc4", "#444444"};
constexpr double width = 760.0, left = 84.0, right = 24.0, top = 48.0, plot_height = 360.0, line_height = 19.0;
constexpr double plot_width = width - left - right;

struct place {
  double x, y;
};

std::string to_text(const std::vector<place>& places) {
  std::string text;
  for (const place& p : places) text += fmt::format("{}{:.2f},{:.2f}", text.empty() ? "" : " ", p.x, p.y);
  return text;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t cut = most - 1;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0u) == 0x80u) --cut;  // not within a character
  return text.substr(0, cut) + "…";
}

/// The marker of the n-th curve, told apart without colour.
std::string marker(std::size_t n, place at) {
  constexpr std::array<const char*, 6> paths{
      "M0 -4.6L4.2 3H-4.2Z", "M-3.3 -3.3H3.3V3.3H-3.3Z", "M0 -4.7L4.7 0L0 4.7L-4.7 0Z",
      "M0 4.6L4.2 -3H-4.2Z", "M-4 0H4M0 -4V4",           "M-3.2 -3.2L3.2 3.2M-3.2 3.2L3.2 -3.2"};
  const std::size_t shape = (n + n / colours.size()) % (paths.size() + 1);
  if (shape == 0) return fmt::format(R"~(<circle cx="{:.2f}" cy="{:.2f}" r="3.5"/>)~", at.x, at.y);
  return fmt::format(R"~(<path d="{}" transform="translate({:.2f} {:.2f})"/>)~", paths[shape - 1], at.x, at.y);
}

class drawing {
 public:
  explicit drawing(const figure& f) : figure_(f) {
    std::vector<double> xs, ys;
    for (const curve& c : f.curves)
      for (const auto* points : {&c.measured, &c.known})
        for (const curve_point& p : *points) {
          xs.push_back(p.x);
          ys.push_back(p.y);
        }
    x_ = f.categories.empty() ? axis_over(xs, wants_logarithm(xs)) : axis_of_categories(f.categories);
    for (const stability_mark& m : f.marks)
      if (x_.at(m.at) >= 0.0 && x_.at(m.at) <= 1.12) xs.push_back(m.at);
    if (f.categories.empty()) x_ = axis_over(xs, x_.logarithmic);
    const bool logarithmic = wants_logarithm(ys);
    for (const curve& c : f.curves)
      for (const curve_point& p : c.measured)
        for (const auto& end : {p.low, p.high})
          if (end && !(logarithmic && *end <= 0.0)) ys.push_back(*end);
    y_ = axis_over(ys, logarithmic);
    for (const axis::tick& t : x_.ticks) longest_ = std::max(longest_, std::min(t.text.size(), longest_category));
    slanted_ = !f.categories.empty() && static_cast<double>(longest_ * f.categories.size()) * 7.0 > plot_width;
  }

  std::string draw() {
    frame();
    for (const stability_mark& m : figure_.marks) limit(m);
    put(R"~(<g clip-path="url(#inside)">)~");
    for (std::size_t n = 0; n < figure_.curves.size(); ++n) interval(n);
    for (std::size_t n = 0; n < figure_.curves.size(); ++n) theory(n);
    put("</g>");
    for (std::size_t n = 0; n < figure_.curves.size(); ++n) measured(n);
    const double height = legend();
    return fmt::format(
        R"~(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1:.0f}" width="{0}" height="{1:.0f}" )~"
        R"~(role="img" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222222">)~"
        "\n<title>{2}</title>\n"
        R"~(<defs><clipPath id="inside"><rect x="{3}" y="{4}" width="{5}" height="{6}"/></clipPath></defs>)~"
        "\n"
        R"~(<rect width="100%" height="100%" fill="#ffffff"/>)~"
        "\n{7}</svg>\n",
        width, height, xml_escaped(figure_.title), left, top, plot_width, plot_height, text_);
  }

 private:
  static constexpr std::size_t longest_category = 40;

  /// Adds a line.
  template <class... Values>
  void put(fmt::format_string<Values...> line, Values&&... values) {
    text_ += fmt::format(line, std::forward<Values>(values)...) + '\n';
  }

  bool numeric() const { return figure_.categories.empty(); }

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

  double height_at(double y) const { return top + plot_height * (1.0 - std::clamp(y_.at(y), -1.0, 2.0)); }
  place at(std::size_t n, double x, double y) const {
    // Categories: the curves side by side.
    const double curves = static_cast<double>(figure_.curves.size());
    const double aside = numeric() ? 0.0 : 0.6 * ((static_cast<double>(n) + 0.5) / curves - 0.5);
    return {left + plot_width * x_.at(x + aside), height_at(y)};
  }
  std::vector<place> places_of(std::size_t n, const std::vector<curve_point>& points) const {
    std::vector<place> places(points.size());
    std::transform(points.begin(), points.end(), places.begin(), [&](const curve_point& p) { return at(n, p.x, p.y); });
    return places;
  }
  static const char* colour(std::size_t n) { return colours[n % colours.size()]; }

  void frame() {
    put(R"~(<text x="{}" y="26" font-size="15" font-weight="bold">{}</text>)~", left,
        xml_escaped(shortened(figure_.title, 84)));
    put(R"~(<g stroke="#dddddd" stroke-width="1">)~");
    for (const axis::tick& t : y_.ticks)
      put(R"~(<line x1="{0}" y1="{2:.2f}" x2="{1}" y2="{2:.2f}"/>)~", left, width - right, height_at(t.value));
    if (numeric())
      for (const axis::tick& t : x_.ticks)
        put(R"~(<line x1="{0:.2f}" y1="{1}" x2="{0:.2f}" y2="{2}"/>)~", at(0, t.value, 0).x, top, top + plot_height);
    put("</g>");
    put(R"~(<path d="M{0} {1}V{2}H{3}" fill="none" stroke="#222222"/>)~", left, top, top + plot_height, width - right);
    for (const axis::tick& t : y_.ticks)
      put(R"~(<text x="{}" y="{:.2f}" text-anchor="end">{}</text>)~", left - 8, height_at(t.value) + 4.0, t.text);
    for (const axis::tick& t : x_.ticks) x_tick(t);
    put(R"~(<text x="{:.0f}" y="{:.0f}" text-anchor="middle">{}</text>)~", left + plot_width / 2, below_ticks() + 18.0,
        xml_escaped(figure_.x_name));
    put(R"~(<text transform="translate(20 {:.0f}) rotate(-90)" text-anchor="middle">{}</text>)~", top + plot_height / 2,
        xml_escaped(figure_.y_name));
  }

  double below_ticks() const {
    return top + plot_height + (slanted_ ? 20.0 + 2.9 * static_cast<double>(longest_) : 22.0);
  }

  void x_tick(const axis::tick& t) {
    const double x = left + plot_width * x_.at(t.value);
    const double y = top + plot_height + 17.0;
    const std::string text = xml_escaped(shortened(t.text, longest_category));
    if (slanted_)
      put(R"~(<text transform="translate({:.2f} {}) rotate(-25)" text-anchor="end">{}</text>)~", x, y - 2.0, text);
    else
      put(R"~(<text x="{:.2f}" y="{}" text-anchor="middle">{}</text>)~", x, y, text);
  }

  bool inside(const stability_mark& m) const { return numeric() && x_.at(m.at) >= 0.0 && x_.at(m.at) <= 1.0; }

  void limit(const stability_mark& m) {
    if (!inside(m)) return;
    put(R"~(<line class="limit" x1="{0:.2f}" y1="{1}" x2="{0:.2f}" y2="{2}" stroke="#222222" )~"
        R"~(stroke-dasharray="2 3"/>)~",
        left + plot_width * x_.at(m.at), top, top + plot_height);
  }

  void interval(std::size_t n) {
    std::vector<place> low, high;
    for (const curve_point& p : figure_.curves[n].measured) {
      if (!p.low || !p.high) continue;
      low.push_back(at(n, p.x, *p.low));
      high.push_back(at(n, p.x, *p.high));
      if (y_.logarithmic && *p.low <= 0.0) cut_below(low.back().x, colour(n));
    }
    if (low.size() < 2 || !numeric()) {
      for (std::size_t i = 0; i < low.size(); ++i)
        put(R"~(<line class="interval" x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" stroke="{}"/>)~", low[i].x,
            low[i].y, high[i].x, high[i].y, colour(n));
      return;
    }
    high.insert(high.end(), low.rbegin(), low.rend());
    put(R"~(<polygon class="interval" points="{}" fill="{}" fill-opacity="0.15"/>)~", to_text(high), colour(n));
  }

  // The interval goes on to zero, or below it, where a logarithmic axis does not come.
  void cut_below(double x, const char* stroke) {
    any_cut_ = true;
    put(R"~(<path class="cut" d="M{:.2f} {}h10l-5 8Z" fill="{}"/>)~", x - 5.0, top + plot_height - 8.0, stroke);
  }

  void theory(std::size_t n) {
    const std::vector<curve_point>& known = figure_.curves[n].known;
    if (known.empty()) return;
    // Series that theory does not tell apart have one curve of it.
    const std::vector<std::size_t> sharing = numeric() ? sharing_theory(n) : std::vector<std::size_t>{n};
    if (sharing.front() != n) return;
    any_theory_ = true;
    const char* stroke = sharing.size() > 1 ? "#222222" : colour(n);
    const std::vector<place> places = places_of(n, known);
    if (numeric() && places.size() > 1) {
      put(R"~(<polyline class="theory" points="{}" fill="none" stroke="{}" stroke-width="1.6" )~"
          R"~(stroke-dasharray="7 4"/>)~",
          to_text(places), stroke);
      return;
    }
    for (const place& p : places)
      put(R"~(<line class="theory" x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" stroke="{}" )~"
          R"~(stroke-width="1.6" stroke-dasharray="7 4"/>)~",
          p.x - 16.0, p.y, p.x + 16.0, p.y, stroke);
  }

  void measured(std::size_t n) {
    const std::vector<place> places = places_of(n, figure_.curves[n].measured);
    if (places.empty()) return;
    put(R"~(<g fill="{0}" stroke="{0}" stroke-width="1.6">)~", colour(n));
    if (numeric()) put(R"~(<polyline class="measured" points="{}" fill="none"/>)~", to_text(places));
    for (const place& p : places) text_ += marker(n, p);
    for (std::size_t i = 0; i < places.size(); ++i)
      if (const cautions& marks = figure_.curves[n].measured[i].marks; marks.any()) {
        marks_.add(marks);
        text_ += ring(places[i]);
      }
    put("\n</g>");
  }

  static std::string ring(place at) {
    return fmt::format(R"~(<circle class="marked" cx="{:.2f}" cy="{:.2f}" r="8" fill="none"/>)~", at.x, at.y);
  }

  /// An entry of the legend: a sample as SVG, and what it stands for.
  void entry(place at, const std::string& sample, const std::string& words, std::size_t most) {
    put("{}", sample);
    put(R"~(<text x="{:.2f}" y="{:.2f}">{}</text>)~", at.x + 34.0, at.y + 4.0, xml_escaped(shortened(words, most)));
  }

  double legend() {
    const double y = below_ticks() + 46.0;
    std::size_t longest = 0;
    for (const curve& c : figure_.curves) longest = std::max(longest, c.label.size());
    const std::size_t columns = longest < 22 ? 4 : longest < 32 ? 3 : longest < 48 ? 2 : 1;
    std::size_t row = 0, in_row = 0;
    const auto add = [&](const std::string& words, const auto& sample) {
      if (in_row == columns) {
        ++row;
        in_row = 0;
      }
      const double column = plot_width / static_cast<double>(columns);
      const place at{left + column * static_cast<double>(in_row++), y + line_height * static_cast<double>(row)};
      entry(at, sample(at), words, 110 / columns);
    };
    for (std::size_t n = 0; n < figure_.curves.size(); ++n)
      if (const curve& c = figure_.curves[n]; !c.label.empty() && !c.measured.empty())
        add(c.label, [&](place p) {
          return fmt::format(
              R"~(<g fill="{0}" stroke="{0}" stroke-width="1.6"><path d="M{1:.2f} {2:.2f}h26"/>{3}</g>)~", colour(n),
              p.x, p.y, marker(n, {p.x + 13.0, p.y}));
        });
    if (any_theory_)
      add("theory", [](place p) {
        return fmt::format(
            R"~(<path d="M{:.2f} {:.2f}h26" stroke="#222222" stroke-width="1.6" stroke-dasharray="7 4"/>)~", p.x, p.y);
      });
    if (marks_.any())
      add(marks_.words(), [](place p) {
        return fmt::format(R"~(<g stroke="#222222" stroke-width="1.6">{}</g>)~", ring({p.x + 13.0, p.y}));
      });
    if (any_cut_)
      add("interval reaches to 0",
          [](place p) { return fmt::format(R"~(<path d="M{:.2f} {:.2f}h10l-5 8Z"/>)~", p.x + 8.0, p.y - 4.0); });
    // One row each: lines may be too close for words beside them.
    for (const stability_mark& m : figure_.marks) {
      if (!inside(m)) continue;
      const place p{left, y + line_height * static_cast<double>(++row)};
      entry(p, fmt::format(R"~(<path d="M{:.2f} {:.2f}h26" stroke="#222222" stroke-dasharray="2 3"/>)~", p.x, p.y),
            fmt::format("{:.4g}: {}", m.at, m.text), 110);
    }
    return y + line_height * static_cast<double>(row + 1);
  }

  const figure& figure_;
  bool any_theory_ = false, any_cut_ = false, slanted_ = false;
  cautions marks_;  // of the points that are drawn
  axis x_, y_;
  std::size_t longest_ = 0;
  std::string text_;
};

}  // namespace

std::string to_svg(const figure& f) { return drawing(f).draw(); }

}  // namespace muster
