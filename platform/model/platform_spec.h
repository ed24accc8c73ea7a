#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muster/modules/network/sharing/sharing_rule.h"
#include "muster/policies/dispatching.h"
#include "muster/policies/governor.h"
#include "muster/policies/resources.h"
#include "platform/model/topology_entry.h"

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

/// A cap on the power of servers together, as the scenario says.
struct power_cap_event {
  double at = 0.0;                      ///< in units of time, > 0
  std::string servers;                  ///< name of their entry; empty: all servers of the cluster
  std::uint32_t count = 0;              ///< the first ones of the entry
  std::optional<double> watts;          ///< > 0; none: the cap of the same servers is taken away
  std::optional<std::uint32_t> rack{};  ///< of the topology "racks", from 0, whose servers are meant; none: others
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
  /// Frequencies of the cores; null: there is but one. Where they do not change, the speed of the one that is chosen is
  /// part of `capacity`, and power_spec::active is of it.
  std::shared_ptr<const governed_frequencies> frequencies{};

  /// Whether the frequency of the cores may change while they work.
  bool changes_frequency() const { return frequencies && frequencies->changes; }
  /// Whether a governor sets the speed while the cores work, so that nothing else can.
  bool sets_own_speed() const { return frequencies && frequencies->governor->follows_load; }
  /// Whether a server of them may be out of service at times.
  bool may_be_out() const { return faults || !outages.empty(); }
};

struct listed_network;

/// An edge between two vertices of the network.
struct edge_spec {
  double latency = 0.0;             ///< units of time, one way
  std::optional<double> bandwidth;  ///< bytes per unit of time, each way; none: unlimited

  bool takes_time() const { return latency > 0.0 || bandwidth; }
};

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

/// The schedulers of the cluster, and how its servers and jobs are split among them.
struct schedulers_spec {
  std::uint32_t count = 1;
  const dispatching_entry* dispatching = dispatching_catalogue().front();
  std::uint32_t choices = 2;       ///< see dispatching_settings
  bool share_servers = false;      ///< whether each may use all servers, or has servers of its own
  bool steal = false;              ///< whether idle ones take waiting jobs from others
  double information_delay = 0.0;  ///< units of time

  bool several() const { return count > 1; }
};

/// A value over time that is constant from one step to the next, such as a tariff.
struct step_function {
  struct step {
    double from = 0.0;  ///< in units of time
    double value = 0.0;
  };

  std::vector<step> steps;         ///< at least one, each later than the one before; the first also holds before it
  std::optional<double> period{};  ///< after which all comes again, > the last `from`; none: the last value holds on
};

/// Prices, all >= 0, in the user's own unit of money.
struct price_spec {
  std::vector<double> servers;  ///< of a server of each entry, in the order of scenario::servers
  double core = 0.0;            ///< of each core
  double watt = 0.0;            ///< of each watt of the average power
  double link = 0.0;            ///< of each edge of the network
  /// Prices of a device or a unit of each of scenario::resources, 0 for cores. Empty: none.
  std::vector<double> resources{};
  std::shared_ptr<const step_function> energy{};  ///< price of a kWh; null: none
  std::shared_ptr<const step_function> carbon{};  ///< grams for each kWh; null: not known
};

}  // namespace muster
