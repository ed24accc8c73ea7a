#include "platform/model/study_families.h"

#include <algorithm>
#include <map>

#include "platform/toml/dotted_key.h"

namespace muster {

bool is_policy_key(const std::string& key) { return lies_within(key, "policy"); }

std::string policy_of(const study& s, std::size_t point) {
  std::string words;
  for (std::size_t k = 0; k < s.keys.size(); ++k)
    if (is_policy_key(s.keys[k])) words += (words.empty() ? "" : ", ") + s.keys[k] + "=" + s.points[point].values[k];
  if (std::count_if(s.keys.begin(), s.keys.end(), is_policy_key) == 1) words.erase(0, words.find('=') + 1);
  return words;
}

std::vector<std::vector<std::size_t>> families_but_for(const study& s, bool (*left_out)(const std::string& key)) {
  std::map<std::vector<std::string>, std::vector<std::size_t>> points_of;  // by what the other keys have put in
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    std::vector<std::string> others;
    for (std::size_t k = 0; k < s.keys.size(); ++k)
      if (!left_out(s.keys[k])) others.push_back(s.points[p].values[k]);
    points_of[others].push_back(p);
  }
  std::vector<std::vector<std::size_t>> families;
  for (auto& [others, points] : points_of)
    if (points.size() > 1) families.push_back(std::move(points));
  std::sort(families.begin(), families.end());
  return families;
}

std::vector<std::vector<std::size_t>> families_of_policies(const study& s) {
  return families_but_for(s, is_policy_key);
}

std::vector<std::vector<std::size_t>> families_of_sizes(const study& s) {
  return families_but_for(s, [](const std::string& key) {
    const auto parts = split_key(key);
    return parts && parts->back() == "size";
  });
}

std::vector<std::pair<std::size_t, std::size_t>> pairs_within(const std::vector<std::size_t>& family) {
  constexpr std::size_t most_policies = 40;
  const std::size_t firsts = family.size() > most_policies ? 1 : family.size();
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < firsts; ++a)
    for (std::size_t b = a + 1; b < family.size(); ++b) pairs.emplace_back(family[a], family[b]);
  return pairs;
}

}  // namespace muster
