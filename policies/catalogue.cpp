#include "muster/policies/catalogue.h"

#include <algorithm>

namespace muster {

// One entry at the end of each policy's file. Named here, not registered by constructors, which a static link drops.
extern const policy_entry adaptive_quickswap_entry;
extern const policy_entry balanced_fair_entry;
extern const policy_entry edf_entry;
extern const policy_entry equal_partitioning_entry;
extern const policy_entry fcfs_entry;
extern const policy_entry fcfs_pooled_entry;
extern const policy_entry fifo_entry;
extern const policy_entry first_fit_entry;
extern const policy_entry ispeed_entry;
extern const policy_entry msf_entry;
extern const policy_entry msfq_entry;
extern const policy_entry static_quickswap_entry;

namespace {

std::vector<const policy_entry*>& entries() {
  static std::vector<const policy_entry*> all{&fcfs_entry,
                                              &first_fit_entry,
                                              &msf_entry,
                                              &msfq_entry,
                                              &static_quickswap_entry,
                                              &adaptive_quickswap_entry,
                                              &fcfs_pooled_entry,
                                              &balanced_fair_entry,
                                              &ispeed_entry,
                                              &fifo_entry,
                                              &edf_entry,
                                              &equal_partitioning_entry};
  return all;
}

}  // namespace

const std::vector<const policy_entry*>& policy_catalogue() { return entries(); }

void add_policy(const policy_entry& entry) {
  if (find_policy(entry.name))
    throw policy_error("policy '" + std::string{entry.name} + "': there is one of that name already");
  entry.check();
  entries().push_back(&entry);
}

const policy_entry* find_policy(std::string_view name) {
  const auto& all = policy_catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const policy_entry* e) { return e->name == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace muster
