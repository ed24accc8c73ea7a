#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/front/device_core.h"

namespace muster {

/// A device before a scheduler, for initiators whose bus is narrow or that are models of processors: registers of 8
/// bytes that are accessed by 4 or 8 (device_register), a doorbell, completions by registers or in a ring in the
/// client's memory, and an interrupt line. modules/docs/device.md is its data sheet.
///
/// `registers` is bound to the client's bus, `memory` to the client's memory if a ring is used, `submissions` to a
/// scheduler, and `interrupt` to a signal. Blocking calls need a thread. A job is submitted at the time of the store
/// to the doorbell, with its delay.
/// @tparam BUSWIDTH bits of the client's sockets: any that TLM-2.0 knows
template <unsigned BUSWIDTH = 32>
class job_device final : public device_core {
 public:
  tlm_utils::simple_target_socket<job_device, BUSWIDTH> registers{"registers"};
  tlm_utils::simple_initiator_socket_optional<job_device, BUSWIDTH> memory{"memory"};

  explicit job_device(const sc_core::sc_module_name& name) : device_core(name) {
    registers.register_b_transport(this, &job_device::transport);
    registers.register_transport_dbg(this, &job_device::debug);
  }

 private:
  void transport(payload& p, sc_core::sc_time& delay) { access(p, delay); }
  unsigned debug(payload& p) { return look(p); }
  bool has_memory() const override { return memory.size() > 0; }
  void write_memory(payload& p, sc_core::sc_time& delay) override { memory->b_transport(p, delay); }
};

}  // namespace muster
