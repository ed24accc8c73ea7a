#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muster/policies/job.h"
#include "muster/policies/utility.h"
#include "platform/model/arrival_entry.h"
#include "platform/model/job_dependencies.h"
#include "platform/model/spooled_list.h"
#include "platform/random/distribution.h"

namespace muster {

/// One slotted job of a list.
struct listed_job {
  std::uint64_t id = 0;
  std::uint64_t arrival = 1;   ///< slot, counted from 1
  std::uint64_t deadline = 0;  ///< the last slot in which it may be served; 0: none
  std::shared_ptr<const utility> worth;
};

/// One rigid or pooled job of a list.
struct timed_job {
  double arrival = 0.0, size = 0.0;         ///< in units of time; work on capacity 1
  std::uint32_t type = 0;                   ///< place of its class in scenario::classes
  std::uint32_t need = 0;                   ///< place in class_spec::listed
  double requested = 0.0;                   ///< work that its user has requested, in units of time; 0: not known
  std::uint32_t user = job_facts::no_user;  ///< place in arrival_spec::users
  std::uint32_t qos = job_facts::no_qos;    ///< place in arrival_spec::qos
  std::uint32_t line = 0;                   ///< of the log or list that tells of it; 0: none does
};

/// The jobs of a list, of a long log mostly in a temporary file.
using timed_jobs = spooled_list<timed_job>;

/// What a job holds of a server of an entry: as many of its cores, or of its tasks where these count.
struct server_part {
  std::uint32_t entry = 0;   ///< in scenario::servers
  std::uint32_t server = 0;  ///< within the entry
  std::uint32_t units = 1;
};

/// Where a job is that runs at time 0.
struct running_job {
  static constexpr std::uint32_t no_nodes = ~std::uint32_t{0};
  std::uint32_t line = 0;                 ///< of its file
  std::uint32_t nodes = no_nodes;         ///< number of the list that names its nodes there
  std::vector<server_part> servers = {};  ///< by entry, then by number; empty: up to the placement
};

/// A change of the rate of arrivals, as the scenario says.
struct rate_event {
  double at = 0.0;      ///< in units of time, > 0
  double factor = 1.0;  ///< of the rate that the arrivals have by themselves, from then on

  static constexpr double least = 0.001, most = 10.0;  ///< of `factor`
};

/// What a scheduler believes of the sizes of rigid jobs, and whether jobs end at that.
struct estimate_spec {
  enum class rule {
    exact,      ///< their sizes
    requested,  ///< what their users have requested
    learnt,     ///< the mean size of the user's last two jobs that are complete, at most the request
    factor      ///< `factor` times their sizes
  };
  rule from = rule::exact;
  double factor = 1.0;  ///< > 0
  bool kill = false;    ///< whether jobs are killed at their estimate by `factor`, else at their request

  /// Whether jobs state what their users have requested.
  bool are_of_requests() const { return from == rule::requested || from == rule::learnt; }
  /// The work after which a job is killed, in the unit of its size. Infinite: it is not.
  /// @param requested 0: not known
  double limit(double size, double requested) const {
    const double at = from == rule::factor ? factor * size : requested;
    return kill && at > 0.0 ? at : std::numeric_limits<double>::infinity();
  }
};

/// How the jobs of a log differ from replication to replication. Replication 0 has those of the log.
struct log_spec {
  enum class copies { none, shake, resample };
  copies replicate = copies::none;
  double shift = 0.0;  ///< largest shift of an arrival, in units of time, either way
  double week = 0.0;   ///< length of a week of the log, in units of time; > 0
  /// Time 0, in seconds since 1970 UTC. None: the log does not tell it, or `scale` has changed its days.
  std::optional<double> begins{};

  /// Whether a replication may lack users, and with them classes.
  bool draws_users() const { return replicate == copies::resample; }
};

/// Total arrival process; each arrival draws its class by the classes' shares. Or a finite number of slotted jobs.
struct arrival_spec {
  using process = arrival_kind;
  const arrival_entry* entry = arrival_catalogue().front();
  process kind = process::poisson;
  double rate = 0.0;           ///< arrivals per unit of time, all classes together; 0 where they are finite
  distribution interarrival;   ///< mean 1 / rate
  std::vector<double> values;  ///< of the process's own keys that are numbers or words, in their order
  std::vector<std::vector<double>> lists{};  ///< of those that are lists of numbers
  std::vector<rate_event> changes{};         ///< of the rate, by `at`; none where arrivals are at given times
  std::vector<listed_job> list;  ///< of list: in the order of arrival, then of ids; the value of their class included

  bool finite() const { return entry->last_slot; }
  /// Arrivals on average while the rate goes once through all that it becomes; 0: it is always the same.
  double jobs_of_cycle() const { return entry->cycle ? rate * entry->cycle(*this) : 0.0; }
  /// The rigid or pooled jobs of a list, in the order of arrival, then of ids; null: there are none.
  std::shared_ptr<const timed_jobs> jobs{};
  /// Which of `jobs` wait for others to end; null: none.
  std::shared_ptr<const job_dependencies> dependencies{};
  /// The rigid jobs that run or wait at time 0 before endless arrivals; null: there are none. Before finite arrivals
  /// they are the first ones of `jobs`.
  std::shared_ptr<const timed_jobs> initial_jobs{};
  /// How many jobs run or wait at time 0; and of these the first ones that run.
  std::size_t initial = 0, running = 0;
  /// Each of those that run, in their order; empty: no file tells of any where it is.
  std::vector<running_job> at_time_0{};
  /// Whether no other jobs arrive than those that run or wait at time 0.
  bool only_initial() const { return jobs && initial == jobs->size(); }
  log_spec log{};                    ///< of a log
  std::vector<std::string> notes{};  ///< what a log is and what was left out of it, in sentences
  std::vector<std::string> users{};  ///< names of the users who submit jobs; empty: not known
  std::vector<std::string> qos{};    ///< names of the QOS of jobs; empty: they have none
  estimate_spec estimates{};         ///< of rigid jobs

  /// The number of first slots at the beginning of which uniform arrivals come; 0: another process.
  std::uint64_t slots() const { return kind == process::uniform ? static_cast<std::uint64_t>(values.front()) : 0; }
};

}  // namespace muster
