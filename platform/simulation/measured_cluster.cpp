#include "platform/simulation/measured_cluster.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "platform/metrics/sample.h"
#include "platform/model/synthetic_workload.h"
#include "platform/simulation/instruments/batch_sequences.h"
#include "platform/simulation/job_statistics.h"

namespace muster {

namespace {

/// Statistics of a list or log of which the first and the last jobs to arrive are simulated, but not measured. The
/// window opens with the first arrival that is measured, and closes as that of all jobs does.
class listed_statistics final : public job_statistics {
 public:
  /// @param jobs of the list @param at_end the last ones, which are not measured
  listed_statistics(std::size_t classes, std::uint64_t jobs, std::uint64_t at_end)
      : job_statistics(classes), measured_until_(jobs - at_end) {}

  /// Opens the window with the arrival behind so many.
  void open_after(std::uint64_t jobs, std::function<void()> opens) override {
    measure_only(jobs, measured_until_ - jobs);
    first_arrival_ = jobs + 1;
    call_at_opening(std::move(opens));
  }
  void job_arrives(ticks now, const job_extension& job) override {
    job_statistics::job_arrives(now, job);
    if (first_arrival_ > 1 && arrived() == first_arrival_) open(now);
  }
  void job_completes(ticks now, const job_extension& job) override {
    if (measures(job))
      job_statistics::job_completes(now, job);
    else
      count_unmeasured(now, job);
  }

 private:
  std::uint64_t measured_until_;
  std::uint64_t first_arrival_ = 0;  // number of the first arrival that is measured, from 1
};

/// Puts rows and notes about all classes together before those about each class, as in the scenario, and these before
/// those about phases.
void group_by_class(const scenario& point, replication_result& result) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (const class_spec& c : point.classes) places.emplace(c.name, places.size() + 1);
  const auto place = [&](const std::string& name) -> std::size_t {
    if (name.empty() || name == "all") return 0;
    const auto found = places.find(name);
    return found == places.end() ? places.size() + 1 : found->second;
  };
  const auto before = [&](const auto& a, const auto& b) { return place(a.class_name) < place(b.class_name); };
  std::stable_sort(result.measurements.begin(), result.measurements.end(), before);
  std::stable_sort(result.notes.begin(), result.notes.end(), before);
}

/// Checks that the integral of the number of jobs present is the sum of the times for which jobs were present. The two
/// are independent: one is from counts of arrivals and completions, the other from the jobs, present ones included.
/// @param now end of the simulation
/// @throws std::runtime_error that names a class for which they differ
void check_littles_law(const cluster_hardware& simulated, job_statistics& jobs, const time_unit& unit, ticks now) {
  jobs.settle(now);
  table<class_id, tick_sum> times(jobs.classes().size());
  simulated.for_each_job(
      [&](const job_extension& j) { times[j.declared_class()] += now - std::max(j.arrival, jobs.window_begin()); });
  for (const class_id id : id_range<class_id>{times.size()}) {
    const class_record& r = jobs.classes()[id];
    if (times[id] + r.time_inside != r.presence)
      throw std::runtime_error(
          fmt::format("class '{}' violates Little's law: the jobs' times add up to {} {}, the "
                      "number of jobs over time to {}",
                      simulated.central.settings().classes[id].name, unit.to_units(times[id] + r.time_inside),
                      unit.name, unit.to_units(r.presence)));
  }
}

std::unique_ptr<job_statistics> make_statistics(const scenario& point) {
  const run_spec& run = point.run;
  if (point.arrivals.jobs && run.unmeasured() + run.unmeasured_at_end() > 0)
    return std::make_unique<listed_statistics>(point.classes.size(), run.jobs, run.unmeasured_at_end());
  return std::make_unique<job_statistics>(point.classes.size());
}

}  // namespace

measured_cluster::measured_cluster(const scenario& point, std::uint32_t replication, const watching& watch,
                                   std::function<void()> end, const hardware_options& options)
    : point_(point),
      end_run_(std::move(end)),
      workload_(make_workload(point, replication)),
      hardware_(point, replication, *workload_, events_, options),
      statistics_(make_statistics(point)),
      jobs_(*statistics_),
      seen_{point, replication, watch, hardware_, events_, jobs_} {}

void measured_cluster::add_instruments() {
  for (const instrument_entry* entry : instrument_catalogue())
    if (entry->wanted(seen_)) entry->add_to(seen_);
  if (seen_.batches && point_.run.precision) most_jobs_ *= point_.run.precision->most_replications;
  if (window_parts::wanted(point_)) seen_.parts = &parts_.emplace(jobs_);
}

void measured_cluster::complete() {
  const ticks end = hardware_.time.now();
  if (overload_->reason() && nothing_is_measured(end)) throw std::runtime_error(overload_->fault());
  if (jobs_.completed() < point_.run.jobs && !overload_->reason())
    throw std::runtime_error(fmt::format("no pending events at {}, after {} of {} jobs: {} wait and none is in service",
                                         to_sc_time(end).to_string(), jobs_.completed(), point_.run.jobs,
                                         hardware_.jobs_arrived() - hardware_.jobs_completed()));
  if (!closed_) close();
  for (const auto& one : events_.instruments().all)
    one->simulation_ends(end, hardware_.central.view(), hardware_.slices());
  hardware_.audit(end);
  if (hardware_.is_closed()) check_littles_law(hardware_, jobs_, point_.unit, end);
  events_.disconnect();
  result_.events = hardware_.time.expirations();
  if (fmus_)
    for (std::string& sentence : fmus_->said()) result_.notes.push_back({std::move(sentence)});
}

bool measured_cluster::end_run() {
  if (std::exchange(ended_, true)) return false;
  end_run_();
  return true;
}

void measured_cluster::begin() {
  if (!point_.fmus.empty()) fmus_.emplace(point_, hardware_);
  jobs_.open_after(point_.run.unmeasured(), [this] { open(); });
  overload_.emplace(point_.run, most_jobs_, point_.arrivals.finite(), jobs_, hardware_, [this] { return end_run(); });
  jobs_.close_after(parts_ ? parts_->next_end(point_.run) : point_.run.jobs, [this] { return look(); });
  events_.add(std::move(statistics_));
  events_.connect(hardware_);
  if (point_.run.unmeasured() == 0) open();
}

// The window begins with the simulation until the warm-up has ended.
bool measured_cluster::nothing_is_measured(ticks end) const {
  return jobs_.completed() == 0 || end == jobs_.window_begin();
}

// Marks all measurements: the window has neither all its parts nor its length.
void measured_cluster::mark_overloaded() {
  for (measurement& m : result_.measurements) {
    m.marks.add(caution::overloaded);
    m.parts.clear();
  }
  result_.controls.clear();
  const bool warm = jobs_.completed() >= point_.run.unmeasured();
  result_.notes.push_back(
      {fmt::format("overloaded: {}; the replication ended there, and estimates are of the time "
                   "until then{}",
                   *overload_->reason(), warm ? "" : ", warm-up included")});
}

void measured_cluster::open() {
  for (const auto& one : events_.instruments().all) one->window_opens(hardware_.time.now());
}

// @return the completion at which to look again; 0 if it is enough
std::uint64_t measured_cluster::look() {
  const std::uint64_t jobs = jobs_.completed();
  if (parts_) {
    parts_->close_part(hardware_.time.now());
    if (jobs < point_.run.jobs) return parts_->next_end(point_.run);
  }
  if (jobs < most_jobs_ && !is_narrow_enough()) return precision_spec::next_look(jobs, most_jobs_);
  close();
  end_run();
  return 0;
}

// The window of measurement ends with the present event. The simulation ends when the instant is complete: only then
// do the accounts of the cluster add up. Events until then are not measured.
void measured_cluster::close() {
  closed_ = true;
  result_.jobs = jobs_.completed();
  const ticks now = hardware_.time.now();
  result_.simulated_time = point_.unit.to_units(now);
  result_.in_parts = point_.records_parts();
  for (const auto& one : events_.instruments().all) one->window_closes(now);
  for (const auto& one : events_.instruments().all) one->add_to(result_);
  group_by_class(point_, result_);
  if (overload_->reason()) mark_overloaded();
}

bool measured_cluster::is_narrow_enough() const {
  const auto& targets = point_.run.precision->targets;
  return std::all_of(targets.begin(), targets.end(), [this](const precision_target& t) { return reaches(t); });
}

bool measured_cluster::reaches(const precision_target& target) const {
  const metric_entry& metric = *find_metric(target.metric);
  class_record record = target.class_name == "all" ? jobs_.sum() : class_record{};
  const time_series* in_order = &seen_.batches->all();
  for (const class_id id : seen_.classes()) {
    if (seen_.class_of(id).name != target.class_name) continue;
    in_order = &seen_.batches->of(id);
    record = jobs_.classes()[id];
  }
  const time_unit& unit = point_.unit;
  const auto half = overlapping_batch_means((in_order->*metric.in_order).means());
  const double window = unit.to_units(hardware_.time.now() - jobs_.window_begin());
  const auto mean = metric.of_jobs({record, window, unit}).value;
  return half && mean && unit.to_units(*half) <= target.half_width * *mean;
}

}  // namespace muster
