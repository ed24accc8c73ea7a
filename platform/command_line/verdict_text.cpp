#include "platform/command_line/verdict_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/command_line/text_table.h"
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
  for (const contender* c : all)
    names.push_back(with_words(c->equal_within ? c->policy + " (equal)" : c->policy, c->found.marks));
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ", "));
}

table_row row_of_contest(const contest& c) {
  const contender* best = c.best();
  const auto worse = c.of(standing::worse);
  const estimate* found = best ? &best->found : nullptr;
  return {best ? best->policy : "-",
          found ? with_words(with_half_width(*found->mean, found->ci_low), found->marks) : "-",
          names_of(c.of(standing::equal)),
          worse.empty() ? "-" : fmt::format("{} {}", worse.front()->policy, lead_text(*worse.front())),
          names_of(c.of(standing::unjudged))};
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

std::string verdict_text(const study& s, const verdict& v) {
  if (v.metrics.empty()) return "";
  std::string text = fmt::format("\n{}: which policy is best\n", s.name);
  for (const metric_verdict& m : v.metrics) {
    std::vector<table_row> table;
    std::size_t rows = 0;
    for (std::size_t o = 0; o < v.others.size(); ++o)
      for (std::size_t i = 0; i < v.values.size(); ++i) {
        const contest& c = m.by_others[o][i];
        if (c.ranked.empty() || adds_nothing(m, o) || ++rows > most_rows) continue;
        table.push_back(row_of(v.values[i], v.others[o], row_of_contest(c)));
      }
    if (table.empty()) continue;
    table.insert(table.begin(), {v.key, "with", "best", "value", "not told apart from it", "next", "not judged"});
    text += fmt::format("\n{}{}\n{}", m.of.title(), m.unit.empty() ? "" : ", " + m.unit,
                        text_table(without_empty_columns(table)));
    if (rows > most_rows) text += fmt::format("{} more rows are in report.html\n", rows - most_rows);
  }
  std::string below;
  for (std::size_t i = 0; i < std::min(most_sentences, v.sentences.size()); ++i) below += v.sentences[i] + "\n";
  if (v.sentences.size() > most_sentences)
    below += fmt::format("{} more sentences are in report.html\n", v.sentences.size() - most_sentences);
  return text + (below.empty() ? "" : "\n" + below);
}

}  // namespace muster
