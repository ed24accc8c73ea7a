#include "platform/command_line/calibrate_text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "platform/tables/number_text.h"
#include "platform/tables/table_layout.h"
#include "platform/tables/writers.h"

namespace muster {

namespace {

constexpr int digits_of_time = 4;

/// A row of a table of all points.
template <class Value>
struct row_of_point {
  const study::point* at;
  const replay_comparison* replay;
  const Value* value;
};

/// A table with the point and its values of the sweep's keys in front.
template <class Value>
table_layout<row_of_point<Value>> layout_of(const std::string& name, const study& s) {
  table_layout<row_of_point<Value>> layout(name);
  layout.whole("point", [](const auto& row) { return row.replay->point; })
      .settings(s.keys, [](const auto& row) -> const std::vector<std::string>& { return row.at->values; });
  return layout;
}

double in_percent(double share) { return 100.0 * share; }

column of_time(const char* head, const study& s) { return column(head).in(s.points.front().model.unit.name); }

// A time as people read it, without an exponent.
cell time_cell(double time) { return cell(time).shown_as(with_digits(time, digits_of_time)); }

// The cell of a member of class_error that is a time.
auto time_of(double class_error::*member) {
  return [member](const class_error& error) { return time_cell(error.*member); };
}

column of_share(const char* head) { return column(head).in("%").formatted("{:.3g}"); }

double in_order(const replay_comparison& replay) {
  return static_cast<double>(replay.error.order.in_order) / static_cast<double>(replay.pairs.jobs.size());
}

data_table points_table(const study& s, const std::vector<replay_comparison>& all) {
  table_layout<replay_comparison> layout("replays");
  layout.whole("point", [](const auto& r) { return r.point; })
      .settings(s.keys, [&](const auto& r) -> const std::vector<std::string>& { return s.points[r.point].values; })
      .number(of_share("within 1 s"), [](const auto& r) { return in_percent(r.all().within_second); })
      .number(of_share("1 min"), [](const auto& r) { return in_percent(r.all().within_minute); })
      .number(of_share("10 % of wait"), [](const auto& r) { return in_percent(r.all().within_tenth); })
      .number(of_share("in order"), [](const auto& r) { return in_percent(in_order(r)); })
      .number(column("Kendall").formatted("{:.3f}"), [](const auto& r) { return r.error.order.kendall; })
      .number(of_time("apart", s), [](const auto& r) { return time_cell(r.all().apart); })
      .number(of_time("wait", s), [](const auto& r) { return time_cell(r.all().replayed_mean); })
      .number(of_time("logged", s), [](const auto& r) { return time_cell(r.all().logged_mean); });
  return layout.table(all);
}

data_table classes_table(const study& s, const replay_comparison& replay) {
  table_layout<class_error> layout("classes");
  layout.text("class", &class_error::class_name)
      .whole("jobs", &class_error::jobs)
      .number(of_time("wait", s), time_of(&class_error::replayed_mean))
      .number(of_time("logged", s), time_of(&class_error::logged_mean))
      .number(of_time("p95", s), time_of(&class_error::replayed_p95))
      .number(of_time("logged p95", s), time_of(&class_error::logged_p95))
      .number(of_time("apart", s), time_of(&class_error::apart))
      .number(of_share("within 1 s"), [](const auto& c) { return in_percent(c.within_second); })
      .number(of_share("1 min"), [](const auto& c) { return in_percent(c.within_minute); })
      .number(of_share("10 % of wait"), [](const auto& c) { return in_percent(c.within_tenth); });
  data_table table = layout.table(replay.error.classes);
  constexpr std::size_t most_classes = 20;
  if (table.rows.size() > most_classes + 1) table.rows.resize(most_classes + 1);
  return table;
}

std::string sentence_on_classes(const replay_comparison& replay) {
  constexpr std::size_t most_classes = 20;
  const std::size_t classes = replay.error.classes.size() - 1;
  return classes > most_classes
             ? fmt::format("(the first {} of {} classes; --format csv has all)\n", most_classes, classes)
             : "";
}

std::string sentence_on_use(const replay_comparison& replay) {
  const use_over_time& use = replay.use;
  const auto of_cores = [&](double cores) { return 100.0 * cores / static_cast<double>(use.cores); };
  double logged = 0.0, replayed = 0.0, apart = 0.0;
  const use_of_days* worst = &use.rows.front();
  const auto difference = [](const use_of_days& row) { return std::abs(row.logged_cores - row.replayed_cores); };
  for (const use_of_days& row : use.rows) {
    logged += row.logged_cores;
    replayed += row.replayed_cores;
    apart += difference(row);
    if (difference(row) > difference(*worst)) worst = &row;
  }
  const auto rows = static_cast<double>(use.rows.size());
  std::string text = fmt::format(
      "Utilisation of {} over {}: {} % in the replay, {} % in the log; by {} they are {} points apart on average",
      counted(use.cores, "core"), counted(use.rows.size() * use.days, "day"), with_digits(of_cores(replayed / rows), 3),
      with_digits(of_cores(logged / rows), 3), use.days == 1 ? "day" : fmt::format("{} days", use.days),
      with_digits(of_cores(apart / rows), 2));
  if (difference(*worst) > 0.0)
    text += fmt::format(", most on day {} ({} % and {} %)", worst->day, with_digits(of_cores(worst->replayed_cores), 3),
                        with_digits(of_cores(worst->logged_cores), 3));
  return text + ".\n";
}

// "3 d 04:05:06 (273906 s)": a moment since time 0.
std::string moment(const time_unit& unit, std::int64_t at) {
  const double seconds = static_cast<double>(at) / static_cast<double>(unit.ticks) * unit.seconds;
  const auto whole = static_cast<std::int64_t>(seconds);
  return fmt::format("{} d {:02}:{:02}:{:02} ({} s)", whole / 86'400, whole / 3'600 % 24, whole / 60 % 60, whole % 60,
                     with_digits(seconds, 12));
}

std::string length(const time_unit& unit, std::int64_t time) {
  return fmt::format("{} {}", with_digits(unit.to_units(time), digits_of_time), unit.name);
}

std::string user_of(const scenario& model, const paired_job& job) {
  return job.user < model.arrivals.users.size() ? fmt::format(" of user {}", model.arrivals.users[job.user]) : "";
}

data_table holders_table(const scenario& model, const first_difference& first) {
  constexpr std::size_t most_holders = 8;
  std::vector<first_difference::holder> shown = first.holders;
  if (shown.size() > most_holders) shown.resize(most_holders);
  const auto since = [&](std::int64_t start) { return model.unit.to_units(first.at - start); };
  const auto left = [&](std::int64_t end) { return model.unit.to_units(end - first.at); };
  const auto time = [&](const char* head) { return column(head).in(model.unit.name).formatted("{:.6g}"); };
  table_layout<first_difference::holder> layout("holders");
  layout.whole("line", [](const auto& h) { return h.job.line; })
      .whole("cores", [](const auto& h) { return h.job.cores; })
      .text("user",
            [&](const auto& h) {
              return h.job.user < model.arrivals.users.size() ? cell(model.arrivals.users[h.job.user]) : cell();
            })
      .number(time("in the log since"),
              [&](const auto& h) { return h.in_log ? cell(since(h.job.logged_start())) : cell(); })
      .number(time("for another"), [&](const auto& h) { return h.in_log ? cell(left(h.job.logged_end)) : cell(); })
      .number(time("in the replay since"),
              [&](const auto& h) { return h.in_replay ? cell(since(h.job.start)) : cell(); })
      .number(time("for  another"), [&](const auto& h) { return h.in_replay ? cell(left(h.job.end)) : cell(); });
  return without_empty_columns(layout.table(shown));
}

void tell_difference(const scenario& model, const first_difference& d, const char* by, std::vector<std::string>& all) {
  all.push_back(
      fmt::format("First start that differs by more than {}: at {} the {} starts the job of line {} ({}{}), "
                  "the {} does so {} later.",
                  by, moment(model.unit, d.at), d.in_log ? "log" : "replay", d.job.line, counted(d.job.cores, "core"),
                  user_of(model, d.job), d.in_log ? "replay" : "log", length(model.unit, std::abs(d.job.later()))));
  all.push_back(fmt::format("Others leave {} of {} cores free then in the log, {} in the replay; it has waited for {}.",
                            d.free_in_log, d.total, d.free_in_replay, length(model.unit, d.at - d.job.arrival)));
  for (std::string& reason : reasons_of(model, d)) all.push_back(std::move(reason));
}

std::vector<std::string> sentences_on_first(const scenario& model, const replay_comparison& replay) {
  if (!replay.by_second) return {"All starts agree within a second."};
  std::vector<std::string> all;
  const bool same = replay.by_minute && replay.by_minute->job.line == replay.by_second->job.line;
  if (!same) tell_difference(model, *replay.by_second, "a second", all);
  if (replay.by_minute)
    tell_difference(model, *replay.by_minute, "a minute", all);
  else
    all.emplace_back("All starts agree within a minute.");
  return all;
}

std::string sentence_on_jobs(const logged_past& past, const replay_comparison& replay) {
  std::string text = fmt::format("{} of log {} ({})", counted(replay.pairs.jobs.size(), "job"),
                                 std::filesystem::path(past.path).filename().string(), past.format->name);
  if (replay.pairs.without_start > 0)
    text += fmt::format("; not compared: {} whose start it does not tell", replay.pairs.without_start);
  if (replay.pairs.not_ended > 0) text += fmt::format("; {} that do not end in the replay", replay.pairs.not_ended);
  return text + "\n";
}

}  // namespace

data_table replay_errors_table(const study& s, const std::vector<replay_comparison>& all) {
  std::vector<row_of_point<class_error>> rows;
  for (const replay_comparison& replay : all)
    for (const class_error& c : replay.error.classes) rows.push_back({&s.points[replay.point], &replay, &c});
  auto layout = layout_of<class_error>("errors", s);
  const auto of_all = [](const auto& row) { return row.value == &row.replay->error.classes.front(); };
  const std::string unit = s.points.front().model.unit.name;
  layout.text("class", [](const auto& row) { return row.value->class_name; })
      .text("unit", [unit](const auto&) { return std::string(unit); })
      .whole("jobs", [](const auto& row) { return row.value->jobs; })
      .number("replayed_mean", [](const auto& row) { return row.value->replayed_mean; })
      .number("logged_mean", [](const auto& row) { return row.value->logged_mean; })
      .number("replayed_p95", [](const auto& row) { return row.value->replayed_p95; })
      .number("logged_p95", [](const auto& row) { return row.value->logged_p95; })
      .number("later", [](const auto& row) { return row.value->later; })
      .number("apart", [](const auto& row) { return row.value->apart; })
      .number("within_second", [](const auto& row) { return row.value->within_second; })
      .number("within_minute", [](const auto& row) { return row.value->within_minute; })
      .number("within_tenth", [](const auto& row) { return row.value->within_tenth; })
      .whole("in_order", [&](const auto& row) { return of_all(row) ? cell(row.replay->error.order.in_order) : cell(); })
      .number("kendall", [&](const auto& row) { return of_all(row) ? cell(row.replay->error.order.kendall) : cell(); });
  return layout.table(rows);
}

data_table days_table(const study& s, const std::vector<replay_comparison>& all) {
  std::vector<row_of_point<use_of_days>> rows;
  for (const replay_comparison& replay : all)
    for (const use_of_days& day : replay.use.rows) rows.push_back({&s.points[replay.point], &replay, &day});
  auto layout = layout_of<use_of_days>("days", s);
  const auto share = [](const auto& row, double cores) { return cores / static_cast<double>(row.replay->use.cores); };
  layout.whole("day", [](const auto& row) { return row.value->day; })
      .whole("days", [](const auto& row) { return row.replay->use.days; })
      .number("logged_utilization", [=](const auto& row) { return share(row, row.value->logged_cores); })
      .number("replayed_utilization", [=](const auto& row) { return share(row, row.value->replayed_cores); })
      .number("logged_waiting", [](const auto& row) { return row.value->logged_waiting; })
      .number("replayed_waiting", [](const auto& row) { return row.value->replayed_waiting; })
      .whole("logged_starts", [](const auto& row) { return row.value->logged_starts; })
      .whole("replayed_starts", [](const auto& row) { return row.value->replayed_starts; });
  return layout.table(rows);
}

data_table starts_table(const study& s, const std::vector<replay_comparison>& all) {
  std::vector<row_of_point<paired_job>> rows;
  for (const replay_comparison& replay : all)
    for (const paired_job& job : replay.pairs.jobs) rows.push_back({&s.points[replay.point], &replay, &job});
  auto layout = layout_of<paired_job>("starts", s);
  const auto units = [](const auto& row, std::int64_t time) { return row.at->model.unit.to_units(time); };
  layout.whole("line", [](const auto& row) { return row.value->line; })
      .text("class", [](const auto& row) { return row.at->model.classes[row.value->job_class].name; })
      .whole("cores", [](const auto& row) { return row.value->cores; })
      .number("arrival", [=](const auto& row) { return units(row, row.value->arrival); })
      .number("logged_start", [=](const auto& row) { return units(row, row.value->logged_start()); })
      .number("replayed_start", [=](const auto& row) { return units(row, row.value->start); })
      .number("logged_end", [=](const auto& row) { return units(row, row.value->logged_end); })
      .number("replayed_end", [=](const auto& row) { return units(row, row.value->end); });
  return layout.table(rows);
}

table_document replay_text(const study& s, const logged_past& past, const std::vector<replay_comparison>& all) {
  table_document document("errors");
  const replay_comparison& nearest = all[nearest_replay(all)];
  const scenario& model = s.points[nearest.point].model;
  document.say(fmt::format("{}: how far the replay is from what happened\n", s.name));
  document.say(sentence_on_jobs(past, nearest) + "\n");
  document.say(to_terminal(points_table(s, all)));
  document.say("\n");
  if (all.size() > 1) document.say(fmt::format("Nearest to the log: {}.\n\n", s.label(nearest.point)));
  document.say(to_terminal(classes_table(s, nearest)) + sentence_on_classes(nearest));
  document.say("\n" + sentence_on_use(nearest));
  const std::vector<std::string> first = sentences_on_first(model, nearest);
  document.say("\n");
  for (const std::string& sentence : first) document.say(sentence + "\n");
  const auto& shown = nearest.by_minute ? nearest.by_minute : nearest.by_second;
  if (shown && !shown->holders.empty())
    document.say("\nWho holds cores then\n" + to_terminal(holders_table(model, *shown)));
  document.add_data(replay_errors_table(s, all));
  document.add_data(days_table(s, all));
  document.add_sentences("first_difference", first);
  return document;
}

}  // namespace muster
