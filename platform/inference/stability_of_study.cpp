#include "platform/inference/stability_of_study.h"

#include <set>

#include <fmt/format.h>

namespace muster {

namespace {

const char* word(stability::verdict answer) {
  switch (answer) {
    case stability::verdict::stable:
      return "stable";
    case stability::verdict::unstable:
      return "unstable";
    case stability::verdict::unknown:
      break;
  }
  return "not known";
}

const char* kind_of_limit(const stability& found) {
  if (!found.policy_rate) return "known to be unstable from";
  switch (found.known_by) {
    case limit_evidence::simulated:
      return "limit (simulated)";
    case limit_evidence::bound:
      return "known to be stable below";
    case limit_evidence::simulated_bound:
      return "stable below (simulated)";
    case limit_evidence::exact:
      break;
  }
  return "limit";
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
    const stability& found = known[p];
    all.points.push_back({word(found.answer), found.work, to_word(found.overhead), found.rate, found.work_rate,
                          found.policy_rate.value_or(found.unstable_from), kind_of_limit(found), limit_text(found)});
    conditions.insert(fmt::format("{}: {}", s.points[p].model.policy.name, found.condition));
    if (found.overhead != overhead_count::none) conditions.insert(about_overhead);
  }
  all.conditions.assign(conditions.begin(), conditions.end());
  return all;
}

}  // namespace muster
