#include "platform/theory/theory.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "platform/model/features.h"
#include "platform/theory/fcfs/fcfs_chain.h"

namespace muster {

namespace {

/// Probability that an arrival waits, Erlang's C formula. @param load offered, below `cores`
double chance_to_wait(double load, double cores) {
  double blocked = 1.0;  // Erlang's B formula, by recursion over the cores
  for (double k = 1.0; k <= cores; ++k) blocked = load * blocked / (k + load * blocked);
  return blocked / (1.0 - load / cores * (1.0 - blocked));
}

bool is_fcfs_on_like_cores(const scenario& model) {
  return model.policy.name == "fcfs" && model.servers.size() == 1 && features_of(model) == 0 &&
         model.arrivals.kind == arrival_spec::process::poisson;
}

/// Adds the rows of a class, or of all classes. @param load share of the cores that are held
void add_means(theory& answer, const std::string& name, double response, double waiting, double jobs, double rate,
               double load) {
  answer.add(name, "response_time", response);
  answer.add(name, "waiting_time", waiting);
  answer.add(name, "jobs_in_system", jobs);
  answer.add(name, "throughput", rate);
  answer.add(name, "utilization", load);
}

template <class Predicate>
bool every_class(const scenario& model, const Predicate& holds) {
  return std::all_of(model.classes.begin(), model.classes.end(), holds);
}

bool is_exponential(const class_spec& c) { return c.size.name() == "exponential"; }

constexpr const char* no_fcfs_answer = "no answer: none is known for this policy and workload";

theory chain_answer(const scenario& model) {
  const server_spec& server = model.servers.front();
  const std::size_t cores = static_cast<std::size_t>(server.count) * server.cores;
  std::vector<fcfs_class> classes;
  for (const class_spec& c : model.classes) classes.push_back({c.need, c.rate, server.capacity / c.size.mean()});
  const std::optional<fcfs_means> means = solve_fcfs(cores, classes);
  if (!means)
    return {{}, fmt::format("no answer: the chain of FCFS has more than {} states a level", most_fcfs_states)};
  if (means->jobs.empty())
    return {{}, fmt::format("no answer: unstable, the limit of FCFS is at rate {:.6g}", means->limit)};
  theory answer{{}, "FCFS by its quasi-birth-and-death chain: exact"};
  const auto rows = [&](const std::string& name, double rate, double jobs, double waiting, double load) {
    add_means(answer, name, jobs / rate, waiting / rate, jobs, rate, load / static_cast<double>(cores));
  };
  double rate = 0.0, jobs = 0.0, waiting = 0.0, load = 0.0, weighted = 0.0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const fcfs_class& type = classes[c];
    if (type.arrivals == 0.0) continue;
    const double class_load = type.arrivals * static_cast<double>(type.need) / type.completions;
    rows(model.classes[c].name, type.arrivals, means->jobs[c], means->waiting[c], class_load);
    rate += type.arrivals;
    jobs += means->jobs[c];
    waiting += means->waiting[c];
    load += class_load;
    weighted += class_load * means->jobs[c] / type.arrivals;
  }
  rows("all", rate, jobs, waiting, load);
  answer.add("all", "weighted_response_time", weighted / load);
  return answer;
}

}  // namespace

theory first_come_first_served_answer(const scenario& model) {
  if (!is_fcfs_on_like_cores(model)) return {{}, no_fcfs_answer};
  const bool exponential = every_class(model, is_exponential);
  if (!every_class(model, [](const class_spec& c) { return c.need == 1; }))
    return exponential ? chain_answer(model) : theory{{}, no_fcfs_answer};
  const auto has_first_mean = [&](const class_spec& c) { return c.size.mean() == model.classes.front().size.mean(); };
  const server_spec& server = model.servers.front();
  const double cores = static_cast<double>(server.count) * server.cores;
  double rate = 0.0, load = 0.0, squares = 0.0;  // sums over all classes
  for (const class_spec& c : model.classes) {
    const double mean = c.size.mean() / server.capacity;
    rate += c.rate;
    load += c.rate * mean;
    squares += c.rate * (c.size.variance() / (server.capacity * server.capacity) + mean * mean);
  }
  if (load >= cores) return {{}, "no answer: unstable, there is more work than the cores can do"};
  theory answer;
  double waiting = 0.0;
  if (exponential && every_class(model, has_first_mean)) {
    waiting = chance_to_wait(load, cores) * (load / rate) / (cores - load);
    answer.about = "M/M/k, Erlang's C formula: exact";
  } else if (cores == 1.0) {
    if (!std::isfinite(squares))
      return {{}, "no answer: sizes of infinite variance, the mean response time is infinite"};
    waiting = squares / 2.0 / (1.0 - load);
    answer.about = "M/G/1, formula of Pollaczek and Khinchine: exact";
  } else if (exponential) {
    return chain_answer(model);
  } else {
    return {{}, "no answer: none is known for several cores and sizes that are not exponential with one mean"};
  }
  const auto rows = [&](const std::string& name, double class_rate, double class_load) {
    add_means(answer, name, waiting + class_load / class_rate, waiting, class_rate * waiting + class_load, class_rate,
              class_load / cores);
  };
  for (const class_spec& c : model.classes)
    if (c.rate > 0.0) rows(c.name, c.rate, c.rate * c.size.mean() / server.capacity);
  rows("all", rate, load);
  return answer;
}

}  // namespace muster
