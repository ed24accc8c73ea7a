#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <systemc>

#include "muster/modules/control/cluster_control.h"
#include "muster/modules/network/link.h"
#include "muster/modules/protocol/protocol_checker.h"
#include "muster/modules/scheduler/scheduler.h"
#include "muster/modules/server/server.h"
#include "muster/modules/server/server_power.h"
#include "muster/modules/server/server_speeds.h"
#include "muster/modules/source/job_source.h"
#include "muster/policies/catalogue.h"
#include "tests/modules/fault_script.h"
#include "tests/modules/translator.h"

namespace muster {

/// Jobs from a list.
class job_list final : public workload {
 public:
  explicit job_list(std::vector<job_request> all = {}) : jobs(std::move(all)) {}

  std::vector<job_request> jobs;

  bool next(job_request& job) override {
    if (at_ == jobs.size()) return false;
    job = jobs[at_++];
    return true;
  }

 private:
  std::size_t at_ = 0;
};

/// What is known of a job at its end.
struct job_record {
  std::uint64_t id;
  std::uint32_t type;
  ticks arrival, started, completed;
  unsigned interruptions = 0, migrations = 0, failures = 0;
  bool expired = false;
  unsigned preemptions = 0;
  double earned = 0.0;
  by_time_part<ticks> spent{};  ///< where times are accounted for
  ticks waited = 0;             ///< in which it held nothing
  bool killed = false;          ///< for good

  bool operator==(const job_record& o) const {
    return id == o.id && type == o.type && arrival == o.arrival && started == o.started && completed == o.completed &&
           interruptions == o.interruptions && migrations == o.migrations;
  }
  friend std::ostream& operator<<(std::ostream& out, const job_record& r) {
    return out << "{" << r.id << ", " << r.type << ", " << r.arrival << ", " << r.started << ", " << r.completed << ", "
               << r.interruptions << ", " << r.migrations << "}";
  }
};

/// Keeps a record of every job, in the order of completion.
class job_log final : public job_observer {
 public:
  std::vector<job_record> records;
  time_account* account = nullptr;

  /// The record of a job that has ended.
  const job_record& of(std::uint64_t id) const {
    return *std::find_if(records.begin(), records.end(), [&](const job_record& r) { return r.id == id; });
  }

  std::vector<ticks> completions() const {
    std::vector<ticks> times;
    for (const job_record& r : records) times.push_back(r.completed);
    return times;
  }

  std::string text() const {
    std::ostringstream lines;
    for (const job_record& r : records) lines << r << '\n';
    return lines.str();
  }

  void job_arrives(ticks, const job_extension&) override {}
  void job_completes(ticks now, const job_extension& j) override {
    records.push_back({j.id, static_cast<std::uint32_t>(j.type), j.arrival, j.started, now, j.interruptions,
                       j.migrations, j.failures});
    records.back().preemptions = j.preemptions;
    records.back().waited = j.waited(now);
    records.back().killed = j.killed;
    if (account) records.back().spent = account->complete(now, j).all();
    if (!j.slots) return;
    records.back().expired = j.slots->expired;
    records.back().earned = static_cast<double>(j.slots->earned);
  }
};

/// A change of a server's speed at a given time.
struct speed_change {
  ticks at = 0;
  std::uint32_t server = 0;  ///< place among all servers
  double speed = 1.0;
};

/// A cluster for a test: what the tests do not set is as in the papers, one server and no costs.
struct layout {
  std::vector<unsigned> needs{1};  ///< of the classes, in descending order
  std::vector<server_group> groups{{"node", 1, 1, 1.0}};
  std::string policy = "fcfs";  ///< and if need be a choice of its parameter: "ispeed:gain=literal"
  server_costs costs{};
  ticks latency = 0;                     ///< of a link before every server
  ticks submission_latency = 0;          ///< of a link before the scheduler
  bool monitored = false;                ///< a protocol_checker on every hop
  std::vector<ticks> interrupt_every{};  ///< timers of each group's servers, always as long; left out: none
  std::uint64_t state = 0;               ///< bytes of every job's state
  unsigned drawn = 0;                    ///< servers of each job, which its request names; 0: it may use them all
  ticks slot = 100;                      ///< of slotted jobs
  /// Utility of all slotted jobs; null: each brings its own.
  std::shared_ptr<const utility> worth{};
  const network_graph* roads = nullptr;                  ///< of a network before the servers, instead of the latency
  std::uint64_t dispatch_bytes = 40, message_bytes = 8;  ///< of messages over it
  sharing_rule sharing = sharing_rule::fifo;             ///< of its edges
  ticks decision = 0, decision_per_job = 0, decision_per_dispatch = 0;  ///< what the scheduler's decisions take
  fault_clock* faults = nullptr;      ///< of the servers, numbered through all groups; null: they never fail
  std::optional<ticks> checkpoint{};  ///< work after which a job's progress is kept
  /// How much higher an interconnect before every bank leaves each address than it was; none: there is none.
  std::optional<std::uint64_t> translated{};
  std::uint32_t shift = 0;  ///< and what it takes for a bank's first server is its server of this number
  const policy_entry* own_policy = nullptr;  ///< instead of the one of that name
  /// Mean size and rate of every class, as declared to the policy, in ticks.
  std::optional<double> mean_size{}, arrival_rate{};
  bool accounts_times = false;  ///< what each job's time is spent on is recorded
  std::string placement = "first";
  std::vector<task_need> tasks{};  ///< of the classes, in descending order of share, in place of `needs`; empty: cores
  cluster_resources resources{};
  std::vector<job_need> submitted{};  ///< that jobs of the first class may bring
  estimate_settings estimates{};      ///< and what all of them may state
  std::vector<double> mean_sizes{};   ///< of classes of tasks, as declared, in ticks; empty: not declared
  std::vector<std::vector<group_id>> groups_of_tasks{};  ///< that each class of tasks may use, in its order; empty: all
  std::vector<std::pair<std::string, settings::value>> parameters{};  ///< of the policy, by name
  std::vector<planned_outage> planned_outages{};                      ///< that the policy knows
  random_numbers* random = nullptr;                                   ///< of the policy; null: it draws none
  std::vector<speed_change> speeds{};  ///< of the servers, numbered through all groups; empty: they do not change
  std::vector<bank_watts> watts{};     ///< of the groups, where speeds change; empty: power is not known
  /// What tasks of each class exchange over `roads`, in descending order of need; empty: nothing.
  std::vector<std::optional<class_exchange>> exchange{};
  job_data_source* data = nullptr;    ///< what jobs read and write; null: nothing
  std::optional<server_disk> disk{};  ///< of every server
  bool slices_end_apart = false;      ///< see scheduler_settings
  server_racks racks{};               ///< of the servers, for a placement that needs them
};

/// Random numbers of a fixed seed.
class numbers_of_a_test final : public random_numbers {
 public:
  explicit numbers_of_a_test(std::uint64_t seed = 1) : bits_(seed) {}
  double uniform() override { return std::uniform_real_distribution<double>{}(bits_); }

 private:
  std::mt19937_64 bits_;
};

/// Timers that always take as long.
class steady_timer final : public interruption_timer {
 public:
  explicit steady_timer(ticks duration) : duration_(duration) {}
  ticks next(std::uint32_t) override { return duration_; }

 private:
  ticks duration_;
};

/// Every class runs on every group.
inline table<class_id, job_class> classes_of(const layout& l) {
  table<class_id, job_class> classes;
  std::vector<group_id> all;
  for (std::uint32_t g = 0; g < l.groups.size(); ++g) all.push_back(group_id{g});
  for (const task_need& need : l.tasks) {
    job_class type;
    type.name = "class_" + std::to_string(classes.size());
    type.need = need.tasks * static_cast<unsigned>(need.per_task.front());
    type.groups = l.groups_of_tasks.empty() ? all : l.groups_of_tasks[classes.size()];
    type.tasks = need;
    if (!l.mean_sizes.empty()) type.mean_size = l.mean_sizes[classes.size()];
    classes.push_back(std::move(type));
  }
  for (const unsigned need : l.tasks.empty() ? l.needs : std::vector<unsigned>{})
    classes.push_back(
        {"need_" + std::to_string(need), need, all, l.drawn, l.state, l.worth, l.mean_size, l.arrival_rate});
  classes[class_id{0}].submitted = l.submitted;
  return classes;
}

inline table<group_id, server_group> groups_of(const layout& l) {
  table<group_id, server_group> groups;
  for (const server_group& g : l.groups) {
    groups.push_back(g);
    groups[group_id{static_cast<std::uint32_t>(groups.size() - 1)}].fails = l.faults != nullptr;
  }
  return groups;
}

inline const policy_entry& entry_of(const layout& l) {
  return l.own_policy ? *l.own_policy : *find_policy(l.policy.substr(0, l.policy.find(':')));
}

inline scheduler_settings scheduler_of(const layout& l) {
  scheduler_settings s{classes_of(l), groups_of(l), &entry_of(l)};
  if (l.policy == "balanced_fair") s.parameters.set("theta", 1.0);
  if (const auto parameter = l.policy.find(':'); parameter != std::string::npos) {
    const auto equals = l.policy.find('=');
    s.parameters.set(l.policy.substr(parameter + 1, equals - parameter - 1), l.policy.substr(equals + 1));
  }
  for (const auto& [name, value] : l.parameters) s.parameters.set(name, value);
  if (s.policy->jobs() == job_kind::slotted) s.slot = l.slot;
  if (l.decision + l.decision_per_job + l.decision_per_dispatch > 0)
    s.decision_time = {l.decision, l.decision_per_job, l.decision_per_dispatch};
  s.checkpoint = l.checkpoint;
  s.accounts_times = l.accounts_times;
  static numbers_of_a_test random;
  s.placement = find_placement(l.placement);
  s.placement_random = &random;
  s.random = l.random;
  s.resources = l.resources;
  s.estimates = l.estimates;
  s.planned_outages = l.planned_outages;
  s.slices_end_apart = l.slices_end_apart;
  s.racks = l.racks;
  return s;
}

/// The capacity of each server.
inline std::vector<double> capacities_of(const layout& l) {
  std::vector<double> all;
  for (const server_group& g : l.groups) all.insert(all.end(), g.count, g.capacity);
  return all;
}

/// The entry of a policy that a test has written itself.
template <class Policy>
policy_entry entry_of_test(const char* name = "of_the_test") {
  policy_entry entry;
  entry.name = name;
  entry.construct = without_settings<Policy>;
  return entry;
}

template <class Policy>
const policy_entry& own_policy() {
  static const policy_entry entry = entry_of_test<Policy>();
  return entry;
}

/// The entry of a policy that a test has written itself, which preempts rigid jobs.
template <class Policy>
const policy_entry& preemptive_policy() {
  static const policy_entry entry = [] {
    policy_entry e = entry_of_test<Policy>();
    e.preempts = true;
    return e;
  }();
  return entry;
}

/// source -> scheduler. The test brings the servers.
struct front_end {
  front_end(const layout& l, std::vector<job_request> requests)
      : jobs{std::move(requests)}, source("source", time, jobs, log), central("scheduler", time, scheduler_of(l)) {
    source.submissions.bind(central.submissions);
  }

  /// Runs until nothing is left to do: no job and no slice is.
  void run() const {
    sc_core::sc_start();
    EXPECT_EQ(log.records.size(), jobs.jobs.size());
    EXPECT_EQ(central.outstanding_slices(), 0u);
    EXPECT_EQ(source.outstanding_jobs(), 0u);
  }

  timekeeper time{"time"};
  job_list jobs;
  job_log log;
  job_source source;
  scheduler central;
};

/// source -> (monitor ->) (link ->) scheduler -> (monitor ->) (link ->) servers.
class scene {
 public:
  explicit scene(const layout& l, std::vector<job_request> requests = {})
      : jobs{std::move(requests)}, central("scheduler", time, scheduler_of(l)) {
    log.account = central.times();
    if (!jobs.jobs.empty()) {
      source = std::make_unique<job_source>("source", time, jobs, log);
      connect(source->submissions, l.submission_latency, l.monitored, central.submissions);
    }
    if (l.roads) {
      const auto sharing = l.exchange.empty() ? l.sharing : sharing_rule::max_min;
      roads = std::make_unique<network>(time, network_settings{*l.roads, l.dispatch_bytes, l.message_bytes, sharing});
    }
    if (!l.speeds.empty() || !l.exchange.empty()) speeds = std::make_unique<server_speeds>(capacities_of(l));
    if (!l.watts.empty()) power = std::make_unique<server_power>(time, *speeds, l.watts);
    if (!l.exchange.empty()) exchange_over_roads(l);
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < l.groups.size(); ++i) {
      const server_group& g = l.groups[i];
      if (i < l.interrupt_every.size()) timers.push_back(std::make_unique<steady_timer>(l.interrupt_every[i]));
      server_settings bank{g.count + l.shift, g.cores, l.costs};
      if (!l.tasks.empty())
        bank.resources.emplace(l.resources.types, g.resources.empty() ? amounts{g.cores} : g.resources);
      if (i < l.interrupt_every.size()) bank.interruptions = timers.back().get();
      if (l.faults) {
        faults.push_back(std::make_unique<script_of_bank>(*l.faults, first));
        bank.faults = faults.back().get();
      }
      bank.fetch_over = roads.get();
      bank.first_in_network = first;
      bank.speeds = speeds.get();
      bank.data = l.data;
      bank.disk = l.disk;
      servers.push_back(std::make_unique<server>(g.name.c_str(), time, bank));
      if (central.times()) servers.back()->tell_stages(*central.times());
      if (l.translated) {
        translators.push_back(std::make_unique<translator>(sc_core::sc_gen_unique_name("translator"),
                                                           l.shift * server_register::stride, *l.translated));
        translators.back()->out.bind(servers.back()->dispatch);
        join(l, first, g.count, translators.back()->in);
      } else {
        join(l, first, g.count, servers.back()->dispatch);
      }
      first += g.count;
    }
    if (speeds) plan_speeds(l);
  }

  /// Runs until nothing is left to do, then checks what holds of every run.
  void run() {
    sc_core::sc_start();
    check();
  }

  /// For those that never come to an end by themselves, as servers fail for ever.
  void run_until(ticks end) {
    const auto stop = time.add_recurring(timer_rank::observation, stopper_, 0);
    time.set(stop, end);
    run();
  }

  void check() const {
    if (source) {
      EXPECT_EQ(source->jobs_answered(), jobs.jobs.size());
      EXPECT_EQ(source->outstanding_jobs(), 0u);
    }
    EXPECT_EQ(central.jobs_arrived(), central.jobs_completed());
    EXPECT_EQ(central.outstanding_slices(), 0u);
    for (const auto& m : monitors)
      if (central.watches() == 0) {
        EXPECT_EQ(m->open_transactions(), 0u) << m->name();
      }
    check_cores();
  }

  /// Every core accounts for all its time, with nothing below zero.
  void check_cores() const {
    const ticks now = time.now();
    for (const auto& s : servers)
      for (std::uint32_t core = 0; core < s->core_count(); ++core) {
        const core_times times = s->times(core, now);
        EXPECT_EQ(times.total() + s->down_time(core, now), now) << s->name() << " core " << core;
        EXPECT_LE(std::max({times.idle, times.overhead, times.running}), now) << s->name() << " core " << core;
      }
  }

  core_times all_cores() const {
    core_times sum;
    for (const auto& s : servers)
      for (std::uint32_t core = 0; core < s->core_count(); ++core) {
        const core_times times = s->times(core, time.now());
        sum.idle += times.idle;
        sum.overhead += times.overhead;
        sum.running += times.running;
        sum.asleep += times.asleep;
      }
    return sum;
  }

  timekeeper time{"time"};
  job_list jobs;
  job_log log;
  std::vector<std::unique_ptr<steady_timer>> timers;
  std::vector<std::unique_ptr<script_of_bank>> faults;
  std::unique_ptr<job_source> source;
  scheduler central;
  std::vector<std::unique_ptr<server>> servers;
  std::vector<std::unique_ptr<protocol_checker>> monitors;
  std::unique_ptr<network> roads;
  std::unique_ptr<gang_exchange> exchange;
  std::unique_ptr<server_speeds> speeds;
  std::unique_ptr<server_power> power;
  std::unique_ptr<cluster_control> planned;  // the changes of speeds
  std::vector<std::unique_ptr<link>> links;
  std::vector<std::unique_ptr<translator>> translators;

 private:
  struct stopper final : timer_observer {
    explicit stopper(timekeeper& time) : time_(time) {}
    void expired(ticks, std::uint32_t) override { time_.stop(); }
    timekeeper& time_;
  };
  stopper stopper_{time};

  void plan_speeds(const layout& l) {
    planned = std::make_unique<cluster_control>(time);
    for (const auto& bank : servers) planned->add(*bank);
    planned->use(*speeds);
    for (const speed_change& c : l.speeds)
      planned->request_at(c.at, {control_request::action::speed, {c.server, 1}, c.speed});
  }

  void exchange_over_roads(const layout& l) {
    table<class_id, std::optional<class_exchange>> classes;
    for (const auto& of_class : l.exchange) classes.push_back(of_class);
    exchange = std::make_unique<gang_exchange>(time, *roads, classes);
    speeds->use(*exchange);
  }

  template <class Bank>
  void join(const layout& l, std::uint32_t first, std::uint32_t count, Bank& bank) {
    if (!roads) {
      connect(central.dispatches, l.latency, l.monitored, bank);
      return;
    }
    links.push_back(std::make_unique<link>(sc_core::sc_gen_unique_name("link"), *roads, first, count));
    connect(central.dispatches, l.monitored, links.back()->in);
    connect(links.back()->out, l.monitored, bank);
  }

  template <class From, class To>
  void connect(From& from, ticks latency, bool monitored, To& to) {
    if (latency == 0) {
      connect(from, monitored, to);
      return;
    }
    links.push_back(std::make_unique<link>(sc_core::sc_gen_unique_name("link"), time, latency));
    link& l = *links.back();
    connect(from, monitored, l.in);
    connect(l.out, monitored, to);
  }

  template <class From, class To>
  void connect(From& from, bool monitored, To& to) {
    if (!monitored) {
      from.bind(to);
      return;
    }
    monitors.push_back(std::make_unique<protocol_checker>(sc_core::sc_gen_unique_name("monitor")));
    from.bind(monitors.back()->in);
    monitors.back()->out.bind(to);
  }
};

/// Jobs of all classes at random; coarse times, so that many events share an instant.
inline std::vector<job_request> random_jobs(std::size_t count, std::size_t classes, ticks gap, ticks longest,
                                            unsigned seed = 1) {
  std::mt19937_64 random{seed};
  std::vector<job_request> jobs;
  ticks at = 0;
  for (std::size_t n = 0; n < count; ++n) {
    at += random() % (2 * gap + 1);
    jobs.push_back({at, static_cast<class_id>(random() % classes), 1 + random() % longest});
  }
  return jobs;
}

}  // namespace muster
