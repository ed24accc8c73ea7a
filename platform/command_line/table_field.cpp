#include "platform/command_line/table_field.h"

#include <cmath>

#include "platform/tables/number_text.h"
#include "platform/toml/number_in.h"

namespace muster {

table_field head_of(std::string text, std::string name) {
  table_field head(std::move(text));
  head.name = std::move(name);
  return head;
}

table_field head_of_intervals(std::string text, std::string name) {
  table_field head = head_of(std::move(text), std::move(name));
  head.kind = table_field::column_kind::interval;
  return head;
}

table_field head_of_estimates(std::string text, std::string name) {
  table_field head = head_of(std::move(text), std::move(name));
  head.kind = table_field::column_kind::marked_interval;
  return head;
}

table_field number_field(const std::optional<double>& number) {
  return {number ? fmt::format("{:.6g}", *number) : "-", number};
}

table_field setting_field(const std::string& value) {
  const auto number = number_in<double>(value);
  return {value, number && std::isfinite(*number) ? number : std::nullopt};
}

table_field estimate_field(const estimate& e, int digits) {
  if (!e.mean) return "-";
  const std::string text = with_half_width(*e.mean, e.ci_low, digits);
  table_field field(e.marks.any() ? fmt::format("{} {}", text, e.marks.letters()) : text, e.mean);
  field.ci_low = e.ci_low;
  field.ci_high = e.ci_high;
  field.note = e.marks.words();
  return field;
}

table_field difference_field(const std::optional<difference>& apart, int digits) {
  if (!apart) return "-";
  table_field field(with_half_width(apart->mean, apart->ci_low, digits), apart->mean);
  field.ci_low = apart->ci_low;
  field.ci_high = apart->ci_high;
  return field;
}

}  // namespace muster
