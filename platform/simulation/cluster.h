#pragma once

#include <memory>
#include <vector>

#include <systemc>

#include "modules/job_source.h"
#include "modules/link.h"
#include "modules/scheduler.h"
#include "modules/server.h"
#include "platform/scenario/scenario.h"

namespace muster {

/// A scenario's cluster: source -> scheduler -> (link ->) servers, bound and ready to simulate.
class cluster : public sc_core::sc_module {
 public:
  timekeeper time{"time"};

  /// @param replication keys the random streams of the servers' timers
  /// @param jobs what the source submits; outlives the cluster
  /// @param observer told of every job; outlives the cluster
  cluster(const sc_core::sc_module_name& name, const scenario& what, std::uint32_t replication, workload& jobs,
          job_observer& observer);
  ~cluster() override;

  job_source source;
  scheduler central;
  const std::vector<std::unique_ptr<server>>& servers() const { return servers_; }

  /// Ends of the accounts at time `now`: every job is somewhere, every core's times add up.
  /// @throws std::runtime_error that names what does not
  void audit(ticks now) const;

 private:
  std::vector<std::unique_ptr<interruption_timer>> timers_;
  std::vector<std::unique_ptr<link>> links_;
  std::vector<std::unique_ptr<server>> servers_;
};

}  // namespace muster
