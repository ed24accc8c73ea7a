#include "platform/theory/first_come_first_served.h"

#include <algorithm>
#include <cmath>

namespace muster {

namespace {

/// Probability that an arrival waits, Erlang's C formula. @param load offered, below `cores`
double chance_to_wait(double load, double cores) {
  double blocked = 1.0;  // Erlang's B formula, by recursion over the cores
  for (double k = 1.0; k <= cores; ++k) blocked = load * blocked / (k + load * blocked);
  return blocked / (1.0 - load / cores * (1.0 - blocked));
}

bool is_fcfs_on_like_cores(const scenario& what) {
  return what.policy.name == "fcfs" && what.servers.size() == 1 && !what.costs.any() && !what.network.takes_time() &&
         !what.decision.takes_time() && !what.servers_fail() && !what.servers.front().power.delays() &&
         what.arrivals.kind == arrival_spec::process::poisson &&
         std::all_of(what.classes.begin(), what.classes.end(), [](const class_spec& c) { return c.need == 1; });
}

bool sizes_are_one_exponential(const scenario& what) {
  return std::all_of(what.classes.begin(), what.classes.end(), [&](const class_spec& c) {
    return c.size.name() == "exponential" && c.size.mean() == what.classes.front().size.mean();
  });
}

}  // namespace

theory first_come_first_served_answer(const scenario& what) {
  if (!is_fcfs_on_like_cores(what)) return {{}, "no answer: none is known for this policy and workload"};
  const server_spec& server = what.servers.front();
  const double cores = static_cast<double>(server.count) * server.cores;
  double rate = 0.0, load = 0.0, squares = 0.0;  // of the service times, all classes together
  for (const class_spec& c : what.classes) {
    const double mean = c.size.mean() / server.capacity;
    rate += c.rate;
    load += c.rate * mean;
    squares += c.rate * (c.size.variance() / (server.capacity * server.capacity) + mean * mean);
  }
  if (load >= cores) return {{}, "no answer: unstable, there is more work than the cores can do"};
  theory answer;
  double waiting = 0.0;
  if (sizes_are_one_exponential(what)) {
    waiting = chance_to_wait(load, cores) * (load / rate) / (cores - load);
    answer.about = "M/M/k, Erlang's C formula: exact";
  } else if (cores == 1.0) {
    if (!std::isfinite(squares))
      return {{}, "no answer: sizes of infinite variance, the mean response time is infinite"};
    waiting = squares / 2.0 / (1.0 - load);
    answer.about = "M/G/1, formula of Pollaczek and Khinchine: exact";
  } else {
    return {{}, "no answer: none is known for several cores and sizes that are not exponential with one mean"};
  }
  const auto row = [&](const std::string& name, const char* metric, double value) {
    answer.values.push_back({name, metric, value, {}, {}, 0, 0});
  };
  const auto rows = [&](const std::string& name, double its_rate, double its_load) {
    row(name, "response_time", waiting + its_load / its_rate);
    row(name, "waiting_time", waiting);
    row(name, "jobs_in_system", its_rate * waiting + its_load);
    row(name, "throughput", its_rate);
    row(name, "utilization", its_load / cores);
  };
  for (const class_spec& c : what.classes)
    if (c.rate > 0.0) rows(c.name, c.rate, c.rate * c.size.mean() / server.capacity);
  rows("all", rate, load);
  return answer;
}

}  // namespace muster
