#include "platform/trace/recording.h"

#include "platform/trace/job_trace.h"
#include "platform/trace/perfetto_trace.h"
#include "platform/trace/vcd_trace.h"

namespace muster {

namespace {

std::unique_ptr<trace_writer> make_writer(const scenario& what, const trace_request& trace) {
  switch (trace.kind) {
    case trace_kind::jobs:
      return std::make_unique<job_trace>(what, trace.file);
    case trace_kind::perfetto:
      return std::make_unique<perfetto_trace>(what, trace.file);
    case trace_kind::vcd:
      return std::make_unique<vcd_trace>(what, trace.file);
  }
  return nullptr;
}

}  // namespace

recording::recording(const scenario& what, const std::vector<trace_request>& traces, job_observer& measured)
    : jobs_(measured) {
  for (const trace_request& trace : traces) {
    writers_.push_back(make_writer(what, trace));
    cores_shown_ = cores_shown_ || trace.kind != trace_kind::jobs;
    edges_shown_ = edges_shown_ || trace.kind == trace_kind::perfetto;
  }
}

phase_observer& recording::phases(phase_observer& measured) {
  phases_ = &measured;
  return *this;
}

void recording::finish(ticks now, const cluster_view& jobs, const std::vector<slice_view>& slices) {
  for (const auto& w : writers_) w->finish(now, jobs, slices);
}

void recording::job_arrives(ticks now, const job_extension& job) {
  for (const auto& w : writers_) w->job_arrives(now, job);
  jobs_.job_arrives(now, job);
}

// Those who measure come last: they may end the simulation.
void recording::job_completes(ticks now, const job_extension& job) {
  for (const auto& w : writers_) w->job_completes(now, job);
  jobs_.job_completes(now, job);
}

void recording::phase_begins(ticks now, unsigned begun) {
  for (const auto& w : writers_) w->phase_begins(now, begun);
  phases_->phase_begins(now, begun);
}

void recording::slice_begins(ticks now, const slice_view& slice) {
  for (const auto& w : writers_) w->slice_begins(now, slice);
}

void recording::slice_works(ticks now, const slice_view& slice) {
  for (const auto& w : writers_) w->slice_works(now, slice);
}

void recording::slice_saves(ticks now, const slice_view& slice) {
  for (const auto& w : writers_) w->slice_saves(now, slice);
}

void recording::slice_ends(ticks now, const slice_view& slice) {
  for (const auto& w : writers_) w->slice_ends(now, slice);
}

void recording::edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t bytes) {
  for (const auto& w : writers_) w->edge_occupied(arc, begins, ends, bytes);
}

}  // namespace muster
