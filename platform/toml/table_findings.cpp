#include "platform/toml/table_findings.h"

#include <fmt/format.h>

#include "platform/toml/dotted_key.h"
#include "platform/toml/nearest_name.h"

namespace muster {

void table_findings::complain(std::string_view key, std::string message) {
  const toml_value* found = value_ ? value_->find(key) : nullptr;
  report(found ? found->where : where_, key, std::move(message));
}

void table_findings::complain_in(const std::string& file, std::uint32_t line, std::uint32_t column,
                                 std::string_view key, std::string message) {
  report({report_to_->errors.source(file), line, column}, key, std::move(message));
}

void table_findings::complain_at(const toml_value& within, std::string_view key, std::string message) {
  report(within.where, key, std::move(message));
}

void table_findings::complain(std::string message) { report(where_, "", std::move(message)); }

void table_findings::report(position where, std::string_view key, std::string message) {
  ++report_to_->problems;
  report_to_->errors.add(where, dotted(key), std::move(message));
}

void table_findings::missing(std::string_view key, std::string_view expected) {
  if (wrong_)
    ++report_to_->problems;
  else
    report(where_, key, fmt::format("missing; expected {}", expected));
}

void table_findings::wrong_type(std::string_view key, std::string_view expected, const toml_value& found) {
  std::string what{found.type_name()};
  if (const auto* number = found.as<double>(); number && expected == "an integer") {
    // A float in place of an integer: its value says more than its type.
    what = float_literal(*number);
    if (is_exact_integer(*number)) what += fmt::format("; write {:.0f}", *number);
  } else if (found.as<toml_array>() && found.where.source > 0 && value_->find(key) == &found) {
    what += fmt::format("; a sweep over it is --set 'sweep.\"{}\"=[..]'", dotted(key));
  }
  complain_at(found, key, fmt::format("expected {}, found {}", expected, what));
}

// After many mistakes guesses no longer help, and thousands of them would take long.
std::string table_findings::hint(std::string_view given, const std::vector<std::string>& known) const {
  constexpr std::size_t most_hints = 50;
  constexpr std::size_t most_names = 10'000;
  return problems() < most_hints && known.size() <= most_names ? suggestion(given, known) : "";
}

std::string table_findings::dotted(std::string_view key) const {
  const std::string all = join_key(path_);
  if (all.empty() || key.empty()) return all + std::string{key};
  return all + "." + std::string{key};
}

}  // namespace muster
