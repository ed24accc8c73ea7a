#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muster/policies/job.h"
#include "muster/policies/resources.h"
#include "muster/policies/settings.h"
#include "muster/policies/utility.h"

namespace muster {

/// A need that a job may bring in place of that of its class.
struct job_need {
  unsigned cores = 1;                             ///< that the job holds at once, of all its tasks where these count
  std::optional<task_need> tasks = std::nullopt;  ///< as job_class::tasks
  std::optional<double> arrival_share =
      std::nullopt;  ///< of the jobs that bring it in all arrivals; nothing: not known

  bool operator==(const job_need& other) const { return cores == other.cores && tasks == other.tasks; }
};

/// A job class as the scheduler knows it.
struct job_class {
  std::string name;
  unsigned need = 1;             ///< cores that a job holds at once
  std::vector<group_id> groups;  ///< compatible servers, in the order in which cores are taken from them
  unsigned drawn = 0;            ///< how many of the groups each job draws for itself, to use only these; 0: all
  std::uint64_t state = 0;       ///< bytes of a job's state, which a migration moves
  /// The utility of the units of slotted jobs; null: the jobs are rigid or pooled, or each submits its own.
  std::shared_ptr<const utility> worth = nullptr;

  /// @name Declared properties, in units of time; nothing: not known, as for jobs from a list
  /// @{
  std::optional<double> mean_size = std::nullopt;     ///< work of a job: time on capacity 1, on all cores that it needs
  std::optional<double> arrival_rate = std::nullopt;  ///< arrivals per unit of time
  /// The class's share of all arrivals; where it is left out, it is computed if all classes declare their rates.
  std::optional<double> arrival_share = std::nullopt;
  /// @}

  settings parameters = {};  ///< the policy's parameters of this class, see policy_entry::complete_classes()
  /// What a job holds at once, where tasks count and not cores alone: then every class has one, and `need` is the cores
  /// of all its tasks. Nothing: cores on any servers.
  std::optional<task_need> tasks = std::nullopt;
  /// Needs that a job of the class may bring in place of the class's own; a submission names them from 1 on. Empty: all
  /// jobs of the class need the same.
  std::vector<job_need> submitted = {};
};

}  // namespace muster
