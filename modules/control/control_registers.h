#pragma once

#include <cstdint>
#include <optional>

#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/control/cluster_control.h"

namespace muster {

/// Addresses of the target socket of control_registers, 8 bytes each, read and written. Server n, by its place among
/// all servers, answers at (n + 1) * stride + register. A number with a fraction is a double.
namespace control_register {
inline constexpr std::uint64_t stride = 0x100;
inline constexpr std::uint64_t arrival_rate = 0x00;  ///< of the cluster: factor of the rate of arrivals, a double
/// Cap on the power of all servers of the cluster together, in watts, a double; infinite: there is none.
inline constexpr std::uint64_t power_cap_of_all = 0x08;
inline constexpr std::uint64_t speed = 0x00;  ///< of a server: factor of its capacity, a double
/// State of service of a server. Written: in_service, draining or removed. Read: draining where a request has withdrawn
/// the server, by draining or removal, else in_service.
inline constexpr std::uint64_t service = 0x08;
inline constexpr std::uint64_t power_cap = 0x10;  ///< of a server: as that of the cluster
inline constexpr std::uint64_t in_service = 0, draining = 1, removed = 2;
}  // namespace control_register

/// Lets any TLM-2.0 initiator control a cluster, by registers at the addresses of control_register.
///
/// A write is a request to a cluster_control, which carries it out at the instant of the call, behind its delay. One
/// that is refused is a generic error. Other errors are as TLM-2.0 says. Debug transport reads.
class control_registers : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<control_registers> registers{"registers"};

  /// @param control outlives the registers
  control_registers(const sc_core::sc_module_name& name, cluster_control& control);

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& p);
  std::optional<std::uint64_t> value(std::uint64_t address) const;
  std::optional<control_request> request(std::uint64_t address, std::uint64_t value) const;

  cluster_control& control_;
};

}  // namespace muster
