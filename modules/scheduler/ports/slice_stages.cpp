#include "muster/modules/scheduler/ports/slice_stages.h"

namespace muster {

namespace {

using stage = slice_stage;
using stages = std::array<stage, 7>;

// The order in which stages count. A rigid job progresses when all its slices have got so far, another job when any
// slice has.
constexpr stages rigid_order{stage::ordered, stage::outbound,  stage::overhead, stage::running,
                             stage::saving,  stage::returning, stage::answered};
constexpr stages shared_order{stage::running,   stage::overhead, stage::saving,  stage::outbound,
                              stage::returning, stage::ordered,  stage::answered};

}  // namespace

slice_stages::slice_stages(job_kind jobs) : jobs_(jobs), order_(jobs == job_kind::rigid ? rigid_order : shared_order) {
  for (std::size_t place = 0; place < order_.size(); ++place)
    places_[static_cast<std::size_t>(order_[place])] = static_cast<std::uint8_t>(place);
}

void slice_stages::order_one_more(job_times& t, slice_stage at) const {
  if (t.slices_ == 2) {
    t.slices_at_ = {};
    t.reached_ = 0;
    enter(t, t.lone_);
  }
  enter(t, at);
  t.now_ = part_at(that_tells(t));
}

void slice_stages::move_one_of_several(job_times& t, slice_stage from, slice_stage to) const {
  if (t.slices_ == 1) {
    t.lone_ = to;
    t.now_ = part_at(to);
  } else {
    leave(t, from);
    enter(t, to);
    t.now_ = part_at(that_tells(t));
  }
  if (jobs_ == job_kind::slotted && (from == stage::running || to == stage::running)) note_last_core(t);
}

// A slice whose response waits for its turn is `answered`.
void slice_stages::end_one_of_several(job_times& t) const {
  leave(t, t.at_stage(stage::answered) > 0 ? stage::answered : last(t));
  t.lone_ = that_tells(t);
  t.now_ = part_at(t.lone_);
}

// Notes since when a single core runs for the job, and for how long the last one did.
void slice_stages::note_last_core(job_times& t) {
  const std::uint32_t running = t.running_slices();
  if (running == 0) t.alone_ = t.since_ - t.alone_since_;
  if (running == 1) t.alone_since_ = t.since_;
}

}  // namespace muster
