#include "platform/scenario/timed_list_columns.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "platform/log/slurm_text.h"
#include "platform/model/resource_places.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr std::pair<std::string_view, list_column_kind> own_columns[] = {
    {"id", list_column_kind::id},
    {"arrival", list_column_kind::arrival},
    {"size", list_column_kind::size},
    {"class", list_column_kind::class_name},
    {"tasks", list_column_kind::tasks},
    {"exclusive", list_column_kind::exclusive},
    {"at_most_per_server", list_column_kind::at_most_per_server},
    {"requested", list_column_kind::requested},
    {"user", list_column_kind::user},
    {"qos", list_column_kind::qos},
    {"job", list_column_kind::job},
    {"after", list_column_kind::after},
    {"think", list_column_kind::think},
    {"start", list_column_kind::start}};

std::optional<list_column> column_of(std::string_view name, const std::vector<resource_type>& types) {
  for (const auto& [known, kind] : own_columns)
    if (known == name) return list_column{std::string{name}, kind, 0};
  for (std::size_t r = 0; r < types.size(); ++r)
    if (types[r].name == name) return list_column{std::string{name}, list_column_kind::amount, r};
  return std::nullopt;
}

std::vector<std::string> known_columns(const std::vector<resource_type>& types) {
  std::vector<std::string> known;
  for (const auto& [name, kind] : own_columns) known.emplace_back(name);
  for (const resource_type& type : types) known.push_back(type.name);
  return known;
}

bool tells_amount(const list_column& c) {
  return c.kind == list_column_kind::tasks || c.kind == list_column_kind::amount;
}
bool tells_need(const list_column& c) {
  return tells_amount(c) || c.kind == list_column_kind::exclusive || c.kind == list_column_kind::at_most_per_server;
}

}  // namespace

void timed_list_columns::read(const std::vector<text_field>& header, const point_draft& point, named_file& report_to) {
  const auto& types = point.model.resources.types;
  const bool takes_servers = point.policy && point.policy->jobs() == job_kind::pooled;
  for (const text_field& field : header) {
    const std::optional<list_column> column = column_of(field.text, types);
    if (!column) {
      report_to.complain(
          fmt::format("unknown column {}{}", in_quotes(field.text), suggestion(field.text, known_columns(types))),
          field.where());
      continue;
    }
    const auto same = [&](const list_column& c) { return c.name == column->name; };
    if (std::any_of(columns_.begin(), columns_.end(), same))
      report_to.complain(fmt::format("column {} stands twice; expected it once", column->name), field.where());
    if (takes_servers && tells_need(*column))
      report_to.complain(fmt::format("expected no column {}, because the jobs of policy {} take whole servers",
                                     column->name, in_quotes(point.policy->name)),
                         field.where());
    if (takes_servers && (column->kind == list_column_kind::requested || column->kind == list_column_kind::user ||
                          column->kind == list_column_kind::qos))
      report_to.complain(fmt::format("expected no column {}, because the jobs of policy {} are pooled", column->name,
                                     in_quotes(point.policy->name)),
                         field.where());
    columns_.push_back(*column);
  }
  const named_file::place begin = header.front().where();
  for (const auto kind : {list_column_kind::job, list_column_kind::think})
    if (has(kind) && !tell_dependencies())
      report_to.complain(fmt::format("column {} has no effect without a column after, which names the jobs that are "
                                     "waited for",
                                     kind == list_column_kind::job ? "job" : "think"),
                         begin);
  for (const auto& [name, kind] : own_columns)
    if ((kind == list_column_kind::id || kind == list_column_kind::arrival) && !has(kind))
      report_to.complain(fmt::format("expected a column {}", name), begin);
  if (!has(list_column_kind::class_name) && point.model.classes.size() > 1)
    report_to.complain(fmt::format("expected a column class, because there are {} classes", point.model.classes.size()),
                       begin);
}

bool timed_list_columns::has(list_column_kind kind) const {
  return std::any_of(columns_.begin(), columns_.end(), [&](const list_column& c) { return c.kind == kind; });
}

bool timed_list_columns::tell_tasks() const {
  return std::any_of(columns_.begin(), columns_.end(), [](const list_column& c) {
    return c.kind == list_column_kind::tasks || (c.kind == list_column_kind::amount && c.resource > 0);
  });
}

std::size_t timed_list_columns::of_dependency() const {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [](const list_column& c) { return c.kind == list_column_kind::after; });
  return static_cast<std::size_t>(found - columns_.begin());
}

std::size_t timed_list_columns::of_need(std::optional<std::size_t> resource) const {
  auto found = std::find_if(columns_.begin(), columns_.end(), [&](const list_column& c) {
    return resource ? c.kind == list_column_kind::amount && c.resource == *resource : c.kind == list_column_kind::tasks;
  });
  if (found == columns_.end()) found = std::find_if(columns_.begin(), columns_.end(), tells_amount);
  if (found == columns_.end()) found = std::find_if(columns_.begin(), columns_.end(), tells_need);
  return static_cast<std::size_t>(found - columns_.begin());
}

void timed_list_fields::complain(const text_field& f, std::size_t column, const std::string& message) {
  report_.complain(fmt::format("column {}: {}", columns_[column].name, message), f.where());
}

void timed_list_fields::expect(const text_field& f, std::size_t column, const std::string& expected) {
  complain(f, column, fmt::format("expected {}, found {}", expected, f.text.empty() ? "nothing" : in_quotes(f.text)));
}

std::uint64_t timed_list_fields::whole(const text_field& f, std::size_t column, std::uint64_t lowest,
                                       std::uint64_t highest, const std::string& expected) {
  const auto x = number_in<std::uint64_t>(f.text);
  if (x && *x >= lowest && *x <= highest) return *x;
  expect(f, column, expected);
  return lowest;
}

std::uint64_t timed_list_fields::id(const text_field& f, std::size_t column) {
  return whole(f, column, 0, std::numeric_limits<std::uint64_t>::max(), "a whole number");
}

std::uint64_t timed_list_fields::number_of_tasks(const text_field& f, std::size_t column) {
  return whole(f, column, 1, most_cores, fmt::format("an integer from 1 to {}, or nothing", most_cores));
}

double timed_list_fields::time(const text_field& f, std::size_t column, bool from_zero) {
  const auto x = number_in<double>(f.text);
  if (x && (from_zero ? *x >= 0.0 : *x > 0.0) && *x < longest_) return *x;
  expect(f, column,
         fmt::format("a number {} 0 and < {:.3g}, the range of the clock", from_zero ? ">=" : ">", longest_));
  return 1.0;
}

std::uint32_t timed_list_fields::job_class(const text_field& f, std::size_t column) {
  for (std::size_t c = 0; c < model_.classes.size(); ++c)
    if (model_.classes[c].name == f.text) return static_cast<std::uint32_t>(c);
  complain(f, column,
           fmt::format("unknown class {}{}", in_quotes(f.text), suggestion(f.text, names_of(model_.classes))));
  return 0;
}

submitted_values::use timed_list_fields::use_of_servers(const text_field& f, std::size_t column) {
  if (f.text == "true") return submitted_values::use::whole;
  if (f.text == "false") return submitted_values::use::shared;
  if (!f.text.empty()) expect(f, column, "true or false, or nothing");
  return submitted_values::use::as_class;
}

std::optional<std::uint64_t> timed_list_fields::amount(const text_field& f, std::size_t column) {
  if (f.text.empty()) return std::nullopt;
  const std::size_t resource = columns_[column].resource;
  const resource_type& type = model_.resources.types[resource];
  if (resource == 0) return number_of_tasks(f, column);
  std::optional<double> x = number_in<double>(f.text);
  if (const auto with_unit = quantity_in(f.text); !x && with_unit && !measured_by(type.unit).empty())
    x = in_own_unit(*with_unit, units_of_key(measured_by(type.unit), units_without_time()));
  if (!type.is_devices()) {
    if (x && whole_amount.holds(*x) && is_exact_integer(*x)) return static_cast<std::uint64_t>(*x);
    expect(f, column, fmt::format("{}, or nothing", whole_amount.words));
    return std::nullopt;
  }
  if (!x || !(*x >= 0.0 && *x <= static_cast<double>(most_devices))) {
    expect(f, column, fmt::format("a number of devices from 0 to {}, or nothing", most_devices));
    return std::nullopt;
  }
  std::uint64_t parts = 0;
  const std::string why = devices_in_parts(type, *x, parts);
  if (!why.empty()) complain(f, column, why);
  return parts;
}

std::optional<job_number> timed_list_fields::number_of_job(const text_field& f, std::size_t column) {
  const std::optional<job_number> number = job_number_of(f.text);
  if (!number && !f.text.empty()) expect(f, column, "a number such as 17, or 17_3 for a task of an array, or nothing");
  return number;
}

}  // namespace muster
