#include "muster/modules/server/server_power.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace muster {

namespace {

constexpr double no_cap = std::numeric_limits<double>::infinity();

}  // namespace

server_power::server_power(timekeeper& time, server_speeds& speeds, const std::vector<bank_watts>& banks)
    : time_(time), speeds_(speeds), banks_(banks) {
  for (std::uint32_t bank = 0; bank < banks.size(); ++bank) {
    server_state one;
    one.bank = bank;
    servers_.insert(servers_.end(), banks[bank].count, one);
  }
  speeds.connect(*this);
}

void server_power::check_cap(std::uint32_t first, std::uint32_t count, std::optional<double> watts) const {
  if (count == 0 || first >= servers_.size() || count > servers_.size() - first)
    throw std::invalid_argument(fmt::format("the power of {} servers from {} on is capped; expected servers of {}",
                                            count, first, servers_.size()));
  if (watts && !(*watts > 0.0 && std::isfinite(*watts)))
    throw std::invalid_argument(fmt::format("power is capped at {} W; expected a number > 0", *watts));
}

void server_power::set_cap(std::uint32_t first, std::uint32_t count, std::optional<double> watts) {
  check_cap(first, count, watts);
  auto set = std::find_if(caps_.begin(), caps_.end(),
                          [&](const capped_set& c) { return c.first == first && c.count == count; });
  if (set == caps_.end()) {
    caps_.push_back({first, count, no_cap});
    set = caps_.end() - 1;
    cover(first, first + count);
    for (auto zone = zones_.find(first); zone != zones_.end() && zone->first < first + count; ++zone)
      zone->second.caps.push_back(static_cast<std::uint32_t>(caps_.size() - 1));
    for (std::uint32_t n = first; n < first + count; ++n) {
      set->constant += servers_[n].constant;
      set->work += servers_[n].work;
    }
  }
  set->watts = watts.value_or(no_cap);
  change(*set);
}

// Lets each of the servers be of a zone, and none of their zones have others, too.
void server_power::cover(std::uint32_t first, std::uint32_t end) {
  split(first);
  split(end);
  for (std::uint32_t at = first; at < end;) {
    const auto next = zones_.lower_bound(at);
    const std::uint32_t until = next == zones_.end() ? end : std::min(end, next->first);
    if (until > at) {
      add_zone(at, until - at, 1.0, {});
      for (std::uint32_t n = at; n < until; ++n) count(n);
    }
    at = until < end ? until + next->second.speeds.count() : end;
  }
}

// Lets a zone begin with a server, if it is of any: the servers of the one that has it go over to a new one from there
// on.
void server_power::split(std::uint32_t at) {
  if (at >= servers_.size() || !servers_[at].zone) return;
  auto& [first, left] = *std::prev(zones_.upper_bound(at));
  if (first == at) return;
  const std::uint32_t count = first + left.speeds.count() - at;
  add_zone(at, count, left.speeds.fraction(), left.caps);
  left.speeds.shrink(at - first);
}

void server_power::add_zone(std::uint32_t first, std::uint32_t count, double fraction,
                            std::vector<std::uint32_t> caps) {
  const auto added = zones_.try_emplace(first, capped_zone{{time_, first, count, fraction}, std::move(caps)}).first;
  capped_zone& zone = added->second;
  for (std::uint32_t n = first; n < first + count; ++n) servers_[n].zone = &zone;
  speeds_.enter(zone.speeds);
}

std::optional<double> server_power::cap(std::uint32_t first, std::uint32_t count) const {
  for (const capped_set& c : caps_)
    if (c.first == first && c.count == count && c.watts < no_cap) return c.watts;
  return std::nullopt;
}

// The power of a server that does not depend on its speed.
double server_power::constant_watts(const server_state& s) const {
  if (s.down) return 0.0;
  const server_watts& w = banks_[s.bank].each;
  return w.idle * banks_[s.bank].cores + (w.overhead - w.idle) * s.overhead + w.resources + s.held;
}

// The power of the work of a server at a speed, above that of idle cores.
double server_power::watts_of_work(const server_state& s, double speed) const {
  const server_watts& w = banks_[s.bank].each;
  return (w.active - w.idle) * s.working * (w.frequencies ? w.frequencies->relative_watts(speed) : speed);
}

double server_power::relative_watts(std::uint32_t server) const {
  const frequency_table* const frequencies = banks_[servers_[server].bank].each.frequencies;
  const double working = speeds_.working_speed(server), set = speeds_.speed(server);
  return frequencies ? frequencies->relative_watts(set) * (working / set) : working;
}

// The reading of a server's clock; 0 without one.
tick_sum server_power::reading(std::uint32_t server) const {
  const work_clock* const clock = speeds_.clock(server);
  return clock ? clock->reading(time_.now()) : 0;
}

double server_power::excess_work(std::uint32_t server, ticks now) const {
  const server_state& s = servers_[server];
  const frequency_table* const frequencies = banks_[s.bank].each.frequencies;
  const double speed = speeds_.speed(server), watts = frequencies ? frequencies->relative_watts(speed) : speed;
  if (const work_clock* const clock = speeds_.clock(server)) return excess_by(*clock, s, now, watts / speed);
  return s.excess + s.working * (watts - 1.0) * static_cast<double>(now - s.since);
}

// The excess of a server whose speed has been that of its clock since it was settled.
// @param watts_of_work relative, for each unit of work
double server_power::excess_by(const work_clock& clock, const server_state& s, ticks now, double watts_of_work) {
  const tick_sum work = clock.reading(now) - s.reading, at_speed_1 = in_parts(now - s.since);
  double more = work < at_speed_1 ? -static_cast<double>(at_speed_1 - work) : static_cast<double>(work - at_speed_1);
  if (watts_of_work != 1.0) more += static_cast<double>(work) * (watts_of_work - 1.0);
  return s.excess + s.working * std::ldexp(more, -static_cast<int>(bits_of_part));
}

void server_power::settle(server_state& s, std::uint32_t server) {
  const ticks now = time_.now();
  if (s.working > 0) s.excess = excess_work(server, now);
  s.reading = reading(server);
  s.since = now;
}

// The count of the cores that are at a stage; null: they count as idle.
std::uint32_t* server_power::count_of(server_state& s, slice_stage stage) {
  if (stage == slice_stage::running) return &s.working;
  return stage == slice_stage::overhead || stage == slice_stage::saving ? &s.overhead : nullptr;
}

void server_power::slice_moves(std::uint32_t server, std::uint32_t cores, slice_stage from, slice_stage to,
                               const std::uint64_t* held) {
  server_state& s = servers_[server];
  settle(s, server);
  if (std::uint32_t* const before = count_of(s, from)) *before -= cores;
  if (std::uint32_t* const after = count_of(s, to)) *after += cores;
  const std::vector<double>& watts = banks_[s.bank].each.held;
  const double sign = from == slice_stage::outbound ? 1.0 : to == slice_stage::returning ? -1.0 : 0.0;
  if (held && sign != 0.0)
    for (std::size_t place = 0; place < watts.size(); ++place)
      s.held += sign * watts[place] * static_cast<double>(held[place]);
  if (s.working + s.overhead == 0) s.held = 0.0;  // whatever rounding has left
  touch(server);
}

void server_power::set_down(std::uint32_t server, bool down) {
  servers_[server].down = down;
  touch(server);
}

// Counts what a server draws now in all its caps, whose fractions are to be found anew.
void server_power::touch(std::uint32_t server) {
  server_state& s = servers_[server];
  if (!s.zone) return;
  const double last_constant = s.constant, last_work = s.work;
  count(server);
  for (const std::uint32_t number : s.zone->caps) {
    capped_set& c = caps_[number];
    c.constant += static_cast<long double>(s.constant) - last_constant;
    c.work += static_cast<long double>(s.work) - last_work;
    change(c);
  }
}

// Finds the watts of a server that its caps count.
void server_power::count(std::uint32_t server) {
  server_state& s = servers_[server];
  s.constant = constant_watts(s);
  s.work = watts_of_work(s, speeds_.speed(server));
}

void server_power::change(capped_set& c) {
  c.changed = true;
  if (!armed_) time_.arm(time_.now(), timer_rank::power, *this, 0);
  armed_ = true;
}

void server_power::expired(ticks now, std::uint32_t) {
  armed_ = false;
  const std::size_t before = binding_;
  for (capped_set& c : caps_)
    if (c.changed) adapt(c);
  if (before == 0 && binding_ > 0) binding_since_ = now;
  if (before > 0 && binding_ == 0) capped_ += now - binding_since_;
}

// Finds the fraction of a cap, and gives it to its zones.
void server_power::adapt(capped_set& c) {
  c.changed = false;
  const auto constant = static_cast<double>(c.constant), work = static_cast<double>(c.work);
  const bool binds = constant + work > c.watts;
  binding_ += static_cast<std::size_t>(binds) - static_cast<std::size_t>(c.binds);
  c.binds = binds;
  const double holds = binds && work > 0.0 ? (c.watts - constant) / work : 1.0;
  const double fraction = std::clamp(holds, server_speeds::least, 1.0);
  if (fraction == c.fraction) return;
  c.fraction = fraction;
  for (auto zone = zones_.find(c.first); zone != zones_.end() && zone->first < c.first + c.count; ++zone) {
    double least = 1.0;
    for (const std::uint32_t other : zone->second.caps) least = std::min(least, caps_[other].fraction);
    speeds_.limit(zone->second.speeds, least);
  }
}

}  // namespace muster
