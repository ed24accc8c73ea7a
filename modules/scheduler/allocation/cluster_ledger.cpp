#include "muster/modules/scheduler/allocation/cluster_ledger.h"

#include <algorithm>

#include <fmt/format.h>

namespace muster {

bool cluster_ledger::fits(std::size_t resource, std::uint64_t wanted) const {
  return layout_.fits_of(resource, free_, wanted);
}

void cluster_ledger::take(ticks now, const amounts& wanted, amounts& held, random_numbers* random) {
  held.clear();
  if (std::all_of(wanted.begin(), wanted.end(), [](std::uint64_t amount) { return amount == 0; })) return;
  held.assign(free_.size(), 0);
  layout_.take_of_job(free_, wanted, held, random);
  for (std::size_t place = 0; place < held.size(); ++place)
    if (held[place] > 0) held_[place].add(now, held[place]);
}

void cluster_ledger::take_chosen(ticks now, const amounts& held) {
  for (std::size_t place = 0; place < held.size(); ++place) {
    if (held[place] == 0) continue;
    free_[place] -= held[place];
    held_[place].add(now, held[place]);
  }
}

std::optional<std::string> cluster_ledger::objection(const amounts& wanted, const amounts& held) const {
  if (held.size() != free_.size())
    return fmt::format("in {} places of the cluster, which has {}", held.size(), free_.size());
  for (std::size_t place = 0; place < held.size(); ++place)
    if (held[place] > free_[place])
      return fmt::format("with {} in place {} of the cluster, where {} are free", held[place], place, free_[place]);
  for (std::size_t r = 0; r < layout_.resource_count(); ++r) {
    const std::uint64_t needed = r < wanted.size() ? wanted[r] : 0, of_resource = layout_.free_of(r, held);
    if (of_resource != needed)
      return fmt::format("with {} of resource {} of the cluster; expected {}", of_resource, r, needed);
    if (needed > 0 && !layout_.fits_of(r, held, needed))
      return fmt::format(
          "with {} of resource {} of the cluster in parts of several devices; expected one device, or "
          "whole ones",
          needed, r);
  }
  return std::nullopt;
}

void cluster_ledger::give_back(ticks now, const amounts& held, const held_time& times) {
  for (std::size_t place = 0; place < held.size(); ++place) {
    if (held[place] == 0) continue;
    free_[place] += held[place];
    held_[place].add(now, std::uint64_t{0} - held[place]);
    given_back_[place].add(held[place], times);
  }
}

tick_sum cluster_ledger::held(std::size_t resource, ticks now) const {
  tick_sum sum = 0;
  for (std::size_t place = 0; place < layout_.count(resource); ++place) sum += held(resource, place, now);
  return sum;
}

}  // namespace muster
