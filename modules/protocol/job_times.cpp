#include "muster/modules/protocol/job_times.h"

#include <algorithm>

namespace muster {

void job_times::lose(ticks lost, ticks of) {
  if (lost == 0) return;
  const ticks ran = (*this)[time_part::running] - ran_before_;
  move_to_failure(static_cast<ticks>(tick_sum{ran} * std::min(lost, of) / of));
}

void job_times::lose_last_core(ticks most) {
  if (running_slices() > 0) return;  // other cores run: the job has progressed all the time
  move_to_failure(std::min(most, alone_));
}

void job_times::move_to_failure(ticks time) {
  at(time_part::running) -= time;
  at(time_part::failure) += time;
}

}  // namespace muster
