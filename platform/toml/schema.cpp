#include "platform/toml/schema.h"

#include <algorithm>

namespace muster {

namespace {

key_node& child_of(key_node& parent, std::string_view name, std::string path) {
  if (const key_node* found = parent.find(name)) return const_cast<key_node&>(*found);
  return parent.children.emplace_back(key_node{name, std::move(path)});
}

}  // namespace

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

}  // namespace muster
