#include "platform/command_line/plugins.h"

#include <set>
#include <string>

namespace muster {

code_fingerprint code_of(const study& s) {
  std::set<std::string> policies;
  for (const study::point& p : s.points) policies.insert(p.model.policy.name);
  return running_code(policies);
}

}  // namespace muster
