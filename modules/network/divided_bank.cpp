#include "muster/modules/network/divided_bank.h"

#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/protocol/protocol.h"

namespace muster {

bool divided_bank::translate(std::uint32_t from, payload& p) const {
  const share& own = shares_[from];
  const std::uint64_t server = p.get_address() / server_register::stride;
  if (server >= own.count) return false;
  p.set_address((own.first + server * own.step) * server_register::stride + p.get_address() % server_register::stride);
  return true;
}

std::uint32_t divided_bank::route(std::uint32_t from, payload& p) {
  if (!translate(from, p)) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return answered_here;
  }
  const auto& places = shares_[from].places;
  if (auto* const slice = transaction_pool<slice_extension>::find(p); slice && slice->state_from < places.size())
    slice->state_from = places[slice->state_from];
  return 0;
}

void divided_bank::call(std::uint32_t from, payload& p, sc_core::sc_time& delay) {
  if (translate(from, p))
    out[0]->b_transport(p, delay);
  else
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

unsigned divided_bank::look(std::uint32_t from, payload& p) {
  return translate(from, p) ? out[0]->transport_dbg(p) : 0;
}

}  // namespace muster
