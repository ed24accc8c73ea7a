#include "platform/scenario/scenario_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace muster {

namespace {

constexpr double most_samples = 1e6;                  // the record of a replication is kept in memory
constexpr double most_ticks = 4611686018427387904.0;  // 2^62

// Finer units get a finer clock, so that rounding to its steps stays without effect.
const std::vector<time_unit>& time_units() {
  static const std::vector<time_unit> all{
      {"ns", 1e-9, 1'000'000, -15},           {"us", 1e-6, 1'000'000'000, -15},  {"ms", 1e-3, 1'000'000'000, -12},
      {"s", 1.0, 1'000'000'000, -9},          {"min", 60.0, 60'000'000'000, -9}, {"h", 3600.0, 3'600'000'000'000, -9},
      {"d", 86400.0, 86'400'000'000'000, -9},
  };
  return all;
}

time_unit read_time_unit(table_reader& document) {
  std::vector<std::string> names;
  for (const time_unit& unit : time_units()) names.push_back(unit.name);
  const std::string name = document.word("time_unit", "time unit", names, "s");
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? time_unit{} : time_units()[static_cast<std::size_t>(found - names.begin())];
}

void read_record(table_reader& document, scenario& what) {
  table_reader record = document.table("record");
  what.record.jobs_in_system_every = record.optional_number("jobs_in_system_every", above_zero);
  what.record.until = record.optional_number("until", above_zero);
  record.close();
  check_time(record, "until", what.record.until.value_or(0.0), what);
  check_time(record, "jobs_in_system_every", what.record.jobs_in_system_every.value_or(0.0), what);
  const auto every = what.record.jobs_in_system_every;
  if (!every) return;
  if (!check_step(record, "jobs_in_system_every", *every, what)) return;
  if (!what.record.until) {
    record.complain("jobs_in_system_every", "expected 'until' beside it, the end of the record");
  } else if (const double samples = *what.record.until / *every * static_cast<double>(what.classes.size());
             samples > most_samples) {
    record.complain("jobs_in_system_every",
                    fmt::format("expected at most {:g} numbers in a record, found {:.3g}", most_samples, samples));
  }
}

}  // namespace

std::map<std::string, std::string> study_files::contents() const {
  std::map<std::string, std::string> all;
  graphs.add_contents(all);
  networks.add_contents(all);
  job_lists.add_contents(all);
  return all;
}

void check_time(table_reader& table, std::string_view key, double length, const scenario& what) {
  const clock_range clock = clock_of(what);
  if (length >= clock.longest)
    table.complain(key, fmt::format("expected less than {:.3g} {}, the range of the clock, found {}", clock.longest,
                                    clock.unit, shortest(length)));
}

bool check_step(table_reader& table, std::string_view key, double length, const scenario& what) {
  const clock_range clock = clock_of(what);
  if (length >= clock.shortest) return true;
  table.complain(key, fmt::format("expected at least the clock's step of {:g} {}, found {}", clock.shortest, clock.unit,
                                  shortest(length)));
  return false;
}

clock_range clock_of(const scenario& what) {
  const auto per_unit = static_cast<double>(what.unit.ticks);
  return {1.0 / per_unit, most_ticks / per_unit, what.unit.name};
}

scenario read_scenario(const toml_value& document, study_files& files, reading& report_to) {
  scenario what;
  table_reader top{document, report_to};
  const slotted_form form = slotted_form_of(document);
  what.name = top.name("name");
  what.about = top.text("about", "");
  what.unit = read_time_unit(top);
  const std::size_t before = top.problems();
  const platform_graph graph = read_platform(top, form, files, what);
  const bool by_rate = read_classes(top, form, graph, policy_named_in(document), what, top.problems() == before);
  const bool classes_known = top.problems() == before;
  read_arrivals(top, form, files, what, by_rate, classes_known);
  read_policy(top, what, classes_known);
  read_run(top, form, what, classes_known);
  read_record(top, what);
  top.find("sweep");  // a key of the file, though not of a point
  top.close();
  return what;
}

}  // namespace muster
