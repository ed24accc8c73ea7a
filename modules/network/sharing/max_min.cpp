#include "muster/modules/network/sharing/max_min.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <boost/range/iterator_range.hpp>

namespace muster {

namespace {

// Parts beyond this need more ticks than there are at any rate that an arc has.
constexpr int bits_of_all = 126;
// Parts that the fastest arc carries in a tick, so that slower rates have many of them, too.
constexpr int bits_of_fastest = 60;

std::vector<double> capacities_of(const network_graph& graph) {
  std::vector<double> all(2 * num_edges(graph));
  for (const auto e : boost::make_iterator_range(edges(graph))) {
    const double each = graph[e].ticks_per_byte;
    all[2 * graph[e].number] = all[2 * graph[e].number + 1] = each > 0.0 ? 1.0 / each : max_min_rates::unlimited;
  }
  return all;
}

int scale_of_parts(const std::vector<double>& capacities) {
  double fastest = 0.0;
  for (const double c : capacities)
    if (c < max_min_rates::unlimited) fastest = std::max(fastest, c);
  return fastest > 0.0 ? bits_of_fastest - std::ilogb(fastest) : 0;
}

}  // namespace

max_min::max_min(timekeeper& time, const network_graph& graph, routes& paths, std::size_t hub)
    : time_(time),
      paths_(paths),
      hub_(hub),
      edges_(time, capacities_of(graph)),
      bits_of_part_(scale_of_parts(capacities_of(graph))),
      occupied_(2 * num_edges(graph)) {}

ticks max_min::add_way(std::size_t from, std::size_t to, double times, std::vector<max_min_rates::use>& uses) {
  const bool reverse = from == hub_;
  const std::optional<ticks> latency = reverse ? paths_.find_all(to, from, way_) : paths_.find_all(from, to, way_);
  for (const arc_share& part : way_) {
    const network_arc a = reverse ? backwards(part.arc) : part.arc;
    if (edges_.rates().capacity(a) < max_min_rates::unlimited) uses.push_back({a, times * part.share});
  }
  return latency.value_or(0);
}

void max_min::send(ticks at, std::size_t from, std::size_t to, std::uint64_t bytes, timer_observer& receiver,
                   std::uint32_t cookie) {
  const message m = messages_.take();
  under_way& fresh = messages_[m];
  fresh.receiver = &receiver;
  fresh.cookie = cookie;
  fresh.bytes = bytes;
  fresh.rank = time_.travel_rank();
  fresh.uses.clear();
  fresh.latency = add_way(from, to, 1.0, fresh.uses);
  fresh.ends = false;
  if (at > time_.now()) {
    fresh.at = stage::waits;
    time_.arm(at, fresh.rank, *this, m);
  } else {
    begin(m, at);
  }
}

void max_min::begin(message m, ticks now) {
  under_way& fresh = messages_[m];
  if (fresh.bytes == 0 || fresh.uses.empty()) {
    fresh.at = stage::arrives;
    time_.arm(std::min(now + fresh.latency, end_of_clock), fresh.rank, *this, m);
    return;
  }
  fresh.at = stage::flows;
  fresh.left = in_parts(static_cast<double>(fresh.bytes));
  fresh.since = now;
  fresh.pace = 0;
  fresh.flow = edges_.add(fresh.uses, max_min_rates::unlimited, *this, m);
  if (observer_) occupy(fresh, now);
}

void max_min::expired(ticks now, std::uint32_t cookie) {
  switch (messages_[cookie].at) {
    case stage::waits: return begin(cookie, now);
    case stage::flows: return end(cookie, now);
    case stage::arrives: return arrive(cookie, now);
  }
}

// Notes what has been sent at the rate until now, and sets the timer to when the rest will have been.
void max_min::rate_changes(ticks now, std::uint32_t cookie, double rate) {
  under_way& m = messages_[cookie];
  m.left -= std::min(m.left, m.pace * (now - m.since));
  m.since = now;
  m.pace = in_parts(rate);
  if (std::exchange(m.ends, false)) time_.cancel(m.end);
  if (m.pace == 0) return;
  const auto lasts = static_cast<ticks>(std::min<tick_sum>((m.left + m.pace / 2) / m.pace, end_of_clock));
  if (beyond_clock(now, lasts)) return;  // it may become faster
  m.end = time_.arm(now + lasts, m.rank, *this, cookie);
  m.ends = true;
}

void max_min::end(message m, ticks now) {
  under_way& sent = messages_[m];
  edges_.remove(sent.flow);
  if (observer_) release(sent, now);
  if (sent.latency == 0) return arrive(m, now);
  sent.at = stage::arrives;
  time_.arm(std::min(now + sent.latency, end_of_clock), sent.rank, *this, m);
}

void max_min::arrive(message m, ticks now) {
  timer_observer* const receiver = messages_[m].receiver;
  const std::uint32_t cookie = messages_[m].cookie;
  messages_.give_back(m);
  receiver->expired(now, cookie);
}

tick_sum max_min::in_parts(double bytes) const {
  const double parts = std::round(std::ldexp(bytes, bits_of_part_));
  return parts < std::ldexp(1.0, bits_of_all) ? static_cast<tick_sum>(parts) : tick_sum{1} << bits_of_all;
}

void max_min::occupy(const under_way& m, ticks now) {
  for (const max_min_rates::use& u : m.uses)
    if (occupation& arc = occupied_[u.arc]; arc.flows++ == 0) arc = {1, now, 0.0};
}

// Reports an arc once no flow is left on it.
void max_min::release(const under_way& m, ticks now) {
  for (const max_min_rates::use& u : m.uses) {
    occupation& arc = occupied_[u.arc];
    arc.bytes += u.share * static_cast<double>(m.bytes);
    if (--arc.flows == 0)
      observer_->edge_occupied(u.arc, arc.since, now, static_cast<std::uint64_t>(std::llround(arc.bytes)));
  }
}

}  // namespace muster
