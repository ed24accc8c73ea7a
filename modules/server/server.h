#pragma once

#include <memory>
#include <vector>

#include <tlm_utils/passthrough_target_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/kernel/parameter_list.h"
#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/kernel/transaction_table.h"
#include "muster/modules/protocol/direct_interface.h"
#include "muster/modules/protocol/handshake.h"
#include "muster/modules/server/server_health.h"
#include "muster/modules/server/server_registers.h"
#include "muster/modules/server/server_settings.h"
#include "muster/modules/server/slice_bank.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

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
/// When a server fails, its slices end at once and what they have done is lost; the response to a dispatch without an
/// extension is a generic error. Until it is repaired, slices that are dispatched to it end in the same way.
///
/// The scheduler and the server call each other directly where nothing is between them, see direct_interface.h.
class server : public sc_core::sc_module, public listed_module, private slice_observer, private direct_servers {
 public:
  tlm_utils::passthrough_target_socket<server> dispatch{"dispatch"};

  /// Makes the servers. Invalid settings are a SystemC error of type /muster/server.
  server(const sc_core::sc_module_name& name, timekeeper& time, const server_settings& given);

  const server_settings& settings() const { return settings_; }

  /// Shows the slices to an observer, from now on. Can be called at any time.
  /// @param observer outlives the simulation, or is replaced; null: none
  /// @param bank number by which slices are shown to it
  void observe(server_observer* observer, std::uint32_t bank) { slices_.observers().observe(observer, bank); }
  /// Shows the stages of slices to an observer. Called before the simulation.
  /// @param observer such as scheduler::times(); outlives the simulation
  void tell_stages(stage_observer& observer) { slices_.observers().tell_stages(observer); }

  /// @name Control while the simulation runs, see cluster_control
  /// @{
  /// Whether servers may leave service: server_settings::faults are set, if only to no_faults.
  bool may_be_out() const { return health_ != nullptr; }
  /// The health of the servers, where may_be_out() is true.
  server_health& health() { return *health_; }
  const server_health& health() const { return *health_; }
  /// @}

  std::uint32_t core_count() const { return slices_.cores().core_count(); }

  /// @name The present
  /// @{
  std::uint32_t servers_up() const {
    std::uint32_t up = 0;
    for (std::uint32_t n = 0; n < settings_.count; ++n) up += is_down(n) ? 0 : 1;
    return up;
  }
  /// Cores that slices hold.
  std::uint64_t cores_in_use() const {
    std::uint64_t cores = 0;
    for (std::uint32_t n = 0; n < settings_.count; ++n)
      cores += is_down(n) ? 0 : settings_.cores - slices_.cores().idle_cores(n);
    return cores;
  }
  /// @}

  enum class core_state { idle, overhead, running, down };
  /// The present state of a core, the job that holds it, and since when.
  struct core_view {
    core_state state;
    const job_extension* holder;  ///< null if idle, or if the dispatch came from outside muster
    ticks since;
  };
  core_view core(std::uint32_t index) const;
  /// How a core has spent the time from 0 to `now`. The four times and down_time() add up to `now`.
  core_times times(std::uint32_t index, ticks now) const;
  /// The time until `now` for which the core's server has been down.
  ticks down_time(std::uint32_t core, ticks now) const {
    return health_ ? health_->down_time(core / settings_.cores, now) : 0;
  }
  /// Reads of server_register::until_failed and until_repaired that wait.
  std::size_t watchers() const { return health_ ? health_->watchers() : 0; }
  /// Adds to the sum of each class the time for which cores have run its jobs until `now`, all cores together.
  void add_running_times(table<class_id, tick_sum>& sums, ticks now) const {
    slices_.held().add_running_times(sums, now);
  }
  /// What slices have moved of their jobs' input and output until `now`.
  moved_data moved(ticks now) const { return slices_.moved(now); }
  /// What is held beside cores now; null: the servers have nothing else.
  const resource_ledger* resources() const { return slices_.resources(); }
  /// What slices have held of a resource until `now`, all servers together: amount times ticks, of devices in parts.
  /// @param resource number in server_settings::resources, behind the cores
  held_integral held(std::size_t resource, ticks now) const;
  /// The jobs that hold cores here, each as often as it has slices.
  std::vector<const job_extension*> holders() const;
  /// The slices that hold cores.
  std::vector<slice_view> slices() const { return slices_.views(); }
  /// Lists the settings and counts, see list_parameters().
  void list_into(parameter_list& all) const override;

 private:
  /// The hop from the scheduler: the base protocol, and requests that take effect later.
  class hop final : private timer_observer, private target_hop<hop> {
   public:
    explicit hop(server& own) : server_(own) {}
    tlm::tlm_sync_enum receive(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return receive_request(p, phase, delay);
    }
    void respond(payload& p) { send_response(p); }

   private:
    // A request that takes effect later; its END_REQ has been sent.
    struct late_request {
      payload* transaction = nullptr;
      std::uint64_t address = 0;
    };

    friend target_hop<hop>;
    tlm::tlm_sync_enum call_back(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
      return server_.dispatch->nb_transport_bw(p, phase, delay);
    }
    sc_core::sc_time lead() const { return server_.time_.lead(); }
    tlm::tlm_sync_enum begins(payload& p, tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    void ended(payload& p) {
      foreign_.erase(p);
      p.release();
    }
    [[noreturn, gnu::cold, gnu::noinline]] void violated(const broken_rule& broken, const tlm::tlm_phase& phase,
                                                         const payload& p) const;
    bool in_progress(const slice_extension* extension, const payload& p);
    [[gnu::noinline]] void postpone(payload& p, ticks at);
    void expired(ticks now, std::uint32_t late) override;

    server& server_;
    index_pool<late_request> late_;
    transaction_table<bool> foreign_;  // transactions in progress without a slice_extension
  };

  void start_of_simulation() override;
  [[gnu::flatten]] tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
    return hop_.receive(p, phase, delay);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& p);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi&);

  /// @name Called by the scheduler directly
  /// @{
  [[gnu::flatten]] bool dispatch_directly(tlm::tlm_generic_payload& slice, std::uint32_t server) override;
  [[gnu::flatten]] void stop_directly(const slice_extension& slice, std::uint32_t server, bool keep_state) override;
  void tell_directly(slice_observer& scheduler) override { slices_.tell(scheduler); }
  /// @}
  /// @name Called by the slices and the servers' health, and sent on over the hop
  /// @{
  void slice_moves_on(tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase) override;
  [[gnu::flatten]] void slice_ended(tlm::tlm_generic_payload& p, bool told) override;
  /// @}

  bool receive(tlm::tlm_generic_payload& p, slice_extension* extension, std::uint64_t address, ticks now);
  bool begin(tlm::tlm_generic_payload& p, slice_extension* extension, std::uint64_t address, ticks now);
  bool begin(tlm::tlm_generic_payload& p, slice_extension* extension, std::uint32_t server,
             const slice_descriptor& work, ticks now);
  bool is_dispatch_length(std::size_t bytes) const;
  bool is_down(std::uint32_t n) const { return health_ && health_->is_down(n); }

  timekeeper& time_;
  const server_settings settings_;
  slice_bank slices_;
  std::unique_ptr<server_health> health_;  // null: its servers never fail
  server_registers registers_;
  hop hop_;
};

}  // namespace muster
