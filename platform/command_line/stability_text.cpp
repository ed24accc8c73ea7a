#include "platform/command_line/stability_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/range/irange.hpp>

#include "platform/cautions/measured_window.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/glance_text.h"
#include "platform/command_line/run_text.h"
#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/model/resource_load.h"
#include "platform/scenario/study_warnings.h"
#include "platform/search/stability_search.h"
#include "platform/simulation/backlog.h"
#include "platform/simulation/exchange_alone.h"
#include "platform/tables/table_layout.h"
#include "platform/theory/pooled/pooled_stability.h"

namespace muster {

namespace {

const char* what_the_limit_counts(overhead_count overhead) {
  if (overhead == overhead_count::none) return "";
  return overhead == overhead_count::exact ? ", overhead included"
                                           : " (an upper bound: it counts the overhead that is certain)";
}

std::string warning(const study& s, std::size_t point, const stability& found) {
  if (found.answer != stability::verdict::unstable) return "";
  const scenario& model = s.points[point].model;
  if (found.known_by == limit_evidence::simulated_bound)
    return fmt::format(
        "{} ({}) is unstable as far as simulations tell: long queues grow at the rate {:.6g}. Short ones may stay "
        "short "
        "for a while, and the estimates have no limit",
        s.label(point), model.policy.name, found.rate);
  const std::string cause =
      found.hardest ? fmt::format("; {} has load {:.6g} and capacity {:.6g}", to_words(*found.hardest, model),
                                  found.hardest->load, found.hardest->capacity)
                    : "";
  return fmt::format(
      "{} ({}) is unstable: the rate {:.6g} is not below the limit {:.6g}{}{}; its queue grows without bound and "
      "the estimates have no limit",
      s.label(point), model.policy.name, found.rate, found.unstable_from, what_the_limit_counts(found.overhead), cause);
}

// Sentences on servers that no class can use, each once, however many points have it.
std::set<std::string> idle_servers(const study& s) {
  std::set<std::string> sentences;
  for (const study::point& p : s.points)
    for (std::string& sentence : unusable_servers(p.model)) sentences.insert(std::move(sentence));
  return sentences;
}

std::string word(stability::verdict v) {
  return v == stability::verdict::stable ? "stable" : v == stability::verdict::unstable ? "UNSTABLE" : "not known";
}

cell word(queue_course course) {
  return course == queue_course::drains ? cell("drains") : course == queue_course::stays ? cell("stays long") : cell();
}

// The rate in percent of the policy's limit; of a lower bound at most that much. Empty where no limit is known, or
// where simulations of this rate tell no more than that it is below the limit.
cell percent_of_limit(const stability& found) {
  if (!found.policy_rate || !std::isfinite(*found.policy_rate) || *found.policy_rate <= 0.0 ||
      found.known_by == limit_evidence::simulated_bound)
    return {};
  const double percent = 100.0 * found.rate / *found.policy_rate;
  return found.known_by == limit_evidence::bound ? cell(percent).shown_as(fmt::format("<= {:.4g}", percent))
                                                 : cell(percent);
}

// For each policy a sentence on the points at which a long queue stays long, although they are stable.
std::vector<std::string> long_queues(const study& s, const std::vector<stability>& all) {
  std::map<std::pair<std::string, std::uint64_t>, std::vector<std::size_t>> points;
  for (std::size_t p = 0; p < all.size(); ++p)
    if (const scenario& model = s.points[p].model; all[p].long_queue == queue_course::stays)
      points[{model.policy.name, backlog_size(model)}].push_back(p);
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

void add_rigid_loads(table_document& found, const scenario& model, const stability& known) {
  using load = stability::class_load;
  table_layout<load> layout("classes");
  layout.text("class", &load::name)
      .number("overhead", &load::overhead)
      .number("busy cores", &load::cores)
      .number("share of its cores", &load::share);
  found.say(fmt::format("Load of each class at point 0; overhead is that of a job, in {}:\n", model.unit.name));
  found.add(layout.table(known.classes));
  found.say("\n");
}

// Adds load, largest service rate and arrival rate of each class, and for up to four classes the capacity set.
void add_pooled_loads(table_document& found, const scenario& model) {
  table_layout<pooled_class> classes("classes");
  classes.text("class", &pooled_class::name)
      .number("overhead", &pooled_class::overhead)
      .number("load", &pooled_class::load)
      .number("capacity", &pooled_class::capacity)
      .number("largest service rate", &pooled_class::fastest)
      .number("largest arrival rate", &pooled_class::highest_rate);
  found.say(fmt::format(
      "Load of each class and capacity of its servers at point 0; its largest arrival rate leaves the others as they "
      "are, overhead is that of a job, in {}:\n",
      model.unit.name));
  found.add(classes.table(examine_pooled_classes(model)));
  found.say("\n");
  const std::vector<pooled_set> all_sets = capacity_set(model);
  if (all_sets.empty()) return;
  table_layout<pooled_set> sets("capacity_set");
  sets.text("classes", [&](const pooled_set& set) { return to_words(set, model); })
      .number("load", &pooled_set::load)
      .number("capacity", &pooled_set::capacity)
      .number(column("load / capacity").named("load_over_capacity").formatted("{:.4f}"),
              [](const pooled_set& set) { return set.load / set.capacity; });
  found.say("Capacity set at point 0:\n");
  found.add(sets.table(all_sets));
  found.say("\n");
}

// Adds jobs, utility and overhead of each class. The jobs of a list have a utility each, which is left out.
void add_slotted_loads(table_document& found, const scenario& model, const stability& known) {
  const auto jobs = [&](std::size_t c) {
    const std::uint64_t of_class = model.classes[c].slotted->jobs;
    const std::uint64_t number = of_class > 0 ? of_class : model.arrivals.list.size();
    return number > 0 ? cell(number) : cell("endless");
  };
  const auto of_worth = [&](const auto& value) {
    return [&model, value](std::size_t c) {
      const utility* worth = model.classes[c].slotted->worth.get();
      return worth ? cell(value(*worth)) : cell();
    };
  };
  table_layout<std::size_t> layout("classes");
  layout.text("class", [&](std::size_t c) { return model.classes[c].name; })
      .whole("jobs", jobs)
      .whole("units", of_worth([](const utility& worth) { return worth.units(); }))
      .number("utility", of_worth([](const utility& worth) { return static_cast<double>(worth.of(worth.units())); }))
      .number(column("alpha").formatted("{:.4g}"), of_worth([](const utility& worth) { return worth.alpha(); }))
      .number("overhead", [&](std::size_t c) { return known.classes[c].overhead; })
      .number("busy cores", [&](std::size_t c) { return known.classes[c].cores; });
  found.say(fmt::format(
      "Slotted jobs at point 0; alpha of equation 3 (ISPEED) is 0 where the utility is concave, overhead is that of a "
      "job, in {}:\n",
      model.unit.name));
  found.add(layout.table(boost::irange(model.classes.size())));
  found.say("\n");
}

void add_loads(table_document& found, const scenario& model, const stability& known) {
  const job_kind kind = model.arrivals.jobs ? job_kind::rigid : kind_of_jobs(model);
  if (kind == job_kind::pooled)
    add_pooled_loads(found, model);
  else if (kind == job_kind::slotted)
    add_slotted_loads(found, model, known);
  else
    add_rigid_loads(found, model, known);
}

// The resource with the highest load at each point; none where only cores count.
std::vector<std::optional<resource_load>> resources_that_bind(const study& s) {
  std::vector<std::optional<resource_load>> all;
  for (const study::point& p : s.points)
    all.push_back(p.model.counts_tasks()
                      ? std::optional(binding_load(resource_loads(p.model, rate_until_last(p.model))))
                      : std::nullopt);
  return all;
}

// A row for each point.
data_table points_table(const study& s, const std::vector<stability>& all) {
  const auto of = [&](const auto& value) { return [&all, value](std::size_t p) { return cell(value(all[p])); }; };
  table_layout<std::size_t> layout("points");
  layout.whole("point", [](std::size_t p) { return p; })
      .settings(
          s.keys, [&](std::size_t p) -> const auto& { return s.points[p].values; })
      .number(column("load").formatted("{:.4f}"), of([](const stability& found) { return found.work; }))
      .text("overhead", of([](const stability& found) { return text_cell(to_word(found.overhead)); }))
      .number("work bound", of([](const stability& found) { return found.work_rate; }))
      .setting(column("policy's limit").named("policy_limit"), [&](std::size_t p) { return limit_text(all[p]); })
      .text("verdict", of([](const stability& found) { return word(found.answer); }));
  if (std::any_of(s.points.begin(), s.points.end(), [](const study::point& p) { return is_pooled(p.model); }))
    layout.text("hardest pressed", [&](std::size_t p) {
      return all[p].hardest ? cell(to_words(*all[p].hardest, s.points[p].model)) : cell();
    });
  layout.number("rate", of([](const stability& found) { return found.rate; }))
      .text("long queue", of([](const stability& found) { return word(found.long_queue); }))
      .number(column("rate / limit").named("rate_over_limit").in("%").formatted("{:.4g}"), of(percent_of_limit));
  const std::vector<std::optional<resource_load>> binding = resources_that_bind(s);
  if (std::any_of(binding.begin(), binding.end(), [](const auto& known) { return known.has_value(); }))
    layout.text("binds", [&](std::size_t p) { return binding[p] ? cell(binding[p]->name) : cell(); })
        .number(column("its load").named("binding_load").formatted("{:.4f}"),
                [&](std::size_t p) { return binding[p] ? cell(binding[p]->load) : cell(); });
  return layout.table(boost::irange(all.size()));
}

}  // namespace

table_document stability_report(const study& s) {
  const scenario& first = s.points.front().model;
  table_document report("points");
  report.say(
      fmt::format("{}\n{} points, {} replications each\n\n", s.title(), s.points.size(), first.run.replications));
  add_class_glance(report, first);
  const std::vector<stability> all = search_stability(s, usual_workers());
  add_loads(report, first, all.front());
  add_resource_loads(report, first);
  add_energy_prices(report, first);
  std::set<std::string> conditions;
  bool any_overhead = false;
  std::vector<std::string> warnings, short_windows;
  const auto warn = [&](const std::string& sentence) {
    if (!sentence.empty()) warnings.push_back(sentence);
  };
  for (const std::string& sentence : idle_servers(s)) warn(sentence);
  for (const std::string& sentence : study_warnings(s)) warn(sentence);
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    const study::point& point = s.points[p];
    const stability& found = all[p];
    any_overhead = any_overhead || found.overhead != overhead_count::none;
    conditions.insert(fmt::format("{}: {}", point.model.policy.name, found.condition));
    warn(warning(s, p, found));
    if (const measured_window window(point.model, found); window.is_short())
      short_windows.push_back(fmt::format("{}: {}", s.label(p), window.in_words()));
  }
  for (const std::string& sentence : first_sentences(short_windows)) warn(sentence);
  report.say(fmt::format("Stability; the bounds are total arrival rates per {}, the shares being kept:\n",
                         s.points.front().model.unit.name));
  report.add(points_table(s, all));
  report.say("\n");
  if (any_overhead) report.say(fmt::format("{}\n", about_overhead));
  for (const std::string& c : conditions) report.say(c + "\n");
  report.add_sentences("conditions", {conditions.begin(), conditions.end()});
  const std::vector<std::string> slow = long_queues(s, all);
  for (const std::string& sentence : slow) report.say(sentence + "\n");
  report.add_sentences("long_queues", slow);
  std::vector<std::string> notes = s.notes();
  for (std::string& note : notes_on_exchange(s)) notes.push_back(std::move(note));
  if (!warnings.empty() || !notes.empty()) report.say("\n");
  report.say(first_few("note", notes, "the output of --format json"));
  if (!notes.empty()) report.add_sentences("notes", notes);
  report.say(first_few("warning", warnings, "the output of --format json"));
  report.add_sentences("warnings", warnings);
  return report;
}

std::vector<std::string> stability_warnings(const study& s, const std::vector<stability>& known) {
  const std::set<std::string> idle = idle_servers(s);
  std::vector<std::string> warnings(idle.begin(), idle.end());
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    std::string text = warning(s, p, known[p]);
    if (!text.empty()) warnings.push_back(std::move(text));
  }
  return warnings;
}

}  // namespace muster
