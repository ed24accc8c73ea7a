#pragma once

#include <memory>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/trace/trace_kind.h"
#include "platform/trace/trace_writer.h"

namespace muster {

/// The traces of one replication: observes the cluster in place of those who measure it, and passes on to them and to
/// the writers what it receives.
class recording final : public job_observer, private phase_observer, private server_observer, private network_observer {
 public:
  /// @param measured who would be told of jobs without it; outlives it
  /// @throws std::runtime_error if a file cannot be made
  recording(const scenario& what, const std::vector<trace_request>& traces, job_observer& measured) : jobs_(measured) {
    for (const trace_request& trace : traces) {
      writers_.push_back(trace.kind->make_writer(what, trace));
      cores_shown_ = cores_shown_ || trace.kind->shows_cores;
      edges_shown_ = edges_shown_ || trace.kind->shows_edges;
    }
  }

  /// The observer of the policy's phases, which passes them on. To be called before the simulation starts.
  /// @param measured outlives this
  phase_observer& phases(phase_observer& measured) {
    phases_ = &measured;
    return *this;
  }
  /// The observer of all servers; null where no trace shows cores.
  server_observer* cores() { return cores_shown_ ? this : nullptr; }
  /// The observer of the network; null where no trace shows its edges.
  network_observer* edges() { return edges_shown_ ? this : nullptr; }
  /// The replication is over: every file is complete. See trace_writer::finish().
  /// @throws std::runtime_error if one cannot be written
  void finish(ticks now, const cluster_view& jobs, const std::vector<slice_view>& slices) {
    tell(&trace_writer::finish, now, jobs, slices);
  }

  // Those who measure come last: they may end the simulation.
  void job_arrives(ticks now, const job_extension& job) override {
    tell(&trace_writer::job_arrives, now, job);
    jobs_.job_arrives(now, job);
  }
  void job_completes(ticks now, const job_extension& job) override {
    tell(&trace_writer::job_completes, now, job);
    jobs_.job_completes(now, job);
  }

 private:
  template <class... Parameters, class... Arguments>
  void tell(void (trace_writer::*event)(Parameters...), const Arguments&... arguments) {
    for (const auto& w : writers_) (*w.*event)(arguments...);
  }

  void phase_begins(ticks now, unsigned begun) override {
    tell(&trace_writer::phase_begins, now, begun);
    phases_->phase_begins(now, begun);
  }
  void slice_begins(ticks now, const slice_view& slice) override { tell(&trace_writer::slice_begins, now, slice); }
  void slice_works(ticks now, const slice_view& slice) override { tell(&trace_writer::slice_works, now, slice); }
  void slice_saves(ticks now, const slice_view& slice) override { tell(&trace_writer::slice_saves, now, slice); }
  void slice_ends(ticks now, const slice_view& slice) override { tell(&trace_writer::slice_ends, now, slice); }
  void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) override {
    tell(&trace_writer::edge_occupied, arc, begins, ends, bytes);
  }

  job_observer& jobs_;
  phase_observer* phases_ = nullptr;
  std::vector<std::unique_ptr<trace_writer>> writers_;
  bool cores_shown_ = false;  // some writer wants to see them
  bool edges_shown_ = false;  // likewise
};

}  // namespace muster
