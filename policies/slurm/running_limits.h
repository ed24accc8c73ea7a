#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/slurm/slurm_job.h"

namespace muster {

/// What QOS and associations allow running jobs. A job that would exceed a limit is passed over.
///
/// Each partition may have a QOS, and each job. GrpJobs, GrpCPUs and GrpNodes are limits of all jobs of a QOS,
/// MaxJobsPerUser, MaxCPUsPerUser and MaxNodesPerUser of those of each user. Where both QOS of a job have a limit, that
/// of the partition holds, with `OverPartQOS` that of the job. A job counts in both.
///
/// Associations are users and accounts (account_tree), of which a job counts in that of its user and in all above it.
/// GrpJobs, GrpCPUs and GrpNodes are limits of all jobs of an association. MaxJobs is a limit of a user's jobs: that of
/// the user, or else of the nearest account above that has one. A limit of an association does not hold where a QOS of
/// the job has it, of all its jobs or of a user's, respectively.
///
/// The nodes of a job are the fewest that can hold it.
class running_limits {
 public:
  /// The parameters of limits of a QOS: of a partition, and of jobs.
  static std::vector<parameter> qos_parameters();
  /// The parameters of limits of an association.
  static std::vector<parameter> association_parameters();
  /// Why jobs of a class could never start, whatever their QOS; nothing: they can.
  static std::optional<setting_conflict> objection(const cluster_view& cluster);

  /// @name Complete parameters of the QOS, in the order of their numbers
  /// @{
  void add_partition(const settings& given) { add(given, partitions_); }
  void add_no_qos() { of_jobs_.emplace_back(); }
  void add_qos(const settings& given, bool over_partition) {
    add(given, of_jobs_);
    of_jobs_.back().over_partition = over_partition;
  }
  /// @}
  /// Adds the accounts and users of the policy. @param given complete settings of the policy
  void add_associations(const settings& given);

  /// Whether there is any limit.
  bool any() const { return any_; }
  /// Whether the start of a job would exceed a limit.
  bool exceeded_by(const slurm_job& j) const { return any_ && exceeds(j, true); }
  /// Whether a job exceeds a limit alone.
  bool excludes(const slurm_job& j) const { return any_ && exceeds(j, false); }
  /// Whether the user of a job is described, and may have limits.
  bool has_association(const slurm_job& j) const { return association_of(j) != root; }

  /// @name Jobs that start, and that end
  /// @{
  void begin(const slurm_job& j) {
    if (any_) change(j, 1);
  }
  void end(const slurm_job& j) {
    if (any_) change(j, ~std::uint64_t{0});
  }
  /// @}

 private:
  using amount = std::array<std::uint64_t, 3>;  // jobs, cores, nodes; as a limit 0 stands for none
  static constexpr amount nothing{};

  struct row {
    amount most = nothing, most_of_user = nothing;
    bool over_partition = false;
    amount used = nothing;
    std::unordered_map<std::uint32_t, amount> of_user = {};
  };

  static constexpr std::size_t root = 0;
  // An account or a user, which alone has most_of_user.
  struct association {
    std::size_t above = root;
    amount most = nothing, most_of_user = nothing;
    amount used = nothing;
  };

  static amount amount_of(const slurm_job& j) { return {1, j.cores, j.nodes}; }
  // Whether more would be used than a limit, of those that no other has that comes first.
  static bool exceeds(const amount& most, const amount& used, const amount& more, const amount& first) {
    for (std::size_t n = 0; n < most.size(); ++n)
      if (most[n] > 0 && first[n] == 0 && used[n] + more[n] > most[n]) return true;
    return false;
  }
  // The limits that one or the other has, as far as it matters whether there is any.
  static amount either(amount one, const amount& other) {
    for (std::size_t n = 0; n < one.size(); ++n) one[n] |= other[n];
    return one;
  }
  static bool exceeds(const row& own, const row* first, const slurm_job& j, bool with_others);
  bool exceeds(const slurm_job& j, bool with_others) const;
  void add(const settings& given, std::vector<row>& to);
  std::size_t association_of(const slurm_job& j) const {
    const std::size_t place = first_user_ + j.of->user;
    return place < associations_.size() ? place : root;
  }
  void change(const slurm_job& j, std::uint64_t times);

  std::vector<row> partitions_, of_jobs_;
  std::vector<association> associations_;  // the root, accounts, and users from first_user_ on
  std::size_t first_user_ = 0;
  bool any_ = false;
};

}  // namespace muster
