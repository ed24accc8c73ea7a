#pragma once

#include <cstdint>

#include <tlm>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/protocol/job_extension.h"

/// @file
/// Direct interfaces: functions that two of muster's modules call instead of transport functions, as an initiator with
/// a direct memory interface does (TLM-2.0, 11.2). The initiator of a hop asks for one with get_direct_mem_ptr before
/// time 0. It is used only where both modules run on one timekeeper and their sockets are bound to each other: a link,
/// a checker or a foreign module between them sees every transaction. Transport functions and direct ones call the same
/// code, and results are the same.

namespace muster {

/// Receives changes and ends of slices.
class slice_observer {
 public:
  /// A slice enters another stage.
  /// @param phase slice_productive: its overhead is over; slice_saving: it begins to save
  virtual void slice_moves_on(tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase) = 0;
  /// A slice has ended.
  /// @param told whether its extension says why; if not, the response is an error
  virtual void slice_ended(tlm::tlm_generic_payload& p, bool told) = 0;

 protected:
  ~slice_observer() = default;
};

/// The functions of a bank of servers that its scheduler calls directly.
class direct_servers {
 public:
  /// Dispatches a slice now.
  /// @param slice reserved in the scheduler's pool; its extension holds all values
  /// @param server number in the bank
  /// @return whether the observer will be told of the slice's end; if not, the payload has the response
  virtual bool dispatch_directly(tlm::tlm_generic_payload& slice, std::uint32_t server) = 0;
  /// Ends a slice before its time, now; of no effect if it has ended. @param server number in the bank
  /// @param keep_state whether the server saves the job's state, as with server_register::stop
  virtual void stop_directly(const slice_extension& slice, std::uint32_t server, bool keep_state) = 0;
  /// Makes the bank call this observer, instead of sending changes and ends of slices by nb_transport_bw.
  /// @param scheduler outlives the simulation
  virtual void tell_directly(slice_observer& scheduler) = 0;

 protected:
  ~direct_servers() = default;
};

/// Receives jobs that have left the cluster.
class submission_observer {
 public:
  /// The scheduler answers a job.
  virtual void job_answered(job_extension& j, tlm::tlm_response_status status) = 0;

 protected:
  ~submission_observer() = default;
};

/// The functions of a scheduler that a submitter calls directly.
class direct_submissions {
 public:
  /// Submits a job now.
  /// @param p reserved in the submitter's pool; it has the job's data where they are more than the descriptor
  /// @param j extension of `p`, with the descriptor
  /// @return TLM_OK_RESPONSE: the observer will be told of the job's end
  virtual tlm::tlm_response_status submit_directly(tlm::tlm_generic_payload& p, job_extension& j) = 0;
  /// Makes the scheduler call this observer, instead of sending responses by nb_transport_bw.
  /// @param submitter outlives the simulation
  virtual void tell_directly(submission_observer& submitter) = 0;

 protected:
  ~direct_submissions() = default;
};

/// A request for a direct interface. It comes with the payload of get_direct_mem_ptr, and is answered in place.
template <class Interface>
class direct_request final : public tlm::tlm_extension<direct_request<Interface>> {
 public:
  explicit direct_request(const timekeeper& asker) : time_(&asker) {}

  /// Answers the request, for a module that knows it.
  /// @param end the interface of the one socket of the hop that both modules know, as this module is bound to it
  void answer(Interface& offered, const timekeeper& time, const sc_core::sc_interface& end) {
    if (&time != time_) return;
    offered_ = &offered;
    end_ = &end;
  }
  /// The interface that has been offered; null if there is no direct way.
  /// @param end the interface of that socket as the asker knows it; it differs if something is between the two
  Interface* granted(const sc_core::sc_interface& end) const { return end_ == &end ? offered_ : nullptr; }

  tlm::tlm_extension_base* clone() const override { return new direct_request(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const direct_request&>(other); }

 private:
  const timekeeper* time_;
  Interface* offered_ = nullptr;
  const sc_core::sc_interface* end_ = nullptr;
};

/// Asks a target for a direct interface.
/// @param target of the hop
/// @param end as direct_request::granted() takes it
/// @return null if there is no direct way to the target
template <class Interface>
Interface* ask_for_direct(tlm::tlm_fw_transport_if<>& target, const timekeeper& time,
                          const sc_core::sc_interface& end) {
  tlm::tlm_generic_payload p;
  tlm::tlm_dmi none;
  direct_request<Interface> request(time);
  p.set_extension(&request);
  target.get_direct_mem_ptr(p, none);
  p.clear_extension(&request);
  return request.granted(end);
}

}  // namespace muster
