#include "platform/toml/nearest_name.h"

#include <algorithm>
#include <cstddef>

#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr std::size_t longest_guess = 64;  // longer names are not compared
constexpr std::size_t longest_list = 40;   // all policies are listed, but not all metrics

// Optimal string alignment: two neighbours that were swapped count as one difference.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::move(last);
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

// The name that goes on where the given one ends, or ends where that goes on; of several the one of the nearest length.
std::optional<std::string> longer_or_shorter(std::string_view given, const std::vector<std::string>& known) {
  constexpr std::size_t shortest = 4;
  std::optional<std::string> nearest;
  std::size_t least = longest_guess;
  for (const std::string& name : known) {
    const std::size_t common = std::min(name.size(), given.size());
    const std::size_t gap = std::max(name.size(), given.size()) - common;
    if (common < shortest || gap >= least || given.substr(0, common) != name.substr(0, common)) continue;
    least = gap;
    nearest = name;
  }
  return nearest;
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view given, const std::vector<std::string>& known) {
  if (given.size() > longest_guess) return std::nullopt;
  std::optional<std::string> nearest;
  std::size_t least = std::max<std::size_t>(1, given.size() / 3) + 1;
  for (const std::string& name : known) {
    const std::size_t gap = std::max(name.size(), given.size()) - std::min(name.size(), given.size());
    if (gap >= least) continue;
    const std::size_t slips = distance(given, name);
    // A name that shares no letter was not meant.
    if (slips >= least || slips >= std::max(name.size(), given.size())) continue;
    least = slips;
    nearest = name;
  }
  return nearest ? nearest : longer_or_shorter(given, known);
}

std::string suggestion(std::string_view given, const std::vector<std::string>& known) {
  if (const auto nearest = nearest_name(given, known)) return "; did you mean " + in_quotes(*nearest) + "?";
  if (known.empty() || known.size() > longest_list) return "";
  std::string all;
  for (const std::string& name : known) (all += all.empty() ? "; expected one of: " : ", ") += printable(name);
  return all;
}

}  // namespace muster
