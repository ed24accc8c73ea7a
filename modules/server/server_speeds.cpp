#include "muster/modules/server/server_speeds.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/server/server_power.h"

namespace muster {

server_speeds::server_speeds(const std::vector<double>& capacities) {
  for (const double capacity : capacities) {
    servers_.emplace_back();
    servers_.back().capacity = capacity;
  }
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
  if (servers_[server].speed == speed) return;
  if (power_) power_->speed_will_change(server);
  servers_[server].speed = speed;
  if (power_) power_->speed_was_set(server);
  working_speed_changed(server);
}

void server_speeds::limit(std::uint32_t server, double fraction) {
  if (servers_[server].fraction == fraction) return;
  power_->speed_will_change(server);
  servers_[server].fraction = fraction;
  working_speed_changed(server);
}

void server_speeds::working_speed_changed(std::uint32_t server) {
  const server_state& s = servers_[server];
  if (!s.bank) return;
  s.bank->speed_changes(s.number, working_speed(server));
  for (const job_extension* const job : s.gangs) adapt(*job);
}

void server_speeds::connect(pace_observer& bank, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t n = 0; n < count; ++n) {
    servers_[first + n].bank = &bank;
    servers_[first + n].number = n;
  }
}

std::size_t server_speeds::join(pace_observer& bank, std::uint32_t slice, std::uint32_t server,
                                const job_extension& job) {
  gang& all = gangs_[&job];
  if (all.members.empty()) all.slices = job.own.open_slices;
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
  if (exchange_) note_pause(all, place);
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
  const double speed = working_speed(server);
  const double product = s.capacity / capacity_of_job * speed;
  all.slowest = all.slowest > 0.0 ? std::min(all.slowest, product) : product;
  all.fastest = std::max(all.fastest, speed);
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
  if (all.exchange == gang_exchange::none)
    change_pace(all, pace);
  else
    exchange_->limit(all.exchange, pace);
}

void server_speeds::change_pace(gang& all, double pace) {
  if (std::exchange(all.pace, pace) == pace) return;
  for (const member& m : all.members)
    if (m.bank) m.bank->pace_changes(m.slice, pace);
}

// Begins the exchange of a gang with the last of its slices.
void server_speeds::note_work(const job_extension& job, std::size_t place, std::uint32_t cores) {
  gang& all = gangs_.at(&job);
  all.members[place].working_cores = cores;
  if (++all.working < all.slices || !exchange_->has(job.declared_class())) return;
  std::vector<gang_exchange::part> parts;
  for (const member& m : all.members) parts.push_back({m.server, m.working_cores});
  all.exchange = exchange_->begin(job, std::move(parts), job.own.slowest, all.pace);
}

// Ends the exchange of a gang with the first of its slices that stops working. The others go on as fast as the servers
// are.
void server_speeds::note_pause(gang& all, std::size_t place) {
  if (std::exchange(all.members[place].working_cores, 0) == 0) return;
  --all.working;
  if (all.exchange == gang_exchange::none) return;
  exchange_->end(std::exchange(all.exchange, gang_exchange::none));
  set_pace(all);
}

}  // namespace muster
