#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platform/cluster/cluster.h"
#include "platform/simulation/cluster_variables.h"

namespace muster {

/// The cluster of a scenario, alone in the kernel, whose simulation goes on in steps. All of it can be controlled.
class stepped_cluster {
 public:
  using list_of_settings = std::vector<std::pair<std::string, std::string>>;

  /// @param file,settings as read_scenario() has them @throws what read_scenario() and cluster do
  stepped_cluster(std::string file, list_of_settings settings, std::uint32_t replication);

  cluster& module() { return *cluster_; }
  cluster_variables& variables() { return cluster_->variables(); }
  /// The present instant, in ticks.
  static std::int64_t now();

  /// Replaces a parameter of the policy. Its value is read as one in the scenario, beside those replaced before.
  /// @throws scenario_error, std::invalid_argument if it is refused; nothing has changed then
  void set_parameter(const std::string& name, const std::string& value);
  /// Runs all instants until one, that one included.
  /// @param until not before now()
  /// @param watched variables with whose first change it ends
  /// @return whether it has ended before `until`
  bool advance(std::int64_t until, const std::vector<std::uint32_t>& watched);
  std::vector<double> values(const std::vector<std::uint32_t>& of);

 private:
  static void run_to(std::int64_t until);
  static std::int64_t next_instant(std::int64_t until);

  std::string file_;
  list_of_settings settings_;
  std::unique_ptr<cluster> cluster_;
  bool begun_ = false;  // the simulation
};

}  // namespace muster
