#include "platform/toml/dotted_key.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

std::vector<std::string> range(const std::vector<std::string>& path, std::size_t begin, std::size_t end) {
  return {path.begin() + static_cast<std::ptrdiff_t>(begin), path.begin() + static_cast<std::ptrdiff_t>(end)};
}

const std::string* name_of(const toml_value& element) { return as_if<std::string>(element.find("name")); }

std::string unknown_name(const toml_array& elements, const std::string& array, const std::string& name) {
  std::vector<std::string> known;
  for (const toml_value& element : elements)
    if (const std::string* other = name_of(element)) known.push_back(*other);
  return fmt::format("unknown name {} in {}{}", in_quotes(name), array, suggestion(name, known));
}

toml_value& entry_of(toml_table& table, const std::string& key, position key_where) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const toml_entry& e) { return e.key == key; });
  if (found != table.end()) {
    found->key_where = key_where;
    return found->value;
  }
  table.push_back({key, key_where, {key_where, toml_table{}}});
  return table.back().value;
}

// The element whose name the path gives from its i-th part on; i is advanced past the name. Null if there is none.
// The longest name first: of the classes a and a.b, the key classes.a.b.need means a.b.
template <class Elements>
auto element_on(const std::vector<std::string>& path, std::size_t& i, Elements& elements, std::size_t hint = 0)
    -> decltype(elements.data()) {
  for (std::size_t end = path.size() - 1; end > i; --end) {
    const std::string name = join_key(range(path, i, end));
    for (std::size_t step = 0; step < elements.size(); ++step) {
      auto& element = elements[(hint + step) % elements.size()];
      if (part_of(elements, element) != name) continue;
      i = end;
      return &element;
    }
  }
  return nullptr;
}

// The paths that have a name in place of the first `*`; none if no array of tables stands there.
std::vector<std::vector<std::string>> name_first_wildcard(const toml_value& root,
                                                          const std::vector<std::string>& path) {
  const auto star = static_cast<std::size_t>(std::find(path.begin(), path.end(), "*") - path.begin());
  const auto* elements = as_if<toml_array>(find(root, range(path, 0, star)));
  std::vector<std::vector<std::string>> named;
  if (!elements) return named;
  for (const toml_value& element : *elements) {
    const std::string part = part_of(*elements, element);
    if (part == "*") continue;  // not allowed as a name
    named.push_back(path);
    named.back()[star] = part;
  }
  return named;
}

std::string no_elements(const std::vector<std::string>& path) {
  const std::string before = join_key({path.begin(), std::find(path.begin(), path.end(), "*")});
  return fmt::format("'*' stands for every element of an array of tables, as in classes.*.size; found none at {}",
                     before.empty() ? "the top" : before);
}

}  // namespace

const toml_value* find(const toml_value& root, const std::vector<std::string>& path) {
  const toml_value* at = &root;
  for (std::size_t i = 0; i < path.size() && at;) {
    const auto* elements = at->as<toml_array>();
    at = elements ? element_on(path, i, *elements) : at->find(path[i++]);
  }
  return at;
}

std::optional<std::vector<std::string>> split_key(std::string_view dotted) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (true) {
    const bool in_quotes = at < dotted.size() && (dotted[at] == '"' || dotted[at] == '\'');
    const std::size_t begin = in_quotes ? at + 1 : at;
    const std::size_t end = in_quotes ? dotted.find(dotted[at], begin) : std::min(dotted.find('.', at), dotted.size());
    if (end == std::string_view::npos || end == begin) return std::nullopt;
    parts.emplace_back(dotted.substr(begin, end - begin));
    at = in_quotes ? end + 1 : end;
    if (at == dotted.size()) return parts;
    if (dotted[at++] != '.') return std::nullopt;
  }
}

std::string join_key(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) (all += all.empty() || part[0] == '[' ? "" : ".") += part;
  return all;
}

std::string part_of(const toml_array& elements, const toml_value& element) {
  const std::string* name = name_of(element);
  return name ? *name : fmt::format("[{}]", &element - elements.data());
}

bool lies_within(std::string_view key, std::string_view ancestor) {
  return key.substr(0, ancestor.size()) == ancestor &&
         (key.size() == ancestor.size() || key[ancestor.size()] == '.' || key[ancestor.size()] == '[');
}

bool has_wildcard(const std::vector<std::string>& path) {
  return std::find(path.begin(), path.end(), "*") != path.end();
}

std::vector<std::vector<std::string>> spell_out(const toml_value& root, const std::vector<std::string>& path) {
  if (!has_wildcard(path)) return {path};
  std::vector<std::vector<std::string>> all;
  if (path.back() == "*") return all;
  for (const auto& named : name_first_wildcard(root, path))
    for (auto& spelled : spell_out(root, named)) all.push_back(std::move(spelled));
  return all;
}

void erase(toml_value& root, const std::vector<std::string>& path) {
  auto* entries = as_if<toml_table>(const_cast<toml_value*>(find(root, range(path, 0, path.size() - 1))));
  if (!entries) return;
  const auto is_it = [&](const toml_entry& e) { return e.key == path.back(); };
  entries->erase(std::remove_if(entries->begin(), entries->end(), is_it), entries->end());
}

std::optional<std::string> assign(toml_value& root, const std::vector<std::string>& path, position key_where,
                                  toml_value value, std::size_t hint) {
  if (has_wildcard(path)) {
    const auto all = name_first_wildcard(root, path);
    std::optional<std::string> wrong;
    if (all.empty()) wrong = no_elements(path);
    for (auto named = all.begin(); named != all.end() && !wrong; ++named)
      wrong = assign(root, *named, key_where, value);
    return wrong;
  }
  toml_value* at = &root;
  for (std::size_t i = 0; i < path.size();) {
    if (auto* table = at->as<toml_table>()) {
      at = &entry_of(*table, path[i++], key_where);
      continue;
    }
    const std::string here = join_key(range(path, 0, i));
    auto* elements = at->as<toml_array>();
    if (!elements || elements->empty() || !elements->front().as<toml_table>())
      return fmt::format("{} is {}; expected a table", here, at->type_name());
    if (i + 1 == path.size()) return fmt::format("{} is an array of tables; expected {}.NAME.KEY", here, here);
    toml_value* element = element_on(path, i, *elements, hint);
    if (!element) return unknown_name(*elements, here, path[i]);
    at = element;
  }
  *at = std::move(value);
  return std::nullopt;
}

}  // namespace muster
