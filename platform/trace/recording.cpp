#include "platform/trace/recording.h"

namespace muster {

recording::recording(const scenario& what, const std::vector<trace_request>& traces, job_observer& measured)
    : jobs_(measured) {
  for (const trace_request& trace : traces) {
    writers_.push_back(trace.kind->make_writer(what, trace));
    cores_shown_ = cores_shown_ || trace.kind->shows_cores;
    edges_shown_ = edges_shown_ || trace.kind->shows_edges;
  }
}

}  // namespace muster
