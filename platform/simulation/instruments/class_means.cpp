#include <optional>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/model/class_table.h"
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
    const metrics found = over(replication_.jobs.classes());
    add("weighted_response_time", found, &metrics::weighted, result);
    add("fairness_jain", found, &metrics::index, result);
    if (!found.complete && !is_slotted(point_))  // all jobs of a slotted class may expire
      result.notes.push_back(
          {"weighted_response_time and fairness_jain have no estimate: not every class has completions"});
  }

 private:
  struct metrics {
    double weighted = 0.0, index = 1.0;
    bool complete = true;  // every class has completions
  };

  metrics over(const table<class_id, class_record>& records) const {
    metrics found;
    double load = 0.0, weighted = 0.0;
    std::vector<double> means;
    for (const class_id id : id_range<class_id>{order_.size()}) {
      const class_spec& c = point_.classes[order_[static_cast<std::size_t>(id)]];
      const class_record& r = records[id];
      found.complete = found.complete && r.completed > 0;
      const double mean = r.completed ? point_.unit.to_units(r.response) / static_cast<double>(r.completed) : 0.0;
      // Finite arrivals have no rate, but the shares give the same weights.
      const double rho = c.need * (c.rate > 0.0 ? c.rate : c.share) * c.size.mean();
      load += rho;
      weighted += rho * mean;
      means.push_back(mean);
    }
    found.weighted = weighted / load;
    found.index = jain_index(means);
    return found;
  }

  void add(const char* name, const metrics& found, double metrics::*metric, replication_result& result) const {
    cautions marks;
    for (const class_balance& balance : result.balances) marks.add(balance.marks());
    measurement& added = result.add("all", name, found.*metric, replication_.jobs.sum().completed, found.complete);
    added.marks = marks;
    if (!replication_.parts) return;
    added.parts = values_of_parts(replication_.parts->parts(), [&](const window_part& part) {
      const metrics of_part = over(part.jobs);
      return of_part.complete ? std::optional(of_part.*metric) : std::nullopt;
    });
  }

  const observed_replication& replication_;
  const scenario& point_ = replication_.point;
  const std::vector<std::size_t> order_ = by_descending_need(point_);
};

}  // namespace

extern const instrument_entry class_means_instrument{
    instrument_order::class_mean_rows,
    [](observed_replication& replication) { replication.add<class_means>(replication); }};

}  // namespace muster
