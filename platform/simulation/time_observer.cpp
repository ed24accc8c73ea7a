#include "platform/simulation/time_observer.h"

#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

namespace muster {

namespace {

[[noreturn, gnu::cold, gnu::noinline]] void do_not_add_up(const job_extension& job, ticks response, ticks sum) {
  throw std::runtime_error(fmt::format(
      "job {} was in the system for {} ticks, but what its time was spent on adds up to {}", job.id, response, sum));
}

}  // namespace

void time_observer::job_completes(ticks now, const job_extension& job) {
  const by_time_part<ticks>& spent = account_->complete(now, job).all();
  const ticks response = now - job.arrival;
  const ticks sum = std::accumulate(spent.begin(), spent.end(), ticks{0});
  if (sum != response) do_not_add_up(job, response, sum);
  if (!job.slots || !job.slots->expired) sums_.add(job.type, spent, response);
  jobs_.job_completes(now, job);
}

}  // namespace muster
