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
  const server_state& s = servers_[server];
  if (s.speed == speed) return;
  change(server, speed, s.zone, s.clock != nullptr);
  if (power_) power_->speed_was_set(server);
}

void server_speeds::enter(speed_zone& zone) {
  for (std::uint32_t n = zone.first(); n < zone.first() + zone.count(); ++n)
    change(n, servers_[n].speed, &zone, servers_[n].clock != nullptr);
}

void server_speeds::limit(speed_zone& zone, double fraction) {
  if (zone.fraction() == fraction) return;
  if (!zone.has_clocks())
    for (std::uint32_t n = zone.first(); n < zone.first() + zone.count(); ++n)
      change(n, servers_[n].speed, &zone, true);
  zone.set_fraction(fraction);
  zone.for_each_notified([&](std::uint32_t server) { working_speed_changed(server); });
}

// Changes the speed, the zone and the clock of a server. The slices that follow its clock go over to the new one.
void server_speeds::change(std::uint32_t server, double speed, speed_zone* zone, bool has_clock) {
  server_state& s = servers_[server];
  if (power_) power_->clock_will_change(server);
  const double last_speed = std::exchange(s.speed, speed);
  speed_zone* const last_zone = std::exchange(s.zone, zone);
  work_clock* const last_clock = std::exchange(s.clock, has_clock ? &zone->join(speed) : nullptr);
  if (power_) power_->clock_has_changed(server);
  if (zone != last_zone && s.notices > 0) {
    if (last_zone) last_zone->remove_notified(server);
    zone->add_notified(server);
  }
  if (s.clock != last_clock || speed != last_speed) working_speed_changed(server);
  if (last_clock) last_zone->leave(last_speed);
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

void server_speeds::add_notice(std::uint32_t server) {
  server_state& s = servers_[server];
  if (s.notices++ == 0 && s.zone) s.zone->add_notified(server);
}

void server_speeds::remove_notice(std::uint32_t server) {
  server_state& s = servers_[server];
  if (--s.notices == 0 && s.zone) s.zone->remove_notified(server);
}

std::size_t server_speeds::join(pace_observer& bank, std::uint32_t slice, std::uint32_t server,
                                const job_extension& job) {
  gang& all = gangs_[&job];
  if (all.members.empty()) all.slices = job.own.open_slices;
  if (all.clock && all.clock->pace() != all.pace) add_members(all, job.own.slowest);
  add(all, server, job.own.slowest);
  set_pace(all);
  all.members.push_back({&bank, slice, server});
  ++all.open;
  servers_[server].gangs.push_back(&job);
  if (!all.clock) add_notice(server);
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
    if (!all.clock) remove_notice(m.server);
  }
  gangs_.erase(found);
}

// Adds a server to those that determine a job's pace.
void server_speeds::add(gang& all, std::uint32_t server, double capacity_of_job) const {
  const server_state& s = servers_[server];
  const double speed = working_speed(server), capacity = s.capacity / capacity_of_job;
  const bool first = all.slowest == 0.0;
  all.slowest = first ? capacity * speed : std::min(all.slowest, capacity * speed);
  all.fastest = std::max(all.fastest, speed);
  all.least = first ? capacity : std::min(all.least, capacity);
  all.common = first || s.clock == all.common ? s.clock : nullptr;
}

// Determines a job's pace anew by the servers of all its members.
void server_speeds::add_members(gang& all, double capacity_of_job) const {
  all.slowest = 0.0;
  all.fastest = 1.0;
  for (const member& m : all.members) add(all, m.server, capacity_of_job);
}

void server_speeds::adapt(const job_extension& job) {
  gang& all = gangs_.at(&job);
  add_members(all, job.own.slowest);
  set_pace(all);
}

// Sets the pace of a job. While the slice on the server of least capacity has not begun, the others do not go on as if
// there were none. Where all servers have the same clock, and one of them the least capacity, the pace is the clock's.
void server_speeds::set_pace(gang& all) {
  const double pace = std::min(all.slowest, all.fastest);
  if (all.exchange == gang_exchange::none)
    change_pace(all, pace, all.least == 1.0 ? all.common : nullptr);
  else
    exchange_->limit(all.exchange, pace);
}

// @param clock that has the pace; null: there is none
void server_speeds::change_pace(gang& all, double pace, work_clock* clock) {
  const bool same_pace = std::exchange(all.pace, pace) == pace;
  work_clock* const last_clock = std::exchange(all.clock, clock);
  if (same_pace && clock == last_clock) return;
  for (const member& m : all.members) {
    if (last_clock && !clock) add_notice(m.server);
    if (clock && !last_clock) remove_notice(m.server);
    if (m.bank) m.bank->pace_changes(m.slice, pace);
  }
}

// Begins the exchange of a gang with the last of its slices. Its pace is no more the one of a clock.
void server_speeds::note_work(const job_extension& job, std::size_t place, std::uint32_t cores) {
  gang& all = gangs_.at(&job);
  all.members[place].working_cores = cores;
  if (++all.working < all.slices || !exchange_->has(job.declared_class())) return;
  if (all.clock) {
    add_members(all, job.own.slowest);
    change_pace(all, std::min(all.slowest, all.fastest), nullptr);
  }
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
