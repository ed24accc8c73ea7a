#include "platform/toml/toml_reader.h"

#include <fmt/format.h>

#include <unordered_set>

#include "muster/policies/name.h"
#include "platform/toml/dotted_key.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

// The paths of the keys of this name within the tables of a table, but for those that lie deeper than others. None if
// there are many.
std::vector<std::string> paths_to(std::string_view name, const key_node& table) {
  constexpr std::size_t most = 3;
  std::vector<const key_node*> level{&table};
  while (!level.empty()) {
    std::vector<const key_node*> next;
    std::vector<std::string> found;
    for (const key_node* node : level)
      for (const key_node& child : node->children) {
        next.push_back(&child);
        if (child.name == name) found.push_back(in_quotes(child.path));
      }
    if (!found.empty()) return found.size() <= most ? found : std::vector<std::string>{};
    level = std::move(next);
  }
  return {};
}

}  // namespace

table_reader::table_reader(const toml_value& document, reading& report_to)
    : table_reader(&document, document.where, {}, report_to.keys, report_to) {}

table_reader::table_reader(const toml_value* value, position where, std::vector<std::string> path, const key_node& keys,
                           reading& report_to)
    : table_keys(keys), table_findings(value, where, std::move(path), report_to) {}

// Whether a key has an effect in this document. One that is given and has none is reported by close().
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
  const auto is_one = [&] { return *given == only.word || (!only.or_word.empty() && *given == only.or_word); };
  return !given || is_one() != only.other_than || std::find(words.begin(), words.end(), *given) == words.end();
}

const toml_value* table_reader::effective(std::string_view key) const {
  return has_effect(description(key)) ? find(key) : nullptr;
}

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

bool table_reader::truth(std::string_view key) {
  described<truth_key>(key);
  const toml_value* found = effective(key);
  const auto* truth = as_if<bool>(found);
  if (found && !truth) wrong_type(key, "true or false", *found);
  return truth && *truth;
}

// The elements of an array that is a key's value. Null if the key is missing, or if something is wrong, which is
// reported.
const toml_array* table_reader::elements(std::string_view key, std::string_view expected, std::string_view one) {
  const toml_value* found = find(key);
  const auto* all = as_if<toml_array>(found);
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
  const toml_value* const found = find(key);
  if (!found) missing(key, "at least one table");
  const bool is_single = found && found->as<toml_table>();
  const toml_array* given = elements(
      key,
      is_single ? fmt::format("an array of tables, each with [[{}]] at its head", dotted(key)) : "an array of tables",
      "table");
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

const std::string* table_reader::find_text(std::string_view key) const { return as_if<std::string>(find(key)); }

void table_reader::took(std::string_view key, toml_value::content standard) {
  if (!has_effect(description(key))) return;
  std::vector<std::string> path = path_;
  path.emplace_back(key);
  report_to_->defaults.push_back({std::move(path), element_, {where_, std::move(standard)}});
}

void table_reader::stands_for(std::string_view key, toml_value::content complete) {
  if (const toml_value* found = find(key)) report_to_->converted.push_back({found->where, std::move(complete)});
}

const position* table_reader::where(std::string_view key) const {
  const toml_value* found = find(key);
  return found ? &found->where : nullptr;
}

// The advice on an unknown key: the nearest one of its table, else the same one in a table within.
std::string table_reader::hint_for_key(const std::string& given, const std::vector<std::string>& known) const {
  std::string near = hint(given, known);
  if (nearest_name(given, known) || near.empty()) return near;
  const std::vector<std::string> deeper = paths_to(given, schema());
  return deeper.empty() ? near : fmt::format("; did you mean {}?", fmt::join(deeper, ", or "));
}

void table_reader::close() {
  if (!value_) return;
  const std::vector<std::string> known = known_names();
  for (const toml_entry& entry : *value_->as<toml_table>()) {
    const key_node* found = schema().find(entry.key);
    const described_key* key = found ? found->key : own(entry.key);
    if (!found && !key) report(entry.key_where, entry.key, "unknown key" + hint_for_key(entry.key, known));
    if (has_effect(key) || (key->only.or_zero && entry.value.number() == 0.0)) continue;
    complain(entry.key, no_effect(*key));
  }
}

std::string table_reader::no_effect(const described_key& key) const {
  const key_condition& only = key.only;
  if (!only.complaint.empty()) return fmt::format(fmt::runtime(only.complaint), key.name);
  const std::string* beside = only.word.empty() ? nullptr : find_text(only.beside);
  const std::string word = beside ? *beside : only.word.empty() ? "" : *default_of<std::string>(only.beside);
  const std::string other = only.or_word.empty() ? "" : fmt::format(" or '{}'", only.or_word);
  return fmt::format("has no effect with {0} '{1}'; expected {0} '{2}'{3}", only.beside, word, only.word, other);
}

}  // namespace muster
