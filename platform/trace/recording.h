#pragma once

#include <memory>
#include <vector>

#include "platform/simulation/cluster.h"
#include "platform/trace/trace_kind.h"
#include "platform/trace/trace_writer.h"

namespace muster {

/// The traces of one replication: stands between the cluster and those who measure it, and shows everything to the
/// writers.
class recording final : public job_observer, private phase_observer, private server_observer, private network_observer {
 public:
  /// @param measured who would be told of jobs without it; outlives it
  /// @throws std::runtime_error if a file cannot be made
  recording(const scenario& what, const std::vector<trace_request>& traces, job_observer& measured);

  /// To be called once, before the simulation starts.
  /// @param measured who would be told of phases without it; outlives it
  void observe(cluster& watched, phase_observer& measured);
  /// The replication is over: every file is complete. @throws std::runtime_error if one cannot be written
  void finish(ticks now, const cluster& watched);

  void job_arrives(ticks now, const job_extension& job) override;
  void job_completes(ticks now, const job_extension& job) override;

 private:
  void phase_begins(ticks now, unsigned begun) override;
  void slice_begins(ticks now, const slice_view& slice) override;
  void slice_works(ticks now, const slice_view& slice) override;
  void slice_saves(ticks now, const slice_view& slice) override;
  void slice_ends(ticks now, const slice_view& slice) override;
  void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) override;

  job_observer& jobs_;
  phase_observer* phases_ = nullptr;
  std::vector<std::unique_ptr<trace_writer>> writers_;
  bool cores_shown_ = false;  // some writer wants to see them
  bool edges_shown_ = false;  // likewise
};

}  // namespace muster
