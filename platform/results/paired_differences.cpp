#include "platform/results/paired_differences.h"

#include <algorithm>
#include <map>

#include "platform/metrics/metric.h"
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

std::vector<std::vector<std::size_t>> families_of_policies(const study& s) {
  std::map<std::vector<std::string>, std::vector<std::size_t>> points_of;  // by what the other keys have put in
  for (std::size_t p = 0; p < s.points.size(); ++p) {
    std::vector<std::string> others;
    for (std::size_t k = 0; k < s.keys.size(); ++k)
      if (!is_policy_key(s.keys[k])) others.push_back(s.points[p].values[k]);
    points_of[others].push_back(p);
  }
  std::vector<std::vector<std::size_t>> families;
  for (auto& [others, points] : points_of)
    if (points.size() > 1) families.push_back(std::move(points));
  std::sort(families.begin(), families.end());
  return families;
}

std::vector<std::pair<std::size_t, std::size_t>> pairs_within(const std::vector<std::size_t>& family) {
  constexpr std::size_t most_policies = 40;
  const std::size_t firsts = family.size() > most_policies ? 1 : family.size();
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < firsts; ++a)
    for (std::size_t b = a + 1; b < family.size(); ++b) pairs.emplace_back(family[a], family[b]);
  return pairs;
}

std::vector<estimate> differences(const std::vector<replication_result>& a, const std::vector<replication_result>& b) {
  std::vector<estimate> found;
  if (a.empty() || b.empty()) return found;
  std::map<std::pair<std::string, std::string>, std::size_t> place_in_b;
  const auto& of_b = b.front().measurements;
  for (std::size_t at = 0; at < of_b.size(); ++at) place_in_b[{of_b[at].class_name, of_b[at].metric}] = at;
  const auto& of_a = a.front().measurements;
  for (std::size_t at = 0; at < of_a.size(); ++at) {
    const auto other = place_in_b.find({of_a[at].class_name, of_a[at].metric});
    if (other == place_in_b.end() || is_phase(of_a[at].class_name)) continue;
    std::vector<double> values;
    std::uint64_t jobs = 0;
    cautions marks;
    for (std::size_t r = 0; r < std::min(a.size(), b.size()); ++r) {
      const measurement& x = a[r].measurements[at];
      const measurement& y = b[r].measurements[other->second];
      if (!x.has_value || !y.has_value) continue;
      values.push_back(x.value - y.value);
      jobs += x.jobs + y.jobs;
      marks.add(x.marks);
      marks.add(y.marks);
    }
    found.push_back(estimate_of(of_a[at].class_name, of_a[at].metric, values, jobs));
    found.back().marks = marks;
  }
  return found;
}

}  // namespace muster
