#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/exit_status.h"
#include "platform/command_line/printed_output.h"
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

void add_table(printed_output& output, const comparison& found, bool all) {
  std::vector<table_row> rows{row_of(found.keys, "class", "metric", "replications", head_of_estimates("A"),
                                     head_of_estimates("B"), head_of_intervals("B - A", "difference"), "p",
                                     all ? table_row{head_of("", "verdict")} : table_row{})};
  cautions marks;
  const auto field_of = [&](const estimate& e) {
    marks.add(e.marks);
    return estimate_field(e);
  };
  for (const compared_point& point : found.points)
    for (const compared_estimate& e : point.estimates) {
      if (!all && !e.differs) continue;
      const table_row replications = e.a.replications == e.b.replications
                                         ? row_of(e.a.replications)
                                         : row_of(fmt::format("{} and {}", e.a.replications, e.b.replications));
      rows.push_back(row_of(point.values, e.a.class_name, e.a.metric, replications, field_of(e.a), field_of(e.b),
                            difference_field(e.apart), table_field(p_text(e.p), e.p)));
      if (all) rows.back().emplace_back(e.differs ? "differs" : e.p ? "" : "not judged");
    }
  if (rows.size() > 1) output.say("\n" + text_table(rows) + explained(marks));
  output.add_data("estimates", rows);
}

void add_only(printed_output& output, const char* run, const std::string& name, const std::vector<std::string>& what) {
  constexpr std::size_t shown = 20;
  output.add_sentences(name, what);
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, what.size()); ++i) text += fmt::format("only in {}: {}\n", run, what[i]);
  if (what.size() > shown) text += fmt::format("only in {}: {} more\n", run, what.size() - shown);
  output.say(text);
}

void add_changes(printed_output& output, const comparison& found) {
  constexpr std::size_t most_rows = 20;
  std::vector<table_row> rows{{head_of("scenario", "key"), "A", "B"}}, all = rows;
  for (const changed_key& c : found.changed) {
    all.push_back({c.key, c.a.value_or("-"), c.b.value_or("-")});
    if (rows.size() <= most_rows) rows.push_back({c.key, shortened(c.a), shortened(c.b)});
  }
  output.add_data("changed_keys", all);
  if (found.changed.empty()) return output.say("the scenarios are the same\n");
  std::string text =
      fmt::format("the scenarios differ in {}\n\n{}", counted(found.changed.size(), "key"), text_table(rows));
  if (found.changed.size() > most_rows) text += fmt::format("{} more\n", found.changed.size() - most_rows);
  output.say(text + "\n");
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
printed_output comparison_text(const comparison& found, const std::string& a, const std::string& b, bool all) {
  printed_output output("estimates");
  output.say(fmt::format("A: {}\nB: {}\n", a, b));
  add_changes(output, found);
  output.say(summary(found));
  add_only(output, "A", "only_in_a", found.only_in_a);
  add_only(output, "B", "only_in_b", found.only_in_b);
  add_table(output, found, all);
  return output;
}

class compare_command {
 public:
  explicit compare_command(CLI::App& app) {
    app.add_option("a", a_, "directory of a run")->required()->type_name("DIR_A");
    app.add_option("b", b_, "directory of another run of that scenario")->required()->type_name("DIR_B");
    app.add_flag("--all", all_, "show every estimate, not only those that differ");
    add_format(app, format_, "the estimates");
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
    if (const std::string differs = code_difference(a.code(), b.code(), "in A", "in B"); !differs.empty())
      fmt::print(stderr, "note: A and B are by different code: {}\n", differs);
    fmt::print("{}", comparison_text(found, a_, b_, all_).in(format_));
    return found.differing() > 0 ? differs : done;
  }

 private:
  std::string a_, b_;
  bool all_ = false;
  output_format format_ = output_format::table;
};

}  // namespace

extern const command_entry compare_command_entry{"compare",
                                                 "what differs between two runs of a scenario beyond chance",
                                                 50,
                                                 "muster compare results/before results/after",
                                                 define_command<compare_command>,
                                                 false};

}  // namespace muster
