#include "platform/toml/schema.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

key_node& child_of(key_node& parent, std::string_view name, std::string path) {
  if (const key_node* found = parent.find(name)) return const_cast<key_node&>(*found);
  return parent.children.emplace_back(key_node{name, std::move(path)});
}

}  // namespace

std::string words_of(const integer_key& type) {
  return fmt::format("an integer from {} to {}", type.lowest, type.highest);
}

const key_node* key_node::find(std::string_view child) const {
  const auto found = std::find_if(children.begin(), children.end(), [&](const key_node& n) { return n.name == child; });
  return found == children.end() ? nullptr : &*found;
}

key_node tree_of(const std::vector<key_table>& tables) {
  key_node root{};
  for (const key_table& table : tables) {
    key_node* at = &root;
    for (std::size_t begin = 0, end = 0; begin < table.path.size(); begin = end + 1) {
      end = std::min(table.path.find('.', begin), table.path.size());
      const std::string_view part = table.path.substr(begin, end - begin);
      if (part != "*") at = &child_of(*at, part, std::string{table.path.substr(0, end)});
    }
    const std::string before = table.path.empty() ? "" : std::string{table.path} + ".";
    for (const described_key& key : table.keys) child_of(*at, key.name, before + std::string{key.name}).key = &key;
  }
  return root;
}

void table_keys::describe_default(std::string_view key, key_default standard) {
  described_key changed = *description(key);
  changed.standard = std::move(standard);
  describe(std::move(changed));
}

const described_key* table_keys::own(std::string_view key) const {
  const auto found = std::find_if(own_.begin(), own_.end(), [&](const auto& k) { return k.name == key; });
  return found == own_.end() ? nullptr : &*found;
}

const key_node& table_keys::node(std::string_view key) const {
  static const key_node nothing_within{};
  if (const key_node* found = schema_->find(key)) return *found;
  if (own(key)) return nothing_within;
  throw std::logic_error("key " + std::string{key} + " is read but not described");
}

const described_key* table_keys::description(std::string_view key) const {
  const described_key* here = own(key);
  return here ? here : node(key).key;
}

std::vector<std::string> table_keys::known_names() const {
  std::vector<std::string> known = names_of(schema_->children);
  for (const described_key& key : own_)
    if (!schema_->find(key.name)) known.emplace_back(key.name);
  return known;
}

}  // namespace muster
