#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/exit_status.h"
#include "platform/command_line/text_table.h"
#include "platform/results/compare.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

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

std::string table(const comparison& found, bool all) {
  std::vector<table_row> rows{
      row_of(found.keys, "class", "metric", "replications", "A", "B", "B - A", "p", all ? table_row{""} : table_row{})};
  cautions marks;
  const auto text_of = [&](const estimate& e) {
    marks.add(e.marks);
    return marked(with_half_width(*e.mean, e.ci_low), e.marks);
  };
  for (const compared_point& point : found.points)
    for (const compared_estimate& e : point.estimates) {
      if (!all && !e.differs) continue;
      const std::string replications = e.a.replications == e.b.replications
                                           ? fmt::format("{}", e.a.replications)
                                           : fmt::format("{} and {}", e.a.replications, e.b.replications);
      rows.push_back(row_of(point.values, e.a.class_name, e.a.metric, replications, text_of(e.a), text_of(e.b),
                            with_half_width(e.apart.mean, e.apart.ci_low), p_text(e.p)));
      if (all) rows.back().emplace_back(e.differs ? "differs" : e.p ? "" : "not judged");
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
  std::vector<table_row> rows{{"scenario", "A", "B"}};
  for (std::size_t i = 0; i < std::min(most_rows, found.changed.size()); ++i) {
    const changed_key& c = found.changed[i];
    rows.push_back({c.key, shortened(c.a), shortened(c.b)});
  }
  std::string text =
      fmt::format("the scenarios differ in {}\n\n{}", counted(found.changed.size(), "key"), text_table(rows));
  if (found.changed.size() > most_rows) text += fmt::format("{} more\n", found.changed.size() - most_rows);
  return text + "\n";
}

std::string summary(const comparison& found) {
  if (found.identical)
    return fmt::format("{}: identical: every number of every replication is the same ({}, {} estimates)\n",
                       found.scenario, counted(found.points.size(), "point"), found.compared());
  std::string text = fmt::format("{}: {} of {} estimates differ beyond chance, at {} in both\n", found.scenario,
                                 found.differing(), found.judged(), counted(found.points.size(), "point"));
  if (found.judged() < found.compared())
    text += fmt::format("{} more cannot be judged: too few replications\n", found.compared() - found.judged());
  const auto paired = static_cast<std::size_t>(
      std::count_if(found.points.begin(), found.points.end(), [](const compared_point& p) { return p.paired; }));
  if (paired > 0) text += fmt::format("{}: the same seed, replications are paired\n", counted(paired, "point"));
  if (paired < found.points.size())
    text +=
        fmt::format("{}: other seeds, replications are independent\n", counted(found.points.size() - paired, "point"));
  return text +
         "mean +- half-width of its own 95 % confidence interval; p is Holm's over all estimates: runs that are equal\n"
         "differ in any of them with a probability of 5 % at most\n";
}

/// What was compared, in which keys the scenarios differ, a row for each estimate that differs beyond chance, and what
/// only one of the runs has.
/// @param a,b the directories as given
/// @param all rows of all estimates
std::string comparison_text(const comparison& found, const std::string& a, const std::string& b, bool all) {
  return fmt::format("A: {}\nB: {}\n", a, b) + changes(found) + summary(found) + only("A", found.only_in_a) +
         only("B", found.only_in_b) + table(found, all);
}

class compare_command {
 public:
  explicit compare_command(CLI::App& app) {
    app.add_option("a", a_, "directory of a run")->required()->type_name("DIR_A");
    app.add_option("b", b_, "directory of another run of that scenario")->required()->type_name("DIR_B");
    app.add_flag("--all", all_, "show every estimate, not only those that differ");
    app.footer(R"(
Points are matched by what the sweep has put in, estimates by class and metric. Of runs with the same seed the
replications are paired; others are taken as independent (Welch). All comparisons are judged together (Holm): runs that
are equal are told apart with a probability of 5 % at most.

Exit status: 0 nothing differs beyond chance; 1 something does; 2 bad usage, no results, or nothing in common.)");
  }

  int run(const invocation&) const {
    stored_run a(a_), b(b_);
    const comparison found = compare(a, b);
    if (found.judged() == 0 && !found.identical)
      throw results_error("too few replications to judge by: expected at least 2 of a point in both");
    fmt::print("{}", comparison_text(found, a_, b_, all_));
    return found.differing() > 0 ? differs : done;
  }

 private:
  std::string a_, b_;
  bool all_ = false;
};

}  // namespace

extern const command_entry compare_command_entry{"compare",
                                                 "what differs between two runs of a scenario beyond chance",
                                                 50,
                                                 "muster compare results/before results/after",
                                                 define_command<compare_command>,
                                                 false};

}  // namespace muster
