#include "platform/simulation/overload_guard.h"

#include <algorithm>

#include <fmt/format.h>

#include "muster/modules/scheduler/events/policy_call.h"
#include "platform/simulation/arrival_board.h"
#include "platform/simulation/cluster.h"

namespace muster {

namespace {

// The most jobs in the system, clamped to the range of run.most_jobs_in_system, so that runs end with any plugin.
std::uint64_t limit_of(const run_spec& run, const policy& active) {
  if (run.most_jobs_in_system) return *run.most_jobs_in_system;
  constexpr std::uint64_t least = 1'000, most = 1'000'000'000;
  const std::uint64_t own = call_policy("most_jobs_in_system()", [&] { return active.most_jobs_in_system(); });
  return std::clamp(own, least, most);
}

}  // namespace

overload_guard::overload_guard(const run_spec& run, std::uint64_t most_jobs, bool finite, job_statistics& jobs,
                               cluster& simulated)
    : jobs_(jobs),
      time_(simulated.time),
      most_in_system_(limit_of(run, simulated.central.active_policy())),
      most_arrivals_(std::max(arrivals_per_job * most_jobs, fewest_arrivals)) {
  simulated.central.observe_stalls(*this);
  if (!finite) jobs.mark_after(next_look(), [this](ticks) { return look(); });
}

// The first arrival at which a limit can be reached, or progress is to be shown again.
std::uint64_t overload_guard::next_look() const {
  constexpr std::uint64_t between_shows = 100'000;
  const std::uint64_t arrived = jobs_.arrived(), room = most_in_system_ - (arrived - jobs_.completed());
  return std::min({arrived + room, arrived + between_shows, most_arrivals_});
}

std::uint64_t overload_guard::look() {
  const std::uint64_t arrived = jobs_.arrived(), inside = arrived - jobs_.completed();
  if (inside >= most_in_system_)
    end(fmt::format("{} jobs were in the system, which is run.most_jobs_in_system", most_in_system_));
  else if (arrived >= most_arrivals_)
    end(fmt::format("{} jobs had arrived, {}, and fewer than run.jobs had left", most_arrivals_,
                    most_arrivals_ == fewest_arrivals
                        ? "the least number that is looked at"
                        : fmt::format("{} for each job that run.jobs asks for", arrivals_per_job)));
  arrival_board::show(arrived);
  return reason_ ? ~std::uint64_t{0} : next_look();
}

void overload_guard::end(std::string reason) {
  if (time_.stopped()) return;
  reason_ = std::move(reason);
  time_.stop();
}

std::string overload_guard::fault() const {
  return fmt::format("no job has completed during {} arrivals: {} ({})", jobs_.arrived(), *reason_,
                     to_sc_time(time_.now()).to_string());
}

}  // namespace muster
