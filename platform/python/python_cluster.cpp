#include "platform/python/python_cluster.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace muster {

namespace py = pybind11;

namespace {

constexpr std::int64_t last_tick = std::numeric_limits<std::int64_t>::max();

// Runs the handlers of signals that have come, if this is the thread for them.
void handle_signals() {
  const py::gil_scoped_acquire interpreter;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace

python_cluster::python_cluster(const cluster_start& what) {
  const py::gil_scoped_release other_threads_run;
  try {
    process_ = std::make_unique<cluster_process>(what);
  } catch (const refused_scenario& e) {
    throw std::invalid_argument(e.what());
  }
  name_ = process_->name();
  unit_ = process_->unit();
  variables_ = process_->variables();
  ticks_per_unit_ = std::round(static_cast<double>(process_->ticks_per_second()) / process_->units_per_second());
  piece_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(ticks_per_unit_) / 1000);
}

// Waits for the cluster while another thread uses it, in pieces between which handlers of signals run. Called without
// the interpreter's lock.
std::unique_lock<std::recursive_timed_mutex> python_cluster::lock() {
  constexpr std::chrono::milliseconds piece{100};
  std::unique_lock all{mutex_, std::defer_lock};
  while (!all.try_lock_for(piece)) handle_signals();
  return all;
}

// Calls f with the process, without the interpreter's lock. It is given up before the cluster's is waited for, and got
// back when the cluster's is free again, so that no thread waits for the one while it holds the other.
template <typename F>
auto python_cluster::with_process(F f) {
  const py::gil_scoped_release other_threads_run;
  const auto own = lock();
  return f(process());
}

cluster_process& python_cluster::process() {
  if (!process_) throw std::invalid_argument("the cluster is closed");
  if (::getpid() != owner_)
    throw cluster_process_error("the cluster belongs to the process that made it; expected one made after the fork");
  return *process_;
}

void python_cluster::close() {
  const py::gil_scoped_release other_threads_run;
  const auto own = lock();
  process_.reset();
}

double python_cluster::now() {
  return with_process([&](cluster_process& p) { return in_units(p.now()); });
}

bool python_cluster::finished() {
  return with_process([](cluster_process& p) { return p.finished(); });
}

std::size_t python_cluster::find(const std::string& variable) {
  return with_process([&](cluster_process& p) { return p.find(variable); });
}

py::object python_cluster::value(std::size_t variable) {
  const bool whole = variables_[variable].whole;
  const double value = with_process([&](cluster_process& p) {
    const double value_now = p.value(variable);
    if (whole && std::find(whole_read_.begin(), whole_read_.end(), variable) == whole_read_.end())
      whole_read_.push_back(variable);
    return value_now;
  });
  if (whole) return py::int_(std::llround(value));
  return py::float_(value);
}

void python_cluster::set(std::size_t variable, double value) {
  with_process([&](cluster_process& p) { p.set(variable, value); });
}

void python_cluster::set_parameter(const std::string& name, const std::string& value) {
  with_process([&](cluster_process& p) { p.set_parameter(name, value); });
}

// A time that is now as a double is now to the tick, too.
std::int64_t python_cluster::ticks_at(double time) {
  const std::int64_t now = process().now();
  const double present = in_units(now), ticks = time * ticks_per_unit_;
  if (!(time >= present) || !(ticks < static_cast<double>(last_tick)))
    throw std::invalid_argument(
        fmt::format("expected a time from {} to {} {}, found {}", present, in_units(last_tick), unit_, time));
  return std::max<std::int64_t>(now, std::llround(ticks));
}

bool python_cluster::step(double duration, bool stop_at_event) {
  return with_process([&](cluster_process& p) {
    const double ticks = duration * ticks_per_unit_;
    if (!(duration >= 0.0) || !(ticks < static_cast<double>(last_tick - p.now())))
      throw std::invalid_argument(
          fmt::format("expected a duration from 0 to {} {}, found {}", in_units(last_tick - p.now()), unit_, duration));
    return advance(p.now() + std::llround(ticks), stop_at_event);
  });
}

bool python_cluster::run_until(double time, bool stop_at_event) {
  return with_process([&](cluster_process&) { return advance(ticks_at(time), stop_at_event); });
}

void python_cluster::run() {
  with_process([&](cluster_process&) {
    while (!process().finished()) {
      const std::int64_t now = process().now();
      if (now == last_tick) throw cluster_process_error("the window of measurement has not ended in the range of time");
      const std::int64_t more = std::max(static_cast<std::int64_t>(ticks_per_unit_), now / 64);
      advance(now + std::min(more, last_tick - now), false);
    }
  });
}

std::vector<double> python_cluster::whole_values() {
  std::vector<double> values;
  for (const std::size_t variable : whole_read_) values.push_back(process().value(variable));
  return values;
}

// In pieces that take some hundredths of a second: a handler of a signal runs between them. A change at the last
// instant of a piece is not reported by the process, for which it is the end, and is seen from the values.
bool python_cluster::advance(std::int64_t until, bool stop_at_event) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds short_time{20}, long_time{80};
  if (stop_at_event && whole_read_.empty())
    throw std::invalid_argument("stop_at_event: expected a whole number that has been read, such as c[\"completed\"]");
  const std::vector<double> before = stop_at_event ? whole_values() : std::vector<double>{};
  while (true) {
    cluster_process& p = process();
    const std::int64_t end = p.now() + std::min(piece_, std::max<std::int64_t>(0, until - p.now()));
    const auto began = clock::now();
    if (p.advance(end, stop_at_event)) return true;
    if (end >= until) return false;
    if (stop_at_event && whole_values() != before) return true;
    const auto taken = clock::now() - began;
    if (taken < short_time) piece_ = std::min(piece_, last_tick / 2) * 2;
    if (taken > long_time) piece_ = std::max<std::int64_t>(1, piece_ / 2);
    handle_signals();
  }
}

python_snapshot python_cluster::take_snapshot() {
  return with_process([&](cluster_process& p) { return python_snapshot{p.take_snapshot(), in_units(p.now())}; });
}

void python_cluster::restore(const python_snapshot& snapshot) {
  with_process([&](cluster_process& p) { p.restore(snapshot.where); });
}

std::string python_cluster::results_csv() {
  return with_process([](cluster_process& p) { return p.results_csv(); });
}

}  // namespace muster
