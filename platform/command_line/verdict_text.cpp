#include "platform/command_line/verdict_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/inference/verdict_sentences.h"
#include "platform/metrics/bound_text.h"
#include "platform/metrics/estimate_cell.h"
#include "platform/tables/number_text.h"
#include "platform/tables/table_layout.h"
#include "platform/tables/terminal.h"

namespace muster {

namespace {

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
  return estimate_cell(found).shown_as(with_words(with_half_width(*found.mean, found.ci_low), found.marks));
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

// Whether what the other keys put in leaves every row with the same best policy as what they put in first.
bool adds_nothing(const metric_verdict& m, std::size_t others) {
  const auto name_of_best = [](const contest& c) { return c.best() ? c.best()->policy : ""; };
  const std::vector<contest>& first = m.by_others.front();
  return others > 0 &&
         std::equal(first.begin(), first.end(), m.by_others[others].begin(),
                    [&](const contest& a, const contest& b) { return name_of_best(a) == name_of_best(b); });
}

}  // namespace

table_document verdict_text(const study& s, const verdict& v) {
  table_document found("verdict");
  if (v.metrics.empty()) return found;
  std::vector<std::string> bounds;
  for (const metric_bound& bound : v.where) bounds.push_back(to_text(bound));
  std::string text = fmt::format("\n{}: which policy is best{}{}\n", s.name, bounds.empty() ? "" : " where ",
                                 fmt::join(bounds, " and "));
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

}  // namespace muster
