#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/inference/stability_of_study.h"
#include "platform/report/curves.h"
#include "platform/report/figures.h"
#include "platform/scenario/scenario_file.h"
#include "platform/store/database.h"
#include "tests/refusal.h"
#include "tests/report/drawn_plots.h"

namespace muster {
namespace {

study swept(std::vector<std::string> keys, const std::vector<std::vector<std::string>>& points) {
  study s;
  s.keys = std::move(keys);
  for (const auto& values : points) s.points.push_back({scenario{}, values});
  return s;
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

// Colour and marker of each series.
using styles = std::vector<std::pair<std::size_t, std::size_t>>;

styles styles_of(const abscissa& over) {
  styles all;
  for (const series_style& style : over.styles) all.emplace_back(style.colour, style.marker);
  return all;
}

TEST(report_abscissa, gives_a_policy_its_colour_whatever_the_other_keys_are) {
  const study s = swept({"cost", "rate", "policy"}, {{"0", "1", "a"},
                                                     {"0", "1", "b"},
                                                     {"0", "2", "a"},
                                                     {"0", "2", "b"},
                                                     {"5", "1", "a"},
                                                     {"5", "1", "b"},
                                                     {"5", "2", "a"},
                                                     {"5", "2", "b"}});
  const abscissa over = abscissa_over(s, 1);
  ASSERT_EQ(over.labels, (std::vector<std::string>{"cost = 0, a", "cost = 0, b", "cost = 5, a", "cost = 5, b"}));
  EXPECT_EQ(styles_of(over), (styles{{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
  EXPECT_EQ(styles_of(abscissa_over(s, 2)), (styles{{0, 0}, {1, 1}, {2, 2}, {3, 3}})) << "policies are on the axis";
}

TEST(report_abscissa, gives_policies_that_differ_in_nothing_else_markers_of_their_own) {
  const study s = swept({"policy", "rate"}, {{"a", "1"}, {"a", "2"}, {"b", "1"}, {"b", "2"}});
  EXPECT_EQ(styles_of(abscissa_over(s, 1)), (styles{{0, 0}, {1, 1}}));
}

TEST(report_abscissa, is_the_rate_of_arrivals_before_any_other_key) {
  EXPECT_EQ(usual_abscissa(swept({"arrivals.load", "cost"}, {{"1", "0"}, {"1", "5"}, {"2", "0"}, {"2", "5"}})).key, 0u);
  EXPECT_EQ(usual_abscissa(swept({"arrivals.load", "cost"}, {{"1", "0"}, {"1", "5"}})).key, 1u) << "it does not vary";
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

TEST(report_abscissa, has_the_place_of_each_points_value) {
  const study s = swept({"rate"}, {{"0.5"}, {"0.9"}, {"0.5"}, {"0.7"}});
  EXPECT_EQ(abscissa_over(s, 0).places, (std::vector<std::size_t>{0, 1, 0, 2}));
}

TEST(report_abscissa, numbers_have_the_units_of_their_keys) {
  const study s = read_study(
      "name = \"s\"\ntime_unit = \"ms\"\n[platform]\nservers = [{ name = \"n\" }]\n[[classes]]\nname = \"job\"\nneed = "
      "1\n"
      "share = 1.0\nsize = { distribution = \"exponential\", mean = 1.0 }\n[arrivals]\nrate = 0.5\n[policy]\nname = "
      "\"fcfs\"\n",
      "s.toml", {});
  for (const auto& [key, unit] : {std::pair{"arrivals.rate", "1/ms"},
                                  {"arrivals.load", ""},
                                  {"platform.costs.dispatch_latency", "ms"},
                                  {"platform.costs.bandwidth", "bytes/ms"},
                                  {"platform.servers.n.power.sleep_after", "ms"},
                                  {"classes.job.need", "cores"},
                                  {"classes.*.size", ""},
                                  {"policy", ""},
                                  {"policy.threshold", ""}})
    EXPECT_EQ(unit_of_key(s, key), unit) << key;
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
platform.servers = [{ name = "n", cores = 2 }]
classes = [
  { name = "heavy", need = 2, share = 0.5, size = { distribution = "exponential", mean = 1.25 } },
  { name = "light", need = 1, share = 0.5, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.rate = 0.5
[sweep]
policy = ["fcfs", "msf"]
)" + ("\"" + key + "\" = [0.25, 0.5]\n"),
                               "s.toml", {});
    return stability_marks(s, abscissa_over(s, 1), stability_of(s, examine_points(s, limit_search::thorough)).points);
  };
  for (const bool load : {false, true}) {
    const std::vector<stability_mark> marks = marks_over(load ? "arrivals.load" : "arrivals.rate");
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_DOUBLE_EQ(marks[0].at, load ? 7.0 / 8.0 : 1.0);
    EXPECT_EQ(marks[0].text, "limit, fcfs");
    EXPECT_EQ(marks[0].kind, "limit");
    EXPECT_EQ(marks[0].series, std::set<std::size_t>{0});
    EXPECT_DOUBLE_EQ(marks[1].at, load ? 1.0 : 8.0 / 7.0);
    EXPECT_EQ(marks[1].text, "work bound");
    EXPECT_EQ(marks[1].series, (std::set<std::size_t>{0, 1}));
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
    return stability_marks(s, abscissa_over(s, 0), stability_of(s, examine_points(s, limit_search::thorough)).points);
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

drawn_figure drawn(const figure& f) { return read_figure(to_svg({f}).at(0)); }

figure with_points(const std::vector<curve_point>& points) { return {"t", "x", "y", {}, {{"s", points, {}}}, {}}; }

TEST(svg_figure, has_title_axes_with_their_units_and_a_legend_of_the_series) {
  const std::vector<curve_point> points{{1, 1, 0.5, 1.5}, {2, 2, 1.5, 2.5}};
  const drawn_figure found = drawn({"study: response_time",
                                    "arrivals.rate (1/s)",
                                    "response_time (s)",
                                    {},
                                    {{"msf", points, {}, {0, 0}}, {"θ = 3", points, {}, {1, 1}}},
                                    {}});
  for (const char* text : {"study: response_time", "arrivals.rate (1/s)", "response_time (s)", "msf", "θ = 3"})
    EXPECT_TRUE(found.shows(text)) << text;
  ASSERT_EQ(found.series().size(), 2u);
  EXPECT_NE(found.series()[0].colour, found.series()[1].colour);
}

TEST(svg_figure, names_its_categories) {
  figure f = with_points({{0, 1, 0.5, 1.5}, {1, 2, 1.5, 2.5}});
  f.categories = {"first_fit", "a name that is longer than fifty characters, which are too many"};
  const drawn_figure found = drawn(f);
  EXPECT_TRUE(found.shows("first_fit"));
  EXPECT_TRUE(found.shows("a name that is longer than fifty charac…"));
}

TEST(svg_figure, each_is_a_document_of_its_own) {
  const auto all = to_svg({with_points({{1, 1, {}, {}}}), with_points({{1, 2, {}, {}}, {2, 3, {}, {}}})});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(read_figure(all[0]).series().at(0).markers.size(), 2u) << "a point, and the sample of the legend";
  EXPECT_EQ(read_figure(all[1]).series().at(0).markers.size(), 3u);
  EXPECT_TRUE(to_svg({}).empty());
}

// On a logarithmic axis the geometric mean of the ends lies half-way.
TEST(svg_figure, axis_is_logarithmic_beyond_a_decade_and_a_half_above_zero) {
  const auto share_at_mean = [](double least, double most) {
    const double mean = std::sqrt(std::max(least, 1.0) * most);
    const auto points = drawn(with_points({{1, least, {}, {}}, {2, mean, {}, {}}, {3, most, {}, {}}})).series().at(0);
    const auto height = [&](std::size_t n) { return points.markers.at(n).second.second; };
    return (height(1) - height(0)) / (height(2) - height(0));
  };
  EXPECT_NEAR(share_at_mean(1.0, 31.7), 0.5, 0.01);
  EXPECT_LT(share_at_mean(1.0, 31.6), 0.2);
  EXPECT_LT(share_at_mean(0.0, 1000.0), 0.2);
}

double top_of(const drawn_figure& f) { return f.frame.at(0).second; }
double foot_of(const drawn_figure& f) { return f.frame.at(1).second; }

TEST(svg_figure, axis_has_room_for_a_single_value) {
  for (const double value : {-3.0, 0.0, 1e-300, 7.0, 1e300}) {
    const drawn_figure found = drawn(with_points({{1, value, {}, {}}}));
    const double height = found.series().at(0).markers.at(0).second.second;
    EXPECT_GT(height, top_of(found)) << value;
    EXPECT_LE(height, foot_of(found)) << value;
  }
}

TEST(svg_figure, hostile_names_stay_text) {
  const std::string file = testing::TempDir() + "hostile_names";
  const std::string hostile =
      "</text><script>x</script> & \"quoted\" 'a' \x01 `touch " + file + "` @x {/Bold b}\nset output '" + file + "'";
  figure f{
      hostile, hostile, hostile, {hostile, hostile}, {{hostile, {{0, 1, 0.5, 1.5}, {1, 2, {}, {}}}, {{0, 1, {}, {}}}}},
      {}};
  for (const bool numeric : {false, true}) {
    if (numeric) f.categories.clear();
    const std::string svg = to_svg({f}).at(0);
    const std::string title = read_figure(svg).series().at(0).title, begin = hostile.substr(0, hostile.find('\x01'));
    EXPECT_EQ(title.substr(0, begin.size()), begin);
    EXPECT_EQ(title.substr(begin.size(), 11), "\ufffd `touch ");
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_EQ(svg.find('\x01'), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(file));
  }
}

TEST(svg_figure, axis_includes_every_interval) {
  const std::vector<curve_point> wide{{1, 1, -80, 82}, {2, 1.5, 1, 2}},
      logarithmic{{1, 1, 0.001, 7}, {2, 1000, 900, 90'000}};
  for (const auto& points : {wide, logarithmic})
    for (const bool numeric : {true, false}) {
      figure f = with_points(points);
      if (!numeric) f.categories = {"a", "b", "c"};
      const drawn_figure found = drawn(f);
      const drawn_plot bars = found.series().at(0);
      double highest = 1000.0, lowest = 0.0;  // of what is not in the legend
      for (std::size_t n = 2; n < bars.line.size(); ++n) {
        highest = std::min(highest, bars.line[n].second);
        lowest = std::max(lowest, bars.line[n].second);
      }
      EXPECT_GT(highest, top_of(found));
      EXPECT_LT(lowest, foot_of(found));
      EXPECT_GT(lowest - highest, 0.8 * (foot_of(found) - top_of(found))) << "the longest interval";
      EXPECT_EQ(found.count(cut_marker), 0u);
    }
}

TEST(svg_figure, intervals_that_reach_below_zero_are_marked_as_cut_on_a_logarithmic_axis) {
  for (const bool numeric : {true, false}) {
    figure f = with_points({{1, 1, -5, 7}, {2, 1000, 900, 1100}});
    if (!numeric) f.categories = {"a", "b", "c"};
    const drawn_figure found = drawn(f);
    EXPECT_EQ(found.count(cut_marker), 2u) << "one of the two, and in the legend";
    EXPECT_TRUE(found.shows("interval reaches to 0"));
  }
}

// Colours of the lines of theory, in their order.
std::vector<std::string> theories_of(const std::vector<std::vector<curve_point>>& known) {
  figure f{"t", "x", "y", {}, {}, {}};
  for (const auto& points : known) {
    const std::size_t n = f.curves.size();
    f.curves.push_back({"", {{1, 1, {}, {}}, {2, 2, {}, {}}, {3, 3, {}, {}}}, points, {n, n}});
  }
  std::vector<std::string> all;
  for (const drawn_plot& p : drawn(f).theories()) all.push_back(p.colour);
  return all;
}

// Of the first three curves the colours are blue, vermilion and green; what is shared is black.
TEST(svg_figure, has_a_line_of_theory_in_its_own_colour_for_each_series_that_does_not_share_it) {
  const std::string blue = "rgb(  0, 114, 178)", vermilion = "rgb(213,  94,   0)", green = "rgb(  0, 132,  95)",
                    black = "rgb( 34,  34,  34)";
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

TEST(svg_figure, names_each_limit_of_stability_however_close_they_are) {
  figure f{"t", "x", "y", {}, {{"msf", {{1, 2, 1.9, 2.1}, {5, 4, 3.9, 4.1}}, {}}}, {}};
  f.marks = {{4.85, "limit, msf"}, {4.86, "work bound"}, {90.0, "far outside"}};
  const drawn_figure found = drawn(f);
  ASSERT_EQ(found.limits().size(), 2u);
  EXPECT_EQ(found.limits()[0].title, "4.85: limit, msf");
  EXPECT_EQ(found.limits()[1].title, "4.86: work bound");
  for (const drawn_plot& limit : found.limits()) {
    ASSERT_EQ(limit.line.size(), 4u) << "a sample in the legend, then from foot to top";
    EXPECT_EQ(limit.line[2].first, limit.line[3].first);
    EXPECT_NEAR(limit.line[2].second, foot_of(found), 0.1);
    EXPECT_NEAR(limit.line[3].second, top_of(found), 0.1);
    EXPECT_LT(limit.line[2].first, found.frame.at(2).first);
  }
}

TEST(svg_figure, rings_the_points_that_are_not_to_be_taken_as_they_stand) {
  const drawn_figure found = drawn(with_points({{1, 1, {}, {}, caution::biased}, {2, 1.5, {}, {}}}));
  EXPECT_EQ(found.count(ring_marker), 2u) << "one in the plot, one in the legend";
  EXPECT_TRUE(found.shows("biased"));
  EXPECT_EQ(drawn(with_points({{1, 1, {}, {}}, {2, 1.5, {}, {}}})).count(ring_marker), 0u);
}

TEST(gnuplot, that_refuses_a_script_is_a_fault_with_its_words) {
  const std::string words = refusal<output_error>([] { draw_with_gnuplot("set terminal svg\nplot sin(\n"); });
  EXPECT_NE(words.find("gnuplot ended with exit status 1: "), std::string::npos) << words;
  EXPECT_NE(words.find("plot sin("), std::string::npos) << words;
  EXPECT_NE(words.find("; figures/*.svg are not written, report.html and the tables are"), std::string::npos);
}

}  // namespace
}  // namespace muster
