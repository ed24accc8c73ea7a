#include "muster/modules/server/server_registers.h"

#include <cstring>

#include "muster/modules/kernel/register_access.h"

namespace muster {

using namespace tlm;

void server_registers::access(tlm_generic_payload& p, std::uint64_t address) {
  const std::uint64_t target = address / server_register::stride;
  const std::uint64_t offset = address % server_register::stride;
  const auto readable = value(address);
  const bool stops = offset == server_register::stop || offset == server_register::release;
  if (target >= servers_ || (!readable && !stops && offset != server_register::doorbell)) {
    p.set_response_status(TLM_ADDRESS_ERROR_RESPONSE);
  } else if (readable && p.is_read()) {
    answer_register_read(p, *readable);
  } else if (!stops || !p.is_write()) {
    p.set_response_status(TLM_COMMAND_ERROR_RESPONSE);
  } else if (const tlm_response_status status = register_access_status(p); status != TLM_OK_RESPONSE) {
    p.set_response_status(status);
  } else {
    std::uint64_t job;
    std::memcpy(&job, p.get_data_ptr(), sizeof job);
    // A stop by muster's scheduler says which slice is meant.
    const auto* const order = transaction_pool<slice_extension>::find(p);
    const bool found = slices_.stop(static_cast<std::uint32_t>(target), job, order ? order->stops : nullptr,
                                    offset == server_register::stop);
    p.set_response_status(found ? TLM_OK_RESPONSE : TLM_GENERIC_ERROR_RESPONSE);
  }
}

std::optional<std::uint64_t> server_registers::value(std::uint64_t address) const {
  const std::uint64_t target = address / server_register::stride;
  if (target >= servers_) return std::nullopt;
  const auto at = static_cast<std::uint32_t>(target);
  switch (address % server_register::stride) {
    case server_register::idle_cores: return slices_.cores().idle_cores(at);
    case server_register::running_cores: return slices_.held().running_cores(at);
    case server_register::until_failed:
    case server_register::until_repaired: return health_ ? std::optional(health_->failures(at)) : std::nullopt;
    default: return std::nullopt;
  }
}

bool server_registers::awaits_change(tlm_generic_payload& p, std::uint64_t address) {
  const std::uint64_t offset = address % server_register::stride;
  if (offset != server_register::until_failed && offset != server_register::until_repaired) return false;
  if (!p.is_response_ok()) return false;
  return health_->watch(static_cast<std::uint32_t>(address / server_register::stride),
                        offset == server_register::until_failed, p);
}

}  // namespace muster
