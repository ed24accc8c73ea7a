#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/cluster_process/cluster_process.h"
#include "platform/exported_fmu/library/importer_log.h"

namespace muster {

/// One cluster in an importer, as an instance of FMI 3.0 for co-simulation: its modes, and times in seconds. What is
/// wrong with a call is thrown, as discarded_call or anything else.
class exported_instance {
 public:
  enum class mode { instantiated, initialization, event, step, terminated };
  /// How a step has ended.
  struct step_end {
    double time = 0.0;
    bool early = false, event = false;
  };
  struct state;  ///< where the instance was

  /// Starts the cluster's process.
  /// @param event_mode whether the importer handles events
  /// @param early_return whether a step may end at an event
  /// @throws cluster_process_error
  exported_instance(std::string name, const importer_log& log, const cluster_start& what, bool event_mode,
                    bool early_return);
  exported_instance(const exported_instance&) = delete;
  exported_instance& operator=(const exported_instance&) = delete;
  ~exported_instance();

  importer_log& log() { return log_; }
  const std::string& name() const { return name_; }

  /// @name Modes
  /// @{
  void enter_initialization(double start, std::optional<double> stop);
  void exit_initialization();
  void enter_event_mode();
  /// Ends an iteration at an event, which changes nothing: values are those after all events of the instant.
  void update_discrete_states() const;
  void enter_step_mode();
  void terminate();
  /// Ends the simulation after a call that has failed. A state may still be set.
  void fail() { mode_ = mode::terminated; }
  /// Goes back to time 0 and to start values, in a new process.
  void reset();
  /// @}

  /// @name Values of variables
  /// @{
  /// @param whole whether the caller takes variables that are whole numbers, or all others
  double value(fmi3ValueReference reference, bool whole);
  /// Sets inputs, all or none. @param values as many as references
  void set(const std::vector<fmi3ValueReference>& references, const std::vector<double>& values, bool whole);
  /// What a reference stands for, in messages. @throws illegal_call if it stands for nothing
  const cluster_variable& variable(fmi3ValueReference reference) const;
  /// @}

  step_end do_step(double current, double step);

  /// @name Where the instance was
  /// @{
  state* take_state();
  void set_state(const state* where);
  void free_state(const state* where);
  /// @}

 private:
  void expect(mode wanted) const;
  double seconds(std::int64_t ticks) const;
  std::int64_t ticks_at_end(double current, double step) const;
  void check_step(double current, double step) const;
  std::vector<double> counts();

  std::string name_;
  importer_log log_;
  cluster_start what_;
  bool event_mode_, early_return_;
  // Shared with the states, which outlive a reset.
  std::shared_ptr<cluster_process> process_;
  std::vector<std::unique_ptr<state>> states_;
  mode mode_ = mode::instantiated;
  double start_ = 0.0;
  std::optional<double> stop_;
};

/// Carries out a function of FMI: what it throws becomes its status and a message, as no exception leaves the library.
/// A call that is not allowed leaves the instance as it was; a fault of the cluster ends its simulation.
/// @param call takes the instance, an exported_instance&
template <class Call>
fmi3Status guarded(fmi3Instance instance, const char* function, Call&& call) noexcept {
  if (instance == nullptr) return fmi3Error;
  auto& of = *static_cast<exported_instance*>(instance);
  const auto tell = [&](fmi3Status status, const fmu_log_category& category, const std::exception& e) {
    of.log().tell(status, category, of.name() + ": " + function + ": " + e.what());
    return status;
  };
  try {
    call(of);
    return fmi3OK;
  } catch (const discarded_call& e) {
    return tell(fmi3Discard, discard_category, e);
  } catch (const std::invalid_argument& e) {  // of the cluster, which refuses an input that was set
    return tell(fmi3Discard, discard_category, e);
  } catch (const illegal_call& e) {
    return tell(fmi3Error, error_category, e);
  } catch (const std::exception& e) {
    of.fail();
    return tell(fmi3Error, error_category, e);
  }
}

}  // namespace muster
