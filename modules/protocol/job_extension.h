#pragma once

#include <array>
#include <memory>
#include <optional>

#include <boost/container/small_vector.hpp>

#include "muster/modules/protocol/job_allocation.h"
#include "muster/modules/protocol/job_times.h"
#include "muster/modules/protocol/protocol.h"
#include "muster/policies/queue_place.h"
#include "muster/policies/utility.h"

namespace muster {

class slice_extension;

/// Why a rigid job leaves its cores before it is complete: it has lost a server, or the policy takes them, with or
/// without its state being saved.
enum class leaves_for : std::uint8_t { failure, preemption, kill };

/// For how long a job has held something: from the sending of a slice, while no other one is under way, to the response
/// of the last one. All other time until it leaves it has waited.
struct holding_time {
  ticks total = 0;      ///< as of the latest response
  ticks since = 0;      ///< when the first of those under way was sent, or of the latest ones
  unsigned slices = 0;  ///< under way
  /// Otherwise the job has held its cores from its start to its response.
  bool counted = false;

  /// Whether no slice has been sent after time 0.
  bool never() const { return since == 0; }
  void slice_is_sent(ticks now) {
    if (slices++ == 0) since = now;
  }
  void response_comes(ticks now) {
    if (--slices == 0) total += now - since;
  }
};

/// What the scheduler records of a job from its arrival to its response: plain values.
struct job_values {
  // In the order in which they are needed: at the start of the job, then at its completion, then at its arrival.
  ticks started = 0;           ///< when it got its cores
  holding_time held;           ///< complete when it has its response
  unsigned open_slices = 0;    ///< slices that have not ended
  int submitter = 0;           ///< socket index to which the response goes, or in_blocking_call
  unsigned interruptions = 0;  ///< so far
  unsigned migrations = 0;     ///< slices so far that had to fetch the job's state
  unsigned failures = 0;       ///< of its servers so far, each of which took all its slices from it
  unsigned preemptions =
      0;                  ///< so far: by the policy, and of a slotted job each slot without a core after one with one
  bool failed = false;    ///< it is leaving its servers after such a failure
  bool begun = false;     ///< it has begun service, and may have left it since
  bool borrowed = false;  ///< its extension was made by the scheduler, for a plain payload
  ticks kept = 0;         ///< work that no failure can undo any more, below descriptor.size
  job_descriptor descriptor;  ///< what was submitted
  tlm::tlm_generic_payload* transaction = nullptr;
  sc_core::sc_event* blocked = nullptr;  ///< notified at completion; null: no thread waits for it in b_transport
  /// @name Of a rigid job that is leaving
  /// @{
  ticks least_run = 0;    ///< time for which all its slices ran
  ticks least_kept = 0;   ///< the same, without the instant at which one began a checkpoint that is void
  unsigned saved_at = 0;  ///< servers that have saved its state, the last ones of job_allocation::state_at
  leaves_for reason{};
  queue_place goes_back{};
  /// @}

  static constexpr int in_blocking_call = -1;  ///< submitter of a job whose thread waits, or waited, in b_transport
};

/// A job on its way through the cluster. Ignorable: the scheduler gives a plain payload one when it arrives.
///
/// The payload's data pointer points at `descriptor`, so that a target which knows only the descriptor can decode it.
class job_extension final : public tlm::tlm_extension<job_extension>, public job, public job_values {
 public:
  /// Of a slotted job, whose slices share the work of its `allocation`.
  struct slotted_progress : unit_progress {
    std::optional<utility> own;   ///< what its units are worth, where the class leaves that to its jobs
    std::uint64_t last_slot = 0;  ///< in which it may be served; 0: there is none
    std::uint32_t held = 0;       ///< slices that have neither ended nor been stopped
    std::uint32_t place = 0;      ///< in the plan of the present slot
    std::uint32_t expiry = 0;     ///< number of the event deferred to its deadline, if it has one
    bool expired = false;         ///< it left at its deadline, incomplete
    utility_sum earned = 0;       ///< utility when it left
    /// Core time that is due to it and was not given, in ticks, between -1 and 1: sharing cores may leave a part of a
    /// tick.
    double due = 0.0;
    ticks work_seen = 0;  ///< that was left at the beginning of the present slot
  };

  /// @name Made when a job first needs it, and kept for the jobs that use the extension after it
  /// @{
  std::unique_ptr<job_allocation> allocation;
  std::unique_ptr<slotted_progress> slots;
  std::unique_ptr<job_times> times;  ///< where a time_account is kept
  /// @}
  /// The data of a submission that is longer than `descriptor`, with which they begin.
  boost::container::small_vector<std::uint64_t, 4> words;
  /// The first servers that the submitter's next job has drawn, where they are known already, so that the scheduler can
  /// prefetch what that job will access. Saves 5 to 8 % of the time with 10,000 pooled servers.
  std::array<std::uint64_t, 2> drawn_next{no_server, no_server};
  static constexpr std::uint64_t no_server = ~std::uint64_t{0};

  tlm::tlm_extension_base* clone() const override {
    auto* copy = new job_extension;
    copy->copy_from(*this);
    return copy;
  }
  /// Takes over the values and the data of the other, not its place in a queue nor its slices.
  void copy_from(const tlm::tlm_extension_base& other) override {
    const auto& from = static_cast<const job_extension&>(other);
    static_cast<job_facts&>(*this) = from;
    static_cast<job_values&>(*this) = from;
    words = from.words;
  }
  /// Attributes that all payloads of a pool have.
  static void begin(tlm::tlm_generic_payload& p, job_extension& own) {
    p.set_command(tlm::TLM_WRITE_COMMAND);
    put_data(p, &own.descriptor, sizeof own.descriptor);
  }
  /// Makes a payload a submission of that data. Attributes are set only where they differ from the ones before.
  static void put_data(tlm::tlm_generic_payload& p, void* data, std::size_t length) {
    if (p.get_data_ptr() == data && p.get_data_length() == length) return;
    p.set_data_ptr(static_cast<unsigned char*>(data));
    p.set_data_length(static_cast<unsigned>(length));
    p.set_streaming_width(static_cast<unsigned>(length));
  }
  /// Time in which it has held nothing. @param now when it leaves
  ticks waited(ticks now) const { return held.counted ? now - arrival - held.total : started - arrival; }
  /// What is held is counted from now on, by who calls this.
  void count_holding() { held = {0, 0, 0, true}; }
  /// Resets what neither submission nor start sets for the next job.
  void reset() {
    where = place::outside;
    blocked = nullptr;
    transaction = nullptr;
    if (slots) slots->expired = false;
  }
};

/// The extension of a job in the scheduler's queue.
inline job_extension& extension_of(const job& j) { return static_cast<job_extension&>(const_cast<job&>(j)); }

/// Where a job writes checkpoints, in units of the work of a slice that has a duration of its own.
struct checkpoint_plan {
  ticks work = 0;   ///< of the whole slice, which takes its duration
  ticks next = 0;   ///< work until the next checkpoint; none is written where the work ends
  ticks every = 0;  ///< between further ones; 0: the job writes none

  bool any_left() const { return every > 0 && next < work; }
  /// For how long the slice works until the next one. @param duration of the whole slice
  ticks time_to_next(ticks duration) const { return static_cast<ticks>((tick_sum{next} * duration + work - 1) / work); }
};

/// What scheduler and server tell each other of a slice, or of another request to a server: plain values.
struct slice_values {
  /// What has ended a slice.
  enum class end : std::uint8_t { completed, interrupted, stopped, failed };
  /// What the transaction asks for. Interconnects may rewrite its address (14.7), and the response brings no other.
  enum class request : std::uint8_t { slice, stop, failure, repair };

  static constexpr std::uint32_t at_no_server = ~std::uint32_t{0}, nowhere = ~std::uint32_t{0};

  slice_descriptor descriptor;
  job_extension* holder = nullptr;  ///< the job
  group_id group{};                 ///< of the server where it runs
  std::uint32_t server = 0;         ///< number within the group
  /// The server that the job's state is fetched from, by its place among all; `at_no_server`: it is not fetched.
  std::uint32_t state_from = at_no_server;
  std::uint32_t place = nowhere;  ///< index of the slice at the server, so that a stop need not search for it
  double rate = 0.0;              ///< work per tick on the job's shared work; 0: the job is rigid
  ticks ran = 0;                  ///< the server's answer: time for which its cores were productive
  request asks = request::slice;
  checkpoint_plan checkpoints;  ///< of effect where they cost the server time
  /// @name The server's answer; one that does not know the extension leaves it as it is
  /// @{
  end ended = end::completed;
  bool worked = true;    ///< its cores had become productive, and have not lost what they did
  bool writing = false;  ///< it has been stopped, or has failed, while it wrote a checkpoint, which is void
  /// @}
};

/// One slice of a job on its way to a server and back. Ignorable.
///
/// The payload's data pointer points at `descriptor`.
class slice_extension final : public tlm::tlm_extension<slice_extension>, public slice_values {
 public:
  /// @name The scheduler's own
  /// @{
  bool stop_sent = false;
  ticks booked = 0;                 ///< when a slotted job was given the core
  slice_extension* next = nullptr;  ///< in the list of the same job's slices, see job_allocation
  slice_extension* previous = nullptr;
  /// @}
  const slice_extension* stops = nullptr;  ///< of a write to server_register::stop: the slice that is meant

  tlm::tlm_extension_base* clone() const override {
    auto* copy = new slice_extension;
    copy->copy_from(*this);
    return copy;
  }
  /// Takes over the values of the other, not its place in a list.
  void copy_from(const tlm::tlm_extension_base& other) override {
    static_cast<slice_values&>(*this) = static_cast<const slice_extension&>(other);
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
    writing = false;
    ran = 0;
    checkpoints.every = 0;
  }
};

}  // namespace muster
