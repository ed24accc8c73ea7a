#pragma once

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include "platform/cluster_process/cluster_process.h"

namespace muster {

/// Where a cluster was, as Python holds it.
struct python_snapshot {
  cluster_process::snapshot where;
  double now;  ///< in the scenario's unit of time
};

/// A cluster as Python drives it: time in the scenario's unit of time, variables by name. Any thread may use it. While
/// one waits for the cluster's process, other threads of Python run, and those that use the same cluster wait until its
/// call ends. Signals to Python are handled meanwhile: a handler that throws ends the wait.
///
/// Functions throw what those of cluster_process throw, and std::invalid_argument after close().
class python_cluster {
  // Calls f with the process, without the interpreter's lock. It is given up before the cluster's is waited for, and
  // got back when the cluster's is free again, so that no thread waits for the one while it holds the other.
  template <typename F>
  auto with_process(F f) {
    const pybind11::gil_scoped_release other_threads_run;
    const auto own = lock();
    return f(process());
  }

 public:
  /// @throws std::invalid_argument for what is wrong in the scenario or its settings
  explicit python_cluster(const cluster_start& what) {
    const pybind11::gil_scoped_release other_threads_run;
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

  /// Ends the process.
  void close() {
    const pybind11::gil_scoped_release other_threads_run;
    const auto own = lock();
    process_.reset();
  }

  /// @name What does not change, and is known after close(), too
  /// @{
  const std::string& name() const { return name_; }
  const std::string& unit() const { return unit_; }
  const std::vector<cluster_variable>& variables() const { return variables_; }
  /// @}

  bool closed() const { return !process_; }
  double now() {
    return with_process([&](cluster_process& p) { return in_units(p.now()); });
  }
  bool finished() {
    return with_process([](cluster_process& p) { return p.finished(); });
  }

  /// @return the place among variables(). @throws std::invalid_argument with the nearest names if there is none
  std::size_t find(const std::string& variable) {
    return with_process([&](cluster_process& p) { return p.find(variable); });
  }
  /// @return an int of Python if the variable is a whole number, else a float
  pybind11::object value(std::size_t variable) {
    const bool whole = variables_[variable].whole;
    const double value = with_process([&](cluster_process& p) {
      const double value_now = p.value(variable);
      if (whole && std::find(whole_read_.begin(), whole_read_.end(), variable) == whole_read_.end())
        whole_read_.push_back(variable);
      return value_now;
    });
    if (whole) return pybind11::int_(std::llround(value));
    return pybind11::float_(value);
  }
  void set(std::size_t variable, double value) {
    with_process([&](cluster_process& p) { p.set(variable, value); });
  }
  void set_parameter(const std::string& name, const std::string& value) {
    with_process([&](cluster_process& p) { p.set_parameter(name, value); });
  }

  /// @name Time goes on
  /// Signals to Python, such as that of Ctrl-C, are handled within a fraction of a second. If their handler throws, the
  /// cluster stands at an instant before the end, and can go on from there.
  /// @return whether it has ended earlier, for an event. @throws std::invalid_argument for a time before now()
  /// @{
  bool step(double duration, bool stop_at_event) {
    return with_process([&](cluster_process& p) {
      const double ticks = duration * ticks_per_unit_;
      if (!(duration >= 0.0) || !(ticks < static_cast<double>(last_tick - p.now())))
        throw std::invalid_argument(fmt::format("expected a duration from 0 to {} {}, found {}",
                                                in_units(last_tick - p.now()), unit_, duration));
      return advance(p.now() + std::llround(ticks), stop_at_event);
    });
  }
  bool run_until(double time, bool stop_at_event) {
    return with_process([&](cluster_process&) { return advance(ticks_at(time), stop_at_event); });
  }
  /// Runs until the window of measurement has ended, and on by at most 1/64 of the time so far or one unit of time.
  void run() {
    with_process([&](cluster_process&) {
      while (!process().finished()) {
        const std::int64_t now = process().now();
        if (now == last_tick)
          throw cluster_process_error("the window of measurement has not ended in the range of time");
        const std::int64_t more = std::max(static_cast<std::int64_t>(ticks_per_unit_), now / 64);
        advance(now + std::min(more, last_tick - now), false);
      }
    });
  }
  /// @}

  python_snapshot take_snapshot() {
    return with_process([&](cluster_process& p) { return python_snapshot{p.take_snapshot(), in_units(p.now())}; });
  }
  void restore(const python_snapshot& snapshot) {
    with_process([&](cluster_process& p) { p.restore(snapshot.where); });
  }

  std::string results_csv() {
    return with_process([](cluster_process& p) { return p.results_csv(); });
  }

 private:
  static constexpr std::int64_t last_tick = std::numeric_limits<std::int64_t>::max();

  // Runs the handlers of signals that have come, if this is the thread for them.
  static void handle_signals() {
    const pybind11::gil_scoped_acquire interpreter;
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
  }

  // Waits for the cluster while another thread uses it, in pieces between which handlers of signals run. Called without
  // the interpreter's lock.
  std::unique_lock<std::recursive_timed_mutex> lock() {
    constexpr std::chrono::milliseconds piece{100};
    std::unique_lock all{mutex_, std::defer_lock};
    while (!all.try_lock_for(piece)) handle_signals();
    return all;
  }
  cluster_process& process() {
    if (!process_) throw std::invalid_argument("the cluster is closed");
    if (::getpid() != owner_)
      throw cluster_process_error("the cluster belongs to the process that made it; expected one made after the fork");
    return *process_;
  }
  double in_units(std::int64_t ticks) const { return static_cast<double>(ticks) / ticks_per_unit_; }
  // A time that is now as a double is now to the tick, too.
  std::int64_t ticks_at(double time) {
    const std::int64_t now = process().now();
    const double present = in_units(now), ticks = time * ticks_per_unit_;
    if (!(time >= present) || !(ticks < static_cast<double>(last_tick)))
      throw std::invalid_argument(
          fmt::format("expected a time from {} to {} {}, found {}", present, in_units(last_tick), unit_, time));
    return std::max<std::int64_t>(now, std::llround(ticks));
  }
  // In pieces that take some hundredths of a second: a handler of a signal runs between them. A change at the last
  // instant of a piece is not reported by the process, for which it is the end, and is seen from the values.
  bool advance(std::int64_t until, bool stop_at_event) {
    using clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds short_time{20}, long_time{80};
    if (stop_at_event && whole_read_.empty())
      throw std::invalid_argument(
          "stop_at_event: expected a whole number that has been read, such as c[\"completed\"]");
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
  std::vector<double> whole_values() {
    std::vector<double> values;
    for (const std::size_t variable : whole_read_) values.push_back(process().value(variable));
    return values;
  }

  std::recursive_timed_mutex mutex_;          // of the process; handlers of signals may use the cluster
  std::unique_ptr<cluster_process> process_;  // null: closed
  pid_t owner_ = ::getpid();                  // a fork of it shares the connection, and must not use it
  std::string name_, unit_;
  std::vector<cluster_variable> variables_;
  double ticks_per_unit_;
  std::int64_t piece_;                   // ticks that are simulated between two looks at signals
  std::vector<std::size_t> whole_read_;  // whole variables that have been read
};

}  // namespace muster
