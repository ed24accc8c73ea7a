#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include <tlm>

/// @file
/// Access to registers of 8 bytes by plain payloads.

namespace muster {

/// The response status for a payload that reads or writes a register: OK if its attributes describe 8 bytes.
inline tlm::tlm_response_status register_access_status(const tlm::tlm_generic_payload& p) {
  if (p.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (p.get_data_length() != sizeof(std::uint64_t) || p.get_streaming_width() < sizeof(std::uint64_t))
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (!p.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

/// Answers a read of a register. @param value of the register
inline void answer_register_read(tlm::tlm_generic_payload& p, std::uint64_t value) {
  const tlm::tlm_response_status status = register_access_status(p);
  if (status == tlm::TLM_OK_RESPONSE) std::memcpy(p.get_data_ptr(), &value, sizeof value);
  p.set_response_status(status);
}

/// Answers a read of a register over the debug transport.
/// @param value of the register; nothing: no register can be read at that address
/// @return bytes read
inline unsigned read_register_for_debug(tlm::tlm_generic_payload& p, std::optional<std::uint64_t> value) {
  if (!p.is_read() || !value || !p.get_data_ptr()) return 0;
  const unsigned length = std::min<unsigned>(p.get_data_length(), sizeof *value);
  std::memcpy(p.get_data_ptr(), &*value, length);
  return length;
}

}  // namespace muster
