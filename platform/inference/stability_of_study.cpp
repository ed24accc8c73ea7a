#include "platform/inference/stability_of_study.h"

#include <array>
#include <set>

#include <fmt/format.h>

namespace muster {

namespace {

const char* word(stability::verdict answer) {
  constexpr std::array words{"stable", "not known", "unstable"};
  return words[static_cast<std::size_t>(answer)];
}

const char* kind_of_limit(const stability& limits) {
  constexpr std::array kinds{"limit", "limit (simulated)", "known to be stable below", "stable below (simulated)"};
  return limits.policy_rate ? kinds[static_cast<std::size_t>(limits.known_by)] : "known to be unstable from";
}

}  // namespace

std::vector<stability> examine_points(const study& s, limit_search search) {
  std::vector<stability> known;
  known.reserve(s.points.size());
  for (const study::point& p : s.points) known.push_back(examine_stability(p.model, search));
  return known;
}

study_stability stability_of(const study& s, const std::vector<stability>& known) {
  study_stability all;
  std::set<std::string> conditions;
  for (std::size_t p = 0; p < known.size(); ++p) {
    const stability& limits = known[p];
    all.points.push_back({word(limits.answer), limits.work, to_word(limits.overhead), limits.rate, limits.work_rate,
                          limits.policy_rate.value_or(limits.unstable_from), kind_of_limit(limits),
                          limit_text(limits)});
    conditions.insert(fmt::format("{}: {}", s.points[p].model.policy.name, limits.condition));
    if (limits.overhead != overhead_count::none) conditions.insert(about_overhead);
  }
  all.conditions.assign(conditions.begin(), conditions.end());
  return all;
}

}  // namespace muster
