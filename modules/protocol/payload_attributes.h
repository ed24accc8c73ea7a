#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tlm>

#include "muster/modules/protocol/protocol_rules.h"

namespace muster {

/// What a generic payload says wrong at the beginning of a transaction; nothing if all is as the standard asks of an
/// initiator.
std::optional<broken_rule> improper_request(const tlm::tlm_generic_payload& p);

/// What a generic payload said when its transaction began, to be held against what it says later.
class payload_attributes {
 public:
  explicit payload_attributes(const tlm::tlm_generic_payload& p);

  /// The first attribute that is not what it was. An interconnect may translate the address, a target writes the data
  /// of a read, and both set status and DMI hint; everything else is the initiator's (14.7).
  /// @param address_stays no interconnect translates it
  std::optional<broken_rule> change_in(const tlm::tlm_generic_payload& p, bool address_stays) const;
  /// Whether the data of a write, or the byte enables, are not what they were.
  std::optional<broken_rule> change_of_data(const tlm::tlm_generic_payload& p) const;
  /// What stays of a payload that came without a memory manager: nothing that was not there before (14.5 aa).
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
  std::vector<bool> extensions_;  // only of a payload without memory manager
};

}  // namespace muster
