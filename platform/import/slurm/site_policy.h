#pragma once

#include <map>
#include <set>
#include <string>

#include "platform/import/slurm/site_accounts.h"
#include "platform/import/slurm/site_hardware.h"
#include "platform/import/slurm/site_jobs.h"
#include "platform/import/slurm/site_settings.h"

namespace muster {

/// A text as a field of a list, and as the name of a table of the policy.
std::string field_of(std::string text);

/// Writes the table of the policy, and what partitions and jobs have of it.
class site_policy {
 public:
  /// @param settings, accounts, unused outlive the object
  site_policy(const site_settings& settings, const site_accounts& accounts, unused_values& unused)
      : settings_(settings), accounts_(accounts), unused_(unused) {}

  /// Whether jobs have a QOS in the scenario: some file describes one, and the policy has any.
  bool has_qos() const { return settings_.backfill && !accounts_.qos.empty(); }
  /// The QOS of a job as a field of a list; empty: it has none there. @param nodes the fewest that can hold it
  std::string qos_of(const site_job& job, double cores, double nodes);
  /// Whether the QOS of a partition, or a limit of the job's user or accounts, refuses a job, which is listed.
  bool refuses(const site_partition& partition, const site_job& job, double cores, double nodes);
  /// The longest time that the QOS of a job allows, in seconds; 0: any.
  double longest_of(const site_job& job) const;

  /// The line of a class with the parameters of a partition; empty: it has none.
  std::string of_partition(const site_partition& p) const;
  /// The parameters of the table `policy`, and its tables. Called when all jobs have been written.
  std::string text() const;

 private:
  std::string accounts_text() const;
  std::string qos_text() const;

  const site_settings& settings_;
  const site_accounts& accounts_;
  unused_values& unused_;
  std::set<std::string> undescribed_{};  // QOS of jobs
};

}  // namespace muster
