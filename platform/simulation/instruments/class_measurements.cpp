#include <optional>
#include <string>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/metrics/sample.h"
#include "platform/simulation/instrument_entry.h"
#include "platform/simulation/instruments/batch_sequences.h"
#include "platform/simulation/window_parts.h"

namespace muster {

namespace {

/// The measured jobs of a class, or of all classes together.
struct measured_jobs {
  const class_record& sums;
  const time_series* in_order;  ///< null: intervals come from several replications
  std::vector<window_part_of_class> parts;
};

/// Adds the metrics that are computed from sums over jobs, of all classes together and of each, and the balance of each
/// class.
class class_measurements final : public instrument {
 public:
  explicit class_measurements(const observed_replication& replication) : replication_(replication) {
    for (const metric_entry& metric : metric_catalogue())
      if (metric.of_jobs && metric.measured.holds(point_)) metrics_.push_back(&metric);
  }

  void add_to(replication_result& result) override {
    std::vector<class_id> ids(point_.classes.size());  // class ids in the order of the scenario
    for (const class_id id : replication_.classes()) ids[replication_.order[static_cast<std::size_t>(id)]] = id;
    for (std::size_t at = 0; at < ids.size(); ++at)
      result.balances.push_back({point_.classes[at].name, jobs_.classes()[ids[at]].left(), jobs_.present(ids[at])});
    const class_record sums = jobs_.sum();
    const measured_jobs all = jobs_of(std::nullopt, sums);
    add_rows("all", all, result.marks(), result);
    const auto p99 = static_cast<double>(jobs_.levels().quantile(0.99, jobs_.window_end()));
    result.add("all", "jobs_in_system_p99", p99, all.sums.completed);
    for (std::size_t at = 0; at < ids.size(); ++at) {
      const class_balance& balance = result.balances[at];
      add_rows(balance.class_name, jobs_of(ids[at], jobs_.classes()[ids[at]]), balance.marks(), result);
      if (balance.many_left_behind())
        result.notes.push_back(
            {"more than a tenth of the jobs are still in the system at the end; the response times are those of the "
             "jobs that have completed, and too low",
             balance.class_name});
    }
  }

 private:
  /// @param id none: all classes together
  measured_jobs jobs_of(std::optional<class_id> id, const class_record& sums) const {
    measured_jobs measured{sums, nullptr, {}};
    if (const auto* batches = replication_.batches) measured.in_order = id ? &batches->of(*id) : &batches->all();
    if (const auto* parts = replication_.parts) measured.parts = id ? parts->of(*id) : parts->of_all();
    return measured;
  }

  void add_rows(const std::string& name, const measured_jobs& jobs, const cautions& marks,
                replication_result& result) const {
    const time_unit& unit = point_.unit;
    for (const metric_entry* metric : metrics_) {
      const metric_value value = metric->of_jobs({jobs.sums, replication_.window(), unit});
      measurement& added =
          result.add(name, metric->name, value.value.value_or(0.0), value.jobs, value.value.has_value());
      if (metric->of_completed) added.marks = marks;
      added.parts = values_of_parts(jobs.parts, [&](const window_part_of_class& part) {
        return metric->of_jobs({part.jobs, unit.to_units(part.length), unit}).value;
      });
      if (!jobs.in_order || !metric->in_order) continue;
      if (const auto half = overlapping_batch_means((jobs.in_order->*metric->in_order).means()))
        added.half_width = unit.to_units(*half);
    }
    if (jobs.sums.left() == 0 && !point_.arrivals.log.draws_users())
      result.notes.push_back({"no completion to estimate from", name});
  }

  const observed_replication& replication_;
  const scenario& point_ = replication_.point;
  const job_statistics& jobs_ = replication_.jobs;
  std::vector<const metric_entry*> metrics_;
};

}  // namespace

extern const instrument_entry class_measurements_instrument{instrument_order::class_rows, every_replication,
                                                            add_instrument<class_measurements>};

}  // namespace muster
