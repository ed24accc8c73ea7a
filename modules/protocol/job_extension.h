#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "muster/modules/protocol/job_report.h"
#include "muster/modules/protocol/job_times.h"
#include "muster/modules/protocol/protocol.h"
#include "muster/modules/protocol/protocol_rules.h"
#include "muster/modules/protocol/scheduled_job.h"

namespace muster {

/// A job on its way through the cluster, as an ignorable extension. The scheduler gives a plain payload one when it
/// arrives.
///
/// The payload's data pointer points at `descriptor`, so that a target which knows only the descriptor can decode it.
class job_extension final : public tlm::tlm_extension<job_extension>, public job, public job_report {
 public:
  job_descriptor descriptor;        ///< what was submitted
  ticks requested = 0;              ///< estimate that was stated, where jobs may state one; 0: none
  bool killed_at_estimate = false;  ///< whether its submitter has cut its size, as it is killed at its estimate
  std::uint32_t listed = 0;         ///< number by which its submitter's workload knows it
  tlm::tlm_generic_payload* transaction = nullptr;  ///< null: the job is in no scheduler
  scheduled_job own;                                ///< what the scheduler alone knows

  /// @name Parts made when a job first needs them, and kept for the jobs that use the extension after it
  /// @{
  std::unique_ptr<slotted_report> slots;  ///< null for jobs that are not slotted
  std::unique_ptr<job_times> times;       ///< null where no time_account is kept
  /// @}
  /// The data of a submission that is longer than `descriptor`, with which they begin.
  boost::container::small_vector<std::uint64_t, 4> words;
  /// The first servers that the submitter's next job has drawn, where they are known already, so that the scheduler can
  /// prefetch what that job will access.
  std::array<std::uint64_t, 2> drawn_next{no_server, no_server};
  static constexpr std::uint64_t no_server = ~std::uint64_t{0};

  tlm::tlm_extension_base* clone() const override {
    auto* copy = new job_extension;
    copy->copy_from(*this);
    return copy;
  }
  /// Takes over the values and the data of the other, neither its place in a queue nor what the scheduler alone knows.
  /// The copy is a job of its own, which has been taken from no scheduler.
  void copy_from(const tlm::tlm_extension_base& other) override {
    const auto& from = static_cast<const job_extension&>(other);
    static_cast<job_facts&>(*this) = from;
    static_cast<job_report&>(*this) = from;
    stolen = false;
    descriptor = from.descriptor;
    requested = from.requested;
    killed_at_estimate = from.killed_at_estimate;
    listed = from.listed;
    transaction = from.transaction;
    words = from.words;
  }
  /// Sets the attributes that all payloads of a pool have.
  static void begin(tlm::tlm_generic_payload& p, job_extension& extension) {
    p.set_command(tlm::TLM_WRITE_COMMAND);
    put_data(p, &extension.descriptor, sizeof extension.descriptor);
  }
  /// Makes a payload a submission of the given data. Attributes are set only where they change.
  static void put_data(tlm::tlm_generic_payload& p, void* data, std::size_t length) {
    if (p.get_data_ptr() == data && p.get_data_length() == length) return;
    p.set_data_ptr(static_cast<unsigned char*>(data));
    p.set_data_length(static_cast<unsigned>(length));
    p.set_streaming_width(static_cast<unsigned>(length));
  }
  /// The declared class, as it was submitted; `type` is the class by which the scheduler's view knows the job, which
  /// differs where jobs bring needs of their own.
  class_id declared_class() const { return static_cast<class_id>(descriptor.type); }
  /// Whether the job has left before its work was done: it was killed at its estimate, or by the policy.
  bool ended_early() const { return killed_at_estimate || killed; }
  /// The time in which the job has held nothing. @param now when it leaves
  ticks waited(ticks now) const { return held.counted ? now - arrival - held.total : started - arrival; }
  /// Lets `held` be counted from now on, by the caller.
  void count_holding() { held = {0, 0, 0, true}; }
  /// Resets what neither submission nor start sets for the next job.
  void reset() {
    where = place::outside;
    own.blocked = nullptr;
    transaction = nullptr;
    stolen = false;
    if (slots) slots->expired = false;
  }
};

/// The extension of a job in the scheduler's queue.
inline job_extension& extension_of(const job& j) { return static_cast<job_extension&>(const_cast<job&>(j)); }

/// The time that has passed of a slot. A slot has its end, and not its beginning.
/// @param now,slot time and length of a slot, > 0
inline ticks time_in_slot(ticks now, ticks slot) { return (now - 1) % slot + 1; }

/// Where a job writes checkpoints, in units of the work of a slice that has a duration of its own. Slices of slotted
/// jobs write none, but what they have done is safe at the end of each slot.
struct checkpoint_plan {
  ticks work = 0;   ///< work of the whole slice, which takes its duration
  ticks next = 0;   ///< work until the next checkpoint; none is written where the work ends
  ticks every = 0;  ///< work between further checkpoints; 0: the job writes none. Of a slotted job: length of a slot

  bool any_left() const { return every > 0 && next < work; }
  /// For how long the slice works until its next checkpoint. @param duration of the whole slice
  ticks time_to_next(ticks duration) const { return static_cast<ticks>((tick_sum{next} * duration + work - 1) / work); }
};

/// The values by which scheduler and server tell each other of a slice, or of another request to a server.
struct slice_values {
  /// What has ended a slice. A slice is refused, with an error response, where its cores are another scheduler's.
  enum class end : std::uint8_t { completed, interrupted, stopped, failed, refused };
  /// What the transaction asks for. It is stored because interconnects may rewrite the address (14.7).
  enum class request : std::uint8_t { slice, stop, failure, repair };

  static constexpr std::uint32_t at_no_server = ~std::uint32_t{0}, nowhere = ~std::uint32_t{0};

  slice_descriptor descriptor;
  job_extension* holder = nullptr;  ///< the job
  group_id group{};                 ///< group of the server where the slice runs
  std::uint32_t server = 0;         ///< number of that server within the group
  /// The server that the job's state is fetched from, by its place among all servers; `at_no_server`: none.
  std::uint32_t state_from = at_no_server;
  std::uint32_t place = nowhere;  ///< index of the slice at the server, so that a stop need not search for it
  double rate = 0.0;              ///< work per tick on the job's shared work; 0: the job is rigid
  ticks ran = 0;                  ///< set by the server: time for which the slice's cores were productive
  /// Set by the server: the part of a slice's own duration that is done. It is `ran` unless the server's speed has
  /// changed meanwhile.
  ticks done = 0;
  request asks = request::slice;
  std::uint32_t slices = 1;     ///< of the job on several servers, this one included
  checkpoint_plan checkpoints;  ///< has an effect where checkpoints cost the server time
  /// @name Set by the server when the slice ends; a server that does not know the extension leaves them as they are
  /// @{
  end ended = end::completed;
  bool worked = true;    ///< whether the cores had become productive and have not lost what they did
  bool writing = false;  ///< whether the slice was stopped, or failed, while it wrote a checkpoint, which is void
  /// Whether `done` is the work that a slotted job's slice, which has failed, has done in its last slot. It is so where
  /// speeds may change.
  bool done_in_slot = false;
  /// @}
};

/// One slice of a job on its way to a server and back, as an ignorable extension.
///
/// The payload's data pointer points at `descriptor`.
class slice_extension final : public tlm::tlm_extension<slice_extension>, public slice_values {
 public:
  /// @name Values that the scheduler alone uses
  /// @{
  bool stop_sent = false;
  ticks booked = 0;                 ///< when a slotted job was given the core
  slice_extension* next = nullptr;  ///< neighbour in the list of the job's slices, see job_allocation
  slice_extension* previous = nullptr;
  /// @}
  /// The data of a dispatch that are longer than `descriptor`, with which they begin: what the slice holds of the
  /// server beside cores, see slice_descriptor. Empty: cores alone.
  std::vector<std::uint64_t> words;
  const slice_extension* stops = nullptr;  ///< the slice that a write to server_register::stop means

  tlm::tlm_extension_base* clone() const override {
    auto* copy = new slice_extension;
    copy->copy_from(*this);
    return copy;
  }
  /// Takes over the values of the other, not its place in a list.
  void copy_from(const tlm::tlm_extension_base& other) override {
    static_cast<slice_values&>(*this) = static_cast<const slice_extension&>(other);
    words = static_cast<const slice_extension&>(other).words;
  }
  /// What the slice holds in each place of the server behind its cores; `words` are not empty.
  const std::uint64_t* held() const { return words.data() + sizeof descriptor / sizeof words.front(); }
  /// Makes a payload the dispatch of a slice that holds more than cores. Called when the descriptor is complete.
  /// @param in_each_place of the server, see resource_layout; cores first
  static void hold(tlm::tlm_generic_payload& p, slice_extension& own, const std::vector<std::uint64_t>& in_each_place) {
    constexpr std::size_t of_descriptor = sizeof own.descriptor / sizeof own.words.front();
    own.words.resize(of_descriptor + in_each_place.size() - 1);
    std::memcpy(own.words.data(), &own.descriptor, sizeof own.descriptor);
    std::copy(in_each_place.begin() + 1, in_each_place.end(), own.words.begin() + of_descriptor);
    job_extension::put_data(p, own.words.data(), own.words.size() * sizeof own.words.front());
  }
  /// Sets the attributes that all payloads of a pool have: those of a slice's dispatch.
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
    done_in_slot = false;
    ran = 0;
    done = 0;
    checkpoints.every = 0;
    slices = 1;
  }
};

/// The job to which a transaction belongs, as messages name it. A job has its number from its arrival at the scheduler
/// on.
inline std::optional<transaction_name::owner> job_of_transaction(const tlm::tlm_generic_payload& p) {
  if (const auto* slice = p.get_extension<slice_extension>())
    return transaction_name::owner{"job", slice->descriptor.job};
  if (const auto* job = p.get_extension<job_extension>(); job && job->transaction == &p)
    return transaction_name::owner{"job", job->id};
  return std::nullopt;
}
/// Messages name jobs wherever a program has any.
inline const bool messages_name_jobs = transaction_name::add_owners(job_of_transaction);

}  // namespace muster
