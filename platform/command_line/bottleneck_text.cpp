#include "platform/command_line/bottleneck_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/command_line/search_tables.h"
#include "platform/metrics/metric.h"
#include "platform/metrics/sample.h"
#include "platform/tables/number_text.h"
#include "platform/tables/writers.h"

namespace muster {

namespace {

using effect = effect_of_change;

constexpr int most_digits = 4;

/// A part of the response time, and its words behind a share of it.
struct response_part {
  const char* metric;
  const char* words;
};

constexpr response_part response_parts[] = {
    {"time_running", "running"},
    {"time_overhead", "in overhead"},
    {"time_network", "on the network"},
    {"time_decision", "waiting for the scheduler"},
    {"time_failure", "lost to failures"},
    {"wait_no_core", "waiting for cores"},
    {"wait_no_resource", "waiting for other resources"},
    {"wait_fragmentation", "waiting, with enough free but spread"},
    {"wait_behind_others", "waiting behind others"},
};

// The words of a part. A job that exchanges data while it works is slowed by the network as it runs, and waits for
// resources whose names the scenario has.
std::string words_of(const response_part& part, const scenario& model) {
  constexpr std::size_t most_named = 3;
  const std::vector<resource_type>& types = model.resources.types;  // the first one is cores
  const std::string_view metric = part.metric;
  if (metric == "time_running" && model.exchanges_data()) return "running or exchanging data";
  if (metric != "wait_no_resource" || types.size() < 2 || types.size() > 1 + most_named) return part.words;
  std::vector<std::string> names;
  for (std::size_t r = 1; r < types.size(); ++r) names.push_back(types[r].name);
  return fmt::format("waiting for {}", fmt::join(names, " or "));
}

std::string capitalised(std::string words) {
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words;
}

const std::string& words_of(const bottleneck_request& request, const effect& e) {
  return request.changes[e.change].words;
}

std::string unit_of(const bottleneck_request& request) {
  const std::string unit =
      find_metric(request.goal().metric)->unit_name(request.subject->points[request.point].model.unit.name);
  return unit.empty() ? "" : " " + unit;
}

std::string percentage(const ratio_estimate& share) {
  const auto of_hundred = [](const std::optional<double>& x) { return x ? std::optional(100.0 * *x) : std::nullopt; };
  const auto shown =
      shown_interval(interval_value{100.0 * share.mean, of_hundred(share.ci_low), of_hundred(share.ci_high)});
  return with_interval(shown->mean, shown->ci_low, shown->ci_high, 3) + " %";
}

// "response_time 12.3 -> 9.8 s (-20 +- 2 %)"
std::string change_of_goal(const bottleneck_request& request, const bottlenecks& result, const effect& e) {
  return fmt::format(
      "{} {} -> {}{} ({})", request.goal().text(), with_digits(mean_of(result.unchanged.found.front()), most_digits),
      with_digits(mean_of(e.measured.found.front()), most_digits), unit_of(request), percentage(e.relative));
}

std::string words_of_all(const bottleneck_request& request, const bottlenecks& result, effect::verdict verdict) {
  std::vector<std::string> words;
  for (const effect& e : result.effects)
    if (e.answer == verdict) words.push_back(words_of(request, e));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string sentence_on_unmeasured(const bottleneck_request& request, const bottlenecks& result) {
  std::vector<std::string> possible;
  for (const effect& e : result.effects)
    if (!e.measured.is_excluded()) possible.push_back(words_of(request, e));
  return fmt::format(
      "As it is it cannot be measured: {}.\n{}\n", result.unchanged.why,
      possible.empty() ? "No change alters that." : fmt::format("It can with {}.", fmt::join(possible, ", or ")));
}

// What gains most of all that is known to gain, and what may gain as much or more.
std::string first_sentence(const bottleneck_request& request, const bottlenecks& result) {
  if (result.unchanged.is_excluded()) return sentence_on_unmeasured(request, result);
  if (!result.first)
    return fmt::format("No change is known to make {} better; as it is, it is {}{}.\n", request.goal().text(),
                       shown_text(column("").with_digits(most_digits),
                                  shown_interval(interval_of(result.unchanged.of_first_series()))),
                       unit_of(request));
  const effect& first = result.effects[*result.first];
  std::string text = *result.first == 0
                         ? fmt::format("{} gains most: {}.\n", capitalised(words_of(request, first)),
                                       change_of_goal(request, result, first))
                         : fmt::format(
                               "Of what is known to gain, {} gains most: {}.\nThe estimate of {} is larger, but not "
                               "significant: {}.\n",
                               words_of(request, first), change_of_goal(request, result, first),
                               words_of(request, result.effects.front()), percentage(result.effects.front().relative));
  std::vector<std::string> like;
  for (const std::size_t e : result.like_first) like.push_back(words_of(request, result.effects[e]));
  if (!like.empty()) text += fmt::format("What cannot be told apart from that: {}.\n", fmt::join(like, ", "));
  return text;
}

// What gains and costs less, and the change with the largest gain for its cost, among those that are known to gain.
std::string sentence_on_price(const bottleneck_request& request, const bottlenecks& result) {
  std::string text;
  const effect* best = nullptr;
  const auto worth = [&](const effect& e) { return e.gain(request.goal_is_larger) / *e.price; };
  for (const effect& e : result.effects) {
    if (e.answer != effect::verdict::gains || !e.price) continue;
    if (*e.price < 0.0)
      text += fmt::format("{} gains and lowers the cost by {}.\n", capitalised(words_of(request, e)),
                          with_digits(-*e.price, most_digits));
    else if (!best || worth(e) > worth(*best))
      best = &e;
  }
  if (best)
    text += fmt::format("{} gains most for its cost, which is {}: {}{} for each unit of cost.\n",
                        capitalised(words_of(request, *best)), with_digits(*best->price, most_digits),
                        with_digits(worth(*best), most_digits), unit_of(request));
  return text;
}

// The lines of a point's sentences, for programs; of a sweep with the point before each.
std::vector<std::string> lines_of(const bottleneck_request& request, const std::string& sentences) {
  const study& s = *request.subject;
  std::vector<std::string> lines;
  std::istringstream in(sentences);
  for (std::string line; std::getline(in, line);)
    lines.push_back(s.points.size() > 1 ? s.label(request.point) + ": " + line : line);
  return lines;
}

// The shares of the response time that jobs spend on each of its parts.
std::string sentence_on_time(const bottleneck_request& request, const bottlenecks& result) {
  if (result.unchanged.is_excluded()) return "";
  std::vector<std::pair<double, std::string>> parts;
  double all = 0.0;
  for (std::size_t s = 0; s < request.metrics.size(); ++s)
    for (const response_part& part : response_parts)
      if (request.metrics[s].metric == part.metric) {
        parts.emplace_back(mean_of(result.unchanged.found[s]),
                           words_of(part, request.subject->points[request.point].model));
        all += parts.back().first;
      }
  if (all <= 0.0) return "";
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> shares;
  for (const auto& [mean, words] : parts)
    if (mean >= 0.0005 * all) shares.push_back(fmt::format("{} % {}", with_digits(100.0 * mean / all, 3), words));
  return fmt::format("Of its response time a job spends {}.\n", fmt::join(shares, ", "));
}

std::string verdict_of(const effect& e) {
  static constexpr std::array names{"gains", "loses", "open", "none", "excluded"};
  return names.at(static_cast<std::size_t>(e.answer));
}

// Why a change is left out: for the changed cluster's sake, else for the unchanged one's.
std::string reason_of(const bottlenecks& result, const effect& e) {
  if (e.answer != effect::verdict::excluded) return "";
  return e.measured.is_excluded() ? e.measured.why : "measured alone; unchanged: " + result.unchanged.why;
}

std::string verdict_words(const effect& e) {
  switch (e.answer) {
    case effect::verdict::open: return "not significant";
    case effect::verdict::none: return "no effect";
    case effect::verdict::excluded: return e.measured.why.empty() ? "measured alone" : e.measured.why;
    default: return verdict_of(e);
  }
}

bool is_compared(const effect& e) { return e.answer != effect::verdict::excluded; }

std::optional<double> gain_per_cost(const bottleneck_request& request, const effect& e) {
  if (!is_compared(e) || !e.price || *e.price <= 0.0) return std::nullopt;
  return e.gain(request.goal_is_larger) / *e.price + 0.0;  // no negative zero
}

std::optional<interval_value> interval_of_difference(const effect& e) {
  return is_compared(e) ? interval_of(std::optional(e.apart)) : std::nullopt;
}

std::optional<interval_value> interval_of_share(const effect& e) {
  if (!is_compared(e)) return std::nullopt;
  return interval_value{e.relative.mean, e.relative.ci_low, e.relative.ci_high};
}

data_table readable_table(const bottleneck_request& request, const bottlenecks& result) {
  table_layout<effect> layout("changes");
  layout.text("change", [&](const effect& e) { return words_of(request, e); })
      .interval(column(request.goal().text()).with_digits(most_digits),
                [](const effect& e) { return cell(interval_of(e.measured.of_first_series())); })
      .interval(column("difference").with_digits(most_digits),
                [](const effect& e) { return cell(shown_interval(interval_of_difference(e))); })
      .text("in %", [](const effect& e) { return is_compared(e) ? cell(percentage(e.relative)) : cell(); })
      .number(column("exact difference").formatted("{:.4g}"), &effect::exact)
      .number(column("cost").formatted("{:.4g}"), &effect::price)
      .number(column("gain per cost").formatted("{:.4g}"), [&](const effect& e) { return gain_per_cost(request, e); })
      .number(column("cost in all").formatted("{:.4g}"),
              [](const effect& e) { return is_compared(e) ? std::nullopt : e.cost; })
      .text("verdict", verdict_words);
  return without_empty_columns(layout.table(result.effects));
}

}  // namespace

std::vector<metric_of_class> parts_of_response_time(const scenario& model, const std::string& class_name) {
  std::vector<metric_of_class> parts;
  if (!is_of_jobs(class_name)) return parts;
  for (const response_part& part : response_parts)
    if (!find_metric(part.metric)->mistake(model, class_name)) parts.push_back({part.metric, class_name});
  return parts;
}

std::string bottleneck_heading(const bottleneck_request& request) {
  return fmt::format("{}: how much {} changes by one component more, or faster\n{}", request.subject->name,
                     request.goal().text(), line_on_sweep(*request.subject, "examined"));
}

std::string bottleneck_progress(const bottleneck_request& request, const bottlenecks& so_far) {
  return fmt::format("{} of {} replications of {}\n", so_far.replications, request.replications,
                     counted(request.changes.size(), "change"));
}

std::vector<std::string> bottleneck_notes(const bottleneck_request& request, const bottlenecks& result) {
  std::vector<std::string> notes;
  if (const effect* const other = result.with_other_jobs())
    notes.push_back(
        fmt::format("the cluster gets {} of its log as it is, and {} with {}: differences are not of the same jobs",
                    counted(*result.jobs, "job"), *other->jobs, words_of(request, *other)));
  if (!result.any_measured())
    notes.push_back(fmt::format("{}cannot be measured, as it is or with any change: {}",
                                request.subject->points.size() > 1 ? request.subject->label(request.point) + " " : "",
                                result.unchanged.why));
  notes.insert(notes.end(), result.short_windows.begin(), result.short_windows.end());
  return notes;
}

table_document bottleneck_text(const bottleneck_request& request, const bottlenecks& result) {
  table_document all("changes");
  std::string text = "\n";
  if (request.subject->points.size() > 1) text += request.subject->label(request.point) + "\n";
  std::string sentences =
      first_sentence(request, result) + sentence_on_price(request, result) + sentence_on_time(request, result);
  if (const std::string open = words_of_all(request, result, effect::verdict::open); !open.empty())
    sentences += fmt::format("Not significant: {}.\n", open);
  all.say(text + sentences + "\n" + to_terminal(readable_table(request, result)));
  all.add_sentences("findings", lines_of(request, sentences));
  const effect* const other = result.with_other_jobs();
  const std::string jobs = other ? fmt::format(",\nnot on the same jobs: {} of the log as it is, {} with {}",
                                               *result.jobs, *other->jobs, words_of(request, *other))
                                 : " on the same jobs";
  all.say(
      fmt::format("\n{} of each change{}; mean +- half-width of its own 95 % confidence interval, or its ends;\n"
                  "by paired tests, corrected for {}: with a probability of 95 % all verdicts are right\n",
                  counted(result.replications, "replication"), jobs, counted(request.changes.size(), "change")));
  all.add_data(effect_table(request, result));
  return all;
}

data_table effect_table(const bottleneck_request& request, const bottlenecks& result) {
  auto layout = layout_of_point<effect>(request, "changes");
  layout.text("component", [&](const effect& e) { return request.changes[e.change].component; })
      .text("change", [&](const effect& e) { return words_of(request, e); })
      .text("setting", [&](const effect& e) { return request.changes[e.change].setting(); })
      .text("class", [&](const effect&) { return request.goal().class_name; })
      .text("metric", [&](const effect&) { return request.goal().metric; })
      .whole("replications", [](const effect& e) { return e.measured.replications(); })
      .number("unchanged", [&](const effect&) {
        return result.unchanged.replications() > 0 ? cell(mean_of(result.unchanged.found.front())) : cell();
      });
  add_numbers(layout, "estimate", "", [](const effect& e) { return interval_of(e.measured.of_first_series()); });
  add_numbers(layout, "difference", "difference_", interval_of_difference);
  add_numbers(layout, "relative", "relative_", interval_of_share);
  layout.number("p", &effect::p)
      .text("verdict", verdict_of)
      .text("reason", [&](const effect& e) { return reason_of(result, e); })
      .number("exact", &effect::exact)
      .number("cost", &effect::price)
      .number("gain_per_cost", [&](const effect& e) { return gain_per_cost(request, e); })
      .number("cost_in_all", &effect::cost)
      .number("jobs", [](const effect& e) { return e.jobs ? cell(*e.jobs) : cell(); });
  return layout.table(result.effects);
}

}  // namespace muster
