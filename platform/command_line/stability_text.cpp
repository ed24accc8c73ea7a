#include "platform/command_line/stability_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/command_line/class_glance.h"
#include "platform/command_line/first_few.h"
#include "platform/command_line/text_table.h"
#include "platform/experiment/stability_search.h"
#include "platform/model/job_kind.h"
#include "platform/results/measured_window.h"
#include "platform/scenario/study_warnings.h"
#include "platform/simulation/backlog.h"
#include "platform/theory/pooled_stability.h"

namespace muster {

namespace {

const char* what_the_limit_counts(overhead_count overhead) {
  if (overhead == overhead_count::none) return "";
  return overhead == overhead_count::exact ? ", overhead included"
                                           : " (an upper bound: it counts the overhead that is certain)";
}

std::string warning(const study& s, std::size_t point, const stability& found) {
  if (found.answer != stability::verdict::unstable) return "";
  const scenario& what = s.points[point].what;
  if (found.known_by == limit_evidence::simulated_bound)
    return fmt::format(
        "{} ({}) is unstable as far as simulations tell: long queues grow at the rate {:.6g}. Short ones may stay "
        "short "
        "for a while, and the estimates have no limit",
        s.label(point), what.policy.name, found.rate);
  const std::string cause =
      found.hardest ? fmt::format("; {} has load {:.6g} and capacity {:.6g}", to_words(*found.hardest, what),
                                  found.hardest->load, found.hardest->capacity)
                    : "";
  return fmt::format(
      "{} ({}) is unstable: the rate {:.6g} is not below the limit {:.6g}{}{}; its queue grows without bound and "
      "the estimates have no limit",
      s.label(point), what.policy.name, found.rate, found.unstable_from, what_the_limit_counts(found.overhead), cause);
}

// Each once, however many points have it.
std::set<std::string> idle_servers(const study& s) {
  std::set<std::string> sentences;
  for (const study::point& p : s.points)
    for (std::string& sentence : unusable_servers(p.what)) sentences.insert(std::move(sentence));
  return sentences;
}

std::string word(stability::verdict v) {
  return v == stability::verdict::stable ? "stable" : v == stability::verdict::unstable ? "UNSTABLE" : "not known";
}

std::string word(queue_course course) {
  return course == queue_course::drains ? "drains" : course == queue_course::stays ? "stays long" : "-";
}

// For each policy a sentence on the points at which a long queue stays long, although they are stable.
std::vector<std::string> long_queues(const study& s, const std::vector<stability>& all) {
  std::map<std::pair<std::string, std::uint64_t>, std::vector<std::size_t>> points;
  for (std::size_t p = 0; p < all.size(); ++p)
    if (const scenario& what = s.points[p].what; all[p].long_queue == queue_course::stays)
      points[{what.policy.name, backlog_size(what)}].push_back(p);
  std::vector<std::string> sentences;
  sentences.reserve(points.size());
  for (const auto& [of, places] : points)
    sentences.push_back(
        fmt::format("{}: stable, but a queue of {} jobs takes so long to drain that it does not in a simulation of {} "
                    "more arrivals, "
                    "at point{} {}",
                    of.first, of.second, arrivals_behind_backlog(of.second), places.size() == 1 ? "" : "s",
                    fmt::join(places, ", ")));
  return sentences;
}

void add_rigid_loads(printed_output& found, const scenario& what) {
  std::vector<table_row> loads{{"class", "overhead", "busy cores", "share of its cores"}};
  for (const auto& c : examine_stability(what).classes) loads.push_back(row_of(c.name, c.overhead, c.cores, c.share));
  found.say(fmt::format("Load of each class at point 0; overhead is that of a job, in {}:\n", what.unit.name));
  found.add("classes", loads);
  found.say("\n");
}

table_field with_four_decimals(double number) { return {fmt::format("{:.4f}", number), number}; }

// Of each class load, largest service rate and arrival rate, and for up to four classes the capacity set.
void add_pooled_loads(printed_output& found, const scenario& what) {
  std::vector<table_row> classes{
      {"class", "overhead", "load", "capacity", "largest service rate", "largest arrival rate"}};
  for (const pooled_class& c : examine_pooled_classes(what))
    classes.push_back(row_of(c.name, c.overhead, c.load, c.capacity, c.fastest, c.highest_rate));
  found.say(fmt::format(
      "Load of each class and capacity of its servers at point 0; its largest arrival rate leaves the others as they "
      "are, overhead is that of a job, in {}:\n",
      what.unit.name));
  found.add("classes", classes);
  found.say("\n");
  std::vector<table_row> sets{{"classes", "load", "capacity", head_of("load / capacity", "load_over_capacity")}};
  for (const pooled_set& set : capacity_set(what))
    sets.push_back(row_of(to_words(set, what), set.load, set.capacity, with_four_decimals(set.load / set.capacity)));
  if (sets.size() == 1) return;
  found.say("Capacity set at point 0:\n");
  found.add("capacity_set", sets);
  found.say("\n");
}

// What the jobs of a list are worth is their own affair, each.
void add_slotted_loads(printed_output& found, const scenario& what) {
  std::vector<table_row> rows{{"class", "jobs", "units", "utility", "alpha", "overhead", "busy cores"}};
  const stability load = examine_stability(what);
  for (std::size_t c = 0; c < what.classes.size(); ++c) {
    const slotted_spec& slotted = *what.classes[c].slotted;
    const utility* worth = slotted.worth.get();
    const std::uint64_t jobs = slotted.jobs > 0 ? slotted.jobs : what.arrivals.list.size();
    const table_row of_job = worth ? row_of(worth->units(), static_cast<double>(worth->of(worth->units())),
                                            table_field(fmt::format("{:.4g}", worth->alpha()), worth->alpha()))
                                   : table_row{"-", "-", "-"};
    rows.push_back(row_of(what.classes[c].name, jobs > 0 ? row_of(jobs) : table_row{"endless"}, of_job,
                          load.classes[c].overhead, load.classes[c].cores));
  }
  found.say(fmt::format(
      "Slotted jobs at point 0; alpha of equation 3 (ISPEED) is 0 where the utility is concave, overhead is that of a "
      "job, in {}:\n",
      what.unit.name));
  found.add("classes", rows);
  found.say("\n");
}

void add_loads(printed_output& found, const scenario& what) {
  const job_kind kind = kind_of_jobs(what);
  if (kind == job_kind::pooled)
    add_pooled_loads(found, what);
  else if (kind == job_kind::slotted)
    add_slotted_loads(found, what);
  else
    add_rigid_loads(found, what);
}

}  // namespace

printed_output stability_report(const study& s) {
  const scenario& first = s.points.front().what;
  printed_output report("points");
  report.say(fmt::format("{}: {}\n{} points, {} replications each\n\n", s.name, s.about, s.points.size(),
                         first.run.replications));
  add_class_glance(report, first);
  add_loads(report, first);
  const bool any_pooled =
      std::any_of(s.points.begin(), s.points.end(), [](const study::point& p) { return is_pooled(p.what); });
  std::vector<table_row> rows{row_of("point", s.keys, "load", "overhead", "work bound",
                                     head_of("policy's limit", "policy_limit"), "verdict",
                                     any_pooled ? table_row{"hardest pressed"} : table_row{}, "rate", "long queue")};
  std::set<std::string> conditions;
  bool any_overhead = false;
  std::vector<std::string> warnings, short_windows;
  const auto warn = [&](const std::string& sentence) {
    if (!sentence.empty()) warnings.push_back(sentence);
  };
  for (const std::string& sentence : idle_servers(s)) warn(sentence);
  for (const std::string& sentence : study_warnings(s)) warn(sentence);
  const std::vector<stability> all = search_stability(s, std::max(1u, std::thread::hardware_concurrency()));
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const study::point& point = s.points[p];
    const stability& found = all[p];
    table_row hardest;
    if (any_pooled) hardest = {found.hardest ? to_words(*found.hardest, point.what) : "-"};
    rows.push_back(row_of(p, point.values, with_four_decimals(found.work), to_word(found.overhead), found.work_rate,
                          setting_field(limit_text(found)), word(found.answer), hardest, found.rate,
                          word(found.long_queue)));
    any_overhead = any_overhead || found.overhead != overhead_count::none;
    conditions.insert(fmt::format("{}: {}", point.what.policy.name, found.condition));
    warn(warning(s, p, found));
    if (const measured_window window(point.what, found); window.is_short())
      short_windows.push_back(fmt::format("{}: {}", s.label(p), window.in_words()));
  }
  for (const std::string& sentence : first_sentences(short_windows)) warn(sentence);
  report.say(fmt::format("Stability; the bounds are total arrival rates per {}, the shares being kept:\n",
                         s.points.front().what.unit.name));
  report.add("points", rows);
  report.say("\n");
  if (any_overhead) report.say(fmt::format("{}\n", about_overhead));
  for (const std::string& c : conditions) report.say(c + "\n");
  report.add_sentences("conditions", {conditions.begin(), conditions.end()});
  const std::vector<std::string> slow = long_queues(s, all);
  for (const std::string& sentence : slow) report.say(sentence + "\n");
  report.add_sentences("long_queues", slow);
  if (!warnings.empty()) report.say("\n");
  report.say(first_few("warning", warnings, "the output of --format json"));
  report.add_sentences("warnings", warnings);
  return report;
}

std::vector<std::string> stability_warnings(const study& s) {
  const std::set<std::string> idle = idle_servers(s);
  std::vector<std::string> warnings(idle.begin(), idle.end());
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    std::string text = warning(s, p, examine_stability(s.points[p].what));
    if (!text.empty()) warnings.push_back(std::move(text));
  }
  return warnings;
}

}  // namespace muster
