#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>

#include "platform/report/abscissa.h"
#include "platform/report/axis.h"
#include "platform/report/curves.h"
#include "platform/report/stability_marks.h"
#include "platform/report/svg_figure.h"
#include "platform/scenario/scenario_file.h"

namespace muster {
namespace {

std::vector<std::string> texts(const axis& a) {
  std::vector<std::string> all;
  for (const axis::tick& t : a.ticks) all.push_back(t.text);
  return all;
}

study swept(std::vector<std::string> keys, const std::vector<std::vector<std::string>>& points) {
  study s;
  s.keys = std::move(keys);
  for (const auto& values : points) s.points.push_back({scenario{}, values});
  return s;
}

TEST(report_axis, has_round_ticks_within_its_ends) {
  EXPECT_EQ(texts(axis_over({0.0, 0.93}, false)), (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8"}));
  EXPECT_EQ(texts(axis_over({4.0, 7.5}, false)), (std::vector<std::string>{"4", "5", "6", "7"}));
  EXPECT_EQ(texts(axis_over({1.0, 1000.0}, true)), (std::vector<std::string>{"1", "10", "100", "1000"}));
  EXPECT_EQ(texts(axis_over({1.0, 60.0}, true)), (std::vector<std::string>{"1", "2", "5", "10", "20", "50"}));
}

TEST(report_axis, is_logarithmic_beyond_a_decade_and_a_half_above_zero) {
  EXPECT_FALSE(wants_logarithm({1.0, 31.6}));
  EXPECT_TRUE(wants_logarithm({1.0, 31.7}));
  EXPECT_FALSE(wants_logarithm({0.0, 1000.0}));
  EXPECT_FALSE(wants_logarithm({}));
}

TEST(report_axis, has_room_for_a_single_value) {
  for (const double value : {-3.0, 0.0, 1e-300, 7.0, 1e300}) {
    const axis a = axis_over({value}, false);
    EXPECT_LE(a.low, value);
    EXPECT_GT(a.high, value);
    EXPECT_LT(a.ticks.size(), 20u);
  }
}

TEST(report_abscissa, is_the_last_key_of_numbers_that_varies) {
  const study s =
      swept({"rate", "share", "policy"}, {{"1", "7", "a"}, {"1", "7", "b"}, {"2", "7", "a"}, {"2", "7", "b"}});
  const abscissa over = usual_abscissa(s);
  EXPECT_EQ(over.key, std::optional<std::size_t>(0));
  EXPECT_EQ(over.x, (std::vector<double>{1, 1, 2, 2}));
  EXPECT_EQ(over.labels, (std::vector<std::string>{"share = 7, a", "share = 7, b"}));
  EXPECT_EQ(over.series, (std::vector<std::size_t>{0, 1, 0, 1}));
}

TEST(report_abscissa, without_numbers_has_categories) {
  const abscissa over = usual_abscissa(swept({"policy"}, {{"a"}, {"b"}}));
  EXPECT_FALSE(over.numeric);
  EXPECT_EQ(over.values, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(over.x, (std::vector<double>{0, 1}));
}

TEST(report_abscissa, of_nothing_swept_is_one_place) {
  const abscissa over = usual_abscissa(swept({}, {{}}));
  EXPECT_FALSE(over.key);
  EXPECT_EQ(over.labels, std::vector<std::string>{""});
}

TEST(report_abscissa, zero_and_a_million_stand_side_by_side) {
  EXPECT_FALSE(abscissa_over(swept({"after"}, {{"0"}, {"0.1"}, {"1000000"}}), 0).numeric);
  EXPECT_TRUE(abscissa_over(swept({"after"}, {{"0.1"}, {"1000000"}}), 0).numeric);
  EXPECT_TRUE(abscissa_over(swept({"threshold"}, {{"0"}, {"1"}, {"31"}}), 0).numeric);
}

TEST(report_abscissa, shortens_long_values_only_where_their_names_tell_them_apart) {
  const std::string zipf = "zipf_phases(most=200 exponent=2 phase_mean=1.0000000)";
  const std::string fair = "balanced_fair(interruptions_per_job=1 and_more=";
  const study s = swept({"size", "policy", "rate"}, {{zipf, fair + "1)", "1"}, {zipf, fair + "2)", "2"}});
  EXPECT_EQ(abscissa_over(s, 2).labels,
            (std::vector<std::string>{"zipf_phases, " + fair + "1)", "zipf_phases, " + fair + "2)"}));
}

TEST(report_abscissa, keys_go_by_their_last_part_unless_another_ends_so) {
  const study s = swept({"a.mean", "b.mean", "c.sleep_after", "rate"}, {{"1", "2", "3", "4"}, {"1", "2", "3", "5"}});
  EXPECT_EQ(usual_abscissa(s).labels, std::vector<std::string>{"a.mean = 1, b.mean = 2, sleep_after = 3"});
}

estimate found(double mean, const char* metric = "slowdown") { return {"all", metric, mean, {}, {}, 1, 10}; }

TEST(report_curves, join_estimates_and_theory_by_growing_values_whatever_the_order_of_the_sweep) {
  const abscissa over = usual_abscissa(swept({"load"}, {{"0.5"}, {"0.9"}, {"0.7"}}));
  const study_estimates stored{{{found(2.1)}, {found(9.8)}, {found(3.4)}}, {{found(2)}, {found(10)}, {found(3)}}, {}};
  const std::vector<curve> curves = curves_of(stored, over, "slowdown", "all");
  ASSERT_EQ(curves.size(), 1u);
  using places = std::vector<std::pair<double, double>>;
  const auto places_of = [](const std::vector<curve_point>& points) {
    places all;
    for (const curve_point& p : points) all.emplace_back(p.x, p.y);
    return all;
  };
  EXPECT_EQ(places_of(curves[0].measured), (places{{0.5, 2.1}, {0.7, 3.4}, {0.9, 9.8}}));
  EXPECT_EQ(places_of(curves[0].known), (places{{0.5, 2.0}, {0.7, 3.0}, {0.9, 10.0}}));
}

TEST(report_curves, show_the_approximation_of_a_series_that_has_no_exact_value_and_of_no_other) {
  const abscissa over =
      usual_abscissa(swept({"policy", "load"}, {{"x", "0.5"}, {"x", "0.9"}, {"y", "0.5"}, {"y", "0.9"}}));
  const auto time = [](double mean) { return found(mean, "response_time"); };
  const auto analysis = [](double mean) { return found(mean, "response_time_analysis"); };
  const study_estimates stored{{{time(2)}, {}, {time(3)}, {}},
                               {{time(2.1), analysis(2.2)}, {analysis(2.3)}, {analysis(3.1)}, {analysis(3.2)}},
                               {}};
  const std::vector<curve> curves = curves_of(stored, over, "response_time", "all");
  ASSERT_EQ(curves.size(), 2u);
  ASSERT_EQ(curves[0].known.size(), 1u);
  EXPECT_EQ(curves[0].known[0].y, 2.1);
  ASSERT_EQ(curves[1].known.size(), 2u);
  EXPECT_EQ(curves[1].known[1].y, 3.2);
}

// Work of a job, on average: (2 * 1.25 + 1) / 2 = 1.75, on two cores: load 1 is rate 8/7. A cycle of FCFS is one heavy
// job of mean size 1.25, then L light ones, P(L >= n) = 2^-n. The first takes 1, the second prolongs the period by 1/2,
// each further one by 1/2: 1.25 + 1/2 + 1/8 + 1/8 for two jobs is rate 1, which is load 7/8.
TEST(report_marks, of_stability_stand_where_the_rate_or_load_that_is_swept_has_its_limits) {
  const auto marks_over = [](const std::string& key) {
    const study s = read_study(R"(name = "s"
[platform]
servers = [{ name = "n", cores = 2 }]
[[classes]]
name = "heavy"
need = 2
share = 0.5
size = { distribution = "exponential", mean = 1.25 }
[[classes]]
name = "light"
need = 1
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
rate = 0.5
[sweep]
policy = ["fcfs", "msf"]
)" + ("\"" + key + "\" = [0.25, 0.5]\n"),
                               "s.toml", {});
    return stability_marks(s, abscissa_over(s, 1));
  };
  for (const bool load : {false, true}) {
    const std::vector<stability_mark> marks = marks_over(load ? "arrivals.load" : "arrivals.rate");
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_DOUBLE_EQ(marks[0].at, load ? 7.0 / 8.0 : 1.0);
    EXPECT_EQ(marks[0].text, "limit, fcfs");
    EXPECT_DOUBLE_EQ(marks[1].at, load ? 1.0 : 8.0 / 7.0);
    EXPECT_EQ(marks[1].text, "work bound");
  }
  EXPECT_TRUE(marks_over("platform.servers.n.capacity").empty());
}

// With decisions that take time the same limit of FCFS is an upper bound. Needs of 3 and 5 do not divide each other:
// Adaptive Quickswap on 15 cores has work bound 5, and nothing is proved below.
TEST(report_marks, of_stability_tell_upper_bounds_and_simulated_ones_from_limits) {
  const auto marks_of = [](const std::string& cores, const std::string& policy,
                           const std::vector<std::pair<unsigned, double>>& needs, double mean_of_last) {
    std::string classes;
    for (const auto& [need, share] : needs)
      classes += fmt::format(
          "[[classes]]\nname = \"of_{}\"\nneed = {}\nshare = {}\nsize = {{ distribution = "
          "\"exponential\", mean = {} }}\n",
          need, need, share, need == needs.back().first ? mean_of_last : 1.0);
    const study s = read_study(fmt::format("name = \"s\"\n[platform]\nservers = [{{ name = \"n\", cores = {} }}]\n{}{}"
                                           "[arrivals]\nrate = 0.5\n[sweep]\n\"arrivals.rate\" = [0.25, 0.5]\n",
                                           cores, policy, classes),
                               "s.toml", {});
    return stability_marks(s, abscissa_over(s, 0));
  };
  const auto upper =
      marks_of("2", "decision = { fixed = 0.001 }\n[policy]\nname = \"fcfs\"\n", {{1, 0.5}, {2, 0.5}}, 1.25);
  ASSERT_EQ(upper.size(), 2u);
  EXPECT_DOUBLE_EQ(upper[0].at, 1.0);
  EXPECT_EQ(upper[0].text, "known to be unstable from");
  EXPECT_DOUBLE_EQ(upper[1].at, 8.0 / 7.0);
  const auto simulated =
      marks_of("15", "[policy]\nname = \"adaptive_quickswap\"\n", {{1, 0.5}, {3, 0.25}, {5, 0.2}, {15, 0.05}}, 1.0);
  ASSERT_EQ(simulated.size(), 2u);
  EXPECT_EQ(simulated[0].text, "stable below (simulated)");
  EXPECT_EQ(simulated[1].text, "work bound");
  EXPECT_NEAR(simulated[1].at, 5.0, 1e-9);
}

TEST(svg_figure, hostile_names_stay_text) {
  const std::string hostile = "</text><script>x</script> & \"quoted\" \x01";
  figure f{
      hostile, hostile, hostile, {hostile, hostile}, {{hostile, {{0, 1, 0.5, 1.5}, {1, 2, {}, {}}}, {{0, 1, {}, {}}}}},
      {}};
  for (const bool numeric : {false, true}) {
    if (numeric) f.categories.clear();
    const std::string svg = to_svg(f);
    std::istringstream in(svg);
    boost::property_tree::ptree tree;
    EXPECT_NO_THROW(read_xml(in, tree));
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_EQ(svg.find('\x01'), std::string::npos);
  }
}

// Heights of what has a class: the second number of each pair of a polygon, or y1 and y2 of a line.
std::vector<double> heights_of(const std::string& svg, const std::string& class_name) {
  std::vector<double> heights;
  const std::regex element("<(polygon|line) class=\"" + class_name + "\"[^>]*>");
  const std::regex height("(?:[0-9.]+,|y[12]=\")(-?[0-9.]+)");
  for (std::sregex_iterator e(svg.begin(), svg.end(), element), end; e != end; ++e) {
    const std::string text = e->str();
    for (std::sregex_iterator h(text.begin(), text.end(), height), last; h != last; ++h)
      heights.push_back(std::stod((*h)[1]));
  }
  return heights;
}

// The plot is 48 to 408 units from the figure's top.
TEST(svg_figure, axis_includes_every_interval) {
  const std::vector<curve_point> wide{{1, 1, -80, 82}, {2, 1.5, 1, 2}},
      logarithmic{{1, 1, 0.001, 7}, {2, 1000, 900, 90'000}};
  for (const auto& points : {wide, logarithmic})
    for (const bool numeric : {true, false}) {
      const figure f{"t", "x", "y", {}, {{"", points, {}}}, {}};
      figure drawn = f;
      if (!numeric) drawn.categories = {"a", "b", "c"};
      const std::string svg = to_svg(drawn);
      const std::vector<double> heights = heights_of(svg, "interval");
      ASSERT_EQ(heights.size(), 4u) << svg;
      for (const double height : heights) {
        EXPECT_GE(height, 48.0);
        EXPECT_LE(height, 408.0);
      }
      EXPECT_EQ(svg.find("class=\"cut\""), std::string::npos);
    }
}

TEST(svg_figure, intervals_that_reach_below_zero_are_marked_as_cut_on_a_logarithmic_axis) {
  for (const bool numeric : {true, false}) {
    figure f{"t", "x", "y", {}, {{"", {{1, 1, -5, 7}, {2, 1000, 900, 1100}}, {}}}, {}};
    if (!numeric) f.categories = {"a", "b", "c"};
    const std::string svg = to_svg(f);
    for (const char* no_number : {"nan", "inf"}) EXPECT_EQ(svg.find(no_number), std::string::npos) << no_number;
    const std::size_t cut = svg.find("class=\"cut\"");
    EXPECT_NE(cut, std::string::npos);
    EXPECT_EQ(svg.find("class=\"cut\"", cut + 1), std::string::npos) << "one of the two";
    EXPECT_NE(svg.find(">interval reaches to 0<"), std::string::npos);
  }
}

// Colours of the lines of theory, in their order.
std::vector<std::string> theories_of(const std::vector<std::vector<curve_point>>& known) {
  figure f{"t", "x", "y", {}, {}, {}};
  for (const auto& points : known) f.curves.push_back({"", {{1, 1, {}, {}}, {2, 2, {}, {}}, {3, 3, {}, {}}}, points});
  const std::string svg = to_svg(f);
  const std::regex line("<polyline class=\"theory\"[^>]* stroke=\"(#[0-9a-f]*)\"");
  std::vector<std::string> colours;
  for (std::sregex_iterator at(svg.begin(), svg.end(), line), end; at != end; ++at) colours.push_back((*at)[1]);
  return colours;
}

// Of the first three curves the colours are blue, vermilion and green; what is shared is black.
TEST(svg_figure, has_a_line_of_theory_in_its_own_colour_for_each_series_that_does_not_share_it) {
  const std::string blue = "#0072b2", vermilion = "#d55e00", green = "#00845f", black = "#222222";
  const std::vector<curve_point> one{{1, 1, {}, {}}, {2, 2, {}, {}}, {3, 3, {}, {}}},
      higher{{1, 1, {}, {}}, {2, 2, {}, {}}, {3, 4, {}, {}}}, aside{{1, 1, {}, {}}, {2, 2, {}, {}}, {2.5, 3, {}, {}}},
      part{{1, 1, {}, {}}, {2, 2, {}, {}}};
  EXPECT_EQ(theories_of({one, one}), (std::vector{black}));
  EXPECT_EQ(theories_of({one, higher}), (std::vector{blue, vermilion}));
  EXPECT_EQ(theories_of({one, aside}), (std::vector{blue, vermilion}));
  EXPECT_EQ(theories_of({part, one}), (std::vector{blue, vermilion}));
  EXPECT_EQ(theories_of({one, part}), (std::vector{blue, vermilion}));
  EXPECT_EQ(theories_of({higher, one, higher}), (std::vector{black, vermilion}));
  EXPECT_EQ(theories_of({{}, {}, one}), (std::vector{green}));
}

TEST(svg_figure, names_each_limit_of_stability_in_a_row_of_its_own_however_close_they_are) {
  figure f{"t", "x", "y", {}, {{"msf", {{1, 2, 1.9, 2.1}, {5, 4, 3.9, 4.1}}, {}}}, {}};
  f.marks = {{4.85, "limit, msf"}, {4.86, "work bound"}, {90.0, "far outside"}};
  const std::string svg = to_svg(f);
  const std::regex row("<text x=\"[0-9.]+\" y=\"([0-9.]+)\">(4[.]8[56]: [a-z, ]+)</text>");
  std::map<std::string, double> heights;
  for (std::sregex_iterator at(svg.begin(), svg.end(), row), end; at != end; ++at)
    heights[(*at)[2]] = std::stod((*at)[1]);
  ASSERT_EQ(heights.size(), 2u) << svg;
  EXPECT_GE(heights.at("4.86: work bound") - heights.at("4.85: limit, msf"), 12.0);
  EXPECT_EQ(svg.find("far outside"), std::string::npos);
}

TEST(svg_figure, rings_the_points_that_are_not_to_be_taken_as_they_stand) {
  const figure f{"t", "x", "y", {}, {{"", {{1, 1, {}, {}, caution::biased}, {2, 1.5, {}, {}}}, {}}}, {}};
  const std::string svg = to_svg(f);
  std::size_t rings = 0;
  for (std::size_t at = 0; (at = svg.find("class=\"marked\"", at)) != std::string::npos; ++at) ++rings;
  EXPECT_EQ(rings, 2u) << "one in the plot, one in the legend";
  EXPECT_NE(svg.find(">biased<"), std::string::npos);
  EXPECT_EQ(to_svg({"t", "x", "y", {}, {{"", {{1, 1, {}, {}}, {2, 1.5, {}, {}}}, {}}}, {}}).find("marked"),
            std::string::npos);
}

}  // namespace
}  // namespace muster
