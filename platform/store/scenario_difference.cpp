#include "platform/store/scenario_difference.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "platform/toml/dotted_key.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

// The values within a table by their keys, or the elements of an array of tables by their names or places.
using parts = std::vector<std::pair<std::string, const toml_value*>>;

std::optional<parts> parts_of(const toml_value& value) {
  parts all;
  if (const auto* table = value.as<toml_table>()) {
    for (const toml_entry& e : *table)
      all.emplace_back(e.key.find('.') == std::string::npos ? e.key : '"' + e.key + '"', &e.value);
    return all;
  }
  const auto* elements = value.as<toml_array>();
  if (!elements || elements->empty()) return std::nullopt;
  for (const toml_value& element : *elements) {
    if (!element.as<toml_table>()) return std::nullopt;
    all.emplace_back(part_of(*elements, element), &element);
  }
  return all;
}

const toml_value* find_part(const parts& all, const std::string& part) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.first == part; });
  return found == all.end() ? nullptr : found->second;
}

std::optional<std::string> bytes_of(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

/// Walks through both at once.
struct parallel_walk {
  const fs::path &folder_of_a, &folder_of_b;
  std::vector<changed_key> found{};

  // @param path leads to both
  void compare(const std::vector<std::string>& path, const toml_value& a, const toml_value& b) {
    const std::optional<parts> of_a = parts_of(a), of_b = parts_of(b);
    if (!of_a || !of_b) return compare_values(path, a, b);
    const auto below = [&](const std::string& part) {
      std::vector<std::string> longer = path;
      longer.push_back(part);
      return longer;
    };
    for (const auto& [part, value] : *of_a) {
      if (const toml_value* other = find_part(*of_b, part))
        compare(below(part), *value, *other);
      else
        found.push_back({join_key(below(part)), short_form(*value), {}});
    }
    for (const auto& [part, value] : *of_b)
      if (!find_part(*of_a, part)) found.push_back({join_key(below(part)), {}, short_form(*value)});
  }

  void compare_values(const std::vector<std::string>& path, const toml_value& a, const toml_value& b) {
    const std::string in_a = short_form(a), in_b = short_form(b);
    if (in_a != in_b)
      found.push_back({join_key(path), in_a, in_b});
    else
      compare_files(path, a);
  }

  void compare_files(const std::vector<std::string>& path, const toml_value& named) {
    if (const auto* elements = named.as<toml_array>())
      for (const toml_value& element : *elements) compare_files(path, element);
    const auto* name = named.as<std::string>();
    if (!name) return;
    const auto in_a = bytes_of(folder_of_a / *name), in_b = bytes_of(folder_of_b / *name);
    if (!in_a || !in_b || *in_a == *in_b) return;
    const auto described = [&](const std::string& content) {
      return fmt::format("{} of {} bytes", *name, content.size());
    };
    const bool as_long = in_a->size() == in_b->size();
    found.push_back({join_key(path), described(*in_a), described(*in_b) + (as_long ? ", other content" : "")});
  }
};

}  // namespace

std::vector<changed_key> scenario_differences(const stored_scenario& a, const stored_scenario& b) {
  parallel_walk both{a.folder, b.folder};
  both.compare({}, a.document, b.document);
  return both.found;
}

}  // namespace muster
