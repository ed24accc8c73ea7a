#include "platform/scenario/node_servers.h"

#include <algorithm>
#include <optional>

#include "platform/log/node_list.h"

namespace muster {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The numbers in what follows the name of an entry, such as those of `1n04`; nothing: this is another name.
std::optional<std::vector<std::uint32_t>> numbers_behind(std::string_view rest) {
  constexpr std::size_t most_digits = 9;
  std::vector<std::uint32_t> all;
  if (rest.empty()) return all;
  if (!is_digit(rest.front()) && (rest.size() < 2 || !is_digit(rest[1]) || rest.find_first_of("-_.") != 0))
    return std::nullopt;
  std::size_t digits = 0;
  for (const char c : rest) {
    digits = is_digit(c) ? digits + 1 : 0;
    if (digits > most_digits) return std::nullopt;
    if (digits == 1) all.push_back(0);
    if (digits > 0) all.back() = all.back() * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return all;
}

}  // namespace

node_servers::node_servers(const std::vector<server_spec>& entries, const std::vector<std::string>& lists)
    : keys_(entries.size()), servers_of_keys_(entries.size()), lists_(lists.size()) {
  for (std::size_t n = 0; n < entries.size(); ++n) entries_.emplace(entries[n].name, n);
  std::vector<std::vector<node>> nodes(lists.size());
  for (std::size_t n = 0; n < lists.size(); ++n) {
    const auto names = names_in_node_list(lists[n]);
    if (!names) lists_[n].flaw = "whose list of nodes cannot be read";
    if (!names) continue;
    for (const std::string& name : *names) {
      const node& added = nodes[n].emplace_back(node_of(name));
      if (added.entry != none) keys_[added.entry].insert(added.key);
    }
  }
  for (std::size_t n = 0; n < entries.size(); ++n) number(n, entries[n].count);
  for (std::size_t n = 0; n < lists.size(); ++n) {
    auto& [flaw, servers] = lists_[n];
    for (const auto& [entry, key] : nodes[n]) {
      const auto found =
          entry == none ? std::map<numbers, std::uint32_t>::const_iterator{} : servers_of_keys_[entry].find(key);
      if (entry == none || found == servers_of_keys_[entry].end()) {
        flaw = "on nodes that platform.servers does not have by these names";
        break;
      }
      servers.emplace_back(static_cast<std::uint32_t>(entry), found->second);
    }
    std::sort(servers.begin(), servers.end());
    servers.erase(std::unique(servers.begin(), servers.end()), servers.end());
  }
}

node_servers::node node_servers::node_of(std::string_view name) const {
  for (std::size_t length = name.size(); length > 0; --length) {
    const auto entry = entries_.find(name.substr(0, length));
    if (entry == entries_.end()) continue;
    if (auto key = numbers_behind(name.substr(length))) return {entry->second, std::move(*key)};
  }
  return {none, {}};
}

// Tells which servers of an entry the nodes with these numbers are.
void node_servers::number(std::size_t entry, std::uint32_t count) {
  const std::set<numbers>& keys = keys_[entry];
  if (keys.empty()) return;
  const bool single = std::all_of(keys.begin(), keys.end(), [](const numbers& key) { return key.size() == 1; });
  const std::uint32_t first = single && keys.begin()->front() == 0 ? 0 : 1;
  const bool in_order = !single || keys.rbegin()->front() - first >= count;
  if (in_order && keys.size() > count && !single) return;
  std::uint32_t place = 0;
  for (const numbers& key : keys) {
    const std::uint32_t server = in_order && keys.size() <= count ? place++ : key.front() - first;
    if (server < count) servers_of_keys_[entry].emplace(key, server);
  }
}

}  // namespace muster
