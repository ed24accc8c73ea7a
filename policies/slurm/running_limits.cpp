#include "muster/policies/slurm/running_limits.h"

#include <string>
#include <utility>

#include "muster/policies/slurm/account_tree.h"

namespace muster {

namespace {

parameter limit_of(std::string_view name, std::string_view help) {
  return {name, integer_parameter{{0}, {1'000'000'000}, {0}}, help};
}

std::array<std::uint64_t, 3> values_of(const settings& given, const std::array<const char*, 3>& names) {
  std::array<std::uint64_t, 3> values{};
  for (std::size_t n = 0; n < names.size(); ++n) values[n] = static_cast<std::uint64_t>(given.integer(names[n]));
  return values;
}

}  // namespace

std::vector<parameter> running_limits::qos_parameters() {
  return {limit_of("GrpCPUs", "cores of its jobs that run; 0: any number"),
          limit_of("GrpNodes", "nodes of its jobs that run; 0: any number"),
          limit_of("GrpJobs", "jobs that run; 0: any number"),
          limit_of("MaxCPUsPerUser", "cores of a user's jobs; 0: any number"),
          limit_of("MaxNodesPerUser", "nodes of a user's jobs; 0: any number"),
          limit_of("MaxJobsPerUser", "jobs of a user that run; 0: any number")};
}

std::vector<parameter> running_limits::association_parameters() {
  return {limit_of("GrpCPUs", "cores of its jobs that run; 0: any number"),
          limit_of("GrpNodes", "nodes of its jobs that run; 0: any number"),
          limit_of("GrpJobs", "jobs that run; 0: any number"),
          limit_of("MaxJobs", "jobs of a user that run; 0: as the account above")};
}

std::optional<setting_conflict> running_limits::objection(const cluster_view& cluster) {
  for (const class_id id : cluster.classes())
    for (const char* name : {"GrpCPUs", "MaxCPUsPerUser"})
      if (const std::int64_t most = cluster.parameters(id).integer(name); most > 0 && most < cluster.cores(id))
        return setting_conflict{"", "jobs of class '" + cluster.name(id) + "' need " +
                                        std::to_string(cluster.cores(id)) + " cores, more than its " + name +
                                        "; expected at least as many, found " + std::to_string(most)};
  return std::nullopt;
}

void running_limits::add(const settings& given, std::vector<row>& to) {
  to.push_back({values_of(given, {"GrpJobs", "GrpCPUs", "GrpNodes"}),
                values_of(given, {"MaxJobsPerUser", "MaxCPUsPerUser", "MaxNodesPerUser"})});
  any_ = any_ || to.back().most != nothing || to.back().most_of_user != nothing;
}

void running_limits::add_associations(const settings& given) {
  const account_tree tree(given);
  const std::vector<named_settings>& accounts = given.tables("accounts");
  const std::vector<named_settings>& users = given.tables("users");
  const auto add = [&](const settings& values, std::size_t above) {
    associations_.push_back({above, values_of(values, {"GrpJobs", "GrpCPUs", "GrpNodes"}), nothing, nothing});
  };
  associations_.reserve(accounts.size() + users.size() + 1);
  associations_.emplace_back();
  for (const auto& [name, values] : accounts) add(values, tree.above_accounts[associations_.size()]);
  first_user_ = associations_.size();
  for (std::size_t n = 0; n < users.size(); ++n) {
    add(users[n].values, tree.above_users[n]);
    std::int64_t most = users[n].values.integer("MaxJobs");
    for (std::size_t above = tree.above_users[n]; most == 0 && above != root; above = tree.above_accounts[above])
      most = accounts[above - 1].values.integer("MaxJobs");
    associations_.back().most_of_user[0] = static_cast<std::uint64_t>(most);
  }
  for (const association& a : associations_) any_ = any_ || a.most != nothing || a.most_of_user != nothing;
}

bool running_limits::exceeds(const row& own, const row* first, const slurm_job& j, bool with_others) {
  const amount more = amount_of(j);
  const auto found = own.of_user.find(j.of->user);
  const amount& of_user = with_others && found != own.of_user.end() ? found->second : nothing;
  return exceeds(own.most, with_others ? own.used : nothing, more, first ? first->most : nothing) ||
         exceeds(own.most_of_user, of_user, more, first ? first->most_of_user : nothing);
}

bool running_limits::exceeds(const slurm_job& j, bool with_others) const {
  const row* first = &partitions_[j.partition];
  const row* second = &of_jobs_[j.qos];
  if (second->over_partition) std::swap(first, second);
  if (exceeds(*first, nullptr, j, with_others) || exceeds(*second, first, j, with_others)) return true;
  const amount of_qos = either(first->most, second->most);
  const amount of_users_of_qos = either(first->most_of_user, second->most_of_user);
  for (std::size_t n = association_of(j); n != root; n = associations_[n].above) {
    const association& a = associations_[n];
    const amount& used = with_others ? a.used : nothing;
    if (exceeds(a.most, used, amount_of(j), of_qos) || exceeds(a.most_of_user, used, amount_of(j), of_users_of_qos))
      return true;
  }
  return false;
}

// Adds a job to what is used, so many times modulo 2^64.
void running_limits::change(const slurm_job& j, std::uint64_t times) {
  const amount of_job = amount_of(j);
  const auto add_to = [&](amount& used) {
    for (std::size_t n = 0; n < of_job.size(); ++n) used[n] += times * of_job[n];
  };
  for (row* own : {&partitions_[j.partition], &of_jobs_[j.qos]}) {
    add_to(own->used);
    add_to(own->of_user[j.of->user]);
  }
  for (std::size_t n = association_of(j); n != root; n = associations_[n].above) add_to(associations_[n].used);
}

}  // namespace muster
