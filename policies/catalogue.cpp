#include "muster/policies/catalogue.h"

#include <algorithm>

namespace muster {

// Entries of the policies in rigid/, pooled/ and slotted/, in a list that the build generates. Registration by
// constructors would be dropped by a static link.
const std::vector<const policy_entry*>& own_policies();

namespace {

std::vector<const policy_entry*>& entries() {
  static std::vector<const policy_entry*> all = own_policies();
  return all;
}

}  // namespace

const std::vector<const policy_entry*>& policy_catalogue() { return entries(); }

void add_policy(const policy_entry& entry) {
  if (find_policy(entry.name))
    throw policy_error("policy '" + std::string{entry.name} + "': a policy of this name exists already");
  entry.check();
  entries().push_back(&entry);
}

const policy_entry* find_policy(std::string_view name) {
  const auto& all = policy_catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const policy_entry* e) { return e->name == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace muster
