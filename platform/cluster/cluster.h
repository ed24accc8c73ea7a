#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <systemc>
#include <tlm>

#include "muster/modules/control/cluster_control.h"
#include "muster/modules/kernel/parameter_list.h"
#include "platform/cluster/read_scenario.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/plugin_file.h"
#include "platform/model/scenario.h"

namespace muster {

class cluster_variables;

/// How a cluster is bound and observed, beside what its scenario says. None of it changes the results.
struct cluster_options {
  bool check_protocol = false;  ///< a protocol_checker stands on every hop
  /// Traces to be written, until the window of measurement ends: kind, as `muster list traces` has it, and file.
  std::vector<std::pair<std::string, std::string>> traces{};
  /// Names of entries of `platform.servers` in whose place foreign targets stand, see cluster::dispatch_of().
  std::set<std::string> foreign_servers{};
  /// Names of entries to whose servers a foreign module leads in place of a link, see cluster::dispatch_of().
  std::set<std::string> foreign_links{};
  /// Servers may leave, return, change their speeds and be capped in power by request, see cluster::control().
  bool controlled = false;
};

/// Jobs of a class at the moment, those of further submitters included.
struct jobs_of_class {
  std::string name;
  std::uint64_t waiting = 0;     ///< jobs that hold nothing
  std::uint64_t in_service = 0;  ///< jobs that have started and not left
};

/// The time of all cores so far, in the scenario's unit of time. Their sum grows by the number of cores for each unit
/// of time; utilisation over a step is the growth of `running` over that of all.
struct core_time {
  double idle = 0.0, overhead = 0.0, running = 0.0, asleep = 0.0, down = 0.0;

  double all() const { return idle + overhead + running + asleep + down; }
};

/// A scenario's whole cluster as a module: job sources, scheduler, network and servers, its instruments and its window
/// of measurement. It is constructed before the simulation begins, as any module is.
///
///     muster::cluster cluster{"cluster", muster::read_scenario("my.toml")};
///     while (!cluster.finished()) sc_core::sc_start(1, sc_core::SC_SEC);
///     std::cout << cluster.results_csv();
///
/// Its results are those of the same replication in `muster run`, to the last bit, whatever else the simulation holds,
/// in whichever steps sc_start() is called, as long as no foreign module takes part in it. When its window of
/// measurement has ended, the cluster goes on to serve jobs; nothing is measured then. It never stops the simulation.
///
/// SystemC's time resolution is that of the scenario's unit of time (1 ns for s, min, h and d; 1 ps for ms; 1 fs for us
/// and ns). The first cluster sets it, unless something has done so before.
///
/// Where run.warm_up is "mser5", the constructor runs a pilot replication of the scenario, without foreign modules, in
/// a process forked from this one, unless run.warm_up_jobs says what a pilot has found.
///
/// A fault of the policy or of the model, and a broken rule of the base protocol, are SystemC errors, as of the
/// scheduler.
class cluster : public sc_core::sc_module {
 public:
  /// @param replication number of the replication: keys all random streams, together with run.seed
  /// @throws std::invalid_argument if the time resolution is another one, or an option names what the scenario does not
  /// have; std::runtime_error if a trace's file cannot be made, or the pilot that is to find the warm-up fails
  cluster(const sc_core::sc_module_name& name, const scenario& model, std::uint32_t replication = 0,
          const cluster_options& options = {});
  ~cluster() override;

  /// @name Foreign modules
  /// @{
  /// The scheduler's socket: takes any number of further submitters, which bind to it. Their jobs are served with the
  /// scenario's own, in the order of the policy. Results of jobs and classes do not count them: a submitter knows its
  /// jobs' times. Results of cores, resources, power and cost count whatever job holds these. See scheduler_register
  /// for the descriptors and registers.
  tlm::tlm_base_target_socket_b<>& submissions();
  /// The initiator towards a foreign server or link: a protocol_checker's, that whoever has the foreign module binds to
  /// it. See server_register for what a target in the place of servers is asked. Without all servers the rows of cores,
  /// resources and power are left out of the results.
  /// @throws std::invalid_argument if the options do not name the entry
  tlm::tlm_initiator_socket<>& dispatch_of(const std::string& entry);
  /// The servers behind a foreign link, to which its initiator binds.
  /// @throws std::invalid_argument if the options do not name the entry
  tlm::tlm_base_target_socket_b<>& servers_of(const std::string& entry);
  /// @}

  /// @name Results
  /// @{
  /// Whether the window of measurement has ended and its instant is complete, or the replication has failed.
  bool finished() const;
  /// Notified, with delta delay, when finished() becomes true.
  const sc_core::sc_event& finished_event() const;
  /// What the replication has measured, as `muster run` keeps it; the processor time is 0.
  /// @throws std::logic_error before finished(); std::runtime_error if nothing could be measured or accounts do not add
  /// up, with the message of `muster run`
  const replication_result& results() const;
  /// results.csv as `muster run` writes it for a run of this replication alone, marks in the column `note` included; of
  /// batch means, the mark of a precision that was not reached is left out. @throws as results() does
  std::string results_csv() const;
  /// @}

  /// Requests that change the cluster while it runs: the rate of arrivals, parameters of the policy and, with
  /// cluster_options::controlled, servers, their speeds and caps on their power. Results are then those of the changed
  /// cluster.
  cluster_control& control();

  /// What the cluster shows at the moment, by name, and what can be set while it runs: see
  /// platform/simulation/cluster_variables.h.
  cluster_variables& variables();

  /// All parameters and counters by hierarchical name: those of the modules within, and variables() as the cluster's
  /// own, of which inputs can be set. Valid as long as the cluster is.
  parameter_list parameters();

  /// @name The present state, at little cost
  /// @{
  const scenario& model() const;
  /// Jobs that have arrived, those of further submitters included.
  std::uint64_t jobs_arrived() const;
  /// Jobs that are complete or have expired, likewise.
  std::uint64_t jobs_completed() const;
  /// Jobs of each class, in the order of the scenario. The cost is that of a look at each class.
  std::vector<jobs_of_class> jobs() const;
  /// Time of all cores until now; those of foreign servers are not known. The cost is that of a look at each core.
  core_time cores() const;
  /// Time of the latest event in the cluster, or the kernel's where that is later, in the scenario's unit of time.
  double now() const;
  /// @}

 private:
  class parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace muster
