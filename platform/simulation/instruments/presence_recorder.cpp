#include <algorithm>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"
#include "platform/simulation/kernel_run.h"

namespace muster {

namespace {

/// Records the number of jobs in the system at regular instants.
class presence_recorder final : public instrument, private timer_observer {
 public:
  /// @param step ticks between samples, the first at 0
  /// @param end time of the last sample, at most
  presence_recorder(const observed_replication& replication, ticks step, ticks end)
      : replication_(replication),
        time_(replication.simulated.time),
        step_(step),
        end_(end),
        timer_(time_.add_recurring(timer_rank::observation, *this, 0)) {
    time_.set(timer_, 0);
  }

  void add_to(replication_result& result) override {
    for (const sample& s : samples_)
      for (const class_id id : replication_.classes())
        result.presence.push_back(
            {replication_.point.unit.to_units(s.time), replication_.class_of(id).name, s.jobs[id]});
  }

 private:
  struct sample {
    ticks time;
    table<class_id, std::uint64_t> jobs;
  };

  void expired(ticks now, std::uint32_t) override {
    sample s{now, table<class_id, std::uint64_t>(replication_.order.size())};
    for (const class_id id : replication_.classes()) s.jobs[id] = replication_.jobs.present(id);
    samples_.push_back(std::move(s));
    if (now + step_ <= end_) time_.set(timer_, now + step_);
  }

  const observed_replication& replication_;
  timekeeper& time_;
  ticks step_, end_;
  timekeeper::recurring timer_;
  std::vector<sample> samples_;
};

}  // namespace

extern const instrument_entry presence_recorder_instrument{
    instrument_order::others, [](observed_replication& replication) {
      const record_spec& record = replication.point.record;
      if (replication.number != 0 || !record.jobs_in_system_every) return;
      const time_unit& unit = replication.point.unit;
      const ticks step = std::max<ticks>(1, unit.to_ticks(*record.jobs_in_system_every));
      const ticks end = record.until ? unit.to_ticks(*record.until) : end_of_time;
      replication.add<presence_recorder>(replication, step, end);
    }};

}  // namespace muster
