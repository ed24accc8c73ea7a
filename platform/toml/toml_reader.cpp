#include "platform/toml/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_set>

#include "muster/policies/name.h"
#include "platform/toml/dotted_key.h"
#include "platform/toml/nearest_name.h"

namespace muster {

table_reader::table_reader(const toml_value& document, reading& report_to)
    : table_reader(&document, document.where, {}, report_to.keys, report_to) {}

table_reader::table_reader(const toml_value* value, position where, std::vector<std::string> path, const key_node& keys,
                           reading& report_to)
    : value_(value), where_(where), path_(std::move(path)), keys_(&keys), report_to_(&report_to) {}

void table_reader::describe_default(std::string_view key, key_default standard) {
  described_key changed = *description(key);
  changed.standard = std::move(standard);
  describe(std::move(changed));
}

const described_key* table_reader::own(std::string_view key) const {
  const auto found = std::find_if(own_.begin(), own_.end(), [&](const auto& k) { return k.name == key; });
  return found == own_.end() ? nullptr : &*found;
}

const key_node& table_reader::node(std::string_view key) const {
  static const key_node nothing_within{};
  if (const key_node* found = keys_->find(key)) return *found;
  if (own(key)) return nothing_within;
  throw std::logic_error(fmt::format("key {} is read but not described", dotted(key)));
}

const described_key* table_reader::description(std::string_view key) const {
  const described_key* here = own(key);
  return here ? here : node(key).key;
}

template <class Type>
const Type& table_reader::described(std::string_view key) const {
  const described_key* found = description(key);
  if (const auto* type = found ? std::get_if<Type>(&found->type) : nullptr) return *type;
  throw std::logic_error(fmt::format("key {} is read as what it is not", dotted(key)));
}

template <class Value>
std::optional<Value> table_reader::default_of(std::string_view key) const {
  const described_key* found = description(key);
  const auto* standard = found ? std::get_if<Value>(&found->standard) : nullptr;
  return standard ? std::optional<Value>{*standard} : std::nullopt;
}

// A key that has none is reported by close().
bool table_reader::has_effect(const described_key* key) const {
  if (!key) return true;
  const key_condition& only = key->only;
  if (!only.trait.empty()) return report_to_->traits.count(only.trait) > 0;
  if (only.beside.empty()) return true;
  const toml_value* beside = find(only.beside);
  if (only.word.empty()) return beside;
  const std::optional<std::string> standard = default_of<std::string>(only.beside);
  const auto& words = described<word_key>(only.beside).words;
  const auto* given = beside ? beside->as<std::string>() : standard ? &*standard : nullptr;
  return !given || *given == only.word || std::find(words.begin(), words.end(), *given) == words.end();
}

const toml_value* table_reader::effective(std::string_view key) const {
  return has_effect(description(key)) ? find(key) : nullptr;
}

// Null if it is missing, where its default is recorded or, without one, the key reported.
template <class Value>
const toml_value* table_reader::given(std::string_view key, std::string_view expected) {
  if (const toml_value* found = effective(key)) return found;
  if (auto standard = default_of<Value>(key))
    took(key, std::move(*standard));
  else
    missing(key, expected);
  return nullptr;
}

std::string table_reader::text(std::string_view key) { return text(key, "a string"); }

std::string table_reader::text(std::string_view key, std::string_view expected) {
  const toml_value* found = given<std::string>(key, expected);
  if (!found) return default_of<std::string>(key).value_or("");
  if (const auto* text = found->as<std::string>()) return *text;
  wrong_type(key, "a string", *found);
  return "";
}

std::string table_reader::name(std::string_view key) {
  const std::size_t before = problems();
  std::string given = text(key);
  if (problems() == before)
    if (const auto expected = expected_name(given, described<name_key>(key).also))
      complain(key, fmt::format("expected {}, found {}", *expected,
                                given.size() > longest_name ? std::to_string(given.size()) : in_quotes(given)));
  return given;
}

std::string table_reader::word(std::string_view key) {
  const auto& type = described<word_key>(key);
  std::string given = text(key, fmt::format("one of: {}", fmt::join(type.words, ", ")));
  const toml_value* found = effective(key);
  if (!found || !found->as<std::string>() || std::find(type.words.begin(), type.words.end(), given) != type.words.end())
    return given;
  complain(key, fmt::format("unknown {} {}{}", type.noun, in_quotes(given), hint(given, type.words)));
  return "";
}

std::size_t table_reader::place_of_word(std::string_view key) {
  const auto& words = described<word_key>(key).words;
  const auto found = std::find(words.begin(), words.end(), word(key));
  return found == words.end() ? 0 : static_cast<std::size_t>(found - words.begin());
}

double table_reader::number(std::string_view key) {
  const toml_value* found = given<double>(key, described<number_key>(key).range.words);
  const std::optional<double> x = found ? to_number(key, *found) : std::nullopt;
  return x.value_or(default_of<double>(key).value_or(1.0));
}

std::optional<double> table_reader::optional_number(std::string_view key) {
  const toml_value* found = effective(key);
  return found ? to_number(key, *found) : std::nullopt;
}

// Of a string that has a number and a unit. Nothing if it is none, or if something is wrong with it: that is reported.
std::optional<double> table_reader::with_unit(std::string_view key, std::string_view unit, const toml_value& found) {
  const auto* text = found.as<std::string>();
  const std::optional<quantity> given = text ? quantity_in(*text) : std::nullopt;
  if (!given) return std::nullopt;
  if (unit.empty()) {
    complain_at(found, key, fmt::format("has no unit; expected a number alone, found {}", in_quotes(*text)));
    return std::nullopt;
  }
  const std::vector<unit_of_measure> known = units_of_key(unit, report_to_->units);
  const std::optional<double> x = in_own_unit(*given, known);
  if (!x) {
    complain_at(found, key, wrong_unit(*given, unit, known));
    return std::nullopt;
  }
  constexpr double exact = 9007199254740992.0;  // 2^53
  const bool whole = std::abs(*x) <= exact && std::trunc(*x) == *x;
  report_to_->converted.push_back(
      {found.where, whole ? toml_value::content{static_cast<std::int64_t>(*x)} : toml_value::content{*x}});
  return x;
}

std::optional<double> table_reader::to_number(std::string_view key, const toml_value& found) {
  const auto* one = std::get_if<number_key>(&description(key)->type);  // else it is one of a list
  const auto [range, unit, limit] = one ? *one : number_key{any_number};
  const std::size_t before = problems();
  const std::optional<double> plain = found.number(), x = plain ? plain : with_unit(key, unit, found);
  if (problems() != before) return std::nullopt;
  if (!x) {
    wrong_type(key, "a number", found);
    return std::nullopt;
  }
  const clock_range& clock = report_to_->clock;
  std::string expected;
  if (!std::isfinite(*x))
    expected = "a finite number";
  else if (!range.holds(*x))
    expected = range.words;
  else if (limit != clock_limit::none && *x >= clock.longest)
    expected = fmt::format("less than {:.3g} {}, the range of the clock", clock.longest, clock.unit);
  else if (limit == clock_limit::range_and_step && *x > 0.0 && *x < clock.shortest)
    expected = fmt::format("at least the clock's step of {:g} {}", clock.shortest, clock.unit);
  if (expected.empty()) return x;
  complain_at(found, key, fmt::format("expected {}, found {}", expected, shortest(*x)));
  return std::nullopt;
}

bool table_reader::truth(std::string_view key) {
  described<truth_key>(key);
  const toml_value* found = effective(key);
  const auto* truth = found ? found->as<bool>() : nullptr;
  if (found && !truth) wrong_type(key, "true or false", *found);
  return truth && *truth;
}

std::int64_t table_reader::whole_number(std::string_view key) {
  const auto& type = described<integer_key>(key);
  const std::string expected = fmt::format("an integer from {} to {}", type.lowest, type.highest);
  const toml_value* found = given<std::int64_t>(key, expected);
  const auto* x = found ? found->as<std::int64_t>() : nullptr;
  const std::size_t before = problems();
  const std::optional<double> converted = found && !x ? with_unit(key, type.unit, *found) : std::nullopt;
  if (problems() != before) return type.lowest;
  if (converted) {
    const bool whole = std::trunc(*converted) == *converted;
    if (whole && *converted >= static_cast<double>(type.lowest) && *converted <= static_cast<double>(type.highest))
      return static_cast<std::int64_t>(*converted);
    complain(key,
             fmt::format("expected {}, found {} ({})", expected, in_quotes(*find_text(key)), shortest(*converted)));
    return type.lowest;
  }
  if (x && *x >= type.lowest && *x <= type.highest) return *x;
  if (x)
    complain(key, fmt::format("expected {}, found {}", expected, *x));
  else if (found && found->as<std::string>() && !type.also.empty())
    complain(key, fmt::format("expected {} or '{}', found {}", expected, type.also, in_quotes(*find_text(key))));
  else if (found)
    wrong_type(key, "an integer", *found);
  return default_of<std::int64_t>(key).value_or(type.lowest);
}

// Null if it is missing, or if something is wrong with it, which is reported.
const toml_array* table_reader::elements(std::string_view key, std::string_view expected, std::string_view one) {
  const toml_value* found = find(key);
  const auto* all = found ? found->as<toml_array>() : nullptr;
  if (found && !all) wrong_type(key, expected, *found);
  if (!all || !all->empty()) return all;
  complain(key, fmt::format("expected at least one {}, found an empty array", one));
  return nullptr;
}

std::optional<std::vector<std::string>> table_reader::names(std::string_view key, std::string_view noun,
                                                            const std::vector<std::string>& known) {
  const std::string expected = fmt::format("an array of {} names", noun);
  const toml_array* all = elements(key, expected, noun);
  if (!all) return std::nullopt;
  const std::size_t before = problems();
  const std::unordered_set<std::string_view> valid(known.begin(), known.end());
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> given;
  for (const toml_value& element : *all) {
    const auto* name = element.as<std::string>();
    if (!name)
      wrong_type(key, expected, element);
    else if (valid.count(*name) == 0)
      complain_at(element, key, fmt::format("unknown {} {}{}", noun, in_quotes(*name), hint(*name, known)));
    else if (!seen.insert(*name).second)
      complain_at(element, key, fmt::format("{} {} is listed twice", noun, in_quotes(*name)));
    else
      given.push_back(*name);
  }
  if (problems() != before) return std::nullopt;
  return given;
}

std::vector<const toml_value*> table_reader::strings(std::string_view key, std::string_view form) {
  const std::string expected = fmt::format("an array of strings, each {}", form);
  const toml_array* all = elements(key, expected, "string");
  std::vector<const toml_value*> given;
  for (std::size_t i = 0; all && i < all->size(); ++i)
    if ((*all)[i].as<std::string>())
      given.push_back(&(*all)[i]);
    else
      wrong_type(key, expected, (*all)[i]);
  return given;
}

std::vector<double> table_reader::numbers(std::string_view key) {
  std::vector<double> given;
  if (!find(key)) missing(key, "an array of numbers");
  if (const toml_array* all = elements(key, "an array of numbers", "number"))
    for (const toml_value& element : *all)
      if (const auto x = to_number(key, element)) given.push_back(*x);
  return given;
}

table_reader table_reader::within(std::string_view key, const toml_value* value, position where) const {
  std::vector<std::string> path = path_;
  path.emplace_back(key);
  table_reader table{value, where, std::move(path), node(key), *report_to_};
  table.wrong_ = wrong_;
  table.element_ = element_;
  return table;
}

table_reader table_reader::table(std::string_view key) {
  const toml_value* found = find(key);
  const bool wrong = found && !found->as<toml_table>();
  if (wrong) wrong_type(key, "a table", *found);
  if (wrong) found = nullptr;
  table_reader table = within(key, found, found ? found->where : where_);
  table.wrong_ = wrong || wrong_;
  return table;
}

std::vector<table_reader> table_reader::tables(std::string_view key) {
  std::vector<table_reader> all;
  if (!find(key)) missing(key, "at least one table");
  const toml_array* given = elements(key, "an array of tables", "table");
  if (!given) return all;
  for (const toml_value& element : *given) {
    if (!element.as<toml_table>()) {
      wrong_type(key, "a table", element);
      continue;
    }
    all.push_back(within(key, &element, element.where));
    all.back().element_ = static_cast<std::size_t>(&element - given->data());
    all.back().path_.push_back(part_of(*given, element));
  }
  return all;
}

const toml_value* table_reader::find(std::string_view key) const {
  description(key);
  return value_ ? value_->find(key) : nullptr;
}

const std::string* table_reader::find_text(std::string_view key) const {
  const toml_value* found = find(key);
  return found ? found->as<std::string>() : nullptr;
}

void table_reader::took(std::string_view key, toml_value::content standard) {
  if (!has_effect(description(key))) return;
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
  if (!value_) return;
  std::vector<std::string> known = names_of(keys_->children);
  for (const described_key& key : own_)
    if (!keys_->find(key.name)) known.emplace_back(key.name);
  for (const toml_entry& entry : *value_->as<toml_table>()) {
    const key_node* found = keys_->find(entry.key);
    if (!found && !own(entry.key))
      report_to_->report(entry.key_where, dotted(entry.key), "unknown key" + hint(entry.key, known));
    if (found && !has_effect(found->key)) complain_of_no_effect(found->key->only, entry);
  }
}

void table_reader::complain_of_no_effect(const key_condition& only, const toml_entry& entry) {
  const std::string* beside = only.word.empty() ? nullptr : find_text(only.beside);
  const std::string word = beside ? *beside : only.word.empty() ? "" : *default_of<std::string>(only.beside);
  complain(entry.key, !only.complaint.empty() ? only.complaint
                                              : fmt::format("has no effect with {0} '{1}'; expected {0} '{2}'",
                                                            only.beside, word, only.word));
}

void table_reader::missing(std::string_view key, std::string_view expected) {
  if (!has_effect(description(key))) return;
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
  complain_at(found, key, fmt::format("expected {}, found {}", expected, what));
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
