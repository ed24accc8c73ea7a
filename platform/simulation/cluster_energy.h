#pragma once

#include <cstddef>

#include "platform/model/scenario.h"
#include "platform/simulation/cluster_hardware.h"

namespace muster {

/// The power of cores, devices and amounts of a cluster, and the energy that they have spent, by the watts of their
/// states. Devices and amounts of a server draw nothing while it is down.
class cluster_energy {
 public:
  /// @param model,hardware of one cluster, both outlive this object
  cluster_energy(const scenario& model, const cluster_hardware& hardware) : model_(model), hardware_(hardware) {}

  /// Energy that all have spent until now, in watts times ticks. The cluster has all its servers.
  double spent(ticks now) const;
  /// Power now of the servers of an entry and of what they have, in watts.
  /// @param entry place in scenario::servers @param bank its servers
  double power(std::size_t entry, const server& bank, ticks now) const;
  /// Power now of the resources that the cluster has as a whole, in watts.
  double power_of_cluster() const;

 private:
  double spent_by_resources(std::size_t entry, ticks now) const;
  double spent_by_cluster(ticks now) const;
  // Devices, or the amount, that so many parts are.
  double in_units(std::size_t resource, double parts) const;

  const scenario& model_;
  const cluster_hardware& hardware_;
};

}  // namespace muster
