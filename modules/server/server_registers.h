#pragma once

#include <cstdint>
#include <optional>

#include <tlm>

#include "muster/modules/server/server_health.h"
#include "muster/modules/server/slice_bank.h"

namespace muster {

/// The registers of the servers of a bank, at the addresses of server_register.
class server_registers {
 public:
  /// @param servers in the bank
  /// @param slices,health outlive the registers; health is null where the servers never fail
  server_registers(std::uint32_t servers, slice_bank& slices, server_health* health)
      : servers_(servers), slices_(slices), health_(health) {}

  /// Carries out a read or a write, and sets the response status. A write to a doorbell is an error here.
  void access(tlm::tlm_generic_payload& p, std::uint64_t address);
  /// The value of a register that can be read; nothing: there is none at that address.
  std::optional<std::uint64_t> value(std::uint64_t address) const;
  /// Whether a read that access() has carried out waits for a change of the server's health, and its response with it.
  bool awaits_change(tlm::tlm_generic_payload& p, std::uint64_t address);

 private:
  std::uint32_t servers_;
  slice_bank& slices_;
  server_health* health_;
};

}  // namespace muster
