#include "platform/simulation/replication.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "muster/modules/kernel/huge_pages.h"
#include "platform/metrics/batch_means.h"
#include "platform/metrics/job_statistics.h"
#include "platform/metrics/metric.h"
#include "platform/metrics/mser.h"
#include "platform/metrics/phase_statistics.h"
#include "platform/metrics/presence_recorder.h"
#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/model/scenario_workload.h"
#include "platform/simulation/cluster.h"
#include "platform/simulation/core_sums.h"
#include "platform/theory/offline_jobs.h"
#include "platform/trace/recording.h"

namespace muster {

namespace {

constexpr ticks end_of_time = std::numeric_limits<ticks>::max() / 4;

std::vector<const metric_entry*> metrics_of_jobs(const scenario& what) {
  std::vector<const metric_entry*> all;
  for (const metric_entry& metric : metric_catalogue())
    if (metric.of_jobs && metric.measured.holds(what)) all.push_back(&metric);
  return all;
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Everything that measures one run, and the results in the end.
class measuring {
 public:
  enum class purpose { measurement, warm_up };

  measuring(const scenario& what, std::uint32_t replication, const watching& watch, purpose wanted)
      : what_(what),
        order_(by_descending_need(what)),
        jobs_(order_.size()),
        replication_(replication),
        workload_(make_workload(what, replication)),
        batches_(what.run.batch_means ? std::make_unique<batch_observer>(jobs_, order_.size()) : nullptr),
        warm_up_(wanted == purpose::warm_up ? std::make_unique<warm_up_finder>(jobs_) : nullptr),
        recording_(watch.traces.empty() ? nullptr : std::make_unique<recording>(what, watch.traces, behind_traces())),
        cluster_("cluster", what, replication, *workload_, job_watcher(), watch.check_protocol),
        phases_(cluster_.central.active_policy().phases()),
        cores_before_(order_.size()) {
    if (recording_)
      cluster_.observe(recording_->phases(phases_), recording_->cores(), recording_->edges());
    else
      cluster_.observe(phases_);
    jobs_.open_after(what.run.unmeasured(), [this] { open(); });
    if (wanted == purpose::measurement && what.run.batch_means && what.run.precision)
      most_jobs_ *= what.run.precision->most_replications;
    jobs_.close_after(what.run.jobs, [this] { return look(); });
    if (replication == 0 && what.record.jobs_in_system_every) {
      const ticks step = std::max<ticks>(1, what.unit.to_ticks(*what.record.jobs_in_system_every));
      const ticks end = what.record.until ? what.unit.to_ticks(*what.record.until) : end_of_time;
      presence_.emplace(cluster_.time, jobs_, step, end);
    }
  }

  replication_result run() {
    const double began = processor_seconds();
    simulate();
    end_ = cluster_.time.now();
    if (jobs_.completed() < what_.run.jobs)
      throw std::runtime_error(fmt::format(
          "no pending events at {}, after {} of {} jobs: {} wait and none is in service", to_sc_time(end_).to_string(),
          jobs_.completed(), what_.run.jobs, cluster_.central.jobs_arrived() - cluster_.central.jobs_completed()));
    if (recording_) recording_->finish(end_, cluster_.central.view(), cluster_.slices());
    jobs_.settle(end_);
    phases_.settle(end_);
    cluster_.audit(end_);
    check_littles_law();
    replication_result result;
    result.seconds = processor_seconds() - began;
    result.jobs = jobs_.completed();
    result.events = cluster_.time.expirations();
    result.simulated_time = to_units(end_);
    measure(result);
    return result;
  }

  /// After run().
  found_warm_up warm_up() const { return warm_up_->found(); }

 private:
  // Faults are told in words. SystemC knows the kernel's time alone, which may lie behind the event's; muster's own
  // modules name that themselves.
  void simulate() {
    try {
      sc_core::sc_start();
    } catch (const sc_core::sc_report& fault) {
      const std::string type = fault.get_msg_type(), now = to_sc_time(cluster_.time.now()).to_string();
      const bool names_time = type.rfind("/muster/", 0) == 0;
      throw std::runtime_error(type + (names_time ? "" : ", simulated time " + now) + ": " + fault.get_msg());
    }
  }

  job_observer& behind_traces() {
    if (warm_up_) return *warm_up_;
    if (batches_) return *batches_;
    return jobs_;
  }
  job_observer& job_watcher() {
    if (recording_) return *recording_;
    return behind_traces();
  }

  template <class Ticks>
  double to_units(Ticks t) const {
    return what_.unit.to_units(t);
  }

  class_totals totals_of(const class_record& jobs, ticks now) const {
    return {jobs, to_units(now - jobs_.window_begin()), what_.unit};
  }
  bool measures(const char* metric) const { return find_metric(metric)->measured.holds(what_); }

  void open() {
    const ticks now = cluster_.time.now();
    cores_before_ = core_sums::of(cluster_, what_, now);
    phases_.open(now);
    if (batches_) batches_->clear();
  }

  // @return the completion at which to look again; 0 if it is enough
  std::uint64_t look() {
    const std::uint64_t jobs = jobs_.completed();
    if (jobs < most_jobs_ && !is_narrow_enough()) return precision_spec::next_look(jobs, most_jobs_);
    cluster_.time.stop();
    return 0;
  }

  bool is_narrow_enough() const {
    const auto& targets = what_.run.precision->targets;
    return std::all_of(targets.begin(), targets.end(), [this](const precision_target& t) { return reaches(t); });
  }

  bool reaches(const precision_target& wanted) const {
    const metric_entry& metric = *find_metric(wanted.metric);
    class_record found = wanted.class_name == "all" ? sum_of_classes() : class_record{};
    const time_series* in_order = &batches_->all();
    for (const class_id id : id_range<class_id>{order_.size()}) {
      if (what_.classes[order_[static_cast<std::size_t>(id)]].name != wanted.class_name) continue;
      in_order = &batches_->of(id);
      found = jobs_.classes()[id];
    }
    const auto half = overlapping_batch_means((in_order->*metric.in_order).means());
    const auto mean = metric.of_jobs(totals_of(found, cluster_.time.now())).value;
    return half && mean && to_units(*half) <= wanted.half_width * *mean;
  }

  // The integral of the jobs present is the sum of the times that jobs were present: found on two ways that share
  // nothing, the counting of arrivals and completions, and the jobs themselves with those that are still here.
  void check_littles_law() const {
    const cluster_view& view = cluster_.central.view();
    for (const class_id id : view.classes()) {
      const class_record& r = jobs_.classes()[id];
      tick_sum times = r.time_inside;
      const auto add = [&](const job* j) {
        for (; j; j = j->behind) times += end_ - std::max(j->arrival, jobs_.window_begin());
      };
      add(view.first(id));
      add(view.running(id));
      for (const job_extension* j : cluster_.central.jobs_pending_admission())
        if (j->type == id) times += end_ - std::max(j->arrival, jobs_.window_begin());
      if (times != r.presence)
        throw std::runtime_error(
            fmt::format("class '{}' violates Little's law: the jobs' times add up to {} {}, the "
                        "number of jobs over time to {}",
                        view.name(id), to_units(times), what_.unit.name, to_units(r.presence)));
    }
  }

  class_record sum_of_classes() const;
  void measure(replication_result& result) const;
  void measure_class(replication_result& result, const std::string& name, const class_record& r,
                     const time_series* in_order, const cautions& marks) const;
  void measure_energy(replication_result& result, const class_record& all, const core_sums& after) const;
  void measure_against_optimum(replication_result& result, double utility) const;
  class_balance balance_of(class_id id) const;
  table<class_id, cautions> marks_by_class() const;
  void measure_means_of_classes(replication_result& result, const cautions& marks) const;

  const scenario& what_;
  std::vector<std::size_t> order_;
  const std::vector<const metric_entry*> metrics_of_jobs_ = metrics_of_jobs(what_);
  job_statistics jobs_;
  std::uint32_t replication_;
  std::unique_ptr<workload> workload_;
  std::unique_ptr<batch_observer> batches_;  // where intervals come from them
  std::unique_ptr<warm_up_finder> warm_up_;  // in a pilot
  std::unique_ptr<recording> recording_;
  cluster cluster_;
  phase_statistics phases_;
  std::optional<presence_recorder> presence_;
  core_sums cores_before_;
  ticks end_ = 0;
  std::uint64_t most_jobs_ = what_.run.jobs;  // more than those: as far as a precision needs them
};

class_record measuring::sum_of_classes() const {
  class_record all;
  for (const class_record& r : jobs_.classes()) {
    all.completed += r.completed;
    all.expired += r.expired;
    all.utility += r.utility;
    all.preemptions += r.preemptions;
    all.response += r.response;
    all.waiting += r.waiting;
    all.slowdown += r.slowdown;
    all.presence += r.presence;
    all.work += r.work;
    all.interruptions += r.interruptions;
    all.migrations += r.migrations;
    all.failures += r.failures;
    all.responses.merge(r.responses);
  }
  return all;
}

void measuring::measure(replication_result& result) const {
  const class_record all = sum_of_classes();
  const table<class_id, cautions> marks = marks_by_class();
  cautions any;
  for (const cautions& of_class : marks) any.add(of_class);
  measure_class(result, "all", all, batches_ ? &batches_->all() : nullptr, any);
  const double window = to_units(end_ - jobs_.window_begin());
  const auto cores = static_cast<double>(total_cores(what_));
  const core_sums after = core_sums::of(cluster_, what_, end_);
  const auto share = [&](tick_sum time) { return to_units(time) / (cores * window); };
  result.measurements.push_back(
      {"all", "utilization", true, share(after.running - cores_before_.running), all.completed});
  result.measurements.push_back(
      {"all", "overhead_share", true, share(after.overhead - cores_before_.overhead), all.completed});
  if (measures("down_share"))
    result.measurements.push_back({"all", "down_share", true, share(after.down - cores_before_.down), all.completed});
  measure_energy(result, all, after);
  measure_means_of_classes(result, any);
  if (measures("optimal_utility")) measure_against_optimum(result, static_cast<double>(all.utility));
  for (std::size_t i = 0; i < what_.classes.size(); ++i) {
    for (std::size_t id = 0; id < order_.size(); ++id) {
      if (order_[id] != i) continue;
      const class_record& r = jobs_.classes()[static_cast<class_id>(id)];
      measure_class(result, what_.classes[i].name, r, batches_ ? &batches_->of(static_cast<class_id>(id)) : nullptr,
                    marks[static_cast<class_id>(id)]);
      result.balances.push_back(balance_of(static_cast<class_id>(id)));
      const tick_sum ran =
          after.running_of[static_cast<class_id>(id)] - cores_before_.running_of[static_cast<class_id>(id)];
      result.measurements.push_back({what_.classes[i].name, "utilization", true, share(ran), r.completed});
    }
  }
  for (std::size_t phase = 1; phase < phases_.phases().size(); ++phase) {
    const phase_statistics::record& r = phases_.phases()[phase];
    const std::string name = fmt::format("phase_{}", phase);
    const double mean = r.visits ? to_units(r.duration) / static_cast<double>(r.visits) : 0.0;
    result.measurements.push_back({name, "phase_duration", r.visits > 0, mean, r.visits});
    result.measurements.push_back({name, "phase_share", true, to_units(r.inside) / window, r.visits});
  }
  if (!presence_) return;
  for (const presence_recorder::sample& s : presence_->samples())
    for (std::size_t id = 0; id < order_.size(); ++id)
      result.presence.push_back({to_units(s.time), what_.classes[order_[id]].name, s.jobs[static_cast<class_id>(id)]});
}

void measuring::measure_class(replication_result& result, const std::string& name, const class_record& r,
                              const time_series* in_order, const cautions& marks) const {
  const class_totals totals = totals_of(r, end_);
  for (const metric_entry* metric : metrics_of_jobs_) {
    const metric_value found = metric->of_jobs(totals);
    result.measurements.push_back(
        {name, std::string(metric->name), found.value.has_value(), found.value.value_or(0.0), found.jobs});
    measurement& measured = result.measurements.back();
    if (metric->of_completed) measured.marks = marks;
    if (!in_order || !metric->in_order) continue;
    if (const auto half = overlapping_batch_means((in_order->*metric->in_order).means()))
      measured.half_width = to_units(*half);
  }
  if (r.left() == 0) result.notes.push_back({"no completion to estimate from", name});
  if (marks.any() && name != "all")
    result.notes.push_back(
        {"more than a tenth of the jobs are still in the system at the end; the response times are those of the jobs "
         "that have completed, and too low",
         name});
}

// Where the servers' power is given.
void measuring::measure_energy(replication_result& result, const class_record& all, const core_sums& after) const {
  if (!measures("average_power")) return;
  const double window = to_units(end_ - jobs_.window_begin());
  const double spent = (after.energy - cores_before_.energy) / static_cast<double>(what_.unit.ticks);
  const double joules = spent * what_.unit.seconds;
  const auto jobs = static_cast<double>(all.left());
  result.measurements.push_back({"all", "average_power", true, spent / window, all.left()});
  result.measurements.push_back({"all", "energy_per_job", all.left() > 0, joules / jobs, all.left()});
  const auto cores = static_cast<double>(total_cores(what_));
  const double asleep = to_units(after.asleep - cores_before_.asleep);
  result.measurements.push_back({"all", "asleep_share", true, asleep / (cores * window), all.left()});
}

void measuring::measure_against_optimum(replication_result& result, double utility) const {
  const double optimum = optimum_of(what_, replication_);
  const std::uint64_t jobs = jobs_.completed();
  result.measurements.push_back({"all", "optimal_utility", true, optimum, jobs});
  result.measurements.push_back({"all", "competitive_ratio", utility > 0.0, optimum / utility, jobs});
  if (utility == 0.0 && optimum > 0.0)
    result.notes.push_back({"competitive_ratio has no estimate: no job has earned anything"});
}

// Only jobs that have completed have a response time. Where many have not, the estimates are too good.
class_balance measuring::balance_of(class_id id) const {
  return {what_.classes[order_[static_cast<std::size_t>(id)]].name, jobs_.classes()[id].left(), jobs_.present(id)};
}

table<class_id, cautions> measuring::marks_by_class() const {
  table<class_id, cautions> all;
  for (const class_id id : id_range<class_id>{order_.size()})
    all.push_back(balance_of(id).many_left_behind() ? caution::biased : cautions{});
  return all;
}

// Weighted mean (equation in Section 6.1) and Jain's index (equation 8) need every class. Classes of equal need are one
// class in the paper; here each counts for itself.
void measuring::measure_means_of_classes(replication_result& result, const cautions& marks) const {
  double load = 0.0, weighted = 0.0, sum = 0.0, squares = 0.0;
  std::uint64_t completed = 0;
  bool complete = true;
  for (const class_id id : id_range<class_id>{order_.size()}) {
    const class_spec& c = what_.classes[order_[static_cast<std::size_t>(id)]];
    const class_record& r = jobs_.classes()[id];
    complete = complete && r.completed > 0;
    const double mean = r.completed ? to_units(r.response) / static_cast<double>(r.completed) : 0.0;
    // Finite arrivals have no rate; the weights are the same.
    const double rho = c.need * (c.rate > 0.0 ? c.rate : c.share) * c.size.mean();
    load += rho;
    weighted += rho * mean;
    sum += mean;
    squares += mean * mean;
    completed += r.completed;
  }
  const double n = static_cast<double>(order_.size());
  const auto of_all = [&](const char* metric, double value) {
    result.measurements.push_back({"all", metric, complete, value, completed});
    result.measurements.back().marks = marks;
  };
  of_all("weighted_response_time", weighted / load);
  of_all("fairness_jain", squares > 0 ? sum * sum / (n * squares) : 1.0);
  if (!complete && !is_slotted(what_))  // those may all expire
    result.notes.push_back(
        {"weighted_response_time and fairness_jain have no estimate: not every class has completions"});
}

}  // namespace

namespace {

// SystemC is set up, and its faults before the simulation begins are told in words.
template <class Run>
auto in_the_kernel(const scenario& what, const Run& run) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  // A run that the kernel warns about is not to be trusted.
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
  sc_core::sc_set_time_resolution(std::pow(10.0, what.unit.resolution_exponent + 15), sc_core::SC_FS);
  // Nothing foreign is bound: local time may lead as far as it likes, the order of events is the same.
  tlm::tlm_global_quantum::instance().set(to_sc_time(end_of_time));
  try {
    return run();
  } catch (const sc_core::sc_report& fault) {
    throw std::runtime_error(fmt::format("{}: {}", fault.get_msg_type(), fault.get_msg()));
  }
}

}  // namespace

replication_result run_replication(const scenario& what, std::uint32_t replication, const watching& watch) {
  prefer_huge_pages();
  return in_the_kernel(what, [&] {
    measuring run(what, replication, watch, measuring::purpose::measurement);
    return run.run();
  });
}

found_warm_up run_pilot(const scenario& what) {
  constexpr std::uint32_t beyond_all_others = std::numeric_limits<std::uint32_t>::max();
  scenario whole = what;
  whole.run.warm_up = 0.0;
  return in_the_kernel(whole, [&] {
    measuring run(whole, beyond_all_others, {}, measuring::purpose::warm_up);
    run.run();
    return run.warm_up();
  });
}

}  // namespace muster
