#include "platform/simulation/measurements.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/metrics/batch_means.h"
#include "platform/metrics/metric.h"
#include "platform/metrics/phase_statistics.h"
#include "platform/metrics/presence_recorder.h"
#include "platform/metrics/time_sums.h"
#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/model/price.h"
#include "platform/simulation/window_parts.h"
#include "platform/theory/optimal_utility.h"

namespace muster {

namespace {

std::vector<const metric_entry*> metrics_of_jobs(const scenario& what) {
  std::vector<const metric_entry*> all;
  for (const metric_entry& metric : metric_catalogue())
    if (metric.of_jobs && metric.measured.holds(what)) all.push_back(&metric);
  return all;
}

/// Writes what was observed into a result.
class measurement_writer {
 public:
  measurement_writer(const observations& seen, replication_result& result)
      : seen_(seen), what_(seen.what), result_(result) {
    for (const class_id id : id_range<class_id>{order_.size()}) {
      const class_balance balance{spec(id).name, record(id).left(), seen.jobs.present(id)};
      balances_.push_back(balance);
      // Only jobs that have completed have a response time. Where many have not, the estimates are too low.
      const cautions marks = balance.many_left_behind() ? caution::biased : cautions{};
      marks_.push_back(marks);
      any_mark_.add(marks);
    }
  }

  void write() {
    add_class(
        "all", all_, times_of_all(), seen_.batches ? &seen_.batches->all() : nullptr, any_mark_,
        [](const window_part& part) { return sum_of(part.jobs); }, [](const time_sums& times) { return times.all(); });
    add("all", "jobs_in_system_p99", static_cast<double>(seen_.jobs.levels().quantile(0.99, seen_.end)),
        all_.completed);
    add("all", "utilization", share(&core_sums::running), all_.completed);
    add("all", "overhead_share", share(&core_sums::overhead), all_.completed);
    if (measures("down_share")) add("all", "down_share", share(&core_sums::down), all_.completed);
    if (measures("average_power")) add_energy();
    if (what_.price) add_cost();
    add_means_of_classes();
    if (measures("optimal_utility")) add_optimum();
    for (std::size_t at = 0; at < what_.classes.size(); ++at)
      for (const class_id id : id_range<class_id>{order_.size()})
        if (order_[static_cast<std::size_t>(id)] == at) add_class(id);
    add_phases();
    add_samples();
  }

 private:
  using time_of_parts = by_time_part<tick_sum>;

  const class_spec& spec(class_id id) const { return what_.classes[order_[static_cast<std::size_t>(id)]]; }
  const class_record& record(class_id id) const { return seen_.jobs.classes()[id]; }
  bool measures(const char* metric) const { return find_metric(metric)->measured.holds(what_); }

  template <class Ticks>
  double to_units(Ticks t) const {
    return what_.unit.to_units(t);
  }
  double share(tick_sum core_time) const { return to_units(core_time) / (cores_ * window_); }
  double share(tick_sum core_sums::*state) const { return share(seen_.cores_after.*state - seen_.cores_before.*state); }

  measurement& add(std::string name, std::string metric, double value, std::uint64_t jobs, bool has_value = true) {
    return result_.measurements.emplace_back(
        measurement{std::move(name), std::move(metric), has_value, value, jobs, {}, {}});
  }

  void add_class(class_id id) {
    add_class(
        spec(id).name, record(id), seen_.times ? seen_.times->of(id) : time_of_parts{},
        seen_.batches ? &seen_.batches->of(id) : nullptr, marks_[id],
        [id](const window_part& part) { return part.jobs[id]; }, [id](const time_sums& times) { return times.of(id); });
    result_.balances.push_back(balances_[id]);
    add(spec(id).name, "utilization", share(seen_.cores_after.running_of[id] - seen_.cores_before.running_of[id]),
        record(id).completed);
  }

  // Empty where one of them has none: nothing has completed in it, or no time passed as all completed in one slot.
  template <class Value>
  std::vector<double> values_of_parts(const Value& value_of) const {
    std::vector<double> values;
    for (std::size_t at = 0; at < seen_.parts->parts().size(); ++at) {
      const std::optional<double> value = value_of(at, seen_.parts->parts()[at]);
      if (!value || !std::isfinite(*value)) return {};
      values.push_back(*value);
    }
    return values;
  }

  time_of_parts times_of_all() const { return seen_.times ? seen_.times->all() : time_of_parts{}; }

  /// @param jobs_of,times_of take the same out of a part of the window
  template <class Jobs, class Times>
  void add_class(const std::string& name, const class_record& r, const time_of_parts& times,
                 const time_series* in_order, const cautions& marks, const Jobs& jobs_of, const Times& times_of) {
    std::vector<class_record> records;
    if (seen_.parts)
      for (const window_part& part : seen_.parts->parts()) records.push_back(jobs_of(part));
    for (const metric_entry* metric : metrics_of_jobs_) {
      const metric_value found = metric->of_jobs({r, window_, what_.unit, times});
      measurement& added =
          add(name, std::string(metric->name), found.value.value_or(0.0), found.jobs, found.value.has_value());
      if (metric->of_completed) added.marks = marks;
      if (seen_.parts)
        added.parts = values_of_parts([&](std::size_t at, const window_part& part) {
          return metric
              ->of_jobs({records[at], to_units(part.length), what_.unit,
                         part.times ? times_of(*part.times) : time_of_parts{}})
              .value;
        });
      if (!in_order || !metric->in_order) continue;
      if (const auto half = overlapping_batch_means((in_order->*metric->in_order).means()))
        added.half_width = to_units(*half);
    }
    if (r.left() == 0) result_.notes.push_back({"no completion to estimate from", name});
    if (marks.any() && name != "all")
      result_.notes.push_back(
          {"more than a tenth of the jobs are still in the system at the end; the response times are those of the jobs "
           "that have completed, and too low",
           name});
  }

  void add_energy() {
    const double spent = (seen_.cores_after.energy - seen_.cores_before.energy) / static_cast<double>(what_.unit.ticks);
    const double joules = spent * what_.unit.seconds;
    const std::uint64_t left = all_.left();
    add("all", "average_power", spent / window_, left);
    add("all", "energy_per_job", joules / static_cast<double>(left), left, left > 0);
    add("all", "asleep_share", share(&core_sums::asleep), left);
  }

  void add_cost() {
    const measurement* power = what_.price->watt > 0.0 ? result_.find("all", "average_power") : nullptr;
    add("all", "cost", price_of_hardware(what_) + (power ? what_.price->watt * power->value : 0.0), all_.left());
  }

  void add_optimum() {
    const auto utility = static_cast<double>(all_.utility);
    const double optimum = optimum_of(what_, seen_.replication);
    add("all", "optimal_utility", optimum, seen_.jobs.completed());
    add("all", "competitive_ratio", optimum / utility, seen_.jobs.completed(), utility > 0.0);
    if (utility == 0.0 && optimum > 0.0)
      result_.notes.push_back({"competitive_ratio has no estimate: no job has earned anything"});
  }

  // Weighted mean (equation in Section 6.1) and Jain's index (equation 8) need every class. Classes of equal need are
  // one class in the paper; here each counts for itself.
  struct means_of_classes {
    double weighted = 0.0, index = 1.0;
    bool complete = true;  // every class has completions
  };
  means_of_classes over(const table<class_id, class_record>& records) const {
    means_of_classes found;
    double load = 0.0, weighted = 0.0;
    std::vector<double> means;
    for (const class_id id : id_range<class_id>{order_.size()}) {
      const class_spec& c = spec(id);
      const class_record& r = records[id];
      found.complete = found.complete && r.completed > 0;
      const double mean = r.completed ? to_units(r.response) / static_cast<double>(r.completed) : 0.0;
      // Finite arrivals have no rate; the weights are the same.
      const double rho = c.need * (c.rate > 0.0 ? c.rate : c.share) * c.size.mean();
      load += rho;
      weighted += rho * mean;
      means.push_back(mean);
    }
    found.weighted = weighted / load;
    found.index = jain_index(means);
    return found;
  }
  void add_means_of_classes() {
    const means_of_classes found = over(seen_.jobs.classes());
    for (const auto& [name, mean] : {std::pair{"weighted_response_time", &means_of_classes::weighted},
                                     {"fairness_jain", &means_of_classes::index}}) {
      measurement& added = add("all", name, found.*mean, all_.completed, found.complete);
      added.marks = any_mark_;
      if (seen_.parts)
        added.parts = values_of_parts([this, mean = mean](std::size_t, const window_part& part) {
          const means_of_classes of_part = over(part.jobs);
          return of_part.complete ? std::optional(of_part.*mean) : std::nullopt;
        });
    }
    if (!found.complete && !is_slotted(what_))  // all jobs of a slotted class may expire
      result_.notes.push_back(
          {"weighted_response_time and fairness_jain have no estimate: not every class has completions"});
  }

  void add_phases() {
    const auto& phases = seen_.phases.phases();
    for (std::size_t phase = 1; phase < phases.size(); ++phase) {
      const phase_statistics::record& r = phases[phase];
      const std::string name = fmt::format("phase_{}", phase);
      const double mean = r.visits ? to_units(r.duration) / static_cast<double>(r.visits) : 0.0;
      add(name, "phase_duration", mean, r.visits, r.visits > 0);
      add(name, "phase_share", to_units(r.inside) / window_, r.visits);
    }
  }

  void add_samples() {
    if (!seen_.presence) return;
    for (const presence_recorder::sample& s : seen_.presence->samples())
      for (const class_id id : id_range<class_id>{order_.size()})
        result_.presence.push_back({to_units(s.time), spec(id).name, s.jobs[id]});
  }

  const observations& seen_;
  const scenario& what_;
  replication_result& result_;
  const std::vector<std::size_t> order_ = by_descending_need(what_);
  const std::vector<const metric_entry*> metrics_of_jobs_ = metrics_of_jobs(what_);
  const class_record all_ = seen_.jobs.sum();
  const double window_ = to_units(seen_.end - seen_.jobs.window_begin());
  const double cores_ = static_cast<double>(total_cores(what_));
  table<class_id, class_balance> balances_;
  table<class_id, cautions> marks_;
  cautions any_mark_;
};

}  // namespace

void add_measurements(const observations& all, replication_result& result) { measurement_writer(all, result).write(); }

}  // namespace muster
