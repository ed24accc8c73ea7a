#include "platform/simulation/wait_recorder.h"

#include <algorithm>

#include "platform/model/class_table.h"

namespace muster {

namespace {

constexpr std::size_t most_waiters = 10, most_readings = 512;
constexpr std::uint64_t least_between = 16;  // completions

}  // namespace

wait_recorder::wait_recorder(const scenario& what, job_observer& measured)
    : what_(what),
      measured_(measured),
      order_(by_descending_need(what)),
      cores_(static_cast<double>(total_cores(what))),
      every_(std::max<std::uint64_t>({least_between, total_cores(what), order_.size()})),
      until_reading_(every_) {}

void wait_recorder::connect(const cluster& simulated) {
  simulated_ = &simulated;
  readings_.push_back({0, table<class_id, tick_sum>(order_.size())});
}

void wait_recorder::add(ticks now, const job_extension& job, ticks wait, bool has_left) {
  const auto longer = [](const waiter& a, const waiter& b) { return a.wait > b.wait; };
  const bool until_started = job.begun && job.started - job.arrival == wait;  // else it has waited again later
  waiter added{job.id, job.type, job.arrival, wait, until_started ? job.started : now, has_left, {}};
  waiters_.insert(std::upper_bound(waiters_.begin(), waiters_.end(), added, longer), std::move(added));
  if (waiters_.size() > most_waiters) waiters_.pop_back();
  if (waiters_.size() == most_waiters) least_ = waiters_.back().wait;
}

void wait_recorder::read(ticks now) {
  until_reading_ = every_;
  if (readings_.size() >= most_readings) {
    std::size_t kept = 0;
    for (std::size_t at = 0; at < readings_.size(); ++at)
      if (at >= most_readings / 2 || at % 2 == 0) std::swap(readings_[kept++], readings_[at]);
    readings_.resize(kept, readings_.front());
  }
  readings_.push_back({now, table<class_id, tick_sum>(order_.size())});
  for (const auto& bank : simulated_->servers()) bank->add_running_times(readings_.back().running, now);
  find_shares();
}

// All readings that there will be until the ends of the waits are there.
void wait_recorder::find_shares() {
  for (waiter& w : waiters_) {
    if (!w.running.empty()) continue;
    w.running = running_until(w.until);
    const std::vector<double> before = running_until(w.arrival);
    const double core_time = cores_ * static_cast<double>(std::max<ticks>(1, w.until - w.arrival));
    for (std::size_t n = 0; n < before.size(); ++n) w.running[n] = (w.running[n] - before[n]) / core_time;
  }
}

std::vector<double> wait_recorder::running_until(ticks time) const {
  const auto later = std::lower_bound(readings_.begin() + 1, readings_.end() - 1, time,
                                      [](const reading& r, ticks t) { return r.now < t; });
  const reading &from = *(later - 1), &to = *later;
  const double part = to.now == from.now ? 1.0
                                         : static_cast<double>(std::min(time, to.now) - from.now) /
                                               static_cast<double>(to.now - from.now);
  std::vector<double> sums;
  for (const class_id id : id_range<class_id>{order_.size()})
    sums.push_back(static_cast<double>(from.running[id]) +
                   part * static_cast<double>(to.running[id] - from.running[id]));
  return sums;
}

std::vector<long_wait> wait_recorder::longest(ticks end) {
  const auto add_waiting = [&](const job_extension& job) {
    if (const ticks wait = time_without_cores(end, job); wait > least_) add(end, job, wait, false);
  };
  const cluster_view& view = simulated_->central.view();
  for (const class_id id : view.classes())
    for (const job* j = view.first(id); j; j = j->behind) add_waiting(extension_of(*j));
  for (const job_extension* j : simulated_->central.jobs_pending_admission()) add_waiting(*j);
  read(end);
  std::vector<long_wait> all;
  for (const waiter& w : waiters_) {
    const auto in_units = [&](ticks t) { return what_.unit.to_units(t); };
    long_wait found{what_.classes[order_[static_cast<std::size_t>(w.type)]].name,
                    w.job,
                    in_units(w.arrival),
                    in_units(w.wait),
                    in_units(w.until),
                    w.has_left,
                    std::vector<double>(order_.size())};
    for (std::size_t id = 0; id < order_.size(); ++id) found.running[order_[id]] = w.running[id];
    all.push_back(std::move(found));
  }
  return all;
}

}  // namespace muster
