#include "platform/metrics/batch_series.h"
#include "platform/metrics/metric.h"
#include "platform/metrics/metric_conditions.h"
#include "platform/metrics/metric_measures.h"

// All metrics, one row each, and how a row is written.

namespace muster {

namespace {

using totals = class_totals;
using scope = metric_scope;
using better = metric_preference;

constexpr auto in_run = &metric_columns::run, in_verdict = &metric_columns::verdict,
               in_theory = &metric_columns::theory, in_run_of_slotted_jobs = &metric_columns::run_of_slotted_jobs,
               in_run_beside_theory = &metric_columns::run_beside_theory;

/// Facts about a metric that have no type of their own.
enum class trait { of_completed, uncontrolled, whole_numbers };
struct approximation {
  std::string_view of;
};
struct ratio {
  std::string_view over;
};

// Each function sets the field of the fact's type.
void set(metric_entry& m, const metric_condition& measured) { m.measured = measured; }
void set(metric_entry& m, bool metric_columns::*table) { m.columns.*table = true; }
void set(metric_entry& m, metric_preference preference) { m.better = preference; }
void set(metric_entry& m, precision_default usual) { m.usual = usual; }
void set(metric_entry& m, const approximation& a) { m.approximates = a.of; }
void set(metric_entry& m, const ratio& r) { m.denominator = r.over; }
void set(metric_entry& m, batch_series time_series::*in_order) { m.in_order = in_order; }
void set(metric_entry& m, metric_value (*of_jobs)(const totals&)) { m.of_jobs = of_jobs; }
void set(metric_entry& m, double (*of_class_means)(const std::vector<double>&)) { m.of_class_means = of_class_means; }
void set(metric_entry& m, trait t) {
  if (t == trait::of_completed) m.of_completed = true;
  if (t == trait::uncontrolled) m.controlled = false;
  if (t == trait::whole_numbers) m.whole_numbers = true;
}

/// A row of the catalogue. @param facts whatever differs from the defaults, in any order
template <class... Facts>
metric_entry metric(std::string_view name, std::string_view unit, scope of, std::string_view about,
                    const Facts&... facts) {
  metric_entry m{name, unit, of, metric_conditions::always, about};
  (set(m, facts), ...);
  return m;
}

template <class... Facts>
metric_entry time_of_jobs(std::string_view name, std::string_view about, const Facts&... facts) {
  return metric(name, "time", scope::classes, about, trait::of_completed, facts...);
}

template <class... Facts>
metric_entry of_theory(std::string_view name, std::string_view unit, std::string_view about, const Facts&... facts) {
  return metric(name, unit, scope::study, about, metric_conditions::by_theory_of_rigid, facts...);
}

template <class... Facts>
metric_entry share(std::string_view name, scope of, std::string_view about, const Facts&... facts) {
  metric_entry m = metric(name, "", of, about, facts...);
  m.range.most = 1.0;
  return m;
}

std::vector<metric_entry> all_metrics() {
  using namespace metric_conditions;
  using namespace metric_measures;
  return {
      time_of_jobs("response_time", "mean time from arrival to completion", mean_time<&class_record::response>, in_run,
                   in_verdict, in_theory, in_run_beside_theory, &time_series::response, precision_default::all),
      metric("weighted_response_time", "time", scope::all,
             "mean response time of the classes, weighted with the load that each brings (Quickswap, Section 6.1)",
             in_run, in_verdict, trait::of_completed),
      time_of_jobs("response_time_p50", "median of the response time", response_time_percentile<50>),
      time_of_jobs("response_time_p95", "95th percentile of the response time", response_time_percentile<95>),
      time_of_jobs("response_time_p99", "99th percentile of the response time", response_time_percentile<99>, in_run),
      time_of_jobs("waiting_time",
                   "mean of all the time in which a job held nothing, until it left: wait_* and time_decision together",
                   mean_time<&class_record::waiting>, &time_series::waiting),
      time_of_jobs("waiting_time_p50", "median of the waiting time", waiting_time_percentile<50>),
      time_of_jobs("waiting_time_p95", "95th percentile of the waiting time", waiting_time_percentile<95>),
      time_of_jobs("waiting_time_p99", "99th percentile of the waiting time", waiting_time_percentile<99>),
      time_of_jobs("waiting_time_max",
                   "longest waiting time of a job that completed in a replication; it grows with run.jobs",
                   longest_waiting_time),
      time_of_jobs("time_to_start", "mean time from arrival to the first core", mean_time<&class_record::to_start>,
                   &time_series::to_start),
      time_of_jobs("time_running", "of response_time: its cores ran, or shared the work", explanation,
                   time_on<time_part::running>),
      time_of_jobs("time_overhead",
                   "of response_time: its cores were set up, restored, migrated to, woken, or saved its state",
                   explanation, time_on<time_part::overhead>),
      time_of_jobs("time_network", "of response_time: its orders and responses were on their way", explanation,
                   time_on<time_part::network>),
      time_of_jobs("time_decision",
                   "of response_time: its arrival, its orders or its responses waited for the scheduler", explanation,
                   time_on<time_part::decision>),
      time_of_jobs("time_failure", "of response_time: it ran, and a failure or a kill undid what it had done",
                   explanation, time_on<time_part::failure>),
      time_of_jobs("wait_no_core",
                   "of response_time: it waited, and fewer cores were free in the cluster than it needs", explanation,
                   wait_for_cores),
      time_of_jobs("wait_fragmentation",
                   "of response_time: it waited, and enough cores were free, but too few where it may run", explanation,
                   time_on<time_part::fragmentation>),
      time_of_jobs("wait_behind_others",
                   "of response_time: it waited, and enough cores were free: the policy served others first, or held "
                   "them back",
                   explanation, time_on<time_part::behind_others>),
      time_of_jobs("wait_no_resource",
                   "of response_time: it waited, and by cores alone it would have fitted, but not by another resource",
                   explanation_of_resources, mean_time<&class_record::no_resource>),
      metric("resource_wait", "time", scope::resources,
             "mean over all jobs of the time in which this resource was the one that was short: wait_no_resource of "
             "`all` by resource",
             explanation_of_resources, trait::of_completed, trait::uncontrolled),
      metric(
          "slowdown", "", scope::classes, "mean of response time divided by size",
          [](const totals& t) { return mean_of_completed(t, t.jobs.slowdown); }, trait::of_completed),
      metric("bounded_slowdown", "", scope::classes,
             "mean of max(1, response time / max(run time, report.slowdown_bound)); run time: for which it held cores",
             slowdown_bound, in_run, trait::of_completed),
      metric(
          "jobs_in_system", "", scope::classes, "time average of the jobs waiting or in service",
          [](const totals& t) {
            return metric_value{t.unit.to_units(t.jobs.presence) / t.window, t.jobs.completed};
          },
          in_run, in_theory),
      metric("jobs_in_system_p99", "", scope::all,
             "99th percentile over time of the jobs waiting or in service: for 99 % of the time there are no more",
             trait::whole_numbers),
      metric(
          "throughput", "1/time", scope::classes, "completions per unit of time", in_theory, better::larger,
          [](const totals& t) {
            return metric_value{static_cast<double>(t.jobs.completed) / t.window, t.jobs.completed};
          },
          trait::uncontrolled),
      metric("service_rate", "", scope::classes,
             "gamma: work done per unit of time and job in the system (Balanced fairness, Section 5)", service_rate,
             in_run, in_theory, better::larger, trait::uncontrolled, ratio{"jobs_in_system"}),
      share("utilization", scope::classes,
            "share of all core time in which cores ran jobs; of a class: its part of that", in_run, in_theory,
            in_run_of_slotted_jobs, better::none),
      share("resource_utilization", scope::resources,
            "share of a resource, over time, that running jobs held, of shared devices in parts; of the cluster as a "
            "whole what jobs held from start to end, overhead included",
            tasks, better::none),
      share("resource_stranded", scope::resources,
            "share of a resource of the servers, over time, that was free but of no use: no task that needs it fitted "
            "where it was free",
            tasks),
      share("resource_fragmentation", scope::resources,
            "of devices: share of those that were free, over time, that a job of the mix of classes could not use, in "
            "the mean over the mix (Weng et al. 2023)",
            devices),
      share("overhead_share", scope::all,
            "share of all core time spent on dispatch, set-up, saving, restoring and migration"),
      metric("interruptions_per_job", "", scope::classes, "interruptions by servers' timers, per completed job",
             per_left<&class_record::interruptions>),
      metric("migrations_per_job", "", scope::classes,
             "servers that came to an interrupted or preempted job and had to fetch its state, per completed job",
             per_left<&class_record::migrations>),
      metric("failures_per_job", "", scope::classes,
             "failures of servers by which a job lost its cores and went back to the queue, per completed job",
             per_left<&class_record::failures>, faults),
      metric("conflicts_per_job", "", scope::classes,
             "dispatches that were refused, as another scheduler had taken the cores, per completed job",
             per_left<&class_record::conflicts>, shared),
      metric("jobs_stolen_per_job", "", scope::classes,
             "jobs that an idle scheduler took from the queue of another one, per completed job",
             per_left<&class_record::stolen>, stealing),
      share("down_share", scope::all, "share of all core time in which cores were down, their server having failed",
            faults),
      metric("average_power", "W", scope::all,
             "mean electrical power of cores, devices and amounts, by the watts of their states", power),
      metric("energy_per_job", "J", scope::all, "energy spent per job that left", power, in_run),
      share("asleep_share", scope::all, "share of all core time in which cores slept", power, better::none),
      share("time_capped", scope::all, "share of the time in which servers without their power_cap would draw more",
            power_cap, better::none),
      metric("bytes_moved", "B", scope::all, "input and output moved over the network, per job that left", data),
      share("data_share", scope::all, "share of all core time in which cores waited for input or output", data),
      share("input_hits", scope::all, "share of the inputs that were read from the server's own disk", data_sets,
            better::larger),
      metric("cost", "", scope::all,
             "price of all servers, cores, resources and links, and of the average power, by [price]", prices, in_run),
      metric(
          "utility", "", scope::classes, "what the slotted jobs that left have earned, all together",
          [](const totals& t) { return of_left(t, static_cast<double>(t.jobs.utility)); }, slotted, in_run, in_verdict,
          better::larger, precision_default::slotted_finite),
      metric(
          "utility_rate", "1/time", scope::classes, "utility earned per unit of time", slotted, in_run, in_verdict,
          better::larger, [](const totals& t) { return of_left(t, static_cast<double>(t.jobs.utility) / t.window); },
          precision_default::slotted),
      metric(
          "optimal_utility", "", scope::all,
          "the most utility that any schedule can give the same jobs, the future known, at no cost (ISPEED, equation "
          "1)",
          optimum, in_run, in_theory, better::none),
      metric("competitive_ratio", "", scope::all,
             "optimal_utility over utility, of each replication (ISPEED, equation 2)", optimum, in_run),
      metric("competitive_bound", "", scope::study,
             "2 + alpha: no competitive_ratio of ISPEED is above it, at no cost (ISPEED, Theorem 2)", by_theory,
             in_theory, better::none),
      share("completed_share", scope::classes, "share of the slotted jobs that left complete", slotted, in_run,
            better::larger, per_left<&class_record::completed>),
      share("expired_share", scope::classes, "share of the slotted jobs that left at their deadline, incomplete",
            slotted, in_run, per_left<&class_record::expired>),
      metric("preemptions_per_job", "", scope::classes,
             "how often the policy took its cores from a job: of a slotted one, slots without any after one with some",
             per_left<&class_record::preemptions>, preemption),
      share("fairness_jain", scope::all, "Jain's index over the classes' mean response times (Quickswap, Appendix C)",
            better::larger, trait::of_completed, jain_index),
      metric("phase_duration", "time", scope::phases,
             "mean duration of a phase of the policy; phases of no duration do not count", better::none),
      share("phase_share", scope::phases, "share of time that the policy spent in a phase", better::none),
      of_theory("response_time_analysis", "time",
                "response_time by the analysis of one-or-all MSFQ, corrected (Quickswap, Section 5)", in_theory,
                approximation{"response_time"}),
      of_theory("weighted_response_time_analysis", "time", "weighted_response_time by the corrected analysis",
                approximation{"weighted_response_time"}),
      of_theory("response_time_as_printed", "time",
                "response_time by the formulas of Section 5 as the Quickswap paper prints them", in_theory),
      of_theory("weighted_response_time_as_printed", "time", "weighted_response_time by the printed formulas"),
      of_theory("response_time_error_bound", "time",
                "how far the exact response_time of theory can be from the truth, for its series is cut"),
      of_theory("best_threshold", "", "threshold of MSFQ with the least mean response time by theory", in_theory),
      of_theory("phase_share_analysis", "", "phase_share by the corrected analysis", approximation{"phase_share"}),
      of_theory("jobs_at_phase_start_analysis", "",
                "mean of N_1^H (phase_1) and N_2^L (phase_2) by the corrected analysis, cycles that skip the phase "
                "included"),
      of_theory("phase_share_as_printed", "", "phase_share by Lemma 1 as printed"),
      of_theory("phase_duration_as_printed", "time", "mean of H_1 to H_4 by Lemmas 5 to 8"),
      of_theory("phase_duration_squared_as_printed", "time^2", "second moment of H_1 to H_4 by Lemmas 5 to 8"),
      of_theory("jobs_at_phase_start_as_printed", "", "mean of N_1^H (phase_1) and N_2^L (phase_2) by Lemma 6"),
      of_theory("jobs_at_phase_start_squared_as_printed", "",
                "second moment of N_1^H (phase_1) and N_2^L (phase_2) by Lemma 6"),
      metric("warm_up_jobs", "", scope::study,
             "completions at the beginning of each replication that are not measured, found by MSER-5", by_pilot,
             better::none),
      metric("sensitivity", "", scope::study,
             "largest service_rate over the smallest, minus 1, among points that differ in nothing but swept sizes",
             of_points, better::none),
      share("waited_share", scope::classes, "share of the jobs that waited at all", listed, trait::of_completed,
            [](const totals& t) { return mean_of_completed(t, static_cast<double>(t.jobs.waits.total())); }),
      metric("makespan", "time", scope::all, "time of the last completion", listed),
      metric("mean_wait_of_users", "time", scope::all, "mean over the users of the mean waiting time of each", users,
             trait::of_completed),
      metric("worst_mean_wait_of_users", "time", scope::all, "mean waiting time of the user who has the longest", users,
             trait::of_completed),
      share("killed_share", scope::classes,
            "share of the jobs that were killed at their request or estimate, or cancelled by the policy", killing,
            trait::of_completed),
      share("estimate_error", scope::classes,
            "mean of 1 - min(size, estimate) / max(size, estimate): 1 - accuracy of Tsafrir, Etsion and Feitelson 2007",
            estimates, trait::of_completed),
      share("exchange_speed", scope::classes,
            "speed of jobs whose tasks exchange data as a share of that of their servers, in the mean over the time of "
            "the cores that ran them",
            exchange, in_run, better::larger),
      time_of_jobs("response_time_deviation", "standard deviation of the response time among the completed jobs",
                   response_time_deviation, trait::uncontrolled),
      metric("energy_cost", "", scope::all, "price of the energy spent, at the time when it is, per job that left",
             energy_price, in_run),
      metric("carbon", "g", scope::all, "carbon that the energy spent emits, at the time when it is, per job that left",
             carbon, in_run),
      metric("energy_delay_product", "J s", scope::all, "energy_per_job times the mean response time in seconds",
             weighed_energy),
  };
}

}  // namespace

const std::vector<metric_entry>& metric_catalogue() {
  static const std::vector<metric_entry> all = all_metrics();
  return all;
}

}  // namespace muster
