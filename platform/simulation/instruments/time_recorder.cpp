#include "platform/simulation/instruments/time_recorder.h"

#include <stdexcept>

#include <fmt/format.h>

#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

[[noreturn, gnu::cold, gnu::noinline]] void do_not_add_up(const job_extension& job, ticks response, ticks sum) {
  throw std::runtime_error(fmt::format(
      "job {} was in the system for {} ticks, but what its time was spent on adds up to {}", job.id, response, sum));
}

[[noreturn, gnu::cold, gnu::noinline]] void waits_do_not_add_up(const job_extension& job, ticks waited, ticks sum) {
  throw std::runtime_error(
      fmt::format("job {} held nothing for {} ticks, but its causes of waiting and the decisions about it add up to {}",
                  job.id, waited, sum));
}

/// Adds up the waits for other resources than cores, too, where there are some.
class recorder_of_resources final : public time_recorder {
 public:
  using time_recorder::time_recorder;

  void job_completes(ticks now, const job_extension& job) override {
    time_recorder::job_completes(now, job);
    const job_times& t = *job.times;
    if (jobs_.measures(job)) sums_.add_no_resource(job.declared_class(), t[time_part::no_core] - t.short_of(0));
  }
};

template <class Recorder>
void add_recorder(observed_replication& replication) {
  replication.jobs.explain(
      replication.add<Recorder>(replication.point.classes.size(), replication.simulated, replication.jobs).sums());
}

}  // namespace

void time_recorder::job_completes(ticks now, const job_extension& job) {
  const job_times& t = (only_ ? *only_ : simulated_.account_of(job)).complete(now, job);
  const ticks waiting =
      t[time_part::decision] + t[time_part::no_core] + t[time_part::fragmentation] + t[time_part::behind_others];
  const ticks sum =
      waiting + t[time_part::running] + t[time_part::overhead] + t[time_part::network] + t[time_part::failure];
  const ticks response = now - job.arrival, waited = job.waited(now);
  if (sum != response) do_not_add_up(job, response, sum);
  // The scheduler counts for how long each job holds something, apart from the parts, which slices and servers tell.
  if (waiting != waited) waits_do_not_add_up(job, waited, waiting);
  if ((!job.slots || !job.slots->expired) && jobs_.measures(job)) sums_.add(job.declared_class(), t.all(), response);
}

extern const instrument_entry time_recorder_instrument{
    instrument_order::job_times,
    [](const observed_replication& replication) { return replication.point.report.explain; },
    [](observed_replication& replication) {
      const scenario& point = replication.point;
      const bool by_resource = point.counts_tasks() && point.resources.types.size() > 1;
      if (by_resource)
        add_recorder<recorder_of_resources>(replication);
      else
        add_recorder<time_recorder>(replication);
    }};

}  // namespace muster
