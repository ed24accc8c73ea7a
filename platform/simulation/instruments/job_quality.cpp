#include <algorithm>
#include <cstdint>
#include <string>

#include "platform/metrics/replication_result.h"
#include "platform/simulation/bounded_slowdown.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Measures what jobs of logs are judged by: bounded slowdown, jobs that were killed, how far estimates are from sizes,
/// and the makespan. Each where the scenario has what it takes.
class job_quality final : public instrument {
 public:
  explicit job_quality(const observed_replication& replication)
      : replication_(replication), slowdown_(replication.point), of_class_(replication.point.classes.size()) {}

  void window_opens(ticks) override { of_class_ = table<class_id, sums>(of_class_.size()); }
  void job_completes(ticks now, const job_extension& job) override {
    if (!replication_.jobs.measures(job)) return;
    sums& of = of_class_[job.declared_class()];
    const ticks response = now - job.arrival, run = response - job.waited(now);
    ++of.jobs;
    of.killed += job.ended_early() ? 1 : 0;
    of.slowdown += slowdown_.of(response, run);
    const auto [less, more] = std::minmax(job.estimate, job.descriptor.size);
    of.error += 1.0 - number(less) / number(more);
  }
  void add_to(replication_result& result) override {
    sums all;
    for (const class_id id : replication_.classes()) {
      all.add(of_class_[id]);
      const std::string& name = replication_.class_of(id).name;
      for (const class_balance& balance : result.balances)
        if (balance.class_name == name) add_rows(name, of_class_[id], balance.marks(), result);
    }
    add_rows("all", all, result.marks(), result);
    if (replication_.measures("makespan"))
      result.add("all", "makespan", replication_.point.unit.to_units(replication_.jobs.window_end()), all.jobs);
  }

 private:
  struct sums {
    std::uint64_t jobs = 0, killed = 0;
    double slowdown = 0.0, error = 0.0;

    void add(const sums& other) {
      jobs += other.jobs;
      killed += other.killed;
      slowdown += other.slowdown;
      error += other.error;
    }
  };

  static double number(ticks t) { return static_cast<double>(t); }

  void add_rows(const std::string& name, const sums& of, const cautions& marks, replication_result& result) const {
    const auto add = [&](const char* metric, double sum) {
      if (!replication_.measures(metric)) return;
      result.add(name, metric, of.jobs > 0 ? sum / number(of.jobs) : 0.0, of.jobs, of.jobs > 0).marks = marks;
    };
    add("bounded_slowdown", of.slowdown);
    add("killed_share", number(of.killed));
    add("estimate_error", of.error);
  }

  const observed_replication& replication_;
  bounded_slowdown slowdown_;
  table<class_id, sums> of_class_;
};

bool any_quality(const observed_replication& replication) {
  for (const char* metric : {"bounded_slowdown", "killed_share", "estimate_error", "makespan"})
    if (replication.measures(metric)) return true;
  return false;
}

}  // namespace

extern const instrument_entry job_quality_instrument{instrument_order::others, any_quality,
                                                     add_instrument<job_quality>};

}  // namespace muster
