#pragma once

#include <memory>
#include <vector>

#include "muster/modules/network/network_observer.h"
#include "muster/modules/scheduler/scheduler.h"
#include "muster/modules/server/server_observer.h"
#include "muster/modules/source/job_observer.h"
#include "platform/model/scenario.h"
#include "platform/trace/trace_kind.h"

namespace muster {

/// Writes one trace of a replication while it runs. It keeps what goes on, not what is over.
class trace_writer : public job_observer, public phase_observer, public server_observer, public network_observer {
 public:
  trace_writer() = default;
  trace_writer(const trace_writer&) = delete;
  trace_writer& operator=(const trace_writer&) = delete;
  virtual ~trace_writer() = default;

  /// The replication is over.
  /// @param jobs in the system then @param slices that hold cores then
  virtual void finish(ticks now, const cluster_view& jobs, const std::vector<slice_view>& slices) = 0;

  void job_arrives(ticks, const job_extension&) override {}
  void job_completes(ticks, const job_extension&) override {}
  void phase_begins(ticks, unsigned) override {}
  void slice_begins(ticks, const slice_view&) override {}
  void slice_works(ticks, const slice_view&) override {}
  void slice_saves(ticks, const slice_view&) override {}
  void slice_ends(ticks, const slice_view&) override {}
  void edge_occupied(network_arc, ticks, ticks, std::uint64_t) override {}
};

/// @name The writers of trace_catalogue()
/// @throws std::runtime_error if the file cannot be made
/// @{
std::unique_ptr<trace_writer> make_job_trace(const scenario& what, const trace_request& trace);
std::unique_ptr<trace_writer> make_perfetto_trace(const scenario& what, const trace_request& trace);
std::unique_ptr<trace_writer> make_vcd_trace(const scenario& what, const trace_request& trace);
/// @}

}  // namespace muster
