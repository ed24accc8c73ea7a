#pragma once

#include <cstring>
#include <optional>
#include <vector>

#include <tlm>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/network/network.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/server/core_ledger.h"
#include "muster/modules/server/server_observer.h"
#include "muster/policies/algorithms/index_pool.h"
#include "muster/policies/table.h"

namespace muster {

/// A slice that holds cores of a bank of servers, in one cache line; its transaction has its other values.
struct alignas(cache_line) held_slice {
  tlm::tlm_generic_payload* transaction = nullptr;
  slice_extension* extension = nullptr;  ///< null: the dispatch came from outside muster
  core_ledger::tenure held;
  core_ledger::chain cores;
  std::uint32_t server = 0;
  union {
    timekeeper::timer timer = 0;  ///< to the end of the stage; none while the slice runs on shared work
    network::message state;       ///< while `fetches`: the transfer of the job's state
  };
  slice_extension::end why{};              ///< while it saves: why it stopped running
  slice_stage at = slice_stage::overhead;  ///< overhead, running or saving
  bool fetches = false;                    ///< whether the slice is in overhead while its job's state is on its way
  bool on_clock = false;                   ///< whether the slice runs without a timer, as it follows a clock of work

  /// Whether the slice is in overhead as it writes a checkpoint: its cores have been productive before.
  bool writes_checkpoint() const { return at == slice_stage::overhead && held.ceased != core_ledger::tenure::never; }
  /// What was dispatched.
  slice_descriptor descriptor() const {
    slice_descriptor d;
    std::memcpy(&d, transaction->get_data_ptr(), sizeof d);
    return d;
  }
  /// What the slice holds in each place of its server behind the cores; null: cores alone.
  const std::uint64_t* held_resources() const {
    if (transaction->get_data_length() <= sizeof(slice_descriptor)) return nullptr;
    return reinterpret_cast<const std::uint64_t*>(transaction->get_data_ptr() + sizeof(slice_descriptor));
  }
  /// The job; null: the dispatch came from outside muster.
  job_extension* holder() const { return extension ? extension->holder : nullptr; }
  /// The job's shared work; null: the slice has its own duration.
  pooled_work* work() const {
    return extension && extension->rate > 0.0 ? extension->holder->own.allocation.get() : nullptr;
  }
};
static_assert(sizeof(held_slice) == cache_line);

/// The slices that hold cores of a bank of servers, by number, and for how long cores have run the jobs of each class.
class slice_table {
 public:
  /// @param cores of the bank; outlives the table
  explicit slice_table(const core_ledger& cores) : cores_(cores) {}

  /// Makes room for a slice. @return its number
  std::uint32_t add() { return slices_.take(); }
  /// Removes a slice, which has ended. @param number of the slice
  void remove(held_slice& ended, std::uint32_t number) {
    ended.transaction = nullptr;
    slices_.give_back(number);
  }
  /// The time for which the slices of a class that have ended have run, all cores together.
  tick_sum& time_run(class_id id) {
    const auto type = static_cast<std::size_t>(id);
    if (type >= run_.size()) count_time_of(type);
    return run_[type];
  }
  held_slice& operator[](std::uint32_t number) { return slices_[number]; }
  const held_slice& operator[](std::uint32_t number) const { return slices_[number]; }

  /// Whether the transaction is a slice of this table. @param place its number, as its extension says
  bool holds(std::uint32_t place, const tlm::tlm_generic_payload& p) const {
    return place != slice_extension::nowhere && slices_.has(place) && slices_[place].transaction == &p;
  }
  /// The number of a job's slice; nothing: it has none on that server.
  /// @param meant the slice that the scheduler means, so that it need not be searched; null: not known
  std::optional<std::uint32_t> find(std::uint32_t server, std::uint64_t job, const slice_extension* meant) const;
  /// Since when a slice has been at its stage.
  ticks at_stage_since(std::uint32_t number) const;
  /// Cores of a server whose slices are running.
  std::uint64_t running_cores(std::uint32_t server) const;
  /// Adds to the sum of each class the time for which cores have run its jobs until `now`, all cores together.
  void add_running_times(table<class_id, tick_sum>& sums, ticks now) const;
  /// @param visit called with each slice that holds cores
  template <class Visit>
  void for_each(Visit visit) const {
    for (const held_slice& s : slices_)
      if (s.transaction) visit(s);
  }
  /// A slice as observers see it. @param bank number by which slices are shown to them
  slice_view view(const held_slice& s, std::uint32_t bank) const;
  std::vector<slice_view> views(std::uint32_t bank) const;

 private:
  [[gnu::noinline]] void count_time_of(std::size_t type) { run_.resize(type + 1); }

  const core_ledger& cores_;
  index_pool<held_slice> slices_;
  std::vector<tick_sum> run_;  // time that the ended slices of each class have run, all cores together
};

}  // namespace muster
