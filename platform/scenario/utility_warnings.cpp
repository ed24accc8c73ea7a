#include "platform/scenario/utility_warnings.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "platform/scenario/diagnostics.h"

namespace muster {

namespace {

bool looks_at_next_unit_alone(const policy_spec& policy) {
  const std::pair<std::string, setting_value> literal{"gain", std::string{"literal"}};
  return policy.name == "ispeed" &&
         std::find(policy.settings.begin(), policy.settings.end(), literal) != policy.settings.end();
}

bool concave(const class_spec& spec, const std::vector<listed_job>& list) {
  if (spec.slotted->worth) return spec.slotted->worth->concave();
  return std::all_of(list.begin(), list.end(), [](const listed_job& job) { return job.worth->concave(); });
}

}  // namespace

std::vector<std::string> utility_warnings(const study& s) {
  std::set<std::string> sentences;
  for (const study::point& p : s.points) {
    if (!looks_at_next_unit_alone(p.what.policy)) continue;
    for (const class_spec& c : p.what.classes)
      if (c.slotted && !concave(c, p.what.arrivals.list))
        sentences.insert(fmt::format(
            "class {}: its utility is not concave, and ispeed with gain 'literal' looks no further than the "
            "next unit; gain 'envelope' looks ahead",
            in_quotes(c.name)));
  }
  return {sentences.begin(), sentences.end()};
}

}  // namespace muster
