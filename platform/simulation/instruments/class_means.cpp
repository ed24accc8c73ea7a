#include <optional>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/model/job_kind.h"
#include "platform/simulation/instrument_entry.h"
#include "platform/simulation/window_parts.h"

namespace muster {

namespace {

/// Metrics of the classes' mean response times: their weighted mean (Quickswap, equation in Section 6.1) and Jain's
/// index (equation 8), which need every class. Classes of equal need are one class in the paper; here each counts for
/// itself.
class class_means final : public instrument {
 public:
  explicit class_means(const observed_replication& replication) : replication_(replication) {}

  void add_to(replication_result& result) override {
    const metrics values = over(replication_.jobs.classes());
    add("weighted_response_time", values, &metrics::weighted, result);
    add("fairness_jain", values, &metrics::index, result);
    // All jobs of a slotted class may expire, and users that are drawn may have none of a class.
    if (!values.complete && !is_slotted(point_) && !point_.arrivals.log.draws_users())
      result.notes.push_back(
          {"weighted_response_time and fairness_jain have no estimate: not every class has completions"});
  }

 private:
  struct metrics {
    double weighted = 0.0, index = 1.0;
    bool complete = true;  // every class has completions
  };

  metrics over(const table<class_id, class_record>& records) const {
    metrics values;
    double load = 0.0, weighted = 0.0;
    std::vector<double> means;
    for (const class_id id : replication_.classes()) {
      const class_spec& c = replication_.class_of(id);
      const class_record& r = records[id];
      values.complete = values.complete && r.completed > 0;
      const double mean = r.completed ? point_.unit.to_units(r.response) / static_cast<double>(r.completed) : 0.0;
      // Finite arrivals have no rate, but the shares give the same weights.
      const double rho = c.listed.empty() || c.rate > 0.0 ? c.need * (c.rate > 0.0 ? c.rate : c.share) * c.size.mean()
                                                          : c.share * c.mean_work();
      load += rho;
      weighted += rho * mean;
      means.push_back(mean);
    }
    values.weighted = weighted / load;
    values.index = jain_index(means);
    return values;
  }

  void add(const char* name, const metrics& values, double metrics::*metric, replication_result& result) const {
    measurement& added = result.add("all", name, values.*metric, replication_.jobs.counts().completed, values.complete);
    added.marks = result.marks();
    if (!replication_.parts) return;
    added.parts = values_of_parts(replication_.parts->parts(), [&](const window_part& part) {
      const metrics of_part = over(part.jobs);
      return of_part.complete ? std::optional(of_part.*metric) : std::nullopt;
    });
  }

  const observed_replication& replication_;
  const scenario& point_ = replication_.point;
};

}  // namespace

extern const instrument_entry class_means_instrument{instrument_order::class_mean_rows, every_replication,
                                                     add_instrument<class_means>};

}  // namespace muster
