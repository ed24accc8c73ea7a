#include "platform/command_line/key_text.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/scenario/scenario_schema.h"
#include "platform/tables/table_layout.h"
#include "platform/tables/writers.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/dotted_key.h"

namespace muster {

namespace {

constexpr std::size_t widest = 120;

std::string with_fraction(double x) {
  return shortest(x).find('.') == std::string::npos ? shortest(x) + ".0" : shortest(x);
}

// The type of a key in a word, for a column.
std::string word_for(const key_type& type) {
  static constexpr const char* words[] = {"text", "name", "number", "integer", "word", "truth", "list"};
  const auto* other = std::get_if<other_key>(&type);
  return other ? std::string{other->form.substr(0, other->form.find(' '))} : words[type.index()];
}

struct value_text {
  std::string operator()(const text_key&) const { return "a text"; }
  std::string operator()(const name_key& k) const { return fmt::format("a name of letters, digits and {}", k.also); }
  std::string operator()(const number_key& k) const { return std::string{k.range.words}; }
  std::string operator()(const integer_key& k) const {
    return fmt::format("an integer from {} to {}{}", k.lowest, k.highest,
                       k.also.empty() ? "" : fmt::format(", or \"{}\"", k.also));
  }
  std::string operator()(const word_key& k) const { return fmt::format("one of \"{}\"", fmt::join(k.words, "\", \"")); }
  std::string operator()(truth_key) const { return "true or false"; }
  std::string operator()(const numbers_key& k) const {
    return fmt::format("a list of {} to {} such as `{}`, each {}", k.fewest, k.most, k.example, k.each.range.words);
  }
  std::string operator()(const other_key& k) const { return fmt::format("a {} such as `{}`", k.form, k.example); }
};

struct default_text {
  std::string operator()(required) const { return "required"; }
  std::string operator()(left_out d) const { return std::string{d.words}; }
  std::string operator()(std::int64_t d) const { return fmt::format("{}", d); }
  std::string operator()(double d) const { return with_fraction(d); }
  std::string operator()(const std::string& d) const { return fmt::format("\"{}\"", d); }
};

// A value that the key accepts, if what it depends on is given too.
struct example_value {
  const key_default& standard;

  std::string operator()(const text_key& k) const { return std::string{k.example}; }
  std::string operator()(const name_key&) const { return "my_name"; }
  std::string operator()(const number_key& k) const { return k.range.holds(2.0) ? "2.0" : "0.05"; }
  std::string operator()(const integer_key& k) const {
    const auto* usual = std::get_if<std::int64_t>(&standard);
    return fmt::format("{}", usual ? std::min(*usual * 2, k.highest) : std::min(k.lowest + 2, k.highest));
  }
  std::string operator()(const word_key& k) const { return k.words.back(); }
  std::string operator()(truth_key) const { return "true"; }
  std::string operator()(const numbers_key& k) const { return std::string{k.example}; }
  std::string operator()(const other_key& k) const { return std::string{k.example}; }
};

std::string in_shell(const std::string& word) {
  return word.find_first_of(" \"'*[]{}()") == std::string::npos ? word : "'" + word + "'";
}

std::string example_of(const key_node& node) {
  const described_key& key = *node.key;
  return "--set " + in_shell(fmt::format("{}={}", node.path, std::visit(example_value{key.standard}, key.type)));
}

std::string standard_of(const described_key& key) { return std::visit(default_text{}, key.standard); }

std::string unit_of(const described_key& key) {
  if (const auto* number = std::get_if<number_key>(&key.type)) return std::string{number->unit};
  if (const auto* numbers = std::get_if<numbers_key>(&key.type)) return std::string{numbers->each.unit};
  const auto* integer = std::get_if<integer_key>(&key.type);
  return integer ? std::string{integer->unit} : "";
}

// Lines of at most `widest` columns; all but the first are indented.
std::string wrapped(const std::string& text, const std::string& indent) {
  std::istringstream words(text);
  std::string all, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > widest) {
      all += line + "\n";
      line = indent + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return all + line + "\n";
}

data_table table_of(const std::vector<const key_node*>& nodes) {
  table_layout<const key_node*> layout("keys");
  layout.text("key", [](const key_node* node) { return node->path; })
      .text("type", [](const key_node* node) { return word_for(node->key->type); })
      .text("default", [](const key_node* node) { return text_cell(standard_of(*node->key)); })
      .text("unit", [](const key_node* node) { return unit_of(*node->key); })
      .text("meaning", [](const key_node* node) { return std::string{node->key->help}; });
  return layout.table(nodes);
}

std::string help_of(const key_node& node) {
  const described_key& key = *node.key;
  std::string text = fmt::format("{}\n    {}\n\n    value    {}\n    default  {}\n", node.path, key.help, value_of(key),
                                 standard_of(key));
  if (!key.only.words.empty()) text += fmt::format("    only     {}\n", key.only.words);
  return text + fmt::format("    example  {}\n", example_of(node));
}

std::string entry_of(const described_key& key) {
  const std::string standard = standard_of(key);
  const std::string otherwise = standard == "required" ? "; required" : standard == "-" ? "" : "; default: " + standard;
  const std::string only = key.only.words.empty() ? "" : "; " + key.only.words;
  return wrapped(fmt::format("- `{}`: {} ({}{}{})", key.name, key.help, value_of(key), otherwise, only), "  ");
}

// The keys of a table, then the tables within it.
std::string section_of(const key_node& table) {
  std::string text, within;
  for (const key_node& child : table.children) {
    if (child.key) text += entry_of(*child.key);
    if (!child.children.empty()) within += section_of(child);
  }
  const std::string title = table.path.empty() ? "Top level" : "`" + table.path + "`";
  return (text.empty() ? "" : fmt::format("\n## {}\n\n{}", title, text)) + within;
}

// The nodes with a description, from this one on.
std::vector<const key_node*> keys_from(const key_node& node) {
  std::vector<const key_node*> all;
  if (node.key) all.push_back(&node);
  for (const key_node& child : node.children)
    for (const key_node* key : keys_from(child)) all.push_back(key);
  return all;
}

// Whether the path ends with these parts; the name of an element, or its `*`, may be left out.
bool ends_with(const std::vector<std::string>& path, const std::vector<std::string>& parts) {
  auto p = path.rbegin();
  auto given = parts.rbegin();
  for (; p != path.rend() && given != parts.rend(); ++p) {
    const bool element = *p == "*" && std::next(p) != path.rend() && std::next(given) != parts.rend() &&
                         *std::next(p) == *std::next(given);
    if (*p == *given || element)
      ++given;
    else if (*p != "*")
      return false;
  }
  return given == parts.rend();
}

void collect_ending(const key_node& node, const std::vector<std::string>& parts, std::vector<const key_node*>& all) {
  for (const key_node& child : node.children) {
    if (ends_with(*split_key(child.path), parts)) all.push_back(&child);
    collect_ending(child, parts, all);
  }
}

}  // namespace

std::string value_of(const described_key& key) {
  const std::string unit = unit_of(key);
  return std::visit(value_text{}, key.type) + (unit.empty()     ? ""
                                               : unit == "time" ? ", in units of time"
                                                                : ", in " + unit);
}

data_table key_table() { return table_of(keys_from(scenario_schema())); }

std::vector<std::string> key_paths() {
  std::vector<std::string> paths;
  for (const key_node* node : keys_from(scenario_schema())) paths.push_back(node->path);
  return paths;
}

std::optional<std::string> key_help(const std::string& key) {
  const auto parts = split_key(key);
  std::vector<const key_node*> found;
  if (parts) collect_ending(scenario_schema(), *parts, found);
  const auto same = std::find_if(found.begin(), found.end(), [&](const key_node* n) { return n->path == key; });
  if (same != found.end()) found = {*same};
  std::vector<std::string> texts;
  for (const key_node* node : found) {
    if (node->key) texts.push_back(help_of(*node));
    if (!node->children.empty()) texts.push_back(to_terminal(table_of(keys_from(*node))));
  }
  return texts.empty() ? std::nullopt : std::optional{fmt::format("{}", fmt::join(texts, "\n"))};
}

std::string key_reference() { return section_of(scenario_schema()); }

}  // namespace muster
