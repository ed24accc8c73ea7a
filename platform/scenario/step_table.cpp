#include "platform/scenario/step_table.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "platform/log/log_text.h"
#include "platform/scenario/text_field.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr double most_value = 1e9;

/// Reads the lines of a file one by one.
class step_reader {
 public:
  step_reader(const std::string& time, const std::string& value, const time_unit& unit, named_file& report)
      : time_(time), value_(value), unit_(unit), report_(report) {}

  step_function read(std::string_view rest) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (rest.substr(0, byte_order_mark.size()) == byte_order_mark) rest.remove_prefix(byte_order_mark.size());
    const auto read_header = [&](const std::vector<text_field>& fields) {
      columns_ = fields.size();
      time_at_ = find(fields, time_);
      value_at_ = find(fields, value_);
    };
    const text_field line = read_comma_separated(rest, report_, read_header,
                                                 [&](const std::vector<text_field>& fields) { read_step(fields); });
    if (columns_ == 0 && report_.flaws.empty())
      report_.complain(fmt::format("is empty; expected a header with the columns {} and {}", time_, value_));
    else if (steps_.steps.empty() && report_.flaws.empty())
      report_.complain("expected at least one line after the header", {line.number + 1, 1});
    return steps_;
  }

 private:
  std::size_t find(const std::vector<text_field>& header, const std::string& name) {
    std::vector<std::string> names;
    names.reserve(header.size());
    for (const text_field& f : header) names.emplace_back(f.text);
    const auto found = std::find(names.begin(), names.end(), name);
    const auto again = found == names.end() ? found : std::find(found + 1, names.end(), name);
    if (again != names.end())
      report_.complain(fmt::format("column {} stands twice; expected it once", name),
                       header[static_cast<std::size_t>(again - names.begin())].where());
    if (found == names.end())
      report_.complain(fmt::format("has no column {}{}", in_quotes(name), suggestion(name, names)),
                       header.front().where());
    return static_cast<std::size_t>(found - names.begin());
  }

  // A time in units; nothing: it is none. Dates count from the first one.
  std::optional<double> time_of(std::string_view text) {
    const auto number = number_in<double>(text);
    if (steps_.steps.empty()) of_dates_ = !number;
    if (!of_dates_) return number && *number >= 0.0 && *number < 1e15 ? number : std::nullopt;
    const std::optional<double> moment = number ? std::nullopt : moment_of(text);
    if (!moment) return std::nullopt;
    if (!first_date_) first_date_ = moment;
    return (*moment - *first_date_) / unit_.seconds;
  }

  // What a time must be that is none.
  std::string expected_time(std::string_view text) const {
    if (!of_dates_) return "a number >= 0, in units of time";
    const std::string wrong = impossible_date(text);
    if (!wrong.empty()) return "a date of the calendar, in which " + wrong;
    const char* const forms = "a date such as 2024-01-31 or 2024-01-31T12:00:00Z";
    return steps_.steps.empty() ? fmt::format("a number >= 0, in units of time, or {}", forms) : forms;
  }

  void expect(const text_field& f, const std::string& column, const std::string& expected) {
    report_.complain(fmt::format("column {}: expected {}, found {}", column, expected,
                                 f.text.empty() ? "nothing" : in_quotes(f.text)),
                     f.where());
  }

  void read_step(const std::vector<text_field>& fields) {
    if (fields.size() != columns_)
      return report_.complain(fmt::format("expected {} columns, found {}", columns_, fields.size()),
                              fields.front().where());
    const std::optional<double> from = time_of(fields[time_at_].text);
    const auto value = number_in<double>(fields[value_at_].text);
    if (!from)
      expect(fields[time_at_], time_, expected_time(fields[time_at_].text));
    else if (!steps_.steps.empty() && *from <= steps_.steps.back().from)
      expect(fields[time_at_], time_, "a later time than in the line before");
    if (!value || !(*value >= 0.0 && *value <= most_value))
      expect(fields[value_at_], value_, "a number from 0 to 1e+09");
    if (report_.flaws.empty()) steps_.steps.push_back({*from, *value});
  }

  const std::string &time_, &value_;
  const time_unit& unit_;
  named_file& report_;
  std::size_t columns_ = 0, time_at_ = 0, value_at_ = 0;
  bool of_dates_ = false;             // whether the times are dates
  std::optional<double> first_date_;  // in seconds
  step_function steps_;
};

}  // namespace

step_function read_steps(const column_file& file, const std::string& time, const std::string& value,
                         const time_unit& unit, named_file& report) {
  return step_reader(time, value, unit, report).read(file.content);
}

}  // namespace muster
