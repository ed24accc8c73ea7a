#include "muster/policies/slurm/qos_limits.h"

#include <algorithm>
#include <string>
#include <utility>

namespace muster {

std::vector<parameter> qos_limits::parameters() {
  const auto limit = [](std::string_view name, std::string_view help) {
    return parameter{name, integer_parameter{{0}, {1'000'000'000}, {0}}, help};
  };
  return {limit("GrpCPUs", "cores of its jobs that run; 0: any number"),
          limit("GrpNodes", "nodes of its jobs that run; 0: any number"),
          limit("GrpJobs", "jobs that run; 0: any number"),
          limit("MaxCPUsPerUser", "cores of a user's jobs; 0: any number"),
          limit("MaxNodesPerUser", "nodes of a user's jobs; 0: any number"),
          limit("MaxJobsPerUser", "jobs of a user that run; 0: any number")};
}

std::optional<setting_conflict> qos_limits::objection(const cluster_view& cluster) {
  for (const class_id id : cluster.classes())
    for (const char* name : {"GrpCPUs", "MaxCPUsPerUser"})
      if (const std::int64_t most = cluster.parameters(id).integer(name); most > 0 && most < cluster.cores(id))
        return setting_conflict{"", "jobs of class '" + cluster.name(id) + "' need " +
                                        std::to_string(cluster.cores(id)) + " cores, more than its " + name +
                                        "; expected at least as many, found " + std::to_string(most)};
  return std::nullopt;
}

void qos_limits::add(const settings& given, std::vector<row>& to) {
  const auto limit = [&](const char* name) { return static_cast<std::uint64_t>(given.integer(name)); };
  to.push_back({{limit("GrpJobs"), limit("GrpCPUs"), limit("GrpNodes")},
                {limit("MaxJobsPerUser"), limit("MaxCPUsPerUser"), limit("MaxNodesPerUser")}});
  any_ = any_ || to.back().most != nothing || to.back().most_of_user != nothing;
}

bool qos_limits::exceeds(const row& own, const row* other, const slurm_job& j, bool with_others) {
  const amount more = amount_of(j);
  const auto found = own.of_user.find(j.of->user);
  const amount& of_user = with_others && found != own.of_user.end() ? found->second : nothing;
  return exceeds(own.most, with_others ? own.used : nothing, more, other ? &other->most : nullptr) ||
         exceeds(own.most_of_user, of_user, more, other ? &other->most_of_user : nullptr);
}

bool qos_limits::exceeds(const slurm_job& j, bool with_others) const {
  const row* first = &partitions_[j.partition];
  const row* second = &of_jobs_[j.qos];
  if (second->over_partition) std::swap(first, second);
  return exceeds(*first, nullptr, j, with_others) || exceeds(*second, first, j, with_others);
}

// Adds a job to what is used, so many times modulo 2^64.
void qos_limits::change(const slurm_job& j, std::uint64_t times) {
  const amount of_job = amount_of(j);
  for (row* own : {&partitions_[j.partition], &of_jobs_[j.qos]})
    for (amount* used : {&own->used, &own->of_user[j.of->user]})
      for (std::size_t n = 0; n < of_job.size(); ++n) (*used)[n] += times * of_job[n];
}

}  // namespace muster
