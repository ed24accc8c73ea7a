#pragma once

#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/server/core_ledger.h"

namespace muster {

/// A slice that holds cores, as observers of its server see it. Valid during the call only.
struct slice_view {
  std::uint32_t bank = 0;    ///< as given to server::observe()
  std::uint32_t server = 0;  ///< within the bank
  std::uint64_t job = 0;
  const job_extension* holder = nullptr;     ///< null: the dispatch came from outside muster
  std::uint64_t start = slice_start::first;  ///< how it has obtained its job's state
  core_ledger::tenure held;                  ///< since when it is in overhead, works, saves
  slice_extension::end why{};                ///< set once it saves or ends
  const core_ledger* ledger = nullptr;
  core_ledger::chain cores;

  /// @param visit called with the number of each core, counted through the bank
  template <class Visit>
  void for_each_core(Visit visit) const {
    ledger->for_each(cores, visit);
  }
};

/// Receives what the cores of a server, or of a bank of servers, do.
class server_observer {
 public:
  /// A slice has got its cores. It works already if it has no overhead (see held.productive).
  virtual void slice_begins(ticks now, const slice_view& slice) = 0;
  /// Its overhead is over, its cores work; so again behind each checkpoint that takes time, all of which lies before
  /// held.productive then.
  virtual void slice_works(ticks now, const slice_view& slice) = 0;
  /// Interrupted or stopped, its cores save the job's state; or they write a checkpoint, and work on afterwards.
  virtual void slice_saves(ticks now, const slice_view& slice) = 0;
  /// It ends; during the call it still has its cores.
  virtual void slice_ends(ticks now, const slice_view& slice) = 0;

 protected:
  ~server_observer() = default;
};

}  // namespace muster
