#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "muster/policies/job.h"

namespace muster {

/// A job before it is submitted.
struct job_request {
  ticks arrival = 0;  ///< time of its arrival, not before that of the job ahead
  class_id type{};
  ticks size = 1;                        ///< service duration on cores of capacity 1; at least 1
  std::vector<std::uint64_t> servers{};  ///< numbers of the servers drawn, where the class draws them
  /// @name Values of a slotted job
  /// @{
  std::optional<std::uint64_t> deadline{};  ///< the last slot in which it may be served, from 1; 0: it has none
  const utility* worth = nullptr;           ///< what its units are worth, where jobs submit that; outlives the job
  /// @}
  std::uint64_t need = 0;  ///< number of the need that a rigid job brings, see job_class::submitted; 0: its class's own
  ticks estimate = 0;      ///< what the submitter states of a rigid job's size; 0: nothing
  std::uint32_t user = job_facts::no_user;  ///< number of the user who submits it
  std::uint32_t qos = job_facts::no_qos;    ///< number of the QOS under which it is submitted
  bool killed = false;                      ///< whether `size` is cut, as the job is killed at its estimate
  std::uint32_t listed = 0;                 ///< number by which its workload knows it; see workload_feedback

  /// Whether its submission carries more than a job_descriptor.
  bool states_more() const {
    return !servers.empty() || deadline ||
           (need | estimate | (user ^ job_facts::no_user) | (qos ^ job_facts::no_qos)) != 0;
  }
};

/// Receives the completions of a workload's jobs, some of which arrive only when others have completed.
class workload_feedback {
 public:
  /// A job has completed.
  /// @param now when; no job arrives earlier that is made from here on
  /// @param listed its job_request::listed
  /// @return whether another job is now the next one. The source then calls workload::next() again. It does not submit
  ///   the job that it has got last, which the workload makes again in its turn
  virtual bool job_completes(ticks now, std::uint32_t listed) = 0;

 protected:
  ~workload_feedback() = default;
};

/// The jobs that a job source submits: from a random process, a log or a list.
class workload {
 public:
  virtual ~workload() = default;
  /// Makes the next job. @return whether there is another job; if so, `job` holds it. Where there is feedback, there
  ///   may be another one when a job has completed
  virtual bool next(job_request& job) = 0;
  /// Whether some of its jobs bring more than class and size: anything else of a job_request. Asked once, before the
  /// simulation.
  virtual bool states_more() const { return true; }
  /// When its last job is expected to arrive, to the order of magnitude; nothing: not known. Asked once, before the
  /// simulation: a source warns where the range of simulated time ends before.
  virtual std::optional<ticks> expected_end() const { return std::nullopt; }
  /// Why the times between its arrivals cannot be rescaled while the simulation runs, as a clause that may follow
  /// "cannot be changed, as"; empty: they can.
  virtual std::string_view fixes_arrivals() const { return "its jobs arrive at given times"; }
  /// Who receives the completions of its jobs, as long as the workload lives; null: none of its jobs waits for others.
  virtual workload_feedback* feedback() { return nullptr; }
};

}  // namespace muster
