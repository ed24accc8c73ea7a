#include "platform/command_line/told_text.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "platform/tables/number_text.h"
#include "platform/tables/table_layout.h"
#include "platform/tables/writers.h"

namespace muster {

namespace {

constexpr int digits_of_means = 4;
constexpr std::size_t numbers_of_value = 6;  // columns in front of remark and setting

// "kill delay: not told by this log: it has no requested times", each remark once.
std::string remarks_on(const std::vector<told_value>& values) {
  std::string text;
  const std::string* before = nullptr;
  for (const told_value& value : values) {
    if (!before || *before != value.remark)
      text += fmt::format("{}: {}\n", value.what.substr(0, value.what.find(':')), value.remark);
    before = &value.remark;
  }
  return text;
}

}  // namespace

data_table told_table(const std::vector<told_value>& values) {
  table_layout<told_value> layout("told");
  layout.text("what", &told_value::what)
      .text("unit", &told_value::unit)
      .number(column("value").formatted("{:.6g}"), &told_value::value)
      .number(column("low").formatted("{:.6g}"), &told_value::low)
      .number(column("high").formatted("{:.6g}"), &told_value::high)
      .whole("observations", &told_value::observations)
      .text("remark", &told_value::remark)
      .text("setting", [](const told_value& v) { return v.setting.empty() ? cell() : cell(v.setting); });
  return layout.table(values);
}

std::string as_comment(const std::string& lines) {
  std::string text;
  for (std::string_view rest = lines; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text += end == 0 ? "#\n" : fmt::format("# {}\n", rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

table_document told_text(const std::vector<told_value>& values, const replay_comparison& before,
                         const replay_comparison* calibrated, const time_unit& unit) {
  table_document document("told");
  document.say("\nWhat the log tells of the cluster, with 95 % intervals\n");
  data_table shown = told_table(values);
  for (table_cells& row : shown.rows) row.resize(numbers_of_value);
  shown.columns.erase(shown.columns.begin() + numbers_of_value, shown.columns.end());
  document.say(to_terminal(shown) + "\n" + remarks_on(values));
  document.add_data(told_table(values));
  const std::vector<std::string> settings = settings_of(values);
  if (settings.empty()) {
    document.say("\nNothing of it is to be written into the scenario.\n");
    return document;
  }
  document.say("\nInto the scenario, by --set or --out:\n");
  for (const std::string& setting : settings)
    document.say(
        fmt::format("  {} = {}\n", setting.substr(0, setting.find('=')), setting.substr(setting.find('=') + 1)));
  if (calibrated)
    document.say(fmt::format(
        "With it starts are {} {unit} apart on average, without it {} {unit}; mean waits are {} and {} "
        "{unit}, in the log {} {unit}.\n",
        with_digits(calibrated->all().apart, digits_of_means), with_digits(before.all().apart, digits_of_means),
        with_digits(calibrated->all().replayed_mean, digits_of_means),
        with_digits(before.all().replayed_mean, digits_of_means),
        with_digits(before.all().logged_mean, digits_of_means), fmt::arg("unit", unit.name)));
  return document;
}

}  // namespace muster
