#include "platform/simulation/time_observer.h"

#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

namespace muster {

namespace {

// What a slice that ends was doing.
slice_stage stage_of(const core_ledger::tenure& held) {
  if (held.ceased != core_ledger::tenure::never) return slice_stage::saving;
  return held.productive != core_ledger::tenure::never ? slice_stage::running : slice_stage::overhead;
}

}  // namespace

void time_observer::job_completes(ticks now, const job_extension& job) {
  const by_time_part<ticks>& spent = account_->complete(job).all();
  if (const ticks sum = std::accumulate(spent.begin(), spent.end(), ticks{0}); sum != now - job.arrival)
    throw std::runtime_error(
        fmt::format("job {} was in the system for {} ticks, but what its time was spent on adds up to {}", job.id,
                    now - job.arrival, sum));
  if (!job.slots || !job.slots->expired) sums_.add(job.type, spent);
  jobs_.job_completes(now, job);
}

void time_observer::slice_begins(ticks now, const slice_view& slice) {
  if (slice.holder) account_->slice_begins(*slice.holder, slice.held.productive != core_ledger::tenure::never);
  if (cores_) cores_->slice_begins(now, slice);
}

void time_observer::slice_works(ticks now, const slice_view& slice) {
  if (slice.holder) account_->slice_works(*slice.holder);
  if (cores_) cores_->slice_works(now, slice);
}

void time_observer::slice_saves(ticks now, const slice_view& slice) {
  if (slice.holder) account_->slice_saves(*slice.holder);
  if (cores_) cores_->slice_saves(now, slice);
}

void time_observer::slice_ends(ticks now, const slice_view& slice) {
  if (slice.holder) account_->slice_ends(*slice.holder, stage_of(slice.held));
  if (cores_) cores_->slice_ends(now, slice);
}

}  // namespace muster
