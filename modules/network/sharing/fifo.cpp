#include "muster/modules/network/sharing/fifo.h"

#include <algorithm>
#include <cmath>

#include <boost/range/iterator_range.hpp>

namespace muster {

namespace {

ticks transmission(std::uint64_t bytes, double ticks_per_byte) {
  if (bytes == 0) return 0;
  const double exact = static_cast<double>(bytes) * ticks_per_byte;
  return static_cast<ticks>(std::llround(std::min(exact, static_cast<double>(end_of_clock))));
}

}  // namespace

fifo_sharing::fifo_sharing(timekeeper& time, const network_graph& graph, routes& paths, std::size_t hub)
    : time_(time), paths_(paths), hub_(hub), ways_(2 * num_edges(graph), {0, 0.0}) {
  for (const auto e : boost::make_iterator_range(edges(graph)))
    for (const unsigned side : {0u, 1u})
      ways_[2 * graph[e].number + side] = {graph[e].latency, graph[e].ticks_per_byte};
}

void fifo_sharing::send(ticks at, std::size_t from, std::size_t to, std::uint64_t bytes, timer_observer& receiver,
                        std::uint32_t cookie) {
  const message m = messages_.take();
  under_way& fresh = messages_[m];
  fresh.receiver = &receiver;
  fresh.cookie = cookie;
  fresh.bytes = bytes;
  fresh.passed = 0;
  if (from == hub_) {
    paths_.find(to, from, fresh.path);
    std::reverse(fresh.path.begin(), fresh.path.end());
    for (network_arc& a : fresh.path) a = backwards(a);
  } else {
    paths_.find(from, to, fresh.path);
  }
  if (at > time_.now())
    time_.arm(at, time_.travel_rank(), *this, m);
  else
    go_on(m, at);
}

void fifo_sharing::expired(ticks now, std::uint32_t cookie) {
  const under_way& here = messages_[cookie];
  if (here.passed < here.path.size()) {
    go_on(cookie, now);
    return;
  }
  timer_observer* const receiver = here.receiver;
  const std::uint32_t of_receiver = here.cookie;
  messages_.give_back(cookie);
  receiver->expired(now, of_receiver);
}

// Moves a message on, up to the next edge of finite bandwidth. Such an edge is occupied when the message reaches it,
// not before, so that messages pass it in the order in which they reach it.
void fifo_sharing::go_on(message m, ticks now) {
  under_way& moving = messages_[m];
  ticks at = now;
  for (; moving.passed < moving.path.size(); ++moving.passed) {
    const network_arc a = moving.path[moving.passed];
    const bool finite = ways_[a].ticks_per_byte > 0.0;
    if (finite && at > now) break;
    if (finite) at = occupy(a, now, moving.bytes);
    at = std::min(at + ways_[a].latency, end_of_clock);
  }
  time_.arm(at, time_.travel_rank(), *this, m);
}

ticks fifo_sharing::occupy(network_arc a, ticks now, std::uint64_t bytes) {
  way& taken = ways_[a];
  const ticks begins = std::max(now, taken.busy_until);
  taken.busy_until = std::min(begins + transmission(bytes, taken.ticks_per_byte), end_of_clock);
  if (observer_) observer_->edge_occupied(a, begins, taken.busy_until, bytes);
  return taken.busy_until;
}

}  // namespace muster
