#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tlm>

#include "muster/modules/protocol/protocol_rules.h"

namespace muster {

/// The first attribute of a generic payload that an initiator must not send as it is; nothing if all conform to the
/// standard.
std::optional<broken_rule> improper_request(const tlm::tlm_generic_payload& p);

/// The attributes of a generic payload at the beginning of its transaction, to be compared with later ones.
class payload_attributes {
 public:
  explicit payload_attributes(const tlm::tlm_generic_payload& p);

  /// The first attribute that has changed. An interconnect may translate the address, a target writes the data of a
  /// read, and both set status and DMI hint; everything else only the initiator may set (14.7).
  /// @param address_stays whether no interconnect may translate the address
  std::optional<broken_rule> change_in(const tlm::tlm_generic_payload& p, bool address_stays) const;
  /// Whether the data of a write, or the byte enables, have changed.
  std::optional<broken_rule> change_of_data(const tlm::tlm_generic_payload& p) const;
  /// Whether a payload without a memory manager returns with one, or with an extension that it did not have (14.5 aa).
  std::optional<broken_rule> left_behind_in(const tlm::tlm_generic_payload& p) const;

 private:
  tlm::tlm_command command_;
  std::uint64_t address_;
  unsigned char* data_;
  unsigned length_, width_;
  unsigned char* enables_;
  unsigned enables_length_;
  tlm::tlm_gp_option option_;
  std::vector<unsigned char> written_, enabled_;
  bool managed_;
  std::vector<bool> extensions_;  // which ones it has; kept for a payload without memory manager only
};

}  // namespace muster
