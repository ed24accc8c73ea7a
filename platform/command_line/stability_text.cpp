#include "platform/command_line/stability_text.h"

#include <algorithm>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "platform/command_line/capacity_text.h"
#include "platform/command_line/text_table.h"
#include "platform/experiment/stability_search.h"
#include "platform/model/job_kind.h"
#include "platform/scenario/study_warnings.h"

namespace muster {

namespace {

const char* what_the_limit_counts(overhead_count overhead) {
  switch (overhead) {
    case overhead_count::exact:
      return ", overhead included";
    case overhead_count::lower_bound:
      return " (an upper bound: it counts the overhead that is certain)";
    case overhead_count::none:
      break;
  }
  return "";
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

// What the jobs of a list are worth is their own affair, each.
std::string slotted_load_text(const scenario& what) {
  std::vector<std::vector<std::string>> rows{{"class", "jobs", "units", "utility", "alpha", "overhead", "busy cores"}};
  const stability found = examine_stability(what);
  for (std::size_t c = 0; c < what.classes.size(); ++c) {
    const slotted_spec& slotted = *what.classes[c].slotted;
    const utility* worth = slotted.worth.get();
    const std::uint64_t jobs = slotted.jobs > 0 ? slotted.jobs : what.arrivals.list.size();
    rows.push_back({what.classes[c].name, jobs > 0 ? fmt::format("{}", jobs) : "endless",
                    worth ? fmt::format("{}", worth->units()) : "-",
                    worth ? fmt::format("{:.6g}", static_cast<double>(worth->of(worth->units()))) : "-",
                    worth ? fmt::format("{:.4g}", worth->alpha()) : "-",
                    fmt::format("{:.6g}", found.classes[c].overhead), fmt::format("{:.6g}", found.classes[c].cores)});
  }
  return fmt::format(
      "Slotted jobs at point 0; alpha of equation 3 (ISPEED) is 0 where the utility is concave, overhead is that of a "
      "job, in {}:\n{}\n",
      what.unit.name, text_table(rows));
}

std::string load_text(const scenario& what) {
  const progress kind = kind_of_jobs(what);
  if (kind == progress::pooled) return capacity_text(what);
  if (kind == progress::slotted) return slotted_load_text(what);
  std::vector<std::vector<std::string>> loads{{"class", "overhead", "busy cores", "share of its cores"}};
  for (const auto& c : examine_stability(what).classes)
    loads.push_back(
        {c.name, fmt::format("{:.6g}", c.overhead), fmt::format("{:.6g}", c.cores), fmt::format("{:.6g}", c.share)});
  return fmt::format("Load of each class at point 0; overhead is that of a job, in {}:\n{}\n", what.unit.name,
                     text_table(loads));
}

}  // namespace

std::string stability_report(const study& s) {
  const scenario& first = s.points.front().what;
  std::string text = fmt::format("{}: {}\n{} points, {} replications each\n\n", s.name, s.about, s.points.size(),
                                 first.run.replications);
  text += load_text(first);
  const bool any_pooled =
      std::any_of(s.points.begin(), s.points.end(), [](const study::point& p) { return is_pooled(p.what); });
  std::vector<std::vector<std::string>> rows{{"point"}};
  for (const std::string& key : s.keys) rows[0].push_back(key);
  for (const char* head : {"load", "overhead", "work bound", "policy's limit", "verdict"}) rows[0].emplace_back(head);
  if (any_pooled) rows[0].emplace_back("hardest pressed");
  std::set<std::string> conditions;
  bool any_overhead = false;
  std::string warnings;
  for (const std::string& sentence : idle_servers(s)) warnings += "warning: " + sentence + "\n";
  for (const std::string& sentence : study_warnings(s)) warnings += "warning: " + sentence + "\n";
  const std::vector<stability> all = search_stability(s, std::max(1u, std::thread::hardware_concurrency()));
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const stability& found = all[p];
    std::vector<std::string> row{fmt::format("{}", p)};
    for (const std::string& v : s.points[p].values) row.push_back(v);
    row.push_back(fmt::format("{:.4f}", found.work));
    row.emplace_back(to_word(found.overhead));
    any_overhead = any_overhead || found.overhead != overhead_count::none;
    row.push_back(fmt::format("{:.6g}", found.work_rate));
    row.push_back(limit_text(found));
    row.push_back(word(found.answer));
    if (any_pooled) row.push_back(found.hardest ? to_words(*found.hardest, s.points[p].what) : "-");
    rows.push_back(std::move(row));
    conditions.insert(fmt::format("{}: {}", s.points[p].what.policy.name, found.condition));
    const std::string text_of_warning = warning(s, p, found);
    if (!text_of_warning.empty()) warnings += "warning: " + text_of_warning + "\n";
  }
  text += fmt::format("Stability; the bounds are total arrival rates per {}, the shares being kept:\n",
                      s.points.front().what.unit.name);
  text += text_table(rows) + "\n";
  if (any_overhead) text += fmt::format("{}\n", about_overhead);
  for (const std::string& c : conditions) text += c + "\n";
  return text + (warnings.empty() ? "" : "\n" + warnings);
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
