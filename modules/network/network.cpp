#include "muster/modules/network/network.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <boost/range/iterator_range.hpp>

namespace muster {

namespace {

ticks transmission(std::uint64_t bytes, double ticks_per_byte) {
  if (bytes == 0) return 0;
  const double exact = static_cast<double>(bytes) * ticks_per_byte;
  return static_cast<ticks>(std::llround(std::min(exact, static_cast<double>(end_of_clock))));
}

// Checks settings. Invalid ones are reported as a SystemC error.
const network_settings& checked(const timekeeper& time, const network_settings& given) {
  try {
    check(given);
    return given;
  } catch (const std::invalid_argument& e) {
    const std::string message = std::string{"invalid network: "} + e.what();
    time.report_error("/muster/network", message);
    throw std::runtime_error(message);  // if SystemC's own exception has been disabled
  }
}

}  // namespace

network::network(timekeeper& time, const network_settings& given)
    : time_(time),
      settings_(checked(time, given)),
      routes_(settings_.graph),
      ways_(2 * num_edges(settings_.graph), {0, 0.0}) {
  const network_graph& graph = settings_.graph;
  for (const auto e : boost::make_iterator_range(edges(graph)))
    for (const unsigned side : {0u, 1u})
      ways_[2 * graph[e].number + side] = {graph[e].latency, graph[e].ticks_per_byte};
  for (const auto v : boost::make_iterator_range(vertices(graph))) {
    if (graph[v].is == network_vertex::kind::scheduler) scheduler_ = v;
    if (graph[v].is == network_vertex::kind::storage) storage_ = v;
    if (graph[v].is != network_vertex::kind::server) continue;
    if (graph[v].server >= servers_.size()) servers_.resize(graph[v].server + 1);
    servers_[graph[v].server].vertex = v;
  }
  std::vector<network_arc> path;
  for (endpoint& s : servers_) {
    routes_.find(s.vertex, scheduler_, path);
    for (const network_arc a : path) {
      s.latency = std::min(s.latency + ways_[a].latency, end_of_clock);
      s.queues = s.queues || ways_[a].ticks_per_byte > 0.0;
    }
  }
}

void network::send(ticks at, std::uint32_t server, towards end, std::uint64_t size, timer_observer& receiver,
                   std::uint32_t cookie) {
  const endpoint& there = servers_[server];
  if (!there.queues) {
    time_.arm(at + there.latency, time_.travel_rank(), receiver, cookie);
    return;
  }
  const message m = new_message(receiver, cookie, size);
  std::vector<network_arc>& path = messages_[m].path;
  routes_.find(there.vertex, scheduler_, path);
  if (end == towards::server) {  // the reverse path
    std::reverse(path.begin(), path.end());
    for (network_arc& a : path) a = backwards(a);
  }
  begin(m, at);
}

// Sets out a message whose path is known.
void network::begin(message m, ticks at) {
  if (at > time_.now())
    time_.arm(at, time_.travel_rank(), *this, m);
  else
    go_on(m, at);
}

ticks network::latency(place from, place to) {
  std::vector<network_arc> path;
  routes_.find(vertex_of(from), vertex_of(to), path);
  ticks sum = 0;
  for (const network_arc a : path) sum = std::min(sum + ways_[a].latency, end_of_clock);
  return sum;
}

network::message network::transfer(ticks at, place from, place to, std::uint64_t bytes, timer_observer& receiver,
                                   std::uint32_t cookie) {
  const message m = new_message(receiver, cookie, bytes);
  find_path(messages_[m], from, to);
  begin(m, at);
  return m;
}

network::message network::fetch(place from, place to, std::uint64_t bytes, timer_observer& receiver,
                                std::uint32_t cookie) {
  const message m = new_message(receiver, cookie, settings_.message_bytes);
  under_way& request = messages_[m];
  request.asks = true;
  request.state = bytes;
  request.from = from;
  request.to = to;
  find_path(request, to, from);
  go_on(m, time_.now());
  return m;
}

network::message network::new_message(timer_observer& receiver, std::uint32_t cookie, std::uint64_t size) {
  const message m = messages_.take();
  under_way& fresh = messages_[m];
  fresh.receiver = &receiver;
  fresh.cookie = cookie;
  fresh.bytes = size;
  fresh.passed = 0;
  fresh.asks = false;
  return m;
}

void network::find_path(under_way& m, place from, place to) {
  m.passed = 0;
  routes_.find(vertex_of(from), vertex_of(to), m.path);
}

void network::expired(ticks now, std::uint32_t cookie) {
  if (messages_[cookie].passed < messages_[cookie].path.size())
    go_on(cookie, now);
  else
    arrive(cookie, now);
}

// Moves a message on, up to the next edge of finite bandwidth. Such an edge is occupied when the message reaches it,
// not before, so that messages pass it in the order in which they reach it.
void network::go_on(message m, ticks now) {
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

ticks network::occupy(network_arc a, ticks now, std::uint64_t bytes) {
  way& taken = ways_[a];
  const ticks begins = std::max(now, taken.busy_until);
  taken.busy_until = std::min(begins + transmission(bytes, taken.ticks_per_byte), end_of_clock);
  if (observer_) observer_->edge_occupied(a, begins, taken.busy_until, bytes);
  return taken.busy_until;
}

void network::arrive(message m, ticks now) {
  under_way& here = messages_[m];
  if (here.asks) {
    here.asks = false;
    here.bytes = here.state;
    find_path(here, here.from, here.to);
    go_on(m, now);
    return;
  }
  timer_observer* const receiver = here.receiver;
  const std::uint32_t cookie = here.cookie;
  messages_.give_back(m);
  if (receiver) receiver->expired(now, cookie);
}

}  // namespace muster
