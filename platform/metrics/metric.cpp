#include "platform/metrics/metric.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "muster/policies/catalogue.h"
#include "platform/metrics/class_record.h"
#include "platform/metrics/time_series.h"
#include "platform/model/job_kind.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

using totals = class_totals;
using scope = metric_scope;
using better = metric_preference;

bool any_power(const scenario& model) {
  return std::any_of(model.servers.begin(), model.servers.end(), [](const server_spec& s) { return s.power.any(); });
}

bool any_scenario(const scenario&) { return true; }
bool any_price(const scenario& model) { return model.price.has_value(); }
bool explained(const scenario& model) { return model.report.explain; }
bool any_faults(const scenario& model) { return model.servers_fail(); }
bool may_preempt(const scenario& model) {
  const policy_entry* const entry = find_policy(model.policy.name);
  return is_slotted(model) || (entry && entry->preempts);
}

constexpr metric_condition always{any_scenario, ""};
constexpr metric_condition faults{any_faults, "servers with faults"};
constexpr metric_condition explanation{explained, "report.explain = true"};
constexpr metric_condition prices{any_price, "prices"};
constexpr metric_condition power{any_power, "servers with power"};
constexpr metric_condition slotted{is_slotted, "slotted jobs", true};
constexpr metric_condition preemption{may_preempt, "slotted jobs or a policy that preempts"};
constexpr metric_condition optimum{has_optimum, "a finite number of slotted jobs of concave utility", true};

// Conditions of the scope `study`.
bool never(const scenario&) { return false; }
constexpr metric_condition by_theory{never, "known by theory alone", true};
constexpr metric_condition by_theory_of_rigid{never, "known by theory alone"};
constexpr metric_condition by_pilot{never, "found by a pilot of each point"};
constexpr metric_condition of_points{never, "taken from several points together"};

constexpr metric_columns nowhere{};
constexpr metric_columns in_run{true, false, false, false};
constexpr metric_columns in_verdict{true, true, false, false};
constexpr metric_columns in_theory{false, false, true, false};
constexpr metric_columns in_run_and_theory{true, false, true, false};
constexpr metric_columns everywhere{true, true, true, false, true};
constexpr metric_columns of_all_jobs{true, false, true, true};

metric_value mean_of_completed(const totals& t, double sum) {
  const auto n = static_cast<double>(t.jobs.completed);
  return {t.jobs.completed > 0 ? std::optional(sum / n) : std::nullopt, t.jobs.completed};
}

metric_value quantile(const totals& t, double share) {
  if (t.jobs.responses.empty()) return {{}, 0};
  return {t.unit.to_units(t.jobs.responses.sketch().quantile(share)), t.jobs.completed};
}

metric_value response_time_deviation(const totals& t) {
  if (t.jobs.completed == 0) return {{}, 0};
  const auto n = static_cast<double>(t.jobs.completed);
  const double mean = static_cast<double>(t.jobs.response) / n;
  const double variance = t.jobs.response_squares / n - mean * mean;
  return {t.unit.to_units(std::sqrt(std::max(0.0, variance))), t.jobs.completed};
}

// A value that is defined by the jobs that left; of slotted jobs also those that expired.
metric_value of_left(const totals& t, double value) {
  return {t.jobs.left() > 0 ? std::optional(value) : std::nullopt, t.jobs.left()};
}

metric_value mean_of_left(const totals& t, double sum) { return of_left(t, sum / static_cast<double>(t.jobs.left())); }

template <int Percent>
metric_value waiting_time_percentile(const totals& t) {
  if (t.jobs.responses.empty()) return {{}, 0};
  return {t.unit.to_units(t.jobs.waiting_quantile(Percent / 100.0)), t.jobs.completed};
}

// The maximum, which a part of the window has as little as quantiles: it has no response times.
metric_value longest_waiting_time(const totals& t) {
  if (t.jobs.responses.empty()) return {{}, 0};
  return {t.unit.to_units(t.jobs.longest_wait), t.jobs.completed};
}

template <std::uint64_t class_record::*Count>
metric_value per_left(const totals& t) {
  return mean_of_left(t, static_cast<double>(t.jobs.*Count));
}

template <int Percent>
metric_value response_time_percentile(const totals& t) {
  return quantile(t, Percent / 100.0);
}

metric_value service_rate(const totals& t) {
  const class_record& r = t.jobs;
  if (r.presence == 0) return {{}, r.completed};
  return {t.unit.to_units(r.work) / t.unit.to_units(r.presence), r.completed};
}

template <time_part Part>
metric_value time_on(const totals& t) {
  return mean_of_completed(t, t.unit.to_units(t.jobs.times[static_cast<std::size_t>(Part)]));
}

metric_entry share(metric_entry m) {
  m.range.most = 1.0;
  return m;
}

metric_entry uncontrolled(metric_entry m) {
  m.controlled = false;
  return m;
}

metric_entry over_class_means(double (*index)(const std::vector<double>&), metric_entry m) {
  m.of_class_means = index;
  return m;
}

std::vector<metric_entry> all_metrics() {
  return {
      {"response_time", "time", scope::classes, always, "mean time from arrival to completion", everywhere,
       better::smaller, true, [](const totals& t) { return mean_of_completed(t, t.unit.to_units(t.jobs.response)); },
       &time_series::response, precision_default::all},
      {"weighted_response_time", "time", scope::all, always,
       "mean response time of the classes, weighted with the load that each brings (Quickswap, Section 6.1)",
       in_verdict, better::smaller, true},
      {"response_time_p50", "time", scope::classes, always, "median of the response time", nowhere, better::smaller,
       true, response_time_percentile<50>},
      {"response_time_p95", "time", scope::classes, always, "95th percentile of the response time", nowhere,
       better::smaller, true, response_time_percentile<95>},
      {"response_time_p99", "time", scope::classes, always, "99th percentile of the response time", in_run,
       better::smaller, true, response_time_percentile<99>},
      {"waiting_time", "time", scope::classes, always,
       "mean of all the time in which a job held nothing, until it left: wait_* and time_decision together", nowhere,
       better::smaller, true, [](const totals& t) { return mean_of_completed(t, t.unit.to_units(t.jobs.waiting)); },
       &time_series::waiting},
      {"waiting_time_p50", "time", scope::classes, always, "median of the waiting time", nowhere, better::smaller, true,
       waiting_time_percentile<50>},
      {"waiting_time_p95", "time", scope::classes, always, "95th percentile of the waiting time", nowhere,
       better::smaller, true, waiting_time_percentile<95>},
      {"waiting_time_p99", "time", scope::classes, always, "99th percentile of the waiting time", nowhere,
       better::smaller, true, waiting_time_percentile<99>},
      {"waiting_time_max", "time", scope::classes, always,
       "longest waiting time of a job that completed in a replication; it grows with run.jobs", nowhere,
       better::smaller, true, longest_waiting_time},
      {"time_to_start", "time", scope::classes, always, "mean time from arrival to the first core", nowhere,
       better::smaller, true, [](const totals& t) { return mean_of_completed(t, t.unit.to_units(t.jobs.to_start)); },
       &time_series::to_start},
      {"time_running", "time", scope::classes, explanation, "of response_time: its cores ran, or shared the work",
       nowhere, better::smaller, true, time_on<time_part::running>},
      {"time_overhead", "time", scope::classes, explanation,
       "of response_time: its cores were set up, restored, migrated to, woken, or saved its state", nowhere,
       better::smaller, true, time_on<time_part::overhead>},
      {"time_network", "time", scope::classes, explanation,
       "of response_time: its orders and responses were on their way", nowhere, better::smaller, true,
       time_on<time_part::network>},
      {"time_decision", "time", scope::classes, explanation,
       "of response_time: its arrival, its orders or its responses waited for the scheduler", nowhere, better::smaller,
       true, time_on<time_part::decision>},
      {"time_failure", "time", scope::classes, explanation,
       "of response_time: it ran, and a failure or a kill undid what it had done", nowhere, better::smaller, true,
       time_on<time_part::failure>},
      {"wait_no_core", "time", scope::classes, explanation,
       "of response_time: it waited, and fewer cores were free in the cluster than it needs", nowhere, better::smaller,
       true, time_on<time_part::no_core>},
      {"wait_fragmentation", "time", scope::classes, explanation,
       "of response_time: it waited, and enough cores were free, but too few where it may run", nowhere,
       better::smaller, true, time_on<time_part::fragmentation>},
      {"wait_behind_others", "time", scope::classes, explanation,
       "of response_time: it waited, and enough cores were free: the policy served others first, or held them back",
       nowhere, better::smaller, true, time_on<time_part::behind_others>},
      {"slowdown", "", scope::classes, always, "mean of response time divided by size", nowhere, better::smaller, true,
       [](const totals& t) { return mean_of_completed(t, t.jobs.slowdown); }},
      {"jobs_in_system", "", scope::classes, always, "time average of the jobs waiting or in service",
       in_run_and_theory, better::smaller, false,
       [](const totals& t) {
         return metric_value{t.unit.to_units(t.jobs.presence) / t.window, t.jobs.completed};
       }},
      {"jobs_in_system_p99", "", scope::all, always,
       "99th percentile over time of the jobs waiting or in service: for 99 % of the time there are no more"},
      uncontrolled({"throughput", "1/time", scope::classes, always, "completions per unit of time", in_theory,
                    better::larger, false,
                    [](const totals& t) {
                      return metric_value{static_cast<double>(t.jobs.completed) / t.window, t.jobs.completed};
                    }}),
      uncontrolled({"service_rate", "", scope::classes, always,
                    "gamma: work done per unit of time and job in the system (Balanced fairness, Section 5)",
                    in_run_and_theory, better::larger, false, service_rate}),
      share({"utilization", "", scope::classes, always,
             "share of all core time in which cores ran jobs; of a class: its part of that", of_all_jobs,
             better::none}),
      share({"overhead_share", "", scope::all, always,
             "share of all core time spent on dispatch, set-up, saving, restoring and migration"}),
      {"interruptions_per_job", "", scope::classes, always, "interruptions by servers' timers, per completed job",
       nowhere, better::smaller, false, per_left<&class_record::interruptions>},
      {"migrations_per_job", "", scope::classes, always,
       "servers that came to an interrupted or preempted job and had to fetch its state, per completed job", nowhere,
       better::smaller, false, per_left<&class_record::migrations>},
      {"failures_per_job", "", scope::classes, faults,
       "failures of servers by which a job lost its cores and went back to the queue, per completed job", nowhere,
       better::smaller, false, per_left<&class_record::failures>},
      share({"down_share", "", scope::all, faults,
             "share of all core time in which cores were down, their server having failed"}),
      {"average_power", "W", scope::all, power, "mean electrical power of all cores, by the watts of their states"},
      {"energy_per_job", "J", scope::all, power, "energy spent per job that left", in_run},
      share({"asleep_share", "", scope::all, power, "share of all core time in which cores slept", nowhere,
             better::none}),
      {"cost", "", scope::all, prices, "price of all servers, cores and links, and of the average power, by [price]",
       in_run},
      {"utility", "", scope::classes, slotted, "what the slotted jobs that left have earned, all together", in_verdict,
       better::larger, false, [](const totals& t) { return of_left(t, static_cast<double>(t.jobs.utility)); }, nullptr,
       precision_default::slotted_finite},
      {"utility_rate", "1/time", scope::classes, slotted, "utility earned per unit of time", in_verdict, better::larger,
       false, [](const totals& t) { return of_left(t, static_cast<double>(t.jobs.utility) / t.window); }, nullptr,
       precision_default::slotted},
      {"optimal_utility", "", scope::all, optimum,
       "the most utility that any schedule can give the same jobs, the future known, at no cost (ISPEED, equation 1)",
       in_run_and_theory, better::none},
      {"competitive_ratio", "", scope::all, optimum,
       "optimal_utility over utility, of each replication (ISPEED, equation 2)", in_run},
      {"competitive_bound", "", scope::study, by_theory,
       "2 + alpha: no competitive_ratio of ISPEED is above it, at no cost (ISPEED, Theorem 2)", in_theory,
       better::none},
      share({"completed_share", "", scope::classes, slotted, "share of the slotted jobs that left complete", in_run,
             better::larger, false, per_left<&class_record::completed>}),
      share({"expired_share", "", scope::classes, slotted,
             "share of the slotted jobs that left at their deadline, incomplete", in_run, better::smaller, false,
             per_left<&class_record::expired>}),
      {"preemptions_per_job", "", scope::classes, preemption,
       "how often the policy took its cores from a job: of a slotted one, slots without any after one with some",
       nowhere, better::smaller, false, per_left<&class_record::preemptions>},
      share(over_class_means(jain_index, {"fairness_jain", "", scope::all, always,
                                          "Jain's index over the classes' mean response times (Quickswap, Appendix C)",
                                          nowhere, better::larger, true})),
      {"phase_duration", "time", scope::phases, always,
       "mean duration of a phase of the policy; phases of no duration do not count", nowhere, better::none},
      share({"phase_share", "", scope::phases, always, "share of time that the policy spent in a phase", nowhere,
             better::none}),
      {"response_time_analysis", "time", scope::study, by_theory_of_rigid,
       "response_time by the analysis of one-or-all MSFQ, corrected (Quickswap, Section 5)", in_theory, better::smaller,
       false, nullptr, nullptr, precision_default::none, "response_time"},
      {"weighted_response_time_analysis", "time", scope::study, by_theory_of_rigid,
       "weighted_response_time by the corrected analysis", nowhere, better::smaller, false, nullptr, nullptr,
       precision_default::none, "weighted_response_time"},
      {"response_time_as_printed", "time", scope::study, by_theory_of_rigid,
       "response_time by the formulas of Section 5 as the Quickswap paper prints them", in_theory},
      {"weighted_response_time_as_printed", "time", scope::study, by_theory_of_rigid,
       "weighted_response_time by the printed formulas"},
      {"response_time_error_bound", "time", scope::study, by_theory_of_rigid,
       "how far the exact response_time of theory can be from the truth, for its series is cut"},
      {"best_threshold", "", scope::study, by_theory_of_rigid,
       "threshold of MSFQ with the least mean response time by theory", in_theory},
      {"phase_share_analysis", "", scope::study, by_theory_of_rigid, "phase_share by the corrected analysis", nowhere,
       better::smaller, false, nullptr, nullptr, precision_default::none, "phase_share"},
      {"jobs_at_phase_start_analysis", "", scope::study, by_theory_of_rigid,
       "mean of N_1^H (phase_1) and N_2^L (phase_2) by the corrected analysis, cycles that skip the phase included"},
      {"phase_share_as_printed", "", scope::study, by_theory_of_rigid, "phase_share by Lemma 1 as printed"},
      {"phase_duration_as_printed", "time", scope::study, by_theory_of_rigid, "mean of H_1 to H_4 by Lemmas 5 to 8"},
      {"phase_duration_squared_as_printed", "time^2", scope::study, by_theory_of_rigid,
       "second moment of H_1 to H_4 by Lemmas 5 to 8"},
      {"jobs_at_phase_start_as_printed", "", scope::study, by_theory_of_rigid,
       "mean of N_1^H (phase_1) and N_2^L (phase_2) by Lemma 6"},
      {"jobs_at_phase_start_squared_as_printed", "", scope::study, by_theory_of_rigid,
       "second moment of N_1^H (phase_1) and N_2^L (phase_2) by Lemma 6"},
      {"warm_up_jobs", "", scope::study, by_pilot,
       "completions at the beginning of each replication that are not measured, found by MSER-5", nowhere,
       better::none},
      {"sensitivity", "", scope::study, of_points,
       "largest service_rate over the smallest, minus 1, among points that differ in nothing but swept sizes", nowhere,
       better::none},
      uncontrolled({"response_time_deviation", "time", scope::classes, always,
                    "standard deviation of the response time among the completed jobs", nowhere, better::smaller, true,
                    response_time_deviation}),
  };
}

}  // namespace

std::optional<metric_mistake> metric_entry::mistake(const scenario& model, const std::string& class_name) const {
  if (scope == metric_scope::study)
    return metric_mistake{false, fmt::format("{} is not measured in each replication, but {}", name, measured.words)};
  if (!measured.holds(model))
    return metric_mistake{false, fmt::format("{} is not measured in this scenario; it needs {}", name, measured.words)};
  const bool phase = is_phase(class_name);
  if (scope == metric_scope::phases && !phase)
    return metric_mistake{true, fmt::format("{} is measured of phases; expected one such as 'phase_1', found {}", name,
                                            in_quotes(class_name))};
  if (scope == metric_scope::all && class_name != "all")
    return metric_mistake{true, fmt::format("{} is measured of all classes together; expected 'all', found {}", name,
                                            in_quotes(class_name))};
  if (scope == metric_scope::classes && phase)
    return metric_mistake{true, fmt::format("{} is not measured of phases; expected a class or 'all', found {}", name,
                                            in_quotes(class_name))};
  return std::nullopt;
}

std::string metric_entry::unit_name(const std::string& time_unit) const {
  if (unit == "time") return time_unit;
  if (unit == "time^2") return time_unit + "^2";
  return unit == "1/time" ? "1/" + time_unit : std::string(unit);
}

double jain_index(const std::vector<double>& means) {
  double sum = 0.0, squares = 0.0;
  for (const double m : means) {
    sum += m;
    squares += m * m;
  }
  return squares > 0.0 ? sum * sum / (static_cast<double>(means.size()) * squares) : 1.0;
}

bool is_phase(std::string_view class_name) { return class_name.substr(0, 6) == "phase_"; }

const std::vector<metric_entry>& metric_catalogue() {
  static const std::vector<metric_entry> all = all_metrics();
  return all;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const metric_entry& m : metric_catalogue()) names.emplace_back(m.name);
  return names;
}

namespace {

template <class Predicate>
const metric_entry* first_metric(Predicate holds) {
  const auto& all = metric_catalogue();
  const auto found = std::find_if(all.begin(), all.end(), holds);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const metric_entry* find_metric(std::string_view name) {
  return first_metric([&](const metric_entry& m) { return m.name == name; });
}

const metric_entry& usual_metric(precision_default jobs) {
  return *first_metric([&](const metric_entry& m) { return m.usual == jobs; });
}

const metric_entry* approximation_of(std::string_view name) {
  return first_metric([&](const metric_entry& m) { return m.approximates == name; });
}

std::vector<std::string> metrics_with_column(bool metric_columns::*table, bool slotted_jobs) {
  std::vector<std::string> own, of_all;
  for (const metric_entry& m : metric_catalogue()) {
    if (!(m.columns.*table)) continue;
    if (m.measured.of_slotted_jobs == slotted_jobs)
      own.emplace_back(m.name);
    else if (slotted_jobs && table == &metric_columns::run && m.columns.run_of_slotted_jobs)
      of_all.emplace_back(m.name);
  }
  own.insert(own.end(), of_all.begin(), of_all.end());
  return own;
}

}  // namespace muster
