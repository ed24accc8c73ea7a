#include "platform/theory/theory.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/model/scheduler_share.h"
#include "platform/theory/demand.h"
#include "platform/theory/one_or_all/quickswap_theory.h"
#include "platform/theory/pooled/balanced_fairness.h"
#include "platform/theory/pooled/pooled_stability.h"
#include "platform/theory/slotted/optimal_utility.h"

namespace muster {

namespace {

/// The service rate of each class, or why there is none.
struct solution {
  std::vector<double> rates;
  std::string about;
};

double offered_load(const class_spec& c) { return c.rate * c.size.mean(); }

solution solve_random_assignment(const scenario& model) {
  std::vector<drawing_class> classes;
  for (const class_spec& c : model.classes) classes.push_back({offered_load(c), c.drawn});
  return {random_assignment_rates(total_servers(model), model.servers.front().capacity * model.servers.front().cores,
                                  classes),
          "balanced fairness with random assignment (Balanced fairness, Section 5; Gardner et al., Redundancy-d)"};
}

solution solve_tree(const compatibility_graph& graph) {
  const double first = capacity_of(graph, {0}), second = capacity_of(graph, {1}), both = capacity_of(graph, {0, 1});
  const auto [gamma_1, gamma_2] =
      tree_service_rates({both - second, both - first}, first + second - both, {graph[0].load, graph[1].load});
  return {{gamma_1, gamma_2}, "balanced fairness of two classes (Balanced fairness, equations 10 and 11)"};
}

solution solve_by_recursion(const scenario& model, const compatibility_graph& graph) {
  const std::vector<double> of_vertices = balanced_service_rates(graph);
  // A job that draws servers stays for the mean over its draws.
  std::vector<double> time_per_work(model.classes.size()), vertices(model.classes.size());
  for (std::size_t v = 0; v < of_vertices.size(); ++v) {
    time_per_work[graph[v].index] += 1.0 / of_vertices[v];
    ++vertices[graph[v].index];
  }
  solution solved{{}, "balanced fairness by recursion over sets of active classes (Balanced fairness, Section 3)"};
  for (std::size_t c = 0; c < time_per_work.size(); ++c) solved.rates.push_back(vertices[c] / time_per_work[c]);
  return solved;
}

solution solve_balanced_fairness(const scenario& model) {
  const auto draws = [](const class_spec& c) { return c.drawn > 0; };
  const bool any_draws = std::any_of(model.classes.begin(), model.classes.end(), draws);
  const server_spec& first = model.servers.front();
  const auto is_like_first = [&](const server_spec& s) { return s.capacity * s.cores == first.capacity * first.cores; };
  if (std::all_of(model.classes.begin(), model.classes.end(), draws) &&
      std::all_of(model.servers.begin(), model.servers.end(), is_like_first))
    return solve_random_assignment(model);
  const auto too_many = fmt::format("no answer: the recursion serves at most {} classes{}", most_balanced_classes,
                                    any_draws ? ", every set of servers that jobs draw counted for itself" : "");
  if (any_draws) {
    const auto split = make_split_graph(model, most_balanced_classes);
    return split ? solve_by_recursion(model, *split) : solution{{}, too_many};
  }
  if (model.classes.size() > most_balanced_classes) return {{}, too_many};
  const compatibility_graph graph = make_compatibility_graph(model);
  return model.classes.size() == 2 ? solve_tree(graph) : solve_by_recursion(model, graph);
}

/// Adds the rows of a class, or of all classes.
void add_means(theory& answer, const std::string& name, double rate, double jobs, double work) {
  answer.add(name, "response_time", jobs / rate);
  answer.add(name, "jobs_in_system", jobs);
  answer.add(name, "throughput", rate);
  answer.add(name, "service_rate", work / jobs);
}

std::string how_exact(const scenario& model) {
  const std::vector<std::string> departures = departures_from_pooled_model(model);
  if (departures.empty()) return "exact, whatever the number of interruptions";
  return fmt::format(
      "the limit of frequent interruptions by exponential timers at no cost, which this point need not have reached: "
      "it has {}",
      fmt::join(departures, ", "));
}

theory pooled_answer(const scenario& model) {
  if (model.arrivals.kind != arrival_spec::process::poisson)
    return {{}, "no answer: balanced fairness is solved for Poisson arrivals only"};
  const hardest_pressed hardest = find_hardest_pressed(model);
  if (hardest.set.load >= hardest.set.capacity)
    return {{},
            fmt::format("no answer: unstable, {} has load {:.6g} and capacity {:.6g}", to_words(hardest.set, model),
                        hardest.set.load, hardest.set.capacity)};
  const solution solved = solve_balanced_fairness(model);
  if (solved.rates.empty()) return {{}, solved.about};
  theory answer{{}, fmt::format("{}: {}", solved.about, how_exact(model))};
  double rate = 0.0, jobs = 0.0, work = 0.0;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    const class_spec& spec = model.classes[c];
    if (!(std::isfinite(solved.rates[c]) && solved.rates[c] > 0.0))
      return {{}, "no answer: the load is so near its limit that double precision does not tell them apart"};
    if (spec.rate == 0.0) continue;
    add_means(answer, spec.name, spec.rate, offered_load(spec) / solved.rates[c], offered_load(spec));
    rate += spec.rate;
    jobs += offered_load(spec) / solved.rates[c];
    work += offered_load(spec);
  }
  add_means(answer, "all", rate, jobs, work);
  if (have_one_capacity(model.servers)) answer.add("all", "utilization", work / total_capacity(model));
  return answer;
}

std::vector<const utility*> utilities(const scenario& model) {
  std::vector<const utility*> all;
  for (const class_spec& c : model.classes)
    if (c.slotted->worth) all.push_back(c.slotted->worth.get());
  for (const listed_job& j : model.arrivals.list) all.push_back(j.worth.get());
  return all;
}

theory slotted_answer(const scenario& model) {
  theory answer;
  const auto bound = competitive_bound(utilities(model));
  if (has_optimum(model)) {
    double sum = 0.0;
    for (std::uint32_t r = 0; r < model.run.replications; ++r) sum += optimum_of(model, r);
    answer.add("all", "optimal_utility", sum / model.run.replications);
    answer.about = "mean over the replications' jobs of the most utility that any schedule can give them, at no cost";
  } else {
    answer.about = model.speeds_change()     ? "no optimum: none is known where the speeds of servers change"
                   : model.arrivals.finite() ? "no optimum: not every utility is concave"
                                             : "no optimum: the arrivals never end";
  }
  if (bound) answer.add("all", "competitive_bound", *bound);
  answer.about +=
      bound ? "; ISPEED's ratio to it is bounded by 2 + alpha (ISPEED, Theorem 2)"
            : "; no bound: alpha of equation 3 is infinite where a unit without gain comes before one with some";
  return answer;
}

/// Poisson arrivals that are dealt out at random are Poisson at each scheduler: like schedulers are clusters of their
/// own.
theory answer_of_several(const scenario& model) {
  if (model.schedulers.share_servers) return {{}, "no answer: none is known of schedulers that share the servers"};
  if (model.schedulers.steal) return {{}, "no answer: none is known of schedulers that take jobs from each other"};
  const bool at_random = model.schedulers.dispatching == find_dispatching("random");
  if (!at_random || !have_equal_shares(model) || model.arrivals.kind != arrival_spec::process::poisson)
    return {{},
            "no answer: of several schedulers one is known where they are alike, and Poisson arrivals are dealt out at "
            "random"};
  theory answer = known_answer(share_of_scheduler(model, 0));
  if (answer.values.empty()) return answer;
  for (estimate& e : answer.values)
    if (e.metric.rfind("jobs_in_system", 0) == 0 || e.metric.rfind("throughput", 0) == 0)
      e.mean = *e.mean * model.schedulers.count;
  answer.about = fmt::format("each of {} schedulers by itself: {}", model.schedulers.count, answer.about);
  return answer;
}

}  // namespace

theory known_answer(const scenario& model) {
  const job_kind kind = kind_of_jobs(model);
  if (kind == job_kind::slotted && model.schedulers.several())
    return {{}, "no answer: none is known of several schedulers of slotted jobs"};
  if (kind == job_kind::slotted) return slotted_answer(model);
  if (model.arrivals.only_initial()) return {{}, "no answer: no job arrives behind those that wait or run at time 0"};
  if (model.arrivals.jobs)
    return {{}, fmt::format("no answer: none is known for the jobs of a {}", model.arrivals.entry->name)};
  if (model.speeds_change()) return {{}, "no answer: none is known where the speeds of servers change"};
  if (model.exchanges_data()) return {{}, "no answer: none is known where jobs exchange data while they work"};
  if (model.rate_changes()) return {{}, "no answer: none is known where the rate of arrivals changes"};
  if (!model.parameter_changes.empty()) return {{}, "no answer: none is known where parameters of the policy change"};
  if (model.fmus_control()) return {{}, "no answer: none is known where an FMU changes the cluster"};
  if (model.schedulers.several()) return answer_of_several(model);
  if (kind == job_kind::pooled) return pooled_answer(model);
  if (model.counts_tasks()) return {{}, "no answer: none is known for jobs that need tasks, or resources beside cores"};
  const std::optional<one_or_all> quickswap = one_or_all_of(model);
  return quickswap ? quickswap_answer(model, *quickswap) : first_come_first_served_answer(model);
}

}  // namespace muster
