#include "platform/command_line/verdict_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/command_line/text_table.h"
#include "platform/metrics/bound_text.h"
#include "platform/results/verdict_sentences.h"

namespace muster {

namespace {

constexpr std::size_t most_rows = 12, most_sentences = 8;

// "TEXT (biased)"
std::string with_words(const std::string& text, const cautions& marks) {
  return marks.any() ? fmt::format("{} ({})", text, marks.words()) : text;
}

std::string names_of(const std::vector<const contender*>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const contender* c : all) {
    const std::string name = c->equal_within ? c->policy + " (equal)" : c->policy;
    names.push_back(c->bound_note.empty() || c->place == standing::worse ? with_words(name, c->found.marks)
                                                                         : fmt::format("{} ({})", name, c->bound_note));
  }
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ", "));
}

table_field value_of(const contender* best) {
  if (!best) return "-";
  table_field field = estimate_field(best->found);
  field.text = with_words(with_half_width(*best->found.mean, best->found.ci_low), best->found.marks);
  return field;
}

table_row row_of_contest(const contest& c) {
  const contender* best = c.best();
  const auto worse = c.of(standing::worse);
  return {best ? best->policy.c_str() : "-",
          value_of(best),
          names_of(c.of(standing::equal)),
          worse.empty() ? "-" : fmt::format("{} {}", worse.front()->policy, lead_text(*worse.front())),
          names_of(c.of(standing::unjudged)),
          names_of(c.of(standing::excluded))};
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

printed_output verdict_text(const study& s, const verdict& v) {
  printed_output found("verdict");
  if (v.metrics.empty()) return found;
  std::vector<std::string> bounds;
  for (const metric_bound& bound : v.where) bounds.push_back(to_text(bound));
  std::string text = fmt::format("\n{}: which policy is best{}{}\n", s.name, bounds.empty() ? "" : " where ",
                                 fmt::join(bounds, " and "));
  for (const metric_verdict& m : v.metrics) {
    const table_row heads{v.key,  "with",       "best",    head_of_estimates("value"), "not told apart from it",
                          "next", "not judged", "excluded"};
    std::vector<table_row> table, all{heads};
    std::size_t rows = 0;
    for (std::size_t o = 0; o < v.others.size(); ++o)
      for (std::size_t i = 0; i < v.values.size(); ++i) {
        const contest& c = m.by_others[o][i];
        if (c.ranked.empty()) continue;
        all.push_back(row_of(setting_field(v.values[i]), v.others[o], row_of_contest(c)));
        if (!adds_nothing(m, o) && ++rows <= most_rows) table.push_back(all.back());
      }
    found.add_data("verdict", all, {{"metric", "unit"}, {m.of.text(), m.unit}});
    if (table.empty()) continue;
    table.insert(table.begin(), heads);
    text += fmt::format("\n{}{}\n{}", m.of.title(), m.unit.empty() ? "" : ", " + m.unit,
                        text_table(without_empty_columns(table)));
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
