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
  explicit presence_recorder(const observed_replication& replication)
      : replication_(replication),
        time_(replication.simulated.time),
        step_(std::max<ticks>(1, unit_.to_ticks(*replication.point.record.jobs_in_system_every))),
        end_(replication.point.record.until ? unit_.to_ticks(*replication.point.record.until) : end_of_time),
        timer_(time_.add_recurring(timer_rank::observation, *this, 0)) {
    time_.set(timer_, 0);
  }

  void add_to(replication_result& result) override {
    for (const sample& s : samples_)
      for (const class_id id : replication_.classes())
        result.presence.push_back({unit_.to_units(s.time), replication_.class_of(id).name, s.jobs[id]});
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
  const time_unit& unit_ = replication_.point.unit;
  timekeeper& time_;
  ticks step_;  // ticks between samples, the first of which is at 0
  ticks end_;   // time of the last sample, at most
  timekeeper::recurring timer_;
  std::vector<sample> samples_;
};

}  // namespace

extern const instrument_entry presence_recorder_instrument{
    instrument_order::others,
    [](const observed_replication& replication) {
      return replication.number == 0 && replication.point.record.jobs_in_system_every.has_value();
    },
    add_instrument<presence_recorder>};

}  // namespace muster
