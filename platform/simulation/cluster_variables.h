#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "platform/simulation/cluster_energy.h"
#include "platform/simulation/cluster_hardware.h"
#include "platform/simulation/cluster_variable.h"

namespace muster {

/// The variables of a cluster that runs: what it shows, and what can be set while it runs.
///
/// Outputs are read from the modules when they are asked for, and inputs are requests to the cluster_control: neither
/// costs a cluster anything that nobody asks. What a foreign server does is not known: where there are any, the
/// variables of all cores, resources and power are left out.
class cluster_variables {
 public:
  /// @param model,hardware of one cluster; both outlive this object
  cluster_variables(const scenario& model, cluster_hardware& hardware);
  cluster_variables(const cluster_variables&) = delete;
  cluster_variables& operator=(const cluster_variables&) = delete;

  const std::vector<cluster_variable>& all() const { return all_; }
  /// @return the place of a variable among all(). @throws std::invalid_argument with the nearest names if there is none
  std::size_t find(const std::string& name) const;
  /// The value now; of an input that has been set at this instant, what it was set to.
  double value(std::size_t variable) const;
  /// Sets an input, from this instant on, see cluster_control.
  /// @throws std::invalid_argument for an output, and for a value out of range; nothing has changed then
  void set(std::size_t variable, double value);

 private:
  struct entry_of_servers {
    std::size_t number;  // in scenario::servers
    const server* bank;
    server_range servers;  // among all servers
  };
  /// How a variable is read, and set where it is an input.
  struct access {
    std::function<double()> read;
    std::function<control_request(double)> request{};
    ticks set_at = end_of_clock;  // the instant at which it was set last; end_of_clock: it was not
    double set_to = 0.0;
  };

  void add(cluster_variable shown, std::function<double()> read);
  void add(cluster_variable input, std::function<double()> read, std::function<control_request(double)> request);
  void add_jobs();
  void add_resources();
  void add_servers();
  void add_power();
  void add_inputs();
  void add_parameters();
  void add_cap(std::string name, std::string help, server_range servers);
  double jobs_waiting(std::size_t place) const;
  double jobs_running(std::size_t place) const;
  double parts_in_use(std::size_t resource) const;
  double power() const;
  ticks now() const { return hardware_.time.now(); }

  const scenario& model_;
  cluster_hardware& hardware_;
  cluster_energy energy_;
  std::vector<entry_of_servers> entries_;    // those that are not foreign
  std::vector<std::vector<class_id>> view_;  // by place in scenario::classes: its classes in the view
  std::vector<class_id> declared_;           // by place in scenario::classes: its id as jobs declare it
  std::vector<cluster_variable> all_;
  std::vector<access> access_;  // likewise
};

}  // namespace muster
