#include "muster/modules/server/server_governors.h"

#include <utility>

namespace muster {

server_governors::server_governors(timekeeper& time, server_speeds& speeds, const std::vector<governed_bank>& banks)
    : time_(time), speeds_(speeds), banks_(banks) {
  for (std::uint32_t bank = 0; bank < banks.size(); ++bank) {
    const governed_frequencies* const frequencies = banks[bank].frequencies;
    const bool follows = frequencies && frequencies->governor->follows_load;
    for (std::uint32_t n = 0; n < banks[bank].count; ++n) {
      servers_.push_back({bank, 0, follows, false});
      if (frequencies) choose(static_cast<std::uint32_t>(servers_.size() - 1));
    }
  }
  speeds.connect(*this);
}

void server_governors::slice_moves(std::uint32_t server, std::uint32_t cores, slice_stage from, slice_stage to) {
  server_state& s = servers_[server];
  if (!s.follows_load) return;
  if (from == slice_stage::outbound) s.busy += cores;
  if (to == slice_stage::returning) s.busy -= cores;
  if (std::exchange(s.changed, true)) return;
  if (changed_.empty()) time_.arm(time_.now(), timer_rank::governor, *this, 0);
  changed_.push_back(server);
}

void server_governors::expired(ticks, std::uint32_t) {
  for (const std::uint32_t server : changed_) {
    servers_[server].changed = false;
    choose(server);
  }
  changed_.clear();
}

void server_governors::choose(std::uint32_t server) {
  const server_state& s = servers_[server];
  const governed_bank& bank = banks_[s.bank];
  speeds_.set(server, bank.frequencies->table[bank.frequencies->row(bank.cores, s.busy)].speed);
}

}  // namespace muster
