#pragma once

#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/server/fault_clock.h"
#include "muster/modules/server/slice_bank.h"

namespace muster {

/// Failures and repairs of the servers of a bank, and which of them are withdrawn from service by request. While a
/// server is down, it holds all its cores itself. A server that drains does not: it serves what it has got.
///
/// A server is in order when its fault clock and the requests both let it be.
class server_health final : private timer_observer {
 public:
  /// The bit that marks a holder in the ledger as the number of a server, not of a slice.
  static constexpr std::uint32_t server_down = std::uint32_t{1} << 31;

  /// @param faults outlives this object
  /// @param observer receives the transactions of answered watches, with slice_ended()
  server_health(timekeeper& time, std::uint32_t servers, fault_clock& faults, slice_bank& slices,
                slice_observer& observer);

  /// Arms the timers of the first failures. Called before the simulation.
  void start();

  bool is_down(std::uint32_t server) const { return servers_[server].down; }
  ticks down_since(std::uint32_t server) const { return servers_[server].since; }
  ticks down_time(std::uint32_t server, ticks now) const;
  std::uint64_t failures(std::uint32_t server) const { return servers_[server].failures; }

  /// Withdraws a server from service, now, until restore(). A server that is withdrawn may be withdrawn again, at once.
  /// @param at_once whether its slices end now, as if it failed; else it drains
  void withdraw(std::uint32_t server, bool at_once);
  /// Restores a server to service, now, unless its fault clock keeps it out. Without effect on one that is not
  /// withdrawn.
  void restore(std::uint32_t server);
  bool is_withdrawn(std::uint32_t server) const { return servers_[server].withdrawn; }

  /// Receives a read of server_register::until_failed (or until_repaired), already answered with the number of
  /// failures.
  /// @return whether the read has to wait, as the server is not in that state
  bool watch(std::uint32_t server, bool until_failed, tlm::tlm_generic_payload& p);
  /// Reads that wait.
  std::size_t watchers() const;

 private:
  struct state {
    bool down = false;
    bool failed = false, drains = false;      // by the clock
    bool withdrawn = false, at_once = false;  // by request
    ticks since = 0;                          // when it was down last
    ticks down_time = 0;
    std::uint64_t failures = 0;
    core_ledger::chain cores;  // all cores of the server, while it is down
    tlm::tlm_generic_payload* watcher = nullptr;

    bool is_out() const { return failed || drains || withdrawn; }
  };

  void expired(ticks now, std::uint32_t server) override;
  void arm(std::uint32_t server, ticks after);
  void fail(std::uint32_t server, ticks now);
  void drain(std::uint32_t server);
  void repair(std::uint32_t server, ticks now);
  void leave(std::uint32_t server, bool was_out, bool goes_down, ticks now);
  void come_back(std::uint32_t server, ticks now);
  void answer_watcher(std::uint32_t server);

  timekeeper& time_;
  fault_clock& faults_;
  slice_bank& slices_;
  slice_observer& observer_;
  std::vector<state> servers_;
};

}  // namespace muster
