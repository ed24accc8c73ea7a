#pragma once

#include <array>
#include <memory>
#include <optional>

#include <boost/container/small_vector.hpp>

#include "muster/modules/protocol/job_allocation.h"
#include "muster/modules/protocol/protocol.h"
#include "muster/policies/utility.h"

namespace muster {

class slice_extension;

/// A job on its way through the cluster. Ignorable: a plain payload gets one from the scheduler when it arrives.
///
/// The payload's data pointer points at `descriptor`, so that a target which knows only the descriptor can decode it.
class job_extension final : public tlm::tlm_extension<job_extension>, public job {
 public:
  /// Of a slotted job, whose slices share the work of its `allocation`; kept over a reset, as that is.
  struct slotting : unit_progress {
    std::optional<utility> own;   ///< what its units are worth, where it has brought that along
    std::uint64_t last_slot = 0;  ///< in which it may be served; 0: there is none
    std::uint32_t held = 0;       ///< slices that have neither ended nor been stopped
    std::uint32_t place = 0;      ///< in the plan of the present slot
    std::uint32_t expiry = 0;     ///< number of what is deferred to its deadline, if it has one
    unsigned preemptions = 0;     ///< slots so far that have left it without a core after one with
    bool begun = false;           ///< it has had a core
    bool expired = false;         ///< it left at its deadline, incomplete
    utility_sum earned = 0;       ///< utility when it left
    /// Core time that is due to it and was not given, in ticks, between -1 and 1: what sharing cores leaves of a tick.
    double due = 0.0;
  };

  // In the order in which they are needed: what the start of a job takes, then its completion, then its arrival.
  ticks started = 0;                           ///< when it got its cores; set by the scheduler
  unsigned open_slices = 0;                    ///< slices that have not ended
  int submitter = 0;                           ///< socket index to which the response goes, or in_blocking_call
  unsigned interruptions = 0;                  ///< so far
  unsigned migrations = 0;                     ///< slices so far that had to fetch the job's state
  unsigned failures = 0;                       ///< of its servers so far, by which it lost them all
  bool failed = false;                         ///< it is leaving its servers after one
  bool borrowed = false;                       ///< made by the scheduler for a plain payload
  std::unique_ptr<job_allocation> allocation;  ///< made when a job first needs one
  ticks kept = 0;                              ///< work that no failure can undo any more, below descriptor.size
  job_descriptor descriptor;                   ///< what was submitted
  tlm::tlm_generic_payload* transaction = nullptr;
  sc_core::sc_event* blocked = nullptr;  ///< notified at completion; null: no thread waits for it in b_transport
  std::unique_ptr<slotting> slots;       ///< made when a slotted job first needs it
  ticks least_run = 0;                   ///< of a rigid job that is leaving: time for which all its slices ran
  /// The data of a job that has more to say than `descriptor`, which they begin with.
  boost::container::small_vector<std::uint64_t, 4> words;
  /// The first servers that the submitter's next job has drawn, where it knows them already: what that job will need
  /// can be fetched into the cache.
  std::array<std::uint64_t, 2> drawn_next{no_server, no_server};
  static constexpr std::uint64_t no_server = ~std::uint64_t{0};
  static constexpr int in_blocking_call = -1;  ///< submitter of a job whose thread waits, or waited, in b_transport

  /// The copy stands in no queue and nobody works on it: neighbours, `allocation` and `slots` are not copied.
  tlm::tlm_extension_base* clone() const override {
    auto* copy = new job_extension;
    copy->copy_from(*this);
    return copy;
  }
  void copy_from(const tlm::tlm_extension_base& other) override {
    const auto& from = static_cast<const job_extension&>(other);
    static_cast<job&>(*this) = from;
    ahead = behind = nullptr;
    groups = nullptr;
    group_count = 0;
    units = nullptr;
    descriptor = from.descriptor;
    started = from.started;
    open_slices = from.open_slices;
    borrowed = from.borrowed;
    submitter = from.submitter;
    blocked = from.blocked;
    transaction = from.transaction;
    interruptions = from.interruptions;
    migrations = from.migrations;
    failures = from.failures;
    words = from.words;
  }
  /// Attributes that all payloads of a pool have.
  static void begin(tlm::tlm_generic_payload& p, job_extension& own) {
    p.set_command(tlm::TLM_WRITE_COMMAND);
    put_data(p, &own.descriptor, sizeof own.descriptor);
  }
  /// Makes a payload a submission of that data; only what may differ from its latest is set.
  static void put_data(tlm::tlm_generic_payload& p, void* data, std::size_t length) {
    if (p.get_data_ptr() == data && p.get_data_length() == length) return;
    p.set_data_ptr(static_cast<unsigned char*>(data));
    p.set_data_length(static_cast<unsigned>(length));
    p.set_streaming_width(static_cast<unsigned>(length));
  }
  /// Ready for the next job. What submission and start set anyway stays as it is.
  void reset() {
    where = place::outside;
    blocked = nullptr;
    transaction = nullptr;
    if (slots) slots->expired = false;
  }
};

/// The extension that a job of the scheduler's queue belongs to.
inline job_extension& extension_of(const job& j) { return static_cast<job_extension&>(const_cast<job&>(j)); }

/// One slice of a job on its way to a server and back. Ignorable.
///
/// The payload's data pointer points at `descriptor`.
class slice_extension final : public tlm::tlm_extension<slice_extension> {
 public:
  /// What has ended a slice.
  enum class end : std::uint8_t { completed, interrupted, stopped, failed };
  /// What the transaction asks for. Interconnects may rewrite its address (14.7), and the response brings no other.
  enum class request : std::uint8_t { slice, stop, failure, repair };

  slice_descriptor descriptor;
  job_extension* holder = nullptr;  ///< the job
  group_id group{};                 ///< where it runs
  std::uint32_t server = 0;         ///< number within the group
  /// Where it must fetch its job's state: the server's place among all; `at_no_server`: nowhere.
  std::uint32_t state_from = at_no_server;
  static constexpr std::uint32_t at_no_server = ~std::uint32_t{0};
  std::uint32_t place = nowhere;  ///< where the server keeps the slice: a stop finds it at once
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  double rate = 0.0;                ///< work per tick on the job's shared work; 0: the job is rigid
  slice_extension* next = nullptr;  ///< of the same pooled job; the scheduler's own
  slice_extension* previous = nullptr;
  const slice_extension* stops = nullptr;  ///< of a write to server_register::stop: the slice that is meant
  bool stop_sent = false;                  ///< the scheduler's own
  request asks = request::slice;

  /// @name The server's answer; one that does not know the extension leaves it as it is
  /// @{
  end ended = end::completed;
  bool worked = true;  ///< its cores had become productive, and have not lost what they did
  ticks ran = 0;       ///< time for which they were productive
  /// @}

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
    state_from = from.state_from;
    rate = from.rate;
    ended = from.ended;
    worked = from.worked;
    ran = from.ran;
    place = from.place;
    asks = from.asks;
  }
  /// Attributes that all payloads of a pool have: those of a slice's dispatch.
  static void begin(tlm::tlm_generic_payload& p, slice_extension& own) {
    p.set_command(tlm::TLM_WRITE_COMMAND);
    p.set_data_ptr(reinterpret_cast<unsigned char*>(&own.descriptor));
    p.set_data_length(sizeof own.descriptor);
    p.set_streaming_width(sizeof own.descriptor);
  }
  void reset() {
    holder = nullptr;
    state_from = at_no_server;
    place = nowhere;
    rate = 0.0;
    stop_sent = false;
    stops = nullptr;
    ended = end::completed;
    worked = true;
    ran = 0;
  }
};

}  // namespace muster
