#include "muster/modules/server/server_speeds.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "muster/modules/protocol/job_extension.h"

namespace muster {

server_speeds::server_speeds(timekeeper& time, const std::vector<double>& capacities, std::vector<speed_change> plan)
    : time_(time), plan_(std::move(plan)) {
  for (const double capacity : capacities) {
    servers_.emplace_back();
    servers_.back().capacity = capacity;
  }
  for (const speed_change& change : plan_) check(change.server, change.speed);
  std::stable_sort(plan_.begin(), plan_.end(), [](const speed_change& a, const speed_change& b) {
    return std::pair(a.at, a.server) < std::pair(b.at, b.server);
  });
}

void server_speeds::check(std::uint32_t server, double speed) const {
  if (server >= servers_.size())
    throw std::invalid_argument(
        fmt::format("the speed of server {} is set; expected a server below {}", server, servers_.size()));
  if (!(speed >= least && speed <= most))
    throw std::invalid_argument(fmt::format("the speed of server {} is set to {}; expected a number from {} to {}",
                                            server, speed, least, most));
}

void server_speeds::set(std::uint32_t server, double speed) {
  check(server, speed);
  server_state& s = servers_[server];
  if (std::exchange(s.speed, speed) == speed || !s.bank) return;
  s.bank->speed_changes(s.number, speed);
  for (const job_extension* const job : s.gangs) adapt(*job);
}

void server_speeds::connect(pace_observer& bank, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t n = 0; n < count; ++n) {
    servers_[first + n].bank = &bank;
    servers_[first + n].number = n;
  }
}

void server_speeds::start() {
  if (!std::exchange(started_, true)) arm_next();
}

// Arms the timer of the next change. One beyond the range of the clock never comes.
void server_speeds::arm_next() {
  if (next_ < plan_.size() && plan_[next_].at < end_of_clock)
    time_.arm(std::max(time_.now(), plan_[next_].at), timer_rank::fault | plan_[next_].server, *this, 0);
}

// Changes the speeds that change now. Of several changes of a server the last one alone is carried out.
void server_speeds::expired(ticks now, std::uint32_t) {
  while (next_ < plan_.size() && plan_[next_].at <= now) {
    const speed_change& change = plan_[next_++];
    if (next_ == plan_.size() || plan_[next_].at > now || plan_[next_].server != change.server)
      set(change.server, change.speed);
  }
  arm_next();
}

std::size_t server_speeds::join(pace_observer& bank, std::uint32_t slice, std::uint32_t server,
                                const job_extension& job) {
  gang& all = gangs_[&job];
  add(all, server, job.own.slowest);
  set_pace(all);
  all.members.push_back({&bank, slice, server});
  ++all.open;
  servers_[server].gangs.push_back(&job);
  return all.members.size() - 1;
}

void server_speeds::leave(const job_extension& job, std::size_t place) {
  const auto found = gangs_.find(&job);
  gang& all = found->second;
  all.members[place].bank = nullptr;
  if (--all.open > 0) return;
  for (const member& m : all.members) {
    auto& gangs = servers_[m.server].gangs;
    *std::find(gangs.begin(), gangs.end(), &job) = gangs.back();
    gangs.pop_back();
  }
  gangs_.erase(found);
}

// Adds a server to those that determine a job's pace.
void server_speeds::add(gang& all, std::uint32_t server, double capacity_of_job) const {
  const server_state& s = servers_[server];
  const double product = s.capacity / capacity_of_job * s.speed;
  all.slowest = all.slowest > 0.0 ? std::min(all.slowest, product) : product;
  all.fastest = std::max(all.fastest, s.speed);
}

void server_speeds::adapt(const job_extension& job) {
  gang& all = gangs_.at(&job);
  all.slowest = 0.0;
  all.fastest = 1.0;
  for (const member& m : all.members) add(all, m.server, job.own.slowest);
  set_pace(all);
}

// Sets the pace of a job. While the slice on the server of least capacity has not begun, the others do not go on as if
// there were none.
void server_speeds::set_pace(gang& all) {
  const double pace = std::min(all.slowest, all.fastest);
  if (std::exchange(all.pace, pace) == pace) return;
  for (const member& m : all.members)
    if (m.bank) m.bank->pace_changes(m.slice, pace);
}

}  // namespace muster
