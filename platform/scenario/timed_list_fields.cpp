#include "platform/scenario/timed_list_fields.h"

#include <limits>

#include <fmt/format.h>

#include "platform/log/slurm_dependency.h"
#include "platform/model/resource_places.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"
#include "platform/toml/number_in.h"
#include "platform/toml/quantity.h"

namespace muster {

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
