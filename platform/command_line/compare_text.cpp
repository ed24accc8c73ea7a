#include "platform/command_line/compare_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/command_line/caution_text.h"
#include "platform/command_line/text_table.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

std::string value(double mean, const std::optional<double>& ci_low) {
  return ci_low ? fmt::format("{:.4g} +- {:.2g}", mean, mean - *ci_low) : fmt::format("{:.4g}", mean);
}

std::string shortened(const std::optional<std::string>& value) {
  constexpr std::size_t most = 60;
  if (!value) return "-";
  std::string text = printable(*value);
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // within a character of UTF-8
  return text.substr(0, end) + " ..";
}

std::string p_text(const std::optional<double>& p) {
  if (!p) return "-";
  return *p > 0.0 && *p < 1e-6 ? "<1e-06" : fmt::format("{:.2g}", *p);
}

std::string counts_of(const compared_estimate& e) {
  if (e.a.replications == e.b.replications) return fmt::format("{}", e.a.replications);
  return fmt::format("{} and {}", e.a.replications, e.b.replications);
}

std::string points(std::size_t n) { return fmt::format("{} point{}", n, n == 1 ? "" : "s"); }

std::string table(const comparison& found, bool all) {
  std::vector<std::vector<std::string>> rows{found.keys};
  for (const char* head : {"class", "metric", "replications", "A", "B", "B - A", "p"}) rows[0].emplace_back(head);
  if (all) rows[0].emplace_back("");
  cautions marks;
  for (const compared_point& point : found.points)
    for (const compared_estimate& e : point.estimates) {
      if (!all && !e.differs) continue;
      for (const estimate* of : {&e.a, &e.b}) marks.add(of->marks);
      std::vector<std::string> row = point.values;
      for (const std::string& field :
           {e.a.class_name, e.a.metric, counts_of(e), marked(value(*e.a.mean, e.a.ci_low), e.a.marks),
            marked(value(*e.b.mean, e.b.ci_low), e.b.marks), value(e.apart.mean, e.apart.ci_low), p_text(e.p)})
        row.push_back(field);
      if (all) row.emplace_back(e.differs ? "differs" : e.p ? "" : "not judged");
      rows.push_back(std::move(row));
    }
  return rows.size() > 1 ? "\n" + text_table(rows) + explained(marks) : "";
}

std::string only(const char* run, const std::vector<std::string>& what) {
  constexpr std::size_t shown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, what.size()); ++i) text += fmt::format("only in {}: {}\n", run, what[i]);
  if (what.size() > shown) text += fmt::format("only in {}: {} more\n", run, what.size() - shown);
  return text;
}

std::string changes(const comparison& found) {
  constexpr std::size_t most_rows = 20;
  if (found.changed.empty()) return "the scenarios are the same\n";
  std::vector<std::vector<std::string>> rows{{"scenario", "A", "B"}};
  for (std::size_t i = 0; i < std::min(most_rows, found.changed.size()); ++i) {
    const changed_key& c = found.changed[i];
    rows.push_back({c.key, shortened(c.a), shortened(c.b)});
  }
  std::string text = fmt::format("the scenarios differ in {} key{}\n\n{}", found.changed.size(),
                                 found.changed.size() == 1 ? "" : "s", text_table(rows));
  if (found.changed.size() > most_rows) text += fmt::format("{} more\n", found.changed.size() - most_rows);
  return text + "\n";
}

std::string summary(const comparison& found) {
  if (found.identical)
    return fmt::format("{}: identical: every number of every replication is the same ({}, {} estimates)\n",
                       found.scenario, points(found.points.size()), found.compared());
  std::string text = fmt::format("{}: {} of {} estimates differ beyond chance, at {} in both\n", found.scenario,
                                 found.differing(), found.judged(), points(found.points.size()));
  if (found.judged() < found.compared())
    text += fmt::format("{} more cannot be judged: too few replications\n", found.compared() - found.judged());
  const auto paired = static_cast<std::size_t>(
      std::count_if(found.points.begin(), found.points.end(), [](const compared_point& p) { return p.paired; }));
  if (paired > 0) text += fmt::format("{}: the same seed, replications are paired\n", points(paired));
  if (paired < found.points.size())
    text += fmt::format("{}: other seeds, replications are independent\n", points(found.points.size() - paired));
  return text +
         "mean +- half-width of its own 95 % confidence interval; p is Holm's over all estimates: runs that are equal\n"
         "differ in any of them with a probability of 5 % at most\n";
}

}  // namespace

std::string comparison_text(const comparison& found, const std::string& a, const std::string& b, bool all) {
  return fmt::format("A: {}\nB: {}\n", a, b) + changes(found) + summary(found) + only("A", found.only_in_a) +
         only("B", found.only_in_b) + table(found, all);
}

}  // namespace muster
