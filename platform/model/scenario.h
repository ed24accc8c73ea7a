#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "muster/modules/network/sharing/sharing_rule.h"
#include "muster/policies/job.h"
#include "muster/policies/job_class.h"
#include "muster/policies/placement.h"
#include "muster/policies/resources.h"
#include "muster/policies/settings.h"
#include "muster/policies/utility.h"
#include "platform/model/arrival_entry.h"
#include "platform/model/deadline_entry.h"
#include "platform/model/job_dependencies.h"
#include "platform/model/metric_of_class.h"
#include "platform/model/spooled_list.h"
#include "platform/model/time_unit.h"
#include "platform/model/topology_entry.h"
#include "platform/random/distribution.h"

namespace muster {

/// Power of a device, or of a unit of an amount, in watts. A device that is held in parts draws that share of `busy`.
struct resource_power {
  double idle = 0.0;
  double busy = 0.0;  ///< while a job holds it
};

/// Whether any of the resources draws power.
inline bool any_draws(const std::vector<resource_power>& resources) {
  return std::any_of(resources.begin(), resources.end(), [](const auto& r) { return r.idle + r.busy > 0.0; });
}

/// Power of a core in each of its states, in watts, and when it sleeps.
struct power_spec {
  double idle = 0.0, active = 0.0, overhead = 0.0, asleep = 0.0;
  std::optional<double> sleep_after;        ///< units of time; none: cores never sleep
  double wake = 0.0;                        ///< units of time until a core that sleeps is ready
  std::vector<resource_power> resources{};  ///< of each of scenario::resources, cores left at 0; empty: none draws any

  bool any() const { return idle + active + overhead + asleep > 0.0 || any_draws(resources); }
  /// Whether a slice may have to wait for a core to wake.
  bool delays() const { return sleep_after && wake > 0.0; }
};

/// How often a server fails, and for how long: means of exponential times, in units of time, > 0.
struct fault_spec {
  double to_failure = 0.0;  ///< from the end of a repair
  double to_repair = 0.0;
};

/// A time in which a server is out of service, as the scenario says.
struct server_outage {
  std::uint32_t server = 0;                                ///< number within its entry
  double from = 0.0;                                       ///< in units of time, > 0
  double until = std::numeric_limits<double>::infinity();  ///< its return; infinite: never
  bool drains = false;  ///< whether what runs there goes on to its end; else the server fails
  bool known = false;   ///< whether policies know of it beforehand
};

/// A change of a server's speed, as the scenario says.
struct speed_event {
  std::uint32_t server = 0;  ///< number within its entry
  double at = 0.0;           ///< in units of time, > 0
  double speed = 1.0;        ///< factor of the capacity from then on

  static constexpr double least = 0.001, most = 10.0;  ///< of `speed`
};

/// A change of the rate of arrivals, as the scenario says.
struct rate_event {
  double at = 0.0;      ///< in units of time, > 0
  double factor = 1.0;  ///< of the rate that the arrivals have by themselves, from then on

  static constexpr double least = 0.001, most = 10.0;  ///< of `factor`
};

/// A cap on the power of servers together, as the scenario says.
struct power_cap_event {
  double at = 0.0;              ///< in units of time, > 0
  std::string servers;          ///< name of their entry; empty: all servers of the cluster
  std::uint32_t count = 0;      ///< the first ones of the entry
  std::optional<double> watts;  ///< > 0; none: the cap of the same servers is taken away
};

/// A value of a parameter of the policy that replaces another one, as the scenario says.
struct parameter_event {
  double at = 0.0;  ///< in units of time, > 0
  std::string parameter;
  settings::value value;
};

/// A server, or `count` equal ones.
struct server_spec {
  std::string name;
  std::uint32_t count = 1;
  std::uint32_t cores = 1;
  double capacity = 1.0;  ///< work per core and unit of time
  power_spec power{};
  std::optional<fault_spec> faults{};  ///< none: it never fails
  amounts resources{};  ///< of each of scenario::resources, cores first, of devices their number; empty: cores alone
  std::vector<server_outage> outages{};  ///< by `from`; none where there are faults
  std::vector<speed_event> speeds{};     ///< by `at`; at first the speed is 1

  /// Whether a server of them may be out of service at times.
  bool may_be_out() const { return faults || !outages.empty(); }
};

/// Costs of the platform in units of time; all zero: the papers' model. See server_costs for when each applies.
struct cost_spec {
  double dispatch_latency = 0.0;
  double set_up = 0.0;
  double save = 0.0;
  double restore = 0.0;
  double migration = 0.0;
  std::optional<double> bandwidth;  ///< bytes of state moved per unit of time; none: moving takes no time
  double epsilon = 0.0;  ///< share of a slot that a core loses when it is newly given to a slotted job (ISPEED paper)

  bool any() const { return dispatch_latency + set_up + save + restore + migration + epsilon > 0.0 || bandwidth; }
};

/// An edge between two vertices of the network.
struct edge_spec {
  double latency = 0.0;             ///< units of time, one way
  std::optional<double> bandwidth;  ///< bytes per unit of time, each way; none: unlimited

  bool takes_time() const { return latency > 0.0 || bandwidth; }
};

struct connected_fmu;
struct data_spec;
struct listed_network;

/// The network between the scheduler and the servers; without latency and bandwidth there is none.
struct network_spec {
  const topology_entry* shape = topology_catalogue().front();
  edge_spec link;                              ///< all edges but those that the topology's own keys describe
  std::vector<double> values{};                ///< of the topology's own keys, in their order; infinite: left out
  std::shared_ptr<const listed_network> file;  ///< of the topology "file": lists every server
  std::uint64_t dispatch_bytes = 40, message_bytes = 8;
  sharing_rule sharing = sharing_rule::fifo;

  bool takes_time() const;
};

/// Duration of the scheduler's decisions, in units of time; see scheduler_settings::decision_time.
struct decision_spec {
  double fixed = 0.0;
  double per_job = 0.0;
  double per_dispatch = 0.0;

  bool takes_time() const { return fixed + per_job + per_dispatch > 0.0; }
};

/// The servers' interruption timers, where the policy uses them; their mean is a parameter of the policy.
struct timer_spec {
  enum class law { exponential, deterministic };
  law kind = law::exponential;
  double tick = 0.0;  ///< hardware tick, in units of time: durations are rounded up to whole ticks; 0: none
};

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

/// Values of parameters, in the order of the policy's table; complete but for those whose alternative is given.
using setting_value = settings::value;
using setting_list = std::vector<std::pair<std::string, setting_value>>;

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

  /// Work of a job on average, as cores times time on capacity 1.
  double mean_work() const;
};

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
};

/// The jobs of a list, of a long log mostly in a temporary file.
using timed_jobs = spooled_list<timed_job>;

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
  estimate_spec estimates{};         ///< of rigid jobs

  /// The number of first slots at the beginning of which uniform arrivals come; 0: another process.
  std::uint64_t slots() const { return kind == process::uniform ? static_cast<std::uint64_t>(values.front()) : 0; }
};

inline double class_spec::mean_work() const {
  double work = 0.0, jobs = 0.0;
  for (const listed_need& n : listed) {
    work += static_cast<double>(n.jobs) * n.need.cores * n.size;
    jobs += static_cast<double>(n.jobs);
  }
  return jobs > 0.0 ? work / jobs : need * size.mean();
}

struct policy_spec {
  std::string name;
  setting_list settings;
};

/// How narrow the interval of one metric must become.
struct precision_target : metric_of_class {
  double half_width = 0.01;  ///< of the 95 % interval, as a share of the mean
};

/// The precision at which a point is finished: how narrow intervals must become, or how policies compare.
struct precision_spec {
  std::vector<precision_target> targets{};  ///< every one must be reached; no class and metric twice
  /// Each two policies must be told apart, or be equal within this share of the smaller mean; see comparison_rule.
  std::optional<double> equal_within{};
  /// Limit of a point whose targets are not reached; with batch means, its one replication has at most run.jobs times
  /// this.
  std::uint32_t most_replications = 1'000;

  /// The number of replications (with batch means: of jobs) at which the interval is looked at again after n.
  template <class Count>
  static Count next_look(Count n, Count most) {
    return std::min<Count>(most, n + (n + 4) / 5);
  }
};

struct run_spec {
  /// Jobs that leave in one replication, warm-up included; of finite arrivals: all; with batch means and a precision:
  /// at least so many.
  std::uint64_t jobs = 1'000'000;
  std::uint32_t replications = 10;  ///< with a precision: at least so many
  std::uint64_t seed = 1;
  double warm_up =
      0.1;  ///< share of `jobs` whose completions are not measured; of a list or log: the first ones to arrive
  double cool_down = 0.0;  ///< share of `jobs` of a list or log, the last ones to arrive, that are not measured
  /// A pilot replication finds the warm-up by MSER-5, in place of `warm_up`.
  bool warm_up_by_mser5 = false;
  /// Found by the pilot: completions that are not measured, in place of `warm_up`.
  std::optional<std::uint64_t> warm_up_jobs{};
  /// Intervals of means from overlapping batches within the one replication, instead of from several replications.
  bool batch_means = false;
  std::optional<precision_spec> precision{};  ///< none: `replications` and no more
  /// A replication with so many jobs in the system ends early; none: with policy::most_jobs_in_system(), which does not
  /// depend on the machine, so that results do not.
  std::optional<std::uint64_t> most_jobs_in_system{};
  /// Where a system with a known mean runs beside the cluster on the same jobs, what it has above that mean is taken
  /// out of the estimates.
  bool control_variates = true;

  /// Replications before the first look at what they tell.
  std::uint32_t first_look() const {
    constexpr std::uint32_t fewest = 10;
    return precision && !batch_means ? std::max(replications, fewest) : replications;
  }
  /// How many times, at most, policies are compared while replications are added.
  std::uint32_t looks_at_policies() const {
    std::uint32_t looks = 1;
    if (precision && precision->equal_within)
      for (std::uint32_t n = first_look(); n < precision->most_replications; ++looks)
        n = precision_spec::next_look(n, precision->most_replications);
    return looks;
  }
  /// Completions at the beginning of a replication that are not measured.
  std::uint64_t unmeasured() const {
    return warm_up_jobs.value_or(static_cast<std::uint64_t>(warm_up * static_cast<double>(jobs)));
  }
  /// Jobs at the end of a list or log that are not measured.
  std::uint64_t unmeasured_at_end() const { return static_cast<std::uint64_t>(cool_down * static_cast<double>(jobs)); }
};

/// The record over time of the first replication of each point.
struct record_spec {
  std::optional<double> jobs_in_system_every;  ///< units of time between samples
  std::optional<double> until;                 ///< end of the record
};

/// Prices, all >= 0, in the user's own unit of money.
struct price_spec {
  std::vector<double> servers;  ///< of a server of each entry, in the order of scenario::servers
  double core = 0.0;            ///< of each core
  double watt = 0.0;            ///< of each watt of the average power
  double link = 0.0;            ///< of each edge of the network
  /// Prices of a device or a unit of each of scenario::resources, 0 for cores. Empty: none.
  std::vector<double> resources{};
};

/// The results that a study asks for besides the usual ones.
struct report_spec {
  std::vector<metric_of_class> metrics{};  ///< by which policies are judged; empty: the usual ones
  std::vector<metric_bound> where{};       ///< that a policy must keep to be called best
  bool explain = false;                    ///< what each job's time is spent on
  /// The least run time that bounded_slowdown divides by, in units of time; none: 10 s, for the jobs of a list or a
  /// log.
  std::optional<double> slowdown_bound{};
};

/// One point of a study, complete and checked: every default is filled in, every name known, every value possible.
struct scenario {
  std::string name, about;
  time_unit unit;
  /// Whether a cluster_control may take any server out of service and change its speed, beyond what events say.
  bool controlled = false;
  std::vector<server_spec> servers;
  cluster_resources resources;  ///< cores first
  /// Power of each of `resources` that the cluster has as a whole, the others left at 0. Empty: none draws any.
  std::vector<resource_power> power_of_cluster{};
  cost_spec costs;
  timer_spec timers;
  /// Work after which a job's progress is kept against failures of its servers; 0: always; none: never.
  std::optional<double> checkpoint_every;
  double checkpoint_cost = 0.0;  ///< time of the cores of a job for each of its checkpoints
  double slot = 1.0;             ///< length of a slot of slotted jobs, in units of time
  network_spec network;
  decision_spec decision;
  const placement_entry* placement = placement_catalogue().front();  ///< of rigid jobs
  std::vector<class_spec> classes;                                   ///< in the order of the file
  arrival_spec arrivals;
  policy_spec policy;
  run_spec run;
  record_spec record;
  report_spec report;
  std::optional<price_spec> price{};                         ///< none: nothing has a price
  std::vector<power_cap_event> power_caps{};                 ///< by `at`
  std::vector<parameter_event> parameter_changes{};          ///< by `at`
  std::vector<std::shared_ptr<const connected_fmu>> fmus{};  ///< models of others that run beside the cluster
  std::shared_ptr<const data_spec> data{};                   ///< null: jobs neither read nor write data

  /// Whether one of `fmus` changes the cluster while it runs.
  bool fmus_control() const;
  /// What each of `fmus` is connected with, in sentences.
  std::vector<std::string> notes_on_fmus() const;
  /// Whether replications record the values of the parts of their window, and control variates: there are enough of
  /// them to make use of those, and the arrivals go on.
  bool records_parts() const {
    constexpr std::uint32_t fewest = 10;
    return !run.batch_means && !arrivals.finite() && (run.precision || run.replications >= fewest);
  }
  /// Whether jobs need tasks, or anything beside cores: then each class holds a task_need, see class_table().
  bool counts_tasks() const {
    return std::any_of(classes.begin(), classes.end(), [](const class_spec& c) { return c.tasks.has_value(); });
  }
  /// Whether servers, or resources of the cluster, draw power.
  bool draws_power() const {
    return any_draws(power_of_cluster) ||
           std::any_of(servers.begin(), servers.end(), [](const server_spec& s) { return s.power.any(); });
  }
  /// The least run time that bounded_slowdown divides by, in units of time.
  double slowdown_bound() const {
    constexpr double usual_seconds = 10.0;
    return report.slowdown_bound.value_or(usual_seconds / unit.seconds);
  }
  bool servers_fail() const {
    return std::any_of(servers.begin(), servers.end(), [](const server_spec& s) { return s.may_be_out(); });
  }
  /// Whether the rate of arrivals changes at given times.
  bool rate_changes() const { return !arrivals.changes.empty(); }
  /// Whether the speeds of servers change at given times, or caps on power may slow them.
  bool speeds_change() const {
    return !power_caps.empty() ||
           std::any_of(servers.begin(), servers.end(), [](const server_spec& s) { return !s.speeds.empty(); });
  }
  /// Whether power is capped at times; where a cluster_control may do so, it counts as if.
  bool caps_power() const { return !power_caps.empty() || (controlled && draws_power()); }
};

/// A scenario file after expansion of its sweep.
struct study {
  /// One point: its scenario and its values of the sweep's keys, in the order of the keys.
  struct point {
    scenario model;
    std::vector<std::string> values;  ///< as they stand in results.csv
  };
  std::string name, about;
  std::vector<std::string> keys;  ///< dotted keys of the sweep; columns of results.csv
  std::vector<point> points;
  std::string resolved;  ///< the whole study as TOML: complete, readable again
  /// Everything that the results of a replication of a given number depend on, as text: the resolved study and its
  /// files, without the number of replications.
  std::string model_text;
  /// Files that the scenario names: path as written, relative to the scenario's folder, and content.
  std::map<std::string, std::string> files;
  /// Logs and FMUs that the scenario names, which stay where they are: path, and what tells contents apart.
  std::map<std::string, std::string> logs{};

  /// The study's name and, where it tells, what it is about.
  std::string title() const { return about.empty() ? name : name + ": " + about; }
  /// What there is to know of where the jobs of its points come from, and of speeds and rates that change, each
  /// sentence once.
  std::vector<std::string> notes() const {
    std::vector<std::string> all;
    for (const point& p : points)
      for (const std::string& note : p.model.arrivals.notes)
        if (std::find(all.begin(), all.end(), note) == all.end()) all.push_back(note);
    if (std::any_of(points.begin(), points.end(), [](const point& p) { return p.model.speeds_change(); }))
      all.emplace_back(
          "servers change their speeds in [[events]]: loads are those at speed 1, and no limit that is derived and no "
          "exact value counts the changes");
    if (std::any_of(points.begin(), points.end(), [](const point& p) { return !p.model.parameter_changes.empty(); }))
      all.emplace_back(
          "parameters of the policy change in [[events]]: limits of stability and exact values are those of the first "
          "ones");
    if (std::any_of(points.begin(), points.end(), [](const point& p) { return p.model.rate_changes(); }))
      all.emplace_back(
          "the rate of arrivals changes in [[events]]: loads are those of the rate at first, and limits of stability "
          "are "
          "held against the last one");
    if (std::any_of(points.begin(), points.end(), [](const point& p) { return p.model.data != nullptr; }))
      all.emplace_back(
          "jobs read and write data: loads and limits of stability do not count the time for which cores wait for "
          "them");
    for (const point& p : points)
      for (const std::string& note : p.model.notes_on_fmus())
        if (std::find(all.begin(), all.end(), note) == all.end()) all.push_back(note);
    return all;
  }
  /// A point in words: its number and its values of the sweep's keys.
  std::string label(std::size_t at) const {
    std::string text = "point " + std::to_string(at);
    for (std::size_t k = 0; k < keys.size(); ++k) text += ", " + keys[k] + " = " + points[at].values[k];
    return text;
  }
};

}  // namespace muster
