#include "muster/modules/control/control_registers.h"

#include <cstring>
#include <stdexcept>

#include "muster/modules/kernel/register_access.h"

namespace muster {

using namespace tlm;

namespace {

std::uint64_t bits_of(double number) {
  std::uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

double number_of(std::uint64_t bits) {
  double number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

}  // namespace

control_registers::control_registers(const sc_core::sc_module_name& name, cluster_control& control)
    : sc_module(name), control_(control) {
  registers.register_b_transport(this, &control_registers::b_transport);
  registers.register_transport_dbg(this, &control_registers::transport_dbg);
}

std::optional<std::uint64_t> control_registers::value(std::uint64_t address) const {
  const std::uint64_t place = address / control_register::stride, offset = address % control_register::stride;
  if (place == 0) {
    if (offset == control_register::power_cap_of_all) return bits_of(control_.power_cap(control_.all_servers()));
    if (offset != control_register::arrival_rate) return std::nullopt;
    return bits_of(control_.arrival_rate());
  }
  if (place > control_.server_count()) return std::nullopt;
  const auto server = static_cast<std::uint32_t>(place - 1);
  if (offset == control_register::speed) return bits_of(control_.speed(server));
  if (offset == control_register::power_cap) return bits_of(control_.power_cap({server, 1}));
  if (offset != control_register::service) return std::nullopt;
  return control_.is_withdrawn(server) ? control_register::draining : control_register::in_service;
}

// What a write of a register that there is asks for; nothing: there is no such value.
std::optional<control_request> control_registers::request(std::uint64_t address, std::uint64_t value) const {
  using action = control_request::action;
  const std::uint64_t place = address / control_register::stride, offset = address % control_register::stride;
  if (place == 0 && offset == control_register::power_cap_of_all)
    return control_request{action::power_cap, control_.all_servers(), number_of(value)};
  if (place == 0) return control_request{action::arrival_rate, {}, number_of(value)};
  const server_range server{static_cast<std::uint32_t>(place - 1), 1};
  if (offset == control_register::power_cap) return control_request{action::power_cap, server, number_of(value)};
  if (offset == control_register::speed) return control_request{action::speed, server, number_of(value)};
  switch (value) {
    case control_register::in_service: return control_request{action::restore, server};
    case control_register::draining: return control_request{action::drain, server};
    case control_register::removed: return control_request{action::remove, server};
    default: return std::nullopt;
  }
}

void control_registers::b_transport(tlm_generic_payload& p, sc_core::sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) {
    wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  const std::uint64_t address = p.get_address();
  const auto present = value(address);
  if (!present) {
    p.set_response_status(TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (p.is_read()) {
    answer_register_read(p, *present);
    return;
  }
  const tlm_response_status status = p.is_write() ? register_access_status(p) : TLM_COMMAND_ERROR_RESPONSE;
  p.set_response_status(status);
  if (status != TLM_OK_RESPONSE) return;
  std::uint64_t written;
  std::memcpy(&written, p.get_data_ptr(), sizeof written);
  const auto wanted = request(address, written);
  try {
    if (wanted)
      control_.request(*wanted);
    else
      p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
  } catch (const std::invalid_argument&) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
  }
}

unsigned control_registers::transport_dbg(tlm_generic_payload& p) {
  return read_register_for_debug(p, value(p.get_address()));
}

}  // namespace muster
