#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <tlm_utils/passthrough_target_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/kernel/exclusion_gate.h"
#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/kernel/transaction_table.h"
#include "muster/modules/network/network.h"
#include "muster/modules/protocol/handshake.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/server/core_ledger.h"
#include "muster/modules/server/fault_clock.h"
#include "muster/modules/server/interruption_timer.h"
#include "muster/modules/server/server_observer.h"

namespace muster {

/// Time that a core spends on other things than the job's work. All zero: the papers' model. None is above
/// end_of_clock.
struct server_costs {
  ticks dispatch_latency = 0;   ///< from the dispatch to the first step of the slice, at every dispatch
  ticks set_up = 0;             ///< where a job comes that has never been interrupted
  ticks restore = 0;            ///< where a job comes that has
  ticks migration = 0;          ///< where it comes to a server that does not hold its state: before the restore
  double ticks_per_byte = 0.0;  ///< of the state, at a migration
  ticks save = 0;  ///< where a job leaves that has been interrupted or stopped, if it had become productive
  ticks sleep_after = end_of_clock;  ///< cores that have been idle for so long sleep
  ticks wake = 0;  ///< where a slice comes to cores of which one sleeps, before its other costs; a state
                   ///< that comes over a network is awaited first

  ticks before_work(const slice_descriptor& slice) const {
    if (slice.start == slice_start::first) return dispatch_latency + set_up;
    if (slice.start == slice_start::resumed) return dispatch_latency + restore;
    const double transfer = static_cast<double>(slice.state) * ticks_per_byte;
    const auto fetch = static_cast<ticks>(std::min(transfer, static_cast<double>(end_of_clock)));
    return std::min(dispatch_latency + std::min(migration + fetch, end_of_clock) + restore, end_of_clock);
  }
};

/// One server, or a bank of like servers that answer at consecutive addresses (see server_register).
///
/// A call that takes effect later, by its delay argument, is carried out then.
///
/// A slice holds its cores from BEGIN_REQ on: in overhead first if there are costs, then running for the descriptor's
/// duration, or until the job's shared work is done, the server's interruption timer expires, or it is stopped; then in
/// overhead again while it saves, if it has not been completed. The timer runs while a slice of shared work does.
/// END_REQ comes at once, slice_productive when an overhead ends, slice_saving when a save begins, BEGIN_RESP when the
/// slice ends. Response status: OK, and slice_extension::ended tells why it has ended; more cores than idle, or none,
/// no duration, one that leaves the range of the clock, or a null data pointer: generic error; unknown address, short
/// data, wrong command: as TLM-2.0 says. A call that breaks the base protocol is a SystemC error of type
/// /muster/protocol.
///
/// When a server fails, its slices end at once and what they have done is lost; those who dispatched them without an
/// extension see a generic error. Until it is repaired it does nothing, and a slice that comes ends likewise.
class server : public sc_core::sc_module, private timer_client, private pool_worker {
 public:
  tlm_utils::passthrough_target_socket<server> dispatch{"dispatch"};

  /// A bank that cannot be is a SystemC error of type /muster/server.
  /// @param count servers in the bank, at least 1
  /// @param cores of each server, at least 1; less than 2^31 in all
  /// @param interruptions the servers' timers; outlives the bank; null: they have none
  /// @param faults outlives the bank; null: its servers never fail
  server(const sc_core::sc_module_name& name, timekeeper& time, std::uint32_t count, std::uint32_t cores,
         const server_costs& costs = {}, interruption_timer* interruptions = nullptr, fault_clock* faults = nullptr);

  /// @param observer outlives the simulation
  /// @param bank number by which slices are shown to it
  void observe(server_observer& observer, std::uint32_t bank) {
    observer_ = &observer;
    bank_ = bank;
  }

  /// Makes migrating jobs' state come over a network, before the other overhead of its slice.
  /// @param over outlives the bank
  /// @param first place of its first server among all of the network
  void fetch_state(network& over, std::uint32_t first) {
    network_ = &over;
    first_ = first;
  }

  std::uint32_t core_count() const { return cores_.core_count(); }

  enum class core_state { idle, overhead, running, down };
  /// What a core does now, for whom and since when.
  struct core_view {
    core_state state;
    const job_extension* holder;  ///< null if idle, or if the dispatch came from outside muster
    ticks since;
  };
  core_view core(std::uint32_t index) const;
  /// How a core has spent the time from 0 to `now`; with down_time() the four add up to it.
  core_times times(std::uint32_t index, ticks now) const;
  /// Time until `now` for which the core's server has been down.
  ticks down_time(std::uint32_t core, ticks now) const;
  /// Reads of server_register::until_failed and until_repaired that wait.
  std::size_t watchers() const;
  /// Time for which cores have run jobs of a class until `now`, all cores together.
  tick_sum running_time(class_id type, ticks now) const;
  /// Jobs that hold cores here, each as often as it has slices.
  std::vector<const job_extension*> holders() const;
  /// Slices that hold cores.
  std::vector<slice_view> slices() const;

 private:
  enum class stage : std::uint8_t { late, overhead, running, saving };

  // One cache line; its transaction has the rest.
  struct alignas(64) slice {
    tlm::tlm_generic_payload* transaction = nullptr;
    core_ledger::tenure held;
    core_ledger::chain cores;
    std::uint32_t server = 0;
    timekeeper::timer timer = 0;  ///< to the end of the stage; none while it runs on shared work
    network::message state{};     ///< while it fetches: its job's state
    slice_extension::end why{};   ///< it saves
    stage at = stage::late;       ///< late: the transaction takes effect later, and has no cores yet
    bool fetches = false;         ///< in overhead, while its job's state is on its way
    std::uint64_t address = 0;    ///< late: where it came to

    /// What was dispatched.
    slice_descriptor descriptor() const {
      slice_descriptor d;
      std::memcpy(&d, transaction->get_data_ptr(), sizeof d);
      return d;
    }
    /// Null: the dispatch came from outside muster.
    slice_extension* extension() const { return transaction_pool<slice_extension>::find(*transaction); }
    /// Null likewise.
    job_extension* holder() const { return extension() ? extension()->holder : nullptr; }
    /// The job's shared work; null: the slice has its own duration.
    pooled_work* work() const {
      const slice_extension* e = extension();
      return e && e->rate > 0.0 ? e->holder->pool.get() : nullptr;
    }
  };

  struct health {
    bool down = false;
    ticks since = 0;  // it has been down
    ticks down_time = 0;
    std::uint64_t failures = 0;
    core_ledger::chain cores;  // all, while it is down
    tlm::tlm_generic_payload* watcher = nullptr;
  };
  // Marks cookies and holders that are numbers of servers, not of slices.
  static constexpr std::uint32_t of_health = std::uint32_t{1} << 31;

  void start_of_simulation() override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& p);
  void expired(ticks now, std::uint32_t cookie) override;
  void work_done(ticks now, std::uint32_t index) override;
  void time_is_up(ticks now, std::uint32_t index) override;
  void expected(std::uint32_t index, unsigned step) override;
  void work_expected(std::uint32_t index, unsigned step) override { expected(index, step); }

  std::uint32_t new_slice();
  void postpone(tlm::tlm_generic_payload& p, ticks at);
  void receive_late(std::uint32_t index);
  bool receive(tlm::tlm_generic_payload& p, slice_extension* extension, std::uint64_t address, ticks now);
  bool begin(tlm::tlm_generic_payload& p, slice_extension* extension, std::uint64_t address, ticks now);
  void prepare(std::uint32_t index, const slice_descriptor& work, ticks now);
  void stop_preparing(slice& s);
  void become_productive(std::uint32_t index, ticks now);
  void cease(std::uint32_t index);
  void save(std::uint32_t index, slice_extension::end why, ticks now);
  void end(std::uint32_t index, slice_extension::end why, ticks now);
  void announce(std::uint32_t index, tlm::tlm_phase phase);
  slice_view view(const slice& s) const;
  // Apart and unlikely, so that a server which nobody watches pays for no more than the question.
  [[gnu::cold, gnu::noinline]] void show(void (server_observer::*what)(ticks, const slice_view&), std::uint32_t index,
                                         ticks now);
  void access_register(tlm::tlm_generic_payload& p, std::uint64_t address);
  std::optional<std::uint64_t> register_value(std::uint64_t address) const;
  std::optional<std::uint32_t> find_slice(std::uint32_t server, std::uint64_t job, tlm::tlm_generic_payload& p) const;
  void arm_fault(std::uint32_t server, ticks after);
  void fault_timer_expired(ticks now, std::uint32_t server);
  void fail(std::uint32_t server, ticks now);
  void repair(std::uint32_t server, ticks now);
  void lose_slice(std::uint32_t index, ticks now);
  bool awaits_change(tlm::tlm_generic_payload& p, std::uint64_t address);
  void answer_watcher(std::uint32_t server);
  bool is_at(std::uint32_t place, const tlm::tlm_generic_payload& p) const {
    return place != slice_extension::nowhere && place < slices_.size() && slices_[place].transaction == &p;
  }
  bool is_down(std::uint32_t n) const { return faults_ && health_[n].down; }
  bool stop(std::uint32_t server, std::uint64_t job, tlm::tlm_generic_payload& p, bool keep_state);
  std::uint64_t running_cores(std::uint32_t server) const;
  bool respond(tlm::tlm_generic_payload& p);
  [[noreturn, gnu::cold]] void violated(const broken_rule& broken, const tlm::tlm_phase& phase,
                                        const tlm::tlm_generic_payload& p) const;

  timekeeper& time_;
  server_costs costs_;
  interruption_timer* interruptions_;
  fault_clock* faults_;
  std::uint32_t count_;
  core_ledger cores_;
  std::vector<slice> slices_;
  std::vector<std::uint32_t> idle_slices_;
  std::vector<health> health_;  // by server; empty: they never fail
  std::vector<tick_sum> run_;   // by class, of slices that have ended
  exclusion_gate responses_;
  transaction_table<bool> foreign_;  // transactions in progress whose payloads do not know where they are kept
  network* network_ = nullptr;
  std::uint32_t first_ = 0;  // server of the network
  server_observer* observer_ = nullptr;
  std::uint32_t bank_ = 0;  // as the observer knows it
};

}  // namespace muster
