#include "platform/command_line/run_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/inference/verdict_sentences.h"
#include "platform/metrics/bound_text.h"
#include "platform/metrics/estimate_cell.h"
#include "platform/metrics/metric.h"
#include "platform/model/job_kind.h"
#include "platform/tables/number_text.h"
#include "platform/tables/table_layout.h"
#include "platform/tables/writers.h"

namespace muster {

namespace {

// All replications of a point: an estimate without a value in some of them counts fewer.
std::uint32_t replications_of(const std::vector<estimate>& estimates) {
  std::uint32_t most = 0;
  for (const estimate& e : estimates) most = std::max(most, e.replications);
  return most;
}

/// The columns of the points: the settings that tell them apart, and estimates.
class point_columns {
 public:
  point_columns(const study& s, const std::vector<std::vector<estimate>>& estimates, const std::vector<theory>& answers)
      : estimates_(estimates), answers_(answers), slotted_(is_slotted(s.points.front().model)) {
    layout_.whole("point", [](std::size_t p) { return p; })
        .settings(
            s.keys, [&s](std::size_t p) -> const auto& { return s.points[p].values; });
  }

  void add_usual() {
    for (const std::string& metric : metrics_with_column(&metric_columns::run, slotted_)) {
      add({metric});
      if (find_metric(metric)->columns.run_beside_theory)
        layout_.number(column("theory").named(metric + "_theory"),
                       [this, metric](std::size_t p) { return value_of(answers_[p].values, {metric}); });
    }
  }
  // Adds metrics that have no column yet.
  void add_all(const std::vector<metric_of_class>& metrics) {
    for (const metric_of_class& metric : metrics)
      if (std::find(shown_.begin(), shown_.end(), metric) == shown_.end()) add(metric);
  }
  data_table table(const std::vector<std::size_t>& points) {
    layout_.whole("replications", [this](std::size_t p) { return replications_of(estimates_[p]); });
    return layout_.table(points);
  }
  // The marks of the values in the table.
  const cautions& marks() const { return marks_; }

 private:
  void add(const metric_of_class& metric) {
    shown_.push_back(metric);
    layout_.estimate(metric.text(), [this, metric](std::size_t p) { return value_of(estimates_[p], metric); });
  }
  cell value_of(const std::vector<estimate>& of_point, const metric_of_class& metric) {
    const estimate* found = find_estimate(of_point, metric);
    if (!found) return {};
    marks_.add(found->marks);
    return estimate_cell(*found);
  }

  const std::vector<std::vector<estimate>>& estimates_;
  const std::vector<theory>& answers_;
  bool slotted_;
  table_layout<std::size_t> layout_{"points"};
  std::vector<metric_of_class> shown_;
  cautions marks_;
};

constexpr std::size_t most_rows = 12, most_sentences = 8;

// "TEXT (biased)"
std::string with_words(const std::string& text, const cautions& marks) {
  return marks.any() ? fmt::format("{} ({})", text, marks.words()) : text;
}

cell names_of(const std::vector<const entrant*>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const entrant* c : all) {
    const std::string name = c->equal_within ? c->policy + " (equal)" : c->policy;
    names.push_back(c->bound_note.empty() || c->rank == policy_rank::worse
                        ? with_words(name, c->measured.marks)
                        : fmt::format("{} ({})", name, c->bound_note));
  }
  return names.empty() ? cell() : cell(fmt::format("{}", fmt::join(names, ", ")));
}

cell value_of(const entrant* best) {
  if (!best) return {};
  const estimate& found = best->measured;
  return estimate_cell(found).shown_as(
      with_words(with_interval(*found.mean, found.ci_low, found.ci_high), found.marks));
}

struct verdict_row {
  const std::string& value;   // of the verdict's key
  const std::string& others;  // and what the other keys put in
  const contest& policies;
};

table_layout<verdict_row> layout_of(const verdict& v, const metric_verdict& m) {
  const auto names = [](policy_rank rank) {
    return [rank](const verdict_row& row) { return names_of(row.policies.of(rank)); };
  };
  table_layout<verdict_row> layout("verdict");
  layout.text(column("metric").said_above(), [&](const verdict_row&) { return m.of.text(); })
      .text(column("unit").said_above(), [&](const verdict_row&) { return m.unit; })
      .setting(v.key, [](const verdict_row& row) { return row.value; })
      .text("with", [](const verdict_row& row) { return row.others; })
      .text("best",
            [](const verdict_row& row) {
              const entrant* best = row.policies.best();
              return best ? cell(best->policy) : cell();
            })
      .estimate("value", [](const verdict_row& row) { return value_of(row.policies.best()); })
      .text("not told apart from it", names(policy_rank::equal))
      .text("next",
            [](const verdict_row& row) {
              const auto worse = row.policies.of(policy_rank::worse);
              if (worse.empty()) return cell();
              return cell(fmt::format("{} {}", worse.front()->policy, lead_text(*worse.front())));
            })
      .text("not judged", names(policy_rank::unjudged))
      .text("excluded", names(policy_rank::excluded));
  return layout;
}

// How a reader tells a difference from chance, where a row has policies beside the best one.
std::string words_on_chance(const verdict& v) {
  for (const metric_verdict& m : v.metrics)
    for (const std::vector<contest>& row : m.by_others)
      for (const contest& c : row)
        if (!c.of(policy_rank::equal).empty() || !c.of(policy_rank::worse).empty())
          return "`next`, and what is behind it, is worse by more than chance (95 %); what is not told apart may not "
                 "be\n";
  return "";
}

// Whether what the other keys put in leaves every row with the same best policy as what they put in first.
bool adds_nothing(const metric_verdict& m, std::size_t others) {
  const auto name_of_best = [](const contest& c) { return c.best() ? c.best()->policy : ""; };
  const std::vector<contest>& first = m.by_others.front();
  return others > 0 &&
         std::equal(first.begin(), first.end(), m.by_others[others].begin(),
                    [&](const contest& a, const contest& b) { return name_of_best(a) == name_of_best(b); });
}

}  // namespace

table_document run_text(const study& s, const std::vector<std::vector<estimate>>& estimates,
                        const std::vector<theory>& answers) {
  std::vector<std::size_t> finished;
  for (std::size_t p = 0; p < estimates.size(); ++p)
    if (!estimates[p].empty()) finished.push_back(p);
  const scenario& model = s.points.front().model;
  point_columns all(s, estimates, answers), judged(s, estimates, answers);
  all.add_usual();
  all.add_all(model.report.metrics);
  judged.add_all(model.report.metrics);
  const data_table every_column = all.table(finished);
  table_document found("points");
  if (!finished.empty()) {
    const bool usual = model.report.metrics.empty();
    const data_table shown = usual ? every_column : judged.table(finished);  // fills the marks, which the legend needs
    found.say(fmt::format("{}\nmean +- half-width of the 95 % confidence interval, or its ends; times in {}\n\n{}{}",
                          s.title(), model.unit.name, to_terminal(without_empty_columns(shown)),
                          legend_of(usual ? all.marks() : judged.marks())));
  }
  found.add_data(every_column);
  return found;
}

table_document verdict_text(const study& s, const verdict& v) {
  table_document found("verdict");
  if (v.metrics.empty()) return found;
  std::vector<std::string> bounds;
  for (const metric_bound& bound : v.where) bounds.push_back(to_text(bound));
  std::string text = fmt::format("\n{}: which policy is best{}{}\n{}", s.name, bounds.empty() ? "" : " where ",
                                 fmt::join(bounds, " and "), words_on_chance(v));
  for (const metric_verdict& m : v.metrics) {
    const table_layout<verdict_row> layout = layout_of(v, m);
    std::vector<verdict_row> all, shown;
    std::size_t rows = 0;
    for (std::size_t o = 0; o < v.others.size(); ++o)
      for (std::size_t i = 0; i < v.values.size(); ++i) {
        const contest& c = m.by_others[o][i];
        if (c.ranked.empty()) continue;
        all.push_back({v.values[i], v.others[o], c});
        if (!adds_nothing(m, o) && ++rows <= most_rows) shown.push_back(all.back());
      }
    found.add_data(layout.table(all));
    if (shown.empty()) continue;
    text += fmt::format("\n{}{}\n{}", m.of.title(), m.unit.empty() ? "" : ", " + m.unit,
                        to_terminal(without_empty_columns(layout.table(shown))));
    if (rows > most_rows) text += fmt::format("{} more rows are in report.html\n", rows - most_rows);
  }
  std::string below;
  for (std::size_t i = 0; i < std::min(most_sentences, v.sentences.size()); ++i) below += v.sentences[i] + "\n";
  if (v.sentences.size() > most_sentences)
    below += fmt::format("{} more sentences are in report.html\n", v.sentences.size() - most_sentences);
  found.say(text + (below.empty() ? "" : "\n" + below));
  found.add_sentences("sentences", v.sentences);
  return found;
}

std::string first_few(std::string_view word, const std::vector<std::string>& sentences, std::string_view where) {
  constexpr std::size_t shown = 5;
  std::string lines;
  for (std::size_t i = 0; i < std::min(shown, sentences.size()); ++i)
    lines += fmt::format("{}: {}\n", word, sentences[i]);
  if (sentences.size() > shown) lines += fmt::format("{}: {} more are in {}\n", word, sentences.size() - shown, where);
  return lines;
}

std::string imprecise_points(const std::vector<std::size_t>& imprecise, std::size_t points) {
  if (imprecise.empty()) return "";
  constexpr std::size_t most = 20;
  const std::vector<std::size_t> named(
      imprecise.begin(), imprecise.begin() + static_cast<std::ptrdiff_t>(std::min(most, imprecise.size())));
  return fmt::format("the precision was missed at {} of {} points: {}{}\n", imprecise.size(), points,
                     fmt::join(named, ", "), imprecise.size() > most ? ", .." : "");
}

}  // namespace muster
