#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/inference/compare.h"
#include "platform/metrics/estimate_cell.h"
#include "platform/tables/number_text.h"
#include "platform/tables/table_document.h"
#include "platform/tables/table_layout.h"
#include "platform/tables/writers.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

cell shortened(const std::optional<std::string>& value) {
  constexpr std::size_t most = 60;
  if (!value) return {};
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

struct comparison_row {
  const compared_point& point;
  const compared_estimate& metric;
};

table_layout<comparison_row> layout_of(const comparison& found, bool all) {
  const auto of = [](const auto& value) {
    return [value](const comparison_row& row) { return cell(value(row.metric)); };
  };
  const auto replications = [](const compared_estimate& e) {
    return e.a.replications == e.b.replications ? cell(e.a.replications)
                                                : cell(fmt::format("{} and {}", e.a.replications, e.b.replications));
  };
  table_layout<comparison_row> layout("estimates");
  layout
      .settings(
          found.keys, [](const comparison_row& row) -> const auto& { return row.point.values; })
      .text("class", of([](const compared_estimate& e) { return e.a.class_name; }))
      .text("metric", of([](const compared_estimate& e) { return e.a.metric; }))
      .whole("replications", of(replications))
      .estimate("A", of([](const compared_estimate& e) { return estimate_cell(e.a); }))
      .estimate("B", of([](const compared_estimate& e) { return estimate_cell(e.b); }))
      .interval(column("B - A").named("difference"), of([](const compared_estimate& e) {
                  return interval_value{e.apart.mean, e.apart.ci_low, e.apart.ci_high};
                }))
      .number("p", of([](const compared_estimate& e) { return cell(e.p).shown_as(p_text(e.p)); }));
  if (all)
    layout.text(column("").named("verdict"), of([](const compared_estimate& e) {
                  return e.differs ? "differs" : e.p ? "" : "not judged";
                }));
  return layout;
}

void add_table(table_document& output, const comparison& found, bool all) {
  std::vector<comparison_row> rows;
  cautions marks;
  for (const compared_point& point : found.points)
    for (const compared_estimate& e : point.estimates) {
      if (!all && !e.differs) continue;
      rows.push_back({point, e});
      marks.add(e.a.marks);
      marks.add(e.b.marks);
    }
  const data_table table = layout_of(found, all).table(rows);
  if (!rows.empty()) output.say("\n" + to_terminal(table) + legend_of(marks));
  output.add_data(table);
}

void add_only(table_document& output, const char* run, const std::string& name, const std::vector<std::string>& what) {
  constexpr std::size_t shown = 20;
  output.add_sentences(name, what);
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, what.size()); ++i) text += fmt::format("only in {}: {}\n", run, what[i]);
  if (what.size() > shown) text += fmt::format("only in {}: {} more\n", run, what.size() - shown);
  output.say(text);
}

void add_changes(table_document& output, const comparison& found) {
  constexpr std::size_t most_rows = 20;
  const auto table = [](const std::vector<changed_key>& keys, cell (*value)(const std::optional<std::string>&)) {
    table_layout<changed_key> layout("changed_keys");
    layout.text(column("scenario").named("key"), &changed_key::key)
        .text("A", [value](const changed_key& c) { return value(c.a); })
        .text("B", [value](const changed_key& c) { return value(c.b); });
    return layout.table(keys);
  };
  output.add_data(table(found.changed, [](const std::optional<std::string>& value) { return cell(value); }));
  if (found.changed.empty()) return output.say("the scenarios are the same\n");
  const std::vector<changed_key> first(
      found.changed.begin(),
      found.changed.begin() + static_cast<std::ptrdiff_t>(std::min(most_rows, found.changed.size())));
  std::string text = fmt::format("the scenarios differ in {}\n\n{}", counted(found.changed.size(), "key"),
                                 to_terminal(table(first, shortened)));
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
table_document comparison_text(const comparison& found, const std::string& a, const std::string& b, bool all) {
  table_document output("estimates");
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
