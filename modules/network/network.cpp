#include "muster/modules/network/network.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <boost/range/iterator_range.hpp>

#include "muster/modules/network/sharing/fifo.h"
#include "muster/modules/network/sharing/max_min.h"

namespace muster {

namespace {

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
    : time_(time), settings_(checked(time, given)), paths_(settings_.graph) {
  const network_graph& graph = settings_.graph;
  for (const auto v : boost::make_iterator_range(vertices(graph))) {
    if (graph[v].is == network_vertex::kind::scheduler) scheduler_ = v;
    if (graph[v].is == network_vertex::kind::storage) storage_ = v;
    if (graph[v].is != network_vertex::kind::server) continue;
    if (graph[v].server >= servers_.size()) servers_.resize(graph[v].server + 1);
    servers_[graph[v].server].vertex = v;
  }
  choose_sharing();
  find_ways();
}

void network::choose_sharing() {
  if (settings_.sharing == sharing_rule::fifo) {
    sharing_ = std::make_unique<fifo_sharing>(time_, settings_.graph, paths_, scheduler_);
    return;
  }
  auto fair = std::make_unique<max_min>(time_, settings_.graph, paths_, scheduler_);
  fair_ = fair.get();
  sharing_ = std::move(fair);
}

// Finds the latency between the scheduler and each server, and whether edges on the way have a finite bandwidth: those
// of one path, or, as flows are split over equal paths, any.
void network::find_ways() {
  const network_graph& graph = settings_.graph;
  std::vector<network_edge> by_number(num_edges(graph));
  for (const auto e : boost::make_iterator_range(edges(graph))) by_number[graph[e].number] = graph[e];
  const auto finite = [](const network_edge& e) { return e.ticks_per_byte > 0.0; };
  for (const network_edge& e : by_number) latencies_.push_back(e.latency);
  const bool any = std::any_of(by_number.begin(), by_number.end(), finite);
  std::vector<network_arc> path;
  for (endpoint& s : servers_) {
    paths_.find(s.vertex, scheduler_, path);
    s.queues = fair_ && any;
    for (const network_arc a : path) {
      s.latency = std::min(s.latency + by_number[a / 2].latency, end_of_clock);
      s.queues = s.queues || finite(by_number[a / 2]);
    }
  }
}

void network::send(ticks at, std::uint32_t server, towards end, std::uint64_t size, timer_observer& receiver,
                   std::uint32_t cookie) {
  const endpoint& there = servers_[server];
  if (!there.queues)
    time_.arm(at + there.latency, time_.travel_rank(), receiver, cookie);
  else if (end == towards::server)
    sharing_->send(at, scheduler_, there.vertex, size, receiver, cookie);
  else
    sharing_->send(at, there.vertex, scheduler_, size, receiver, cookie);
}

ticks network::latency(place from, place to) {
  std::vector<network_arc> path;
  paths_.find(vertex_of(from), vertex_of(to), path);
  ticks sum = 0;
  for (const network_arc a : path) sum = std::min(sum + latencies_[a / 2], end_of_clock);
  return sum;
}

network::message network::fetch(place from, place to, std::uint64_t bytes, timer_observer& receiver,
                                std::uint32_t cookie) {
  const message m = transfers_.take({&receiver, cookie, from, to, bytes, true});
  sharing_->send(time_.now(), vertex_of(to), vertex_of(from), settings_.message_bytes, *this, m);
  return m;
}

network::message network::transfer(ticks at, place from, place to, std::uint64_t bytes, timer_observer& receiver,
                                   std::uint32_t cookie) {
  const message m = transfers_.take({&receiver, cookie, from, to, bytes, false});
  sharing_->send(at, vertex_of(from), vertex_of(to), bytes, *this, m);
  return m;
}

// A request or data have arrived.
void network::expired(ticks now, std::uint32_t cookie) {
  data_transfer& here = transfers_[cookie];
  if (here.asks) {
    here.asks = false;
    sharing_->send(now, vertex_of(here.from), vertex_of(here.to), here.bytes, *this, cookie);
    return;
  }
  timer_observer* const receiver = here.receiver;
  const std::uint32_t of_receiver = here.cookie;
  transfers_.give_back(cookie);
  if (receiver) receiver->expired(now, of_receiver);
}

}  // namespace muster
