#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <unistd.h>

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
 public:
  /// @throws std::invalid_argument for what is wrong in the scenario or its settings
  explicit python_cluster(const cluster_start& what);

  /// Ends the process.
  void close();

  /// @name What does not change, and is known after close(), too
  /// @{
  const std::string& name() const { return name_; }
  const std::string& unit() const { return unit_; }
  const std::vector<cluster_variable>& variables() const { return variables_; }
  /// @}

  bool closed() const { return !process_; }
  double now();
  bool finished();

  /// @return the place among variables(). @throws std::invalid_argument with the nearest names if there is none
  std::size_t find(const std::string& variable);
  /// @return an int of Python if the variable is a whole number, else a float
  pybind11::object value(std::size_t variable);
  void set(std::size_t variable, double value);
  void set_parameter(const std::string& name, const std::string& value);

  /// @name Time goes on
  /// Signals to Python, such as that of Ctrl-C, are handled within a fraction of a second. If their handler throws, the
  /// cluster stands at an instant before the end, and can go on from there.
  /// @return whether it has ended earlier, for an event. @throws std::invalid_argument for a time before now()
  /// @{
  bool step(double duration, bool stop_at_event);
  bool run_until(double time, bool stop_at_event);
  /// Runs until the window of measurement has ended, and on by at most 1/64 of the time so far or one unit of time.
  void run();
  /// @}

  python_snapshot take_snapshot();
  void restore(const python_snapshot& snapshot);

  std::string results_csv();

 private:
  template <typename F>
  auto with_process(F f);
  std::unique_lock<std::recursive_timed_mutex> lock();
  cluster_process& process();
  double in_units(std::int64_t ticks) const { return static_cast<double>(ticks) / ticks_per_unit_; }
  std::int64_t ticks_at(double time);
  bool advance(std::int64_t until, bool stop_at_event);
  std::vector<double> whole_values();

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
