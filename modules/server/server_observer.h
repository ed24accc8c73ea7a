#pragma once

#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/server/core_ledger.h"

namespace muster {

/// A slice that holds cores, as observers of its server see it. A view is valid during the call only.
struct slice_view {
  std::uint32_t bank = 0;    ///< number of the bank, as given to server::observe()
  std::uint32_t server = 0;  ///< number of the server within the bank
  std::uint64_t job = 0;
  const job_extension* holder = nullptr;     ///< the job; null: the dispatch came from outside muster
  std::uint64_t start = slice_start::first;  ///< how the slice has obtained its job's state
  core_ledger::tenure held;                  ///< since when the slice is in overhead, works, saves
  slice_extension::end why{};                ///< why it ends; set once it saves or ends
  const core_ledger* ledger = nullptr;
  core_ledger::chain cores;
  /// What the slice holds in each place of its server behind the cores, see resource_layout; null: cores alone.
  const std::uint64_t* resources = nullptr;

  /// @param visit called with the number of each core, counted through the bank
  template <class Visit>
  void for_each_core(Visit visit) const {
    ledger->for_each(cores, visit);
  }
};

/// Receives the events of the slices that hold cores of a server, or of a bank of servers.
class server_observer {
 public:
  /// A slice has got its cores. A slice without overhead works already (see held.productive).
  virtual void slice_begins(ticks now, const slice_view& slice) = 0;
  /// A slice's overhead is over and its cores work, or they work again after a checkpoint that takes time. The time of
  /// all checkpoints so far lies before held.productive.
  virtual void slice_works(ticks now, const slice_view& slice) = 0;
  /// A slice's cores save the job's state, as it has been interrupted or stopped; or they write a checkpoint, and work
  /// on afterwards.
  virtual void slice_saves(ticks now, const slice_view& slice) = 0;
  /// A slice ends. It still has its cores during the call.
  virtual void slice_ends(ticks now, const slice_view& slice) = 0;

 protected:
  ~server_observer() = default;
};

}  // namespace muster
