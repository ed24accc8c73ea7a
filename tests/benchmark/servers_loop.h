#pragma once

#include <cstdint>
#include <vector>

#include "bare_loop.h"
#include "fast_heap.h"

namespace muster::bare {

/// Single-core jobs on like servers, first come, first served, the idle server first that has been idle for longest. A
/// job in service is known by its server, and there is no other record of it.
/// @tparam Request what the workload tells of a job
/// @return mean response time, in ticks, of the jobs after the warm-up
template <class Request, class Workload>
double run_on_servers(Workload& arrivals, std::uint32_t servers, std::uint64_t jobs, std::uint64_t warm_up) {
  std::vector<ticks> arrival_of(servers);    // of the job on each
  std::vector<std::uint32_t> idle(servers);  // a ring
  for (std::uint32_t n = 0; n < servers; ++n) idle[n] = n;
  std::uint32_t idle_count = servers, idle_first = 0, idle_end = 0;
  fifo waiting;
  fast_heap pending(servers);
  Request next;
  arrivals.next(next);
  ticks now = 0;
  tick_sum response = 0;
  const auto start = [&](const fifo::entry& job, std::uint32_t server) {
    arrival_of[server] = job.arrival;
    pending.push(now + job.size, server);
  };
  for (std::uint64_t completed = 0; completed < jobs;) {
    if (next.arrival < pending.next()) {
      now = next.arrival;
      if (idle_count > 0) {
        start({next.arrival, next.size}, idle[idle_first]);
        if (++idle_first == servers) idle_first = 0;
        --idle_count;
      } else {
        waiting.push({next.arrival, next.size});
      }
      arrivals.next(next);
      continue;
    }
    now = pending.next();
    const std::uint32_t server = pending.number();
    pending.pop();
    if (++completed > warm_up) response += now - arrival_of[server];
    if (waiting.empty()) {
      idle[idle_end] = server;
      if (++idle_end == servers) idle_end = 0;
      ++idle_count;
    } else {
      start(waiting.front(), server);
      waiting.pop();
    }
    pending.settle();
  }
  pending.check(now);
  return static_cast<double>(response) / static_cast<double>(jobs - warm_up);
}

}  // namespace muster::bare
