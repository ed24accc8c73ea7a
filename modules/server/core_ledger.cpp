#include "muster/modules/server/core_ledger.h"

#include <numeric>

namespace muster {

core_ledger::core_ledger(std::uint32_t servers, std::uint32_t cores_each, ticks sleep_after)
    : cores_each_(cores_each),
      sleep_after_(sleep_after),
      rows_(std::size_t{servers} * cores_each),
      next_(rows_.size()) {
  std::iota(next_.begin(), next_.end(), core{1});
  for (std::uint32_t s = 0; s < servers; ++s) first_of(s).idle = {s * cores_each, (s + 1) * cores_each - 1, cores_each};
  if (cores_each < fewest_of_whole || sleep_after < end_of_clock) return;
  wholes_.resize(servers);
  whole_length_ = cores_each;
}

core_ledger::chain core_ledger::take(std::uint32_t server, std::uint32_t count, std::uint32_t slice) {
  chain& idle = first_of(server).idle;
  if (count == whole_length_) {
    wholes_[server].holder = slice;
    idle.length = 0;
    return {idle.first, idle.last, count};
  }
  chain taken{idle.first, idle.first, count};
  for (std::uint32_t n = 1;; ++n) {
    rows_[taken.last].holder = slice;
    if (n == count) break;
    taken.last = next_[taken.last];
  }
  idle.first = next_[taken.last];
  idle.length -= count;
  return taken;
}

bool core_ledger::any_slept(const chain& cores, ticks now) const {
  core c = cores.first;
  for (std::uint32_t n = 0; n < cores.length; ++n, c = next_[c])
    if (now - rows_[c].idle_since > sleep_after_) return true;
  return false;
}

core_times core_ledger::give_back(std::uint32_t server, const chain& cores, const tenure& held, ticks now) {
  const core_times times = held.times(now);
  const auto becomes_idle = [&](auto& account) {
    account.holder = no_holder;
    account.idle_since = now;
    account.idle_offset -= now - held.begun;
    account.overhead += times.overhead;
    account.running += times.running;
  };
  if (cores.length == whole_length_) {
    becomes_idle(wholes_[server]);
    set_idle(server, cores);
    return times;
  }
  if (sleep_after_ < end_of_clock) wake(cores, held.begun);
  core c = cores.first;
  for (std::uint32_t n = 1;; ++n) {
    becomes_idle(rows_[c]);
    if (n == cores.length) break;
    c = next_[c];
  }
  set_idle(server, cores);
  return times;
}

// Counts the time for which cores slept before they were taken as asleep, not as idle.
void core_ledger::wake(const chain& cores, ticks now) {
  for_each(cores, [&](core c) {
    const ticks slept = asleep_until(rows_[c], now);
    rows_[c].idle_offset -= slept;
    rows_[c].asleep += slept;
  });
}

void core_ledger::put_back(std::uint32_t server, const chain& cores, ticks since, ticks now) {
  wake(cores, since);
  if (cores.length == whole_length_) {
    whole_row& all = wholes_[server];
    all.holder = no_holder;
    all.idle_since = now;
    all.idle_offset -= now - since;
    set_idle(server, cores);
    return;
  }
  for_each(cores, [&](core c) {
    rows_[c].holder = no_holder;
    rows_[c].idle_since = now;
    rows_[c].idle_offset -= now - since;
  });
  set_idle(server, cores);
}

void core_ledger::set_idle(std::uint32_t server, const chain& cores) {
  chain& idle = first_of(server).idle;
  if (idle.length == 0)
    idle.last = cores.last;
  else
    next_[cores.last] = idle.first;
  idle.first = cores.first;
  idle.length += cores.length;
}

}  // namespace muster
