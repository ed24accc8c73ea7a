#include "platform/experiment/point_notes.h"

#include <map>

#include <fmt/format.h>

namespace muster {

namespace {

std::optional<std::string> note_on_precision(const study& s, std::size_t point, const replication_plan& plan) {
  const run_spec& run = s.points[point].what.run;
  const precision_spec& wanted = *run.precision;
  const bool batches = run.batch_means;
  const sequential_rule::finding& last = plan.last_look(point);
  const std::uint32_t n = plan.counted(point);
  if (plan.rule(point).hopeless())
    return fmt::format("{}: is unstable, so that no precision can be reached; its {} stand as they are", s.label(point),
                       batches ? fmt::format("{} jobs", run.jobs) : fmt::format("{} replications", n));
  if (last.reached) return std::nullopt;
  std::string text;
  for (std::size_t target = 0; target < last.intervals.size(); ++target) {
    const sequential_rule::interval& found = last.intervals[target];
    const precision_target& aim = wanted.targets[target];
    if (found.reached) continue;
    const std::string width = found.half_width ? fmt::format("{:.3g} % of it", *found.half_width * 100.0) : "not known";
    const bool first = text.empty();
    text += fmt::format("{} of the mean {} of '{}' is {}", first ? ": the half-width" : "; that", aim.metric,
                        aim.class_name, width);
    if (first)
      text += batches ? fmt::format(" after {} jobs, which is run.jobs times run.most_replications",
                                    run.jobs * wanted.most_replications)
                      : fmt::format(" after {} replications, which is run.most_replications", n);
    text += fmt::format("; {:.3g} % was wanted", aim.half_width * 100.0);
  }
  return s.label(point) + text;
}

}  // namespace

std::vector<std::string> notes_on(const study& s, std::size_t point, const replication_plan& plan,
                                  const std::vector<replication_result>& replications,
                                  const std::optional<found_warm_up>& warm_up) {
  const run_spec& run = s.points[point].what.run;
  std::map<std::string, std::size_t> times;
  for (const replication_result& r : replications)
    for (const std::string& text : r.notes) ++times[text];
  const std::size_t wanted = plan.is_finished(point) ? replications.size() : run.replications;
  std::vector<std::string> notes;
  notes.reserve(times.size() + 2);
  for (const auto& [text, count] : times)
    notes.push_back(fmt::format("{}: {} (in {} of {} replications)", s.label(point), text, count, wanted));
  if (warm_up && !warm_up->settled)
    notes.push_back(fmt::format(
        "{}: MSER-5 sees no steady state in {} jobs; the first half of each replication is taken for the warm-up",
        s.label(point), run.jobs));
  if (plan.is_finished(point) && run.precision)
    if (const auto note = note_on_precision(s, point, plan)) notes.push_back(*note);
  return notes;
}

}  // namespace muster
