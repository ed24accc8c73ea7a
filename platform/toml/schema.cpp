#include "platform/toml/schema.h"

#include <algorithm>

namespace muster {

const key_node* key_node::find(std::string_view child) const {
  const auto found = std::find_if(children.begin(), children.end(), [&](const key_node& n) { return n.name == child; });
  return found == children.end() ? nullptr : &*found;
}

key_node by_table(const std::vector<described_key>& keys) {
  key_node root{};
  for (const described_key& key : keys) {
    key_node* at = &root;
    for (std::string_view rest = key.path; !rest.empty();) {
      const std::string_view part = rest.substr(0, rest.find('.'));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      if (part == "*") continue;
      if (!at->find(part)) at->children.push_back({part, nullptr, {}});
      at = const_cast<key_node*>(at->find(part));
    }
    at->key = &key;
  }
  return root;
}

}  // namespace muster
