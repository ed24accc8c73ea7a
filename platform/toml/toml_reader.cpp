#include "platform/toml/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "muster/policies/name.h"
#include "platform/toml/dotted_key.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

std::string join(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) (all += all.empty() ? "" : ", ") += word;
  return all;
}

}  // namespace

table_reader::table_reader(const toml_value& document, reading& report_to)
    : table_reader(&document, document.where, {}, report_to) {}

table_reader::table_reader(const toml_value* value, position where, std::vector<std::string> path, reading& report_to)
    : value_(value), where_(where), path_(std::move(path)), report_to_(&report_to) {}

std::string table_reader::text(std::string_view key, std::optional<std::string> standard) {
  const toml_value* found = find(key);
  if (!found && standard) took(key, *standard);
  if (!found && !standard) missing(key, "a string");
  if (!found) return standard.value_or("");
  if (const auto* text = found->as<std::string>()) return *text;
  wrong_type(key, "a string", *found);
  return "";
}

std::string table_reader::name(std::string_view key, std::string_view also) {
  const std::size_t before = problems();
  std::string given = text(key);
  if (problems() == before)
    if (const auto expected = expected_name(given, also))
      complain(key, fmt::format("expected {}, found {}", *expected,
                                given.size() > longest_name ? std::to_string(given.size()) : in_quotes(given)));
  return given;
}

std::string table_reader::word(std::string_view key, std::string_view noun, const std::vector<std::string>& words,
                               std::optional<std::string> standard) {
  const toml_value* found = find(key);
  if (!found && !standard) {
    missing(key, "one of: " + join(words));
    return "";
  }
  const std::size_t before = problems();
  std::string given = text(key, std::move(standard));
  if (problems() != before) return "";
  if (std::find(words.begin(), words.end(), given) != words.end()) return given;
  complain(key, fmt::format("unknown {} {}{}", noun, in_quotes(given), hint(given, words)));
  return "";
}

double table_reader::number(std::string_view key, const number_range& range, std::optional<double> standard) {
  const toml_value* found = find(key);
  if (!found && standard) took(key, *standard);
  if (!found && !standard) missing(key, range.words);
  const std::optional<double> given = found ? to_number(key, *found, range) : standard;
  return given ? *given : standard.value_or(1.0);
}

std::optional<double> table_reader::optional_number(std::string_view key, const number_range& range) {
  const toml_value* found = find(key);
  return found ? to_number(key, *found, range) : std::nullopt;
}

std::optional<double> table_reader::to_number(std::string_view key, const toml_value& found,
                                              const number_range& range) {
  double x = 0.0;
  if (const auto* integer = found.as<std::int64_t>()) {
    x = static_cast<double>(*integer);
  } else if (const auto* number = found.as<double>()) {
    x = *number;
  } else {
    wrong_type(key, "a number", found);
    return std::nullopt;
  }
  if (std::isfinite(x) && range.holds(x)) return x;
  const std::string_view expected = std::isfinite(x) ? range.words : "a finite number";
  report_to_->report(found.where, dotted(key), fmt::format("expected {}, found {}", expected, shortest(x)));
  return std::nullopt;
}

std::int64_t table_reader::integer(std::string_view key, std::int64_t lowest, std::int64_t highest,
                                   std::optional<std::int64_t> standard) {
  const toml_value* found = find(key);
  const std::string expected = fmt::format("an integer from {} to {}", lowest, highest);
  if (!found && standard) took(key, *standard);
  if (!found && !standard) missing(key, expected);
  const std::int64_t valid = standard.value_or(lowest);
  if (!found) return valid;
  const auto* given = found->as<std::int64_t>();
  if (!given) {
    wrong_type(key, "an integer", *found);
    return valid;
  }
  if (*given >= lowest && *given <= highest) return *given;
  complain(key, fmt::format("expected {}, found {}", expected, *given));
  return valid;
}

std::optional<std::vector<std::string>> table_reader::names(std::string_view key, std::string_view noun,
                                                            const std::vector<std::string>& known) {
  const toml_value* found = find(key);
  if (!found) return std::nullopt;
  const std::string expected = fmt::format("an array of {} names", noun);
  const auto* elements = found->as<toml_array>();
  if (!elements || elements->empty()) {
    if (elements)
      complain(key, fmt::format("expected at least one {}, found an empty array", noun));
    else
      wrong_type(key, expected, *found);
    return std::nullopt;
  }
  const std::size_t before = problems();
  const std::unordered_set<std::string_view> valid(known.begin(), known.end());
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> given;
  for (const toml_value& element : *elements) {
    const auto* name = element.as<std::string>();
    if (!name)
      wrong_type(key, expected, element);
    else if (valid.count(*name) == 0)
      report_to_->report(element.where, dotted(key),
                         fmt::format("unknown {} {}{}", noun, in_quotes(*name), hint(*name, known)));
    else if (!seen.insert(*name).second)
      report_to_->report(element.where, dotted(key), fmt::format("{} {} is listed twice", noun, in_quotes(*name)));
    else
      given.push_back(*name);
  }
  if (problems() != before) return std::nullopt;
  return given;
}

std::vector<double> table_reader::numbers(std::string_view key) {
  std::vector<double> given;
  const toml_value* found = find(key);
  if (!found) {
    missing(key, "an array of numbers");
    return given;
  }
  const auto* elements = found->as<toml_array>();
  if (!elements) wrong_type(key, "an array of numbers", *found);
  if (elements && elements->empty()) complain(key, "expected at least one number, found an empty array");
  if (!elements) return given;
  for (const toml_value& element : *elements)
    if (const auto x = to_number(key, element, any_number)) given.push_back(*x);
  return given;
}

table_reader table_reader::table(std::string_view key) {
  const toml_value* found = find(key);
  const bool wrong = found && !found->as<toml_table>();
  if (wrong) wrong_type(key, "a table", *found);
  if (wrong) found = nullptr;
  std::vector<std::string> path = path_;
  path.emplace_back(key);
  table_reader within{found, found ? found->where : where_, std::move(path), *report_to_};
  within.wrong_ = wrong || wrong_;
  within.element_ = element_;
  return within;
}

std::vector<table_reader> table_reader::tables(std::string_view key) {
  std::vector<table_reader> all;
  const toml_value* found = find(key);
  if (!found) {
    missing(key, "at least one table");
    return all;
  }
  const auto* elements = found->as<toml_array>();
  if (!elements) wrong_type(key, "an array of tables", *found);
  if (elements && elements->empty()) complain(key, "expected at least one table, found an empty array");
  if (!elements) return all;
  for (const toml_value& element : *elements) {
    if (!element.as<toml_table>()) {
      wrong_type(key, "a table", element);
      continue;
    }
    std::vector<std::string> path = path_;
    const toml_value* name = element.find("name");
    const bool called = name && name->as<std::string>();
    path.emplace_back(key);
    if (called)
      path.push_back(*name->as<std::string>());
    else
      path.push_back(fmt::format("[{}]", &element - elements->data()));
    all.push_back({&element, element.where, std::move(path), *report_to_});
    all.back().element_ = static_cast<std::size_t>(&element - elements->data());
  }
  return all;
}

const toml_value* table_reader::find(std::string_view key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  return value_ ? value_->find(key) : nullptr;
}

const toml_table& table_reader::entries() const {
  static const toml_table none;
  return value_ ? *value_->as<toml_table>() : none;
}

void table_reader::took(std::string_view key, toml_value::content standard) {
  std::vector<std::string> path = path_;
  path.emplace_back(key);
  report_to_->defaults.push_back({std::move(path), element_, {where_, std::move(standard)}});
}

void table_reader::complain(std::string_view key, std::string message) {
  const toml_value* found = value_ ? value_->find(key) : nullptr;
  report_to_->report(found ? found->where : where_, dotted(key), std::move(message));
}

void table_reader::complain_at(const toml_value& within, std::string_view key, std::string message) {
  report_to_->report(within.where, dotted(key), std::move(message));
}

void table_reader::complain_in(const std::string& file, std::uint32_t line, std::uint32_t column, std::string_view key,
                               std::string message) {
  report_to_->report({report_to_->errors.source(file), line, column}, dotted(key), std::move(message));
}

void table_reader::complain(std::string message) { report_to_->report(where_, dotted(""), std::move(message)); }

void table_reader::close() {
  for (const toml_entry& entry : entries())
    if (std::find(asked_.begin(), asked_.end(), entry.key) == asked_.end())
      report_to_->report(entry.key_where, dotted(entry.key), "unknown key" + hint(entry.key, asked_));
}

void table_reader::missing(std::string_view key, std::string_view expected) {
  if (wrong_)
    ++report_to_->problems;
  else
    report_to_->report(where_, dotted(key), fmt::format("missing; expected {}", expected));
}

void table_reader::wrong_type(std::string_view key, std::string_view expected, const toml_value& found) {
  std::string what{found.type_name()};
  if (const auto* number = found.as<double>(); number && expected == "an integer") {
    // A float in place of an integer: its value says more than its type.
    what = shortest(*number).find_first_of(".en") == std::string::npos ? shortest(*number) + ".0" : shortest(*number);
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (std::abs(*number) <= exact && std::trunc(*number) == *number) what += fmt::format("; write {:.0f}", *number);
  } else if (found.as<toml_array>() && found.where.source > 0 && value_->find(key) == &found) {
    what += fmt::format("; a sweep over it is --set 'sweep.\"{}\"=[..]'", dotted(key));
  }
  report_to_->report(found.where, dotted(key), fmt::format("expected {}, found {}", expected, what));
}

// After many mistakes guesses no longer help, and thousands of them would take long.
std::string table_reader::hint(std::string_view given, const std::vector<std::string>& known) const {
  constexpr std::size_t most_hints = 50;
  constexpr std::size_t most_names = 10'000;
  return problems() < most_hints && known.size() <= most_names ? suggestion(given, known) : "";
}

std::string table_reader::dotted(std::string_view key) const {
  const std::string all = join_key(path_);
  if (all.empty() || key.empty()) return all + std::string{key};
  return all + "." + std::string{key};
}

}  // namespace muster
