#include "platform/experiment/point_notes.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace muster {

namespace {

std::optional<std::string> note_on_precision(const study& s, std::size_t point, const replication_plan& plan) {
  const run_spec& run = s.points[point].model.run;
  const precision_spec& wanted = *run.precision;
  const bool batches = run.batch_means;
  const sequential_rule::finding& last = plan.last_look(point);
  const std::uint32_t n = plan.counted(point);
  if (plan.rule(point).hopeless())
    return fmt::format("{}: is unstable, so that no precision can be reached; its {} stand as they are", s.label(point),
                       batches ? fmt::format("{} jobs", run.jobs) : fmt::format("{} replications", n));
  if (last.overloaded) return fmt::format("{}: is overloaded, so that no precision can be reached", s.label(point));
  if (last.reached || last.is_short) return std::nullopt;  // add_notes() says so of what is short
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

/// What the replications of a point have remarked: by text, in how many of them it was remarked of each class.
class gathered_remarks {
 public:
  /// @param wanted replications of the point, of which those that are given are the first to be there
  gathered_remarks(const std::vector<replication_result>& replications, std::size_t wanted)
      : replications_(std::max(wanted, replications.size())) {
    for (const replication_result& r : replications)
      for (const remark& said : r.notes) ++times_[said.text][said.class_name];
  }

  std::vector<std::string> each() const {
    std::vector<std::string> all;
    for (const auto& [text, classes] : times_)
      for (const auto& [name, times] : classes)
        all.push_back(
            fmt::format("{} (in {} of {} replications)", remark{text, name}.in_words(), times, replications_));
    return all;
  }

  std::string in_one_line() const {
    std::string line;
    for (const auto& [text, classes] : times_) {
      std::size_t most = 0;
      for (const auto& [name, times] : classes) most = std::max(most, times);
      line += fmt::format("{}{} ({}in {}{} of {} replications)", line.empty() ? "" : "; ", text, in_words(classes),
                          classes.size() > 1 ? "up to " : "", most, replications_);
    }
    return line;
  }

 private:
  using times_by_class = std::map<std::string, std::size_t>;

  static std::string in_words(const times_by_class& classes) {
    constexpr std::size_t named = 4;
    if (classes.count("") > 0) return "";
    std::string names;
    std::size_t n = 0;
    for (const auto& [name, times] : classes) {
      if (n++ == named) return fmt::format("classes {} and {} more, ", names, classes.size() - named);
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
    }
    return fmt::format("{} {}, ", classes.size() == 1 ? "class" : "classes", names);
  }

  std::size_t replications_;
  std::map<std::string, times_by_class> times_;
};

}  // namespace

void add_notes(study_notes& notes, const study& s, std::size_t point, const replication_plan& plan,
               const std::vector<replication_result>& replications, const std::optional<found_warm_up>& warm_up) {
  const run_spec& run = s.points[point].model.run;
  const gathered_remarks remarks(replications, plan.is_finished(point) ? replications.size() : run.replications);
  for (const std::string& text : remarks.each()) notes.full.push_back(fmt::format("{}: {}", s.label(point), text));
  if (const std::string line = remarks.in_one_line(); !line.empty())
    notes.brief.push_back(fmt::format("{}: {}", s.label(point), line));
  const auto add = [&](const std::string& text) {
    notes.full.push_back(text);
    notes.brief.push_back(text);
  };
  if (warm_up && !warm_up->settled)
    add(fmt::format(
        "{}: MSER-5 sees no steady state in {} jobs; the first half of each replication is taken for the warm-up",
        s.label(point), run.jobs));
  if (plan.is_finished(point) && run.precision)
    if (const auto note = note_on_precision(s, point, plan)) add(*note);
}

}  // namespace muster
