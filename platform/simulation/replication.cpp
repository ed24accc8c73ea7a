#include "platform/simulation/replication.h"

#include <algorithm>
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
#include "platform/model/scenario_workload.h"
#include "platform/simulation/cluster.h"
#include "platform/simulation/control_recorder.h"
#include "platform/simulation/core_recorder.h"
#include "platform/simulation/kernel_run.h"
#include "platform/simulation/measurements.h"
#include "platform/simulation/overload_guard.h"
#include "platform/simulation/time_bins.h"
#include "platform/simulation/time_observer.h"
#include "platform/simulation/wait_recorder.h"
#include "platform/simulation/window_parts.h"
#include "platform/trace/recording.h"

namespace muster {

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// One run: the cluster, everything that observes it, and the result.
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
        controls_(wanted == purpose::measurement && what.records_parts() && what.run.control_variates &&
                          window_parts::possible(what.run) && control_recorder::possible(what)
                      ? std::make_unique<control_recorder>(what, jobs_)
                      : nullptr),
        warm_up_(wanted == purpose::warm_up ? std::make_unique<warm_up_finder>(jobs_) : nullptr),
        waits_(watch.pictures && wanted == purpose::measurement && replication == 0
                   ? std::make_unique<wait_recorder>(what, behind_waits())
                   : nullptr),
        recording_(watch.traces.empty() ? nullptr : std::make_unique<recording>(what, watch.traces, behind_traces())),
        times_(what.report.explain ? std::make_unique<time_observer>(order_.size(), behind_times()) : nullptr),
        cluster_("cluster", what, replication, *workload_, job_watcher(), watch.check_protocol),
        phases_(cluster_.central.phases()),
        cores_before_(order_.size()) {
    observe();
    jobs_.open_after(what.run.unmeasured(), [this] { open(); });
    if (wanted == purpose::measurement && what.run.batch_means && what.run.precision)
      most_jobs_ *= what.run.precision->most_replications;
    overload_.emplace(what.run, most_jobs_, what.arrivals.finite(), jobs_, cluster_);
    if (wanted == purpose::measurement && what.records_parts() && window_parts::possible(what.run))
      parts_.emplace(jobs_, times_ ? &times_->sums() : nullptr);
    jobs_.close_after(parts_ ? parts_->next_end(what.run) : what.run.jobs, [this] { return look(); });
    if (replication == 0 && what.record.jobs_in_system_every) {
      const ticks step = std::max<ticks>(1, what.unit.to_ticks(*what.record.jobs_in_system_every));
      const ticks end = what.record.until ? what.unit.to_ticks(*what.record.until) : end_of_time;
      presence_.emplace(cluster_.time, jobs_, step, end);
    }
    if (watch.pictures && wanted == purpose::measurement) add_pictures();
  }

  replication_result run() {
    const double began = processor_seconds();
    simulate(cluster_);
    end_ = cluster_.time.now();
    if (overload_->reason() && nothing_is_measured()) throw std::runtime_error(overload_->fault());
    if (jobs_.completed() < what_.run.jobs && !overload_->reason())
      throw std::runtime_error(fmt::format(
          "no pending events at {}, after {} of {} jobs: {} wait and none is in service", to_sc_time(end_).to_string(),
          jobs_.completed(), what_.run.jobs, cluster_.central.jobs_arrived() - cluster_.central.jobs_completed()));
    if (!closed_) close();
    if (recording_) recording_->finish(end_, cluster_.central.view(), cluster_.slices());
    cluster_.audit(end_);
    check_littles_law();
    result_.seconds = processor_seconds() - began;
    result_.events = cluster_.time.expirations();
    if (controls_ && !overload_->reason()) result_.controls = controls_->found();
    return std::move(result_);
  }

  /// After run().
  found_warm_up warm_up() const { return found_; }

 private:
  job_observer& behind_traces() {
    if (waits_) return *waits_;
    return behind_waits();
  }
  job_observer& behind_waits() {
    if (warm_up_) return *warm_up_;
    if (batches_) return *batches_;
    if (controls_) return *controls_;
    return jobs_;
  }
  job_observer& behind_times() {
    if (recording_) return *recording_;
    return behind_traces();
  }
  job_observer& job_watcher() {
    if (times_) return *times_;
    return behind_times();
  }

  void observe() {
    server_observer* cores = recording_ ? recording_->cores() : nullptr;
    if (times_) times_->connect(*cluster_.central.times());
    if (recording_)
      cluster_.observe(recording_->phases(phases_), cores, recording_->edges());
    else
      cluster_.observe(phases_, cores);
  }

  void add_pictures() {
    pictures_ = true;
    if (replication_ != 0) return;
    bins_.emplace(what_, jobs_, cluster_);
    cores_.emplace(what_, cluster_, recording_ ? recording_->cores() : nullptr);
    waits_->connect(cluster_);
    if (what_.run.unmeasured() == 0) open_pictures(0);
  }

  void open_pictures(ticks now) {
    if (bins_) bins_->open(now);
    if (cores_) cores_->open(now);
    if (waits_) waits_->open();
  }

  replication_pictures pictures() {
    replication_pictures all;
    all.responses.resize(order_.size());
    for (const class_id id : id_range<class_id>{order_.size()}) {
      const std::size_t at = order_[static_cast<std::size_t>(id)];
      all.responses[at] = {what_.classes[at].name, jobs_.classes()[id].responses.sketch().in_buckets_of<4>()};
    }
    if (bins_) all.bins = bins_->bins(end_);
    if (cores_) all.cores = cores_->recorded(end_);
    if (waits_) all.waits = waits_->longest(end_);
    return all;
  }

  template <class Ticks>
  double to_units(Ticks t) const {
    return what_.unit.to_units(t);
  }

  // The window begins with the simulation until the warm-up has ended.
  bool nothing_is_measured() const { return jobs_.completed() == 0 || end_ == jobs_.window_begin(); }

  void mark_overloaded() {
    for (measurement& m : result_.measurements) m.marks.add(caution::overloaded);
    const bool warm = jobs_.completed() >= what_.run.unmeasured();
    result_.notes.push_back(
        {fmt::format("overloaded: {}; the replication ended there, and estimates are of the time "
                     "until then{}",
                     *overload_->reason(), warm ? "" : ", warm-up included")});
  }

  void open() {
    const ticks now = cluster_.time.now();
    cores_before_ = core_sums::of(cluster_, what_, now);
    phases_.open(now);
    if (batches_) batches_->clear();
    if (times_) times_->sums().clear();
    open_pictures(now);
  }

  // @return the completion at which to look again; 0 if it is enough
  std::uint64_t look() {
    const std::uint64_t jobs = jobs_.completed();
    if (parts_) {
      parts_->close_part(cluster_.time.now());
      if (jobs < what_.run.jobs) return parts_->next_end(what_.run);
    }
    if (jobs < most_jobs_ && !is_narrow_enough()) return precision_spec::next_look(jobs, most_jobs_);
    close();
    cluster_.time.stop();
    return 0;
  }

  // The window of measurement ends with the present event. The simulation ends when the instant is complete: only then
  // do the accounts of the cluster add up. What happens until then is not measured.
  void close() {
    closed_ = true;
    end_ = cluster_.time.now();
    jobs_.settle(end_);
    phases_.settle(end_);
    result_.jobs = jobs_.completed();
    result_.simulated_time = to_units(end_);
    result_.in_parts = what_.records_parts();
    const bool whole = !overload_->reason();  // else the window has neither all its parts nor its length
    add_measurements({what_, replication_, jobs_, batches_.get(), phases_, cores_before_,
                      core_sums::of(cluster_, what_, end_), presence_ ? &*presence_ : nullptr,
                      times_ ? &times_->sums() : nullptr, parts_ && whole ? &*parts_ : nullptr, end_},
                     result_);
    if (!whole) mark_overloaded();
    if (pictures_) result_.pictures = pictures();
    if (warm_up_) found_ = warm_up_->found();
  }

  bool is_narrow_enough() const {
    const auto& targets = what_.run.precision->targets;
    return std::all_of(targets.begin(), targets.end(), [this](const precision_target& t) { return reaches(t); });
  }

  bool reaches(const precision_target& wanted) const {
    const metric_entry& metric = *find_metric(wanted.metric);
    class_record found = wanted.class_name == "all" ? jobs_.sum() : class_record{};
    const time_series* in_order = &batches_->all();
    for (const class_id id : id_range<class_id>{order_.size()}) {
      if (what_.classes[order_[static_cast<std::size_t>(id)]].name != wanted.class_name) continue;
      in_order = &batches_->of(id);
      found = jobs_.classes()[id];
    }
    const auto half = overlapping_batch_means((in_order->*metric.in_order).means());
    const auto mean = metric.of_jobs({found, to_units(cluster_.time.now() - jobs_.window_begin()), what_.unit}).value;
    return half && mean && to_units(*half) <= wanted.half_width * *mean;
  }

  // The integral of the jobs present is the sum of the times that jobs were present: found on two ways that share
  // nothing, the counting of arrivals and completions, and the jobs themselves with those that are still here.
  void check_littles_law() {
    jobs_.settle(end_);
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

  const scenario& what_;
  std::vector<std::size_t> order_;
  job_statistics jobs_;
  std::uint32_t replication_;
  std::unique_ptr<workload> workload_;
  std::unique_ptr<batch_observer> batches_;  // where intervals come from them
  std::unique_ptr<control_recorder> controls_;
  std::unique_ptr<warm_up_finder> warm_up_;  // in a pilot
  std::unique_ptr<wait_recorder> waits_;     // of a first replication with pictures
  std::unique_ptr<recording> recording_;
  std::unique_ptr<time_observer> times_;  // where jobs' times are explained
  cluster cluster_;
  phase_statistics phases_;
  std::optional<window_parts> parts_;  // where they are recorded
  std::optional<presence_recorder> presence_;
  bool pictures_ = false;
  std::optional<time_bins> bins_;       // of a first replication with pictures
  std::optional<core_recorder> cores_;  // likewise
  core_sums cores_before_;
  ticks end_ = 0;
  bool closed_ = false;  // the window of measurement has ended
  replication_result result_;
  found_warm_up found_;  // in a pilot
  std::optional<overload_guard> overload_;
  std::uint64_t most_jobs_ = what_.run.jobs;  // more than those: as far as a precision needs them
};

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
