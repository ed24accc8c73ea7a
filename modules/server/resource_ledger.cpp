#include "muster/modules/server/resource_ledger.h"

namespace muster {

resource_ledger::resource_ledger(std::uint32_t servers, const resource_layout& layout)
    : layout_(layout), held_(std::size_t{servers} * places()) {
  free_.reserve(held_.size());
  for (std::uint32_t server = 0; server < servers; ++server)
    free_.insert(free_.end(), layout_.all().begin() + 1, layout_.all().end());
}

bool resource_ledger::fits(std::uint32_t server, const std::uint64_t* held) const {
  for (std::size_t place = 0; place < places(); ++place)
    if (held[place] > free(server, place)) return false;
  return true;
}

void resource_ledger::take(std::uint32_t server, const std::uint64_t* held) {
  for (std::size_t place = 0; place < places(); ++place) free_[row(server) + place] -= held[place];
}

void resource_ledger::give_back(std::uint32_t server, const std::uint64_t* held, const held_time& times) {
  for (std::size_t place = 0; place < places(); ++place) {
    if (held[place] == 0) continue;
    free_[row(server) + place] += held[place];
    held_[row(server) + place].add(held[place], times);
  }
}

}  // namespace muster
