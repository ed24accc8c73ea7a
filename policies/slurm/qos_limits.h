#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/slurm/slurm_job.h"

namespace muster {

/// What QOS allow running jobs: each partition may have one, and each job. GrpJobs, GrpCPUs and GrpNodes are limits of
/// all jobs of a QOS, MaxJobsPerUser, MaxCPUsPerUser and MaxNodesPerUser of those of each user. A job that would exceed
/// a limit is passed over.
///
/// Where both QOS of a job have a limit, that of the partition holds, with `OverPartQOS` that of the job. A job counts
/// in both. Its nodes are the fewest that can hold it.
class qos_limits {
 public:
  /// The parameters of limits, of a partition as of the QOS of jobs.
  static std::vector<parameter> parameters();
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

  /// Whether there is any limit.
  bool any() const { return any_; }
  /// Whether the start of a job would exceed a limit.
  bool exceeded_by(const slurm_job& j) const { return any_ && exceeds(j, true); }
  /// Whether a job exceeds a limit alone.
  bool excludes(const slurm_job& j) const { return any_ && exceeds(j, false); }

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

  static amount amount_of(const slurm_job& j) { return {1, j.cores, j.nodes}; }
  // Whether more would be used than a limit, of those that no other QOS has.
  static bool exceeds(const amount& most, const amount& used, const amount& more, const amount* other) {
    for (std::size_t n = 0; n < most.size(); ++n)
      if (most[n] > 0 && (other == nullptr || (*other)[n] == 0) && used[n] + more[n] > most[n]) return true;
    return false;
  }
  static bool exceeds(const row& own, const row* other, const slurm_job& j, bool with_others);
  bool exceeds(const slurm_job& j, bool with_others) const;
  void add(const settings& given, std::vector<row>& to);
  void change(const slurm_job& j, std::uint64_t times);

  std::vector<row> partitions_, of_jobs_;
  bool any_ = false;
};

}  // namespace muster
