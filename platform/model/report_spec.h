#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "platform/model/metric_of_class.h"

namespace muster {

struct step_function;

/// The record over time of the first replication of each point.
struct record_spec {
  std::optional<double> jobs_in_system_every;  ///< units of time between samples
  std::optional<double> until;                 ///< end of the record
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
