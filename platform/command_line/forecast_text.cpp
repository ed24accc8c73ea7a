#include "platform/command_line/forecast_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "platform/tables/number_text.h"
#include "platform/tables/table_layout.h"
#include "platform/tables/writers.h"

namespace muster {

namespace {

constexpr std::size_t most_shown = 40;  // of a table for people

const scenario& model_of(const forecast_request& request) { return request.variants.front().model; }
double seconds_of(const forecast_request& request) { return model_of(request).unit.seconds; }

std::string words(const forecast_request& request, double time) {
  return std::isfinite(time) ? time_in_words(time * seconds_of(request)) : "not in the simulated time";
}

std::string short_words(const forecast_request& request, double time) {
  return std::isfinite(time) ? time_in_words(time * seconds_of(request)) : "later";
}

std::string range_in_words(const forecast_request& request, const time_quantiles& time) {
  return fmt::format("{} .. {}", short_words(request, time.p10), short_words(request, time.p90));
}

// A job as the subject with which a sentence begins.
std::string job_in_words(const queued_job& job) {
  return (job.name.empty() ? "The job of line " + std::to_string(job.line) : "Job " + job.name) +
         (job.user.empty() ? "" : " of " + job.user);
}

std::string whole_percentage(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

// A time with its sign: "-1 h 20 min".
std::string signed_words(const forecast_request& request, double time) {
  const double seconds = time * seconds_of(request);
  return (seconds < 0.0 ? "-" : "+") + time_in_words(std::abs(seconds));
}

// "-1 h 20 min +- 32 min"
std::string shift_in_words(const forecast_request& request, const time_shift& shift) {
  if (shift.answer == time_shift::verdict::unknown) return "not known";
  if (shift.answer == time_shift::verdict::none) return "0";
  std::string text = signed_words(request, shift.apart.mean);
  if (shift.apart.ci_low && *shift.apart.ci_low < *shift.apart.ci_high)
    text += " +- " + time_in_words((shift.apart.mean - *shift.apart.ci_low) * seconds_of(request));
  return text;
}

// "1 h 20 min earlier on average (-1 h 50 min .. -45 min)"
std::string shift_in_a_sentence(const forecast_request& request, const time_shift& shift) {
  const double seconds = shift.apart.mean * seconds_of(request);
  std::string text =
      fmt::format("{} {} on average", time_in_words(std::abs(seconds)), seconds < 0.0 ? "earlier" : "later");
  if (shift.apart.ci_low && *shift.apart.ci_low < *shift.apart.ci_high)
    text += fmt::format(" ({} .. {})", signed_words(request, *shift.apart.ci_low),
                        signed_words(request, *shift.apart.ci_high));
  return text;
}

// The probability to have started within that of the times that are asked for which tells most: it is closest to one
// half.
std::string probability_in_words(const forecast_request& request, const job_forecast& job) {
  if (request.within.empty()) return "";
  std::size_t best = 0;
  for (std::size_t n = 0; n < job.within.size(); ++n)
    if (std::abs(job.within[n] - 0.5) < std::abs(job.within[best] - 0.5)) best = n;
  return fmt::format(", {} within {}", whole_percentage(job.within[best]), words(request, request.within[best]));
}

std::string sentence_on(const forecast_request& request, const job_forecast& job) {
  const std::string name = job_in_words(job.job);
  if (job.start.p90 == 0.0) return fmt::format("{} starts at once.\n", name);
  if (!std::isfinite(job.start.p50)) return fmt::format("{} does not start in the simulated time.\n", name);
  return fmt::format("{} starts in {} ({}){}.\n", name, words(request, job.start.p50),
                     range_in_words(request, job.start), probability_in_words(request, job));
}

std::string sentence_on_queue(const forecast_request& request, const queue_forecast& found) {
  if (!std::isfinite(found.empty.p50))
    return fmt::format("Not all of the {} that wait start in the simulated time.\n", counted(found.jobs.size(), "job"));
  return fmt::format("All of the {} that wait have started in {} ({}).\n", counted(found.jobs.size(), "job"),
                     words(request, found.empty.p50), range_in_words(request, found.empty));
}

std::string sentence_on_sources(const queue_forecast& found, const run_time_history& history) {
  static constexpr std::array texts{"from initial.file", "drawn from the user's earlier jobs",
                                    "drawn from all users' earlier jobs", "drawn from the law of the class"};
  std::string text;
  for (const std::size_t at : {1U, 2U, 3U, 0U})
    if (found.sources[at] > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found.sources[at], texts.at(at));
  std::string of = history.jobs() > 0 ? fmt::format(" ({} earlier jobs; {} of 10 or more)", history.jobs(),
                                                    counted(history.users_with_enough(), "user"))
                                      : "";
  return fmt::format("Run times of jobs at time 0: {}{}.\n", text, of);
}

// "With KEY=VALUE all have started 1 h 20 min earlier ..; 9 jobs start earlier, 1 later, 2 are not told apart."
std::string sentence_on_variant(const forecast_request& request, std::size_t v,
                                const std::vector<queue_forecast>& found) {
  std::array<std::size_t, 5> counts{};
  for (const job_forecast& job : found[v].jobs) ++counts.at(static_cast<std::size_t>(job.shift->answer));
  std::string jobs;
  const auto add = [&](time_shift::verdict verdict, const char* what) {
    const std::size_t n = counts.at(static_cast<std::size_t>(verdict));
    if (n > 0) jobs += fmt::format("{}{} {}", jobs.empty() ? "" : ", ", n, what);
  };
  add(time_shift::verdict::earlier, "earlier");
  add(time_shift::verdict::later, "later");
  add(time_shift::verdict::none, "at the same time");
  add(time_shift::verdict::open, "not told apart");
  add(time_shift::verdict::unknown, "not known");
  const time_shift& all = *found[v].shift;
  std::string text = fmt::format("With {}: ", request.variants[v].name);
  if (all.answer == time_shift::verdict::unknown)
    text += "not all start in the simulated time";
  else if (all.answer == time_shift::verdict::none)
    text += "all have started at the same time";
  else
    text += fmt::format("all have started {}{}", shift_in_a_sentence(request, all),
                        all.answer == time_shift::verdict::open ? ", which may be chance" : "");
  if (found[v].jobs.size() != found.front().jobs.size())
    text += fmt::format("; {} wait, not {}", found[v].jobs.size(), found.front().jobs.size());
  return text + fmt::format("; jobs start: {}.\n", jobs);
}

data_table readable_table(const forecast_request& request, const std::vector<queue_forecast>& found) {
  table_layout<job_forecast> layout("starts");
  layout.text("job", [](const job_forecast& j) { return j.job.label(); })
      .text("user", [](const job_forecast& j) { return text_cell(j.job.user.empty() ? "-" : j.job.user); })
      .text("class", [](const job_forecast& j) { return j.class_name; })
      .whole("cores", [](const job_forecast& j) { return j.job.cores > 0 ? cell(j.job.cores) : cell(); })
      .text("starts in", [&](const job_forecast& j) { return short_words(request, j.start.p50); })
      .text("80 % of cases", [&](const job_forecast& j) { return range_in_words(request, j.start); });
  for (std::size_t n = 0; n < request.within.size(); ++n)
    layout.text("within " + words(request, request.within[n]),
                [n](const job_forecast& j) { return whole_percentage(j.within[n]); });
  for (std::size_t v = 1; v < found.size(); ++v)
    layout.text(fmt::format("with ({})", v), [&, v](const job_forecast& j) {
      const auto& jobs = found[v].jobs;
      const auto same = std::find_if(jobs.begin(), jobs.end(),
                                     [&](const job_forecast& other) { return other.job.place == j.job.place; });
      return same == jobs.end() ? cell() : cell(shift_in_words(request, *same->shift));
    });
  const auto& jobs = found.front().jobs;
  return without_empty_columns(layout.table(std::vector<job_forecast>(
      jobs.begin(), jobs.begin() + static_cast<std::ptrdiff_t>(std::min(most_shown, jobs.size())))));
}

}  // namespace

std::string time_in_words(double seconds) {
  struct unit {
    const char* name;
    double seconds;
  };
  static constexpr std::array<unit, 4> units{{{"d", 86400.0}, {"h", 3600.0}, {"min", 60.0}, {"s", 1.0}}};
  if (seconds == 0.0) return "0 s";
  if (seconds < 1.0) {
    for (const auto& [name, size] : {unit{"ms", 1e-3}, {"us", 1e-6}})
      if (seconds >= size) return fmt::format("{} {}", with_digits(seconds / size, 3), name);
    return fmt::format("{} ns", with_digits(seconds / 1e-9, 3));
  }
  for (std::size_t n = 0; n < units.size(); ++n) {
    const bool last = n + 1 == units.size();
    const double smaller = last ? 1.0 : units.at(n + 1).seconds;  // to which it is rounded
    const double rounded = std::round(seconds / smaller) * smaller;
    if (rounded < units.at(n).seconds) continue;
    const double whole = std::floor(rounded / units.at(n).seconds), rest = rounded - whole * units.at(n).seconds;
    std::string text = fmt::format("{:.0f} {}", whole, units.at(n).name);
    if (!last && rest >= smaller) text += fmt::format(" {:.0f} {}", rest / smaller, units.at(n + 1).name);
    return text;
  }
  return "1 s";
}

table_document forecast_text(const forecast_request& request, const std::vector<queue_forecast>& found) {
  table_document all("starts");
  const queue_forecast& base = found.front();
  std::string text = request.subject->points.size() > 1 ? "\n" + request.subject->label(request.point) + "\n" : "";
  text += sentence_on_queue(request, base);
  text += sentence_on(request, base.jobs.front());
  const auto last = std::max_element(base.jobs.begin(), base.jobs.end(),
                                     [](const auto& a, const auto& b) { return a.start.p50 < b.start.p50; });
  if (last != base.jobs.begin()) text += sentence_on(request, *last);
  for (std::size_t v = 1; v < found.size(); ++v) text += sentence_on_variant(request, v, found);
  text += sentence_on_sources(base, request.history);
  all.say(text + "\n" + to_terminal(readable_table(request, found)));
  if (base.jobs.size() > most_shown)
    all.say(fmt::format("and {} more, which --format csv has\n", base.jobs.size() - most_shown));
  for (std::size_t v = 1; v < found.size(); ++v) all.say(fmt::format("({}) {}\n", v, request.variants[v].name));
  all.say(
      fmt::format("\n{}; starts are medians, with the times before which one job in ten, and nine in ten, start{}\n",
                  counted(request.replications, "replication"),
                  found.size() > 1 ? "; `with` is the mean shift in\npairs on the same run times and arrivals, with "
                                     "its 95 % interval"
                                   : ""));
  all.add_data(start_table(request, found));
  all.add_data(queue_table(request, found));
  return all;
}

}  // namespace muster
