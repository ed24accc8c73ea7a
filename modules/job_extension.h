#pragma once

#include "modules/protocol.h"

namespace muster {

/// A job on its way through the cluster. Ignorable: a plain payload gets one from the scheduler when it arrives.
///
/// The payload's data pointer points at `descriptor`, so that a target which knows only the descriptor can decode it.
class job_extension final : public tlm::tlm_extension<job_extension>, public job {
 public:
  job_descriptor descriptor;             ///< what was submitted
  ticks started = 0;                     ///< when it got its cores; set by the scheduler
  unsigned open_slices = 0;              ///< slices that have not ended
  bool borrowed = false;                 ///< made by the scheduler for a plain payload
  int submitter = 0;                     ///< socket index to which the response goes
  sc_core::sc_event* blocked = nullptr;  ///< notified at completion where a thread waits in b_transport
  tlm::tlm_generic_payload* transaction = nullptr;

  /// The copy stands in no queue: neighbours are not copied.
  tlm::tlm_extension_base* clone() const override {
    auto* copy = new job_extension;
    copy->copy_from(*this);
    return copy;
  }
  void copy_from(const tlm::tlm_extension_base& other) override {
    const auto& from = static_cast<const job_extension&>(other);
    static_cast<job&>(*this) = from;
    ahead = behind = nullptr;
    places.clear();
    descriptor = from.descriptor;
    started = from.started;
    open_slices = from.open_slices;
    borrowed = from.borrowed;
    submitter = from.submitter;
    blocked = from.blocked;
    transaction = from.transaction;
  }
  /// Ready for the next job. What submission and start set anyway stays as it is.
  void reset() {
    where = place::outside;
    blocked = nullptr;
    transaction = nullptr;
  }
};

/// The extension that a job of the scheduler's queue belongs to.
inline job_extension& extension_of(const job& j) { return static_cast<job_extension&>(const_cast<job&>(j)); }

/// One slice of a job on its way to a server and back. Ignorable.
///
/// The payload's data pointer points at `descriptor`.
class slice_extension final : public tlm::tlm_extension<slice_extension> {
 public:
  slice_descriptor descriptor;
  job_extension* holder = nullptr;  ///< the job
  group_id group{};                 ///< where it runs
  std::uint32_t server = 0;         ///< number within the group

  tlm::tlm_extension_base* clone() const override {
    auto* copy = new slice_extension;
    copy->copy_from(*this);
    return copy;
  }
  void copy_from(const tlm::tlm_extension_base& other) override {
    const auto& from = static_cast<const slice_extension&>(other);
    descriptor = from.descriptor;
    holder = from.holder;
    group = from.group;
    server = from.server;
  }
  void reset() { holder = nullptr; }
};

}  // namespace muster
