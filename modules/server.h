#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tlm_utils/passthrough_target_socket.h>
#include <systemc>
#include <tlm>

#include "modules/core_ledger.h"
#include "modules/exclusion_gate.h"
#include "modules/job_extension.h"
#include "modules/timekeeper.h"

namespace muster {

/// Time that a core spends on other things than the job's work. All zero: the papers' model.
struct server_costs {
  ticks dispatch_latency = 0;  ///< from the dispatch to the first step of the slice, at every dispatch
  ticks set_up = 0;            ///< at the start of a job

  ticks before_work() const { return dispatch_latency + set_up; }
};

/// One server, or a bank of like servers that answer at consecutive addresses (see server_register).
///
/// A call that takes effect later, by its delay argument, is carried out then.
///
/// A slice holds its cores from BEGIN_REQ on: in overhead first if there are costs, then running for the descriptor's
/// duration. END_REQ comes at once, slice_productive when an overhead ends, BEGIN_RESP when the slice ends.
/// Response status: OK; incomplete work that was stopped: OK too, the caller knows that it wrote to `stop`;
/// more cores than idle, or none, or no duration: generic error; unknown address, short data, wrong command: as TLM-2.0
/// says.
class server : public sc_core::sc_module, private timer_client {
 public:
  tlm_utils::passthrough_target_socket<server> dispatch{"dispatch"};

  /// @param count servers in the bank
  /// @param cores of each server
  server(const sc_core::sc_module_name& name, timekeeper& time, std::uint32_t count, std::uint32_t cores,
         const server_costs& costs = {});

  std::uint32_t core_count() const { return cores_.core_count(); }

  enum class core_state { idle, overhead, running };
  /// What a core does now, for whom and since when.
  struct core_view {
    core_state state;
    const job_extension* holder;  ///< null if idle, or if the dispatch came from outside muster
    ticks since;
  };
  core_view core(std::uint32_t index) const;
  /// How a core has spent the time from 0 to `now`; the three add up to it.
  core_times times(std::uint32_t index, ticks now) const;
  /// Jobs that hold cores here, each as often as it has slices.
  std::vector<const job_extension*> holders() const;

 private:
  struct slice {
    tlm::tlm_generic_payload* transaction = nullptr;
    std::uint32_t server = 0;
    core_ledger::chain cores;  ///< none yet if the transaction takes effect later
    core_ledger::tenure held;
    timekeeper::timer timer = 0;
    std::uint64_t job = 0;
    ticks duration = 0;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& p);
  void expired(ticks now, std::uint32_t cookie) override;

  std::uint32_t new_slice();
  void postpone(tlm::tlm_generic_payload& p, ticks at);
  void receive_late(std::uint32_t index);
  bool begin(tlm::tlm_generic_payload& p, ticks now);
  void end(std::uint32_t index, ticks now);
  void access_register(tlm::tlm_generic_payload& p);
  std::optional<std::uint64_t> register_value(std::uint64_t address) const;
  bool stop(std::uint32_t server, std::uint64_t job);
  std::uint64_t running_cores(std::uint32_t server) const;
  bool respond(tlm::tlm_generic_payload& p);

  timekeeper& time_;
  server_costs costs_;
  std::uint32_t count_;
  core_ledger cores_;
  std::vector<slice> slices_;
  std::vector<std::uint32_t> idle_slices_;
  exclusion_gate responses_;
};

}  // namespace muster
