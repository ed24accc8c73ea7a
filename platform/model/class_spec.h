#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muster/modules/network/exchange_pattern.h"
#include "muster/policies/job_class.h"
#include "muster/policies/utility.h"
#include "platform/model/deadline_entry.h"
#include "platform/model/policy_spec.h"
#include "platform/random/distribution.h"

namespace muster {

/// Deadlines of a class of slotted jobs.
struct deadline_spec {
  const deadline_entry* law = nullptr;  ///< null: there are none
  std::vector<double> values{};         ///< of the law's keys, in their order
};

/// The values of a class of slotted jobs beside those of every class.
struct slotted_spec {
  /// Utility of a job, value and initialisation included; null: each job of a list has its own.
  std::shared_ptr<const utility> worth;
  double value = 1.0;  ///< by which the utilities of a list are multiplied
  deadline_spec deadline;
  std::uint64_t jobs = 0;  ///< of a finite population; 0: the arrivals are infinite, or a list
};

/// A need of jobs of a class that come from a list, and how many of them bring it.
struct listed_need {
  job_need need{};         ///< the share of its tasks is not set
  std::uint64_t jobs = 0;  ///< of the list
  double size = 0.0;       ///< mean of these jobs
};

/// What the tasks of a job exchange while they work.
struct exchange_spec {
  exchange_pattern pattern{};
  double bytes = 0.0;  ///< that each task sends to each of its partners for `every` of its work, > 0
  double every = 0.0;  ///< work, in the unit of sizes, > 0
};

struct class_spec {
  std::string name;
  std::uint32_t need = 1;
  double rate = 0.0;   ///< arrivals per unit of time; share * arrivals.rate where the file gives a share
  double share = 0.0;  ///< of all arrivals
  distribution size;
  double state = 0.0;                   ///< bytes of a job's state that move when it migrates
  std::vector<std::string> servers;     ///< compatible servers; never empty once resolved
  std::uint32_t drawn = 0;              ///< each job draws that many servers of them at random; 0: it may use them all
  std::optional<slotted_spec> slotted;  ///< none: rigid or pooled; else `size` is its units times the slot
  setting_list policy;                  ///< values of the policy's parameters of a class
  std::optional<task_need> tasks{};     ///< none: `need` cores on any servers; its `share` is not set
  /// Distinct needs of the rigid or pooled jobs of a list, the class's own first. Empty: other arrivals.
  std::vector<listed_need> listed{};
  std::optional<exchange_spec> exchange{};  ///< of rigid jobs; none: their tasks exchange nothing

  /// Work of a job on average, as cores times time on capacity 1.
  double mean_work() const {
    double work = 0.0, jobs = 0.0;
    for (const listed_need& n : listed) {
      work += static_cast<double>(n.jobs) * n.need.cores * n.size;
      jobs += static_cast<double>(n.jobs);
    }
    return jobs > 0.0 ? work / jobs : need * size.mean();
  }
};

}  // namespace muster
