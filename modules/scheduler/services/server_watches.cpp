#include "muster/modules/scheduler/services/server_watches.h"

namespace muster {

using request = slice_extension::request;

void server_watches::begin() {
  for (const group_id group : id_range<group_id>{parts_.groups.size()})
    for (std::uint32_t server = 0; parts_.groups[group].fails && server < parts_.groups[group].count; ++server)
      parts_.dispatches.watch(group, server, request::failure);
}

std::optional<group_id> server_watches::answered(tlm::tlm_generic_payload& watch, stall_guard& stalls,
                                                 std::uint64_t completed) {
  const slice_extension& watched = dispatch_port::slice(watch);
  const auto [group, server] = std::pair(watched.group, watched.server);
  const bool down = watched.asks == request::failure;
  const bool known = watch.is_response_ok();
  watch.release();
  if (!known) return std::nullopt;  // a foreign server without these registers
  parts_.dispatches.watch(group, server, down ? request::repair : request::failure);
  if (down) {
    stalls.server_fails(completed);
    parts_.cores.server_fails(group, server);
    return std::nullopt;
  }
  parts_.cores.server_is_repaired(group, server);
  // Without a free core, the responses of the slices lost there have not come yet.
  return parts_.state.free_in(group) > 0 ? std::optional(group) : std::nullopt;
}

}  // namespace muster
