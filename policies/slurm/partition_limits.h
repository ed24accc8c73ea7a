#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/slurm/slurm_job.h"

namespace muster {

/// What the QOS of each partition allows its running jobs: GrpCPUs of all, MaxCPUsPerUser and MaxJobsPerUser of each
/// user. A job that would exceed a limit is passed over.
class partition_limits {
 public:
  /// Why jobs of a class could never start; nothing: they can.
  static std::optional<setting_conflict> objection(const cluster_view& cluster) {
    for (const class_id id : cluster.classes())
      for (const char* name : {"GrpCPUs", "MaxCPUsPerUser"})
        if (const std::int64_t most = cluster.parameters(id).integer(name); most > 0 && most < cluster.cores(id))
          return setting_conflict{"", "jobs of class '" + cluster.name(id) + "' need " +
                                          std::to_string(cluster.cores(id)) + " cores, more than its " + name +
                                          "; expected at least as many, found " + std::to_string(most)};
    return std::nullopt;
  }

  /// Adds the partition of the next number. @param of_class complete parameters of one of its classes
  void add(const settings& of_class) {
    const auto limit = [&](const char* name) { return static_cast<std::uint64_t>(of_class.integer(name)); };
    all_.push_back({{0, limit("GrpCPUs")}, {limit("MaxJobsPerUser"), limit("MaxCPUsPerUser")}});
    any_ = any_ || all_.back().most.any() || all_.back().most_of_user.any();
  }
  /// Whether some partition has a limit.
  bool any() const { return any_; }
  /// Whether the start of a job would exceed a limit.
  bool exceeded_by(const slurm_job& j) const {
    if (!any_) return false;
    const partition& own = all_[j.partition];
    const auto found = own.of_user.find(j.of->user);
    return own.most.exceeded_by(own.used, j) ||
           own.most_of_user.exceeded_by(found == own.of_user.end() ? amount{} : found->second, j);
  }

  /// @name Jobs that start, and that end
  /// @{
  void begin(const slurm_job& j) {
    if (any_) change(j, 1, j.cores);
  }
  void end(const slurm_job& j) {
    if (any_) change(j, ~std::uint64_t{0}, ~std::uint64_t{j.cores} + 1);
  }
  /// @}

 private:
  struct amount {
    std::uint64_t jobs = 0, cores = 0;

    bool any() const { return jobs > 0 || cores > 0; }
    // Whether a job would take more than this, as a limit in which 0 stands for no limit.
    bool exceeded_by(const amount& used, const slurm_job& j) const {
      return (jobs > 0 && used.jobs + 1 > jobs) || (cores > 0 && used.cores + j.cores > cores);
    }
  };
  struct partition {
    amount most, most_of_user;
    amount used = {};
    std::unordered_map<std::uint32_t, amount> of_user = {};
  };

  // Adds to what is used, where numbers below 0 are given modulo 2^64.
  void change(const slurm_job& j, std::uint64_t jobs, std::uint64_t cores) {
    partition& own = all_[j.partition];
    for (amount* used : {&own.used, &own.of_user[j.of->user]}) {
      used->jobs += jobs;
      used->cores += cores;
    }
  }

  std::vector<partition> all_;
  bool any_ = false;
};

}  // namespace muster
