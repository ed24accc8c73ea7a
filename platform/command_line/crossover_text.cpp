#include "platform/command_line/crossover_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/command_line/search_tables.h"
#include "platform/inference/significance.h"
#include "platform/metrics/metric.h"
#include "platform/tables/writers.h"

namespace muster {

namespace {

metric_preference preference(const crossover_request& request) { return find_metric(request.metric().metric)->better; }

// The place of the policy that is better where the known side is this one. A metric without better values has the
// policy with less in its place.
std::size_t better_policy(const crossover_request& request, int side) {
  return (side < 0) != (preference(request) == metric_preference::larger) ? 0 : 1;
}

const std::string& name_of_better(const crossover_request& request, int side) {
  return request.policies.at(better_policy(request, side));
}

const char* is_better(const crossover_request& request) {
  return preference(request) == metric_preference::none ? "has less" : "is better";
}

std::string plainly(double mean, const std::optional<double>& ci_low) {
  const double half = ci_low ? mean - *ci_low : 0.0;
  return ci_low ? fmt::format("{} +- {}", plain_decimal(mean, half), plain_decimal(half, half))
                : plain_decimal(mean, 0.0);
}

cell plain_cell(const std::optional<interval_value>& found) {
  return found ? cell(*found).shown_as(plainly(found->mean, found->ci_low)) : cell();
}

std::optional<interval_value> difference_at(const paired_point& p) {
  return interval_of(p.first.empty() ? std::nullopt : std::optional(students_difference(p.second, p.first)));
}

// The table for people.
data_table readable_table(const crossover_request& request, const std::vector<paired_point>& points) {
  table_layout<paired_point> layout("points");
  layout.setting(request.key(), [&](const paired_point& p) { return request.range().text(p.value); })
      .whole("replications", [](const paired_point& p) { return p.first.size(); })
      .interval(request.policies[0], [](const paired_point& p) { return plain_cell(interval_of(p.first)); })
      .interval(request.policies[1], [](const paired_point& p) { return plain_cell(interval_of(p.second)); })
      .interval("difference", [](const paired_point& p) { return plain_cell(difference_at(p)); })
      .text(preference(request) == metric_preference::none ? "less" : "better", [&](const paired_point& p) {
        return p.excluded() ? p.why : p.side == 0 ? "cannot be told" : name_of_better(request, p.side);
      });
  return layout.table(points);
}

// The values at which neither policy is known to be better.
std::vector<std::string> open_values(const crossover_request& request, const crossover_result& result) {
  std::vector<std::string> words;
  for (const double value : result.unsettled()) words.push_back(request.range().text(value));
  return words;
}

std::vector<std::string> excluded_values(const crossover_request& request, const crossover_result& result) {
  std::vector<std::string> words;
  for (const paired_point& p : result.scanned)
    if (p.excluded()) words.push_back(request.range().text(p.value));
  return words;
}

std::string number(const crossover_request& request, const crossing& c, double value) {
  if (request.range().whole()) return request.range().text(value);
  const double half = (c.high - c.low) / 2.0;
  return request.range().with_unit(
      plain_decimal(value, half > 0.0 ? half : (request.range().high() - request.range().low()) * 1e-4));
}

std::string percent(double share) { return plain_decimal(100.0 * share, 100.0 * share) + " %"; }

std::string sentence(const crossover_request& request, const crossing& c) {
  std::string text = fmt::format("{0} {1} below {2}, {3} from there on; half-width {4} of the range",
                                 name_of_better(request, c.side_below), is_better(request), number(request, c, c.value),
                                 name_of_better(request, -c.side_below), percent(c.half_width));
  if (c.replications > 0) text += fmt::format(", {} replications of each", c.replications);
  if (!c.precise)
    text += fmt::format("\nthat is not the precision of {}: the budget does not allow more; --budget gives it more",
                        percent(request.terms.precision));
  return text + "\n";
}

std::string last_line(const crossover_request& request, const crossing& c) {
  return fmt::format("crossover: {} = {} ({} .. {})\n", request.key(), number(request, c, c.value),
                     number(request, c, c.low), number(request, c, c.high));
}

// The lead at a value of the policy that is better somewhere: "1.05 +- 0.64 at 0.0".
std::string lead(const crossover_request& request, const paired_point& p, int side) {
  const difference found = side < 0 ? students_difference(p.first, p.second) : students_difference(p.second, p.first);
  return fmt::format("{} at {}", plainly(found.mean, found.ci_low), request.range().text(p.value));
}

const char* word(std::size_t policy) { return policy == 0 ? "first" : "second"; }

}  // namespace

std::string plain_decimal(double number, double resolution) {
  const double leading = resolution > 0.0 ? resolution : std::abs(number) / 1e4;
  const int digits = leading > 0.0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(leading))), 0, 17) : 0;
  std::string text = fmt::format("{:.{}f}", number, digits);
  if (text.front() == '-' && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string crossover_heading(const crossover_request& request) {
  std::string text =
      fmt::format("{}: {}{} of {} and {}, {} from {} to {}\n", request.subject->name, request.metric().metric,
                  request.metric().class_name == "all" ? "" : " of class " + request.metric().class_name,
                  request.policies[0], request.policies[1], request.key(), request.range().text(request.range().low()),
                  request.range().text(request.range().high()));
  text += line_on_sweep(*request.subject, "searched");
  return text +
         fmt::format(
             "mean +- half-width of its own 95 % confidence interval; difference: first minus second; times in {}\n",
             request.subject->points.front().model.unit.name);
}

std::string crossover_progress(const crossover_request& request, const crossover_result& so_far) {
  std::string text = fmt::format("{} of at most {} replications: ", so_far.spent, request.terms.budget);
  if (so_far.crossings.empty()) {
    const auto& points = so_far.scanned;
    const auto known = std::count_if(points.begin(), points.end(), [](const paired_point& p) { return p.side != 0; });
    const auto tried = std::count_if(points.begin(), points.end(), [](const paired_point& p) { return !p.excluded(); });
    return text + fmt::format("the better policy is known at {} of {} values, and changes {} times\n", known, tried,
                              so_far.changes.size());
  }
  return text + last_line(request, so_far.crossings.back()).substr(std::string("crossover: ").size());
}

std::string why_no_crossover(const crossover_request& request, const crossover_result& result) {
  std::vector<const paired_point*> measured;
  int side = 0;
  for (const paired_point& p : result.scanned) {
    if (!p.excluded()) measured.push_back(&p);
    if (p.side != 0) side = p.side;
  }
  const paired_point &low = *measured.front(), &high = *measured.back();
  const auto open = open_values(request, result), out = excluded_values(request, result);
  const std::string values = fmt::format("{} values from {} to {}", measured.size(), request.range().text(low.value),
                                         request.range().text(high.value));
  std::string text;
  if (result.no_difference) {
    text = fmt::format("both find the same numbers at all {}, to the last digit", values);
  } else if (side == 0) {
    text = fmt::format("they cannot be told apart at any of {}; more replications (--budget) or jobs may tell", values);
  } else {
    const std::string share = open.empty() ? "all" : fmt::format("{} of", measured.size() - open.size());
    text = fmt::format("{} {} at {} {}, by {} and {}", name_of_better(request, side), is_better(request), share, values,
                       lead(request, low, side), lead(request, high, side));
    if (!open.empty()) text += fmt::format("; they cannot be told apart at {}", fmt::join(open, ", "));
  }
  return text + (out.empty() ? "" : fmt::format("; left out: {}", fmt::join(out, ", ")));
}

table_document crossover_text(const crossover_request& request, const crossover_result& result) {
  table_document all("crossings");
  all.add_data(crossing_table(request, result));
  all.add_data(points_table(request, result.scanned, "scan"));
  all.say("\n");
  if (request.subject->points.size() > 1) all.say(request.subject->label(request.point) + "\n\n");
  all.say(to_terminal(readable_table(request, result.scanned)));
  if (!result.narrowed.empty()) {
    all.say("\nnarrowed down with replications of its own:\n\n");
    all.say(to_terminal(readable_table(request, result.narrowed)));
    all.add_data(points_table(request, result.narrowed, "narrowing"));
  }
  std::string text = "\n";
  for (const crossing& c : result.crossings) text += sentence(request, c);
  if (const auto open = open_values(request, result); !open.empty())
    text += fmt::format("they cannot be told apart at {}\n", fmt::join(open, ", "));
  if (const auto out = excluded_values(request, result); !out.empty())
    text += fmt::format("left out, for the reasons in the table: {}\n", fmt::join(out, ", "));
  text += fmt::format("{} of at most {} replications\n", result.spent, request.terms.budget);
  for (const crossing& c : result.crossings) text += last_line(request, c);
  if (result.crossings.empty()) text += "crossover: none: " + why_no_crossover(request, result) + "\n";
  all.say(text);
  return all;
}

data_table crossing_table(const crossover_request& request, const crossover_result& result) {
  using row = const crossing*;  // null: there is none
  const auto of = [](const auto& value) { return [value](row c) { return c ? cell(value(*c)) : cell(""); }; };
  const auto shown = [&](double crossing::*value) {
    return of([&request, value](const crossing& c) { return setting_cell(number(request, c, c.*value)); });
  };
  auto layout = layout_of_point<row>(request, "crossings");
  layout.text("key", [&](row) { return request.key(); })
      .text("class", [&](row) { return request.metric().class_name; })
      .text("metric", [&](row) { return request.metric().metric; })
      .text("first", [&](row) { return request.policies[0]; })
      .text("second", [&](row) { return request.policies[1]; })
      .number("value", shown(&crossing::value))
      .number("ci_low", shown(&crossing::low))
      .number("ci_high", shown(&crossing::high))
      .text("better_below", of([&](const crossing& c) { return word(better_policy(request, c.side_below)); }))
      .text("better_above", of([&](const crossing& c) { return word(better_policy(request, -c.side_below)); }))
      .number("half_width", of([](const crossing& c) { return c.half_width; }))
      .text("precise", of([](const crossing& c) { return c.precise ? "yes" : "no"; }))
      .whole("replications", of([](const crossing& c) { return c.replications; }))
      .text("reason", [&](row c) { return c ? "" : why_no_crossover(request, result); });
  std::vector<row> rows;
  for (const crossing& c : result.crossings) rows.push_back(&c);
  if (rows.empty() && !result.scanned.empty()) rows.push_back(nullptr);
  return layout.table(rows);
}

data_table points_table(const crossover_request& request, const std::vector<paired_point>& points, const char* stage) {
  const auto mean = [](const std::vector<double>& found) { return estimate_of("", "", found, 0).mean; };
  auto layout = layout_of_point<paired_point>(request, stage);
  layout.text("key", [&](const paired_point&) { return request.key(); })
      .text("value", [&](const paired_point& p) { return request.range().text(p.value); })
      .text("class", [&](const paired_point&) { return request.metric().class_name; })
      .text("metric", [&](const paired_point&) { return request.metric().metric; })
      .text("stage", [stage](const paired_point&) { return stage; })
      .whole("replications", [](const paired_point& p) { return p.first.size(); })
      .number("first", [mean](const paired_point& p) { return mean(p.first); })
      .number("second", [mean](const paired_point& p) { return mean(p.second); });
  add_numbers(layout, "difference", "difference_", difference_at);
  layout
      .text("better",
            [&](const paired_point& p) {
              return p.excluded() ? "excluded" : p.side == 0 ? "undecided" : word(better_policy(request, p.side));
            })
      .text("reason", &paired_point::why);
  return layout.table(points);
}

}  // namespace muster
