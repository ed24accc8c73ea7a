#include "modules/core_ledger.h"

namespace muster {

core_ledger::core_ledger(std::uint32_t servers, std::uint32_t cores_each)
    : next_(std::size_t{servers} * cores_each),
      holder_(next_.size(), nobody),
      idle_since_(next_.size()),
      settled_(next_.size()),
      idle_(servers) {
  for (core c = 0; c < next_.size(); ++c) next_[c] = c + 1;
  for (std::uint32_t s = 0; s < servers; ++s) idle_[s] = {s * cores_each, (s + 1) * cores_each - 1, cores_each};
}

core_ledger::chain core_ledger::take(std::uint32_t server, std::uint32_t count, std::uint32_t slice) {
  chain& idle = idle_[server];
  chain taken{idle.first, idle.first, count};
  for (std::uint32_t n = 1;; ++n) {
    holder_[taken.last] = slice;
    if (n == count) break;
    taken.last = next_[taken.last];
  }
  idle.first = next_[taken.last];
  idle.length -= count;
  return taken;
}

core_times core_ledger::give_back(std::uint32_t server, const chain& cores, const tenure& held, ticks now) {
  const core_times times = held.times(now);
  core c = cores.first;
  for (std::uint32_t n = 0; n < cores.length; ++n, c = next_[c]) {
    core_times& account = settled_[c];
    account.idle += held.begun - idle_since_[c];
    account.overhead += times.overhead;
    account.running += times.running;
    holder_[c] = nobody;
    idle_since_[c] = now;
  }
  chain& idle = idle_[server];
  if (idle.length == 0) idle.last = cores.last;
  next_[cores.last] = idle.first;
  idle.first = cores.first;
  idle.length += cores.length;
  return times;
}

}  // namespace muster
