#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "platform/simulation/cluster_variable.h"

namespace muster {

/// What has gone wrong in a cluster's process, or that it has died.
class cluster_process_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is wrong in a scenario or its settings, as `muster check` says it.
class refused_scenario : public cluster_process_error {
 public:
  using cluster_process_error::cluster_process_error;
};

/// What a cluster's process runs.
struct cluster_start {
  std::string program;   ///< the program `muster`: a path, or a name that is looked for in PATH
  std::string scenario;  ///< the scenario's file
  /// Dotted keys and their values, as after `--set`.
  std::vector<std::pair<std::string, std::string>> settings{};
  std::uint32_t replication = 0;       ///< keys all random streams, together with run.seed
  std::vector<std::string> plugins{};  ///< shared libraries with more policies, as after `--plugin`
};

/// A scenario's cluster in a process of its own, so that a program holds as many clusters as it likes, beside any other
/// model, and goes back to where a cluster was. Needs no SystemC.
///
/// Time is in whole ticks of the cluster since its begin, so that steps of any length add up without drift.
class cluster_process {
 public:
  /// Where a cluster was, kept by a process that waits. A cluster goes back to it as often as wanted.
  class snapshot {
   public:
    snapshot(snapshot&&) noexcept;
    snapshot& operator=(snapshot&&) noexcept;
    ~snapshot();

   private:
    friend class cluster_process;
    struct state;
    explicit snapshot(std::unique_ptr<state> s);
    std::unique_ptr<state> state_;
  };

  /// Starts the process, which reads the scenario and builds the cluster.
  /// @throws refused_scenario; cluster_process_error with what is wrong with the program
  explicit cluster_process(const cluster_start& what);
  cluster_process(cluster_process&&) noexcept;
  cluster_process& operator=(cluster_process&&) noexcept;
  ~cluster_process();

  /// @name What does not change
  /// @{
  const std::string& name() const;         ///< the scenario's
  const std::string& unit() const;         ///< its unit of time: s, min, h, ..
  std::uint64_t ticks_per_second() const;  ///< 10^9, 10^12 or 10^15
  double units_per_second() const;         ///< of the unit of time: 1 for s, 1 / 3600 for h
  const std::vector<cluster_variable>& variables() const;
  /// @return the place among variables(). @throws std::invalid_argument with the nearest names if there is none
  std::size_t find(const std::string& variable) const;
  /// @}

  /// @name The present
  /// @{
  std::int64_t now() const;  ///< ticks
  /// Whether the window of measurement has ended. The cluster serves jobs all the same.
  bool finished() const;
  /// @return the value of a variable now. What has been asked once is brought along by each later advance()
  double value(std::size_t variable);
  /// Sets an input, at the present instant, before anything else happens. What is refused leaves all as it was.
  /// @throws std::invalid_argument with what was expected
  void set(std::size_t variable, double value);
  /// Sets a parameter of the policy, as after `--set`. @throws as set() does
  void set_parameter(const std::string& name, const std::string& value);
  /// @}

  /// Runs all that happens until an instant, that instant included.
  /// @param until ticks, not before now()
  /// @param stop_at_event ends with the first instant at which a variable that is a whole number, and has been asked
  ///   for, changes
  /// @return whether it has ended before `until` for an event
  /// @throws cluster_process_error if the policy or the model has a fault
  bool advance(std::int64_t until, bool stop_at_event = false);

  /// @name Going back
  /// @{
  snapshot take_snapshot();
  /// @throws std::invalid_argument if the snapshot is another cluster's
  void restore(const snapshot& where);
  /// @}

  /// results.csv as `muster run` writes it for this replication alone. @throws cluster_process_error before finished()
  std::string results_csv();

 private:
  struct connection;
  std::unique_ptr<connection> connection_;
};

}  // namespace muster
