#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/protocol/held_time.h"
#include "muster/policies/resource_layout.h"

namespace muster {

/// What slices hold of the resources of a bank of like servers beside cores: the level of each amount, the parts of
/// each device that are held, and the exact integral of both over time.
class resource_ledger {
 public:
  /// @param layout of each server
  resource_ledger(std::uint32_t servers, const resource_layout& layout);

  const resource_layout& layout() const { return layout_; }
  /// The number of places behind the cores.
  std::size_t places() const { return layout_.places() - 1; }
  /// What is free in a place, counted from the first one behind the cores.
  std::uint64_t free(std::uint32_t server, std::size_t place) const { return free_[row(server) + place]; }

  /// Whether a server has as much free. @param held in each place behind the cores
  bool fits(std::uint32_t server, const std::uint64_t* held) const;
  void take(std::uint32_t server, const std::uint64_t* held);
  void give_back(std::uint32_t server, const std::uint64_t* held, const held_time& times);
  /// What is held of a resource now, all servers together, of devices in parts.
  std::uint64_t held_now(std::size_t resource) const {
    const std::size_t first = layout_.first(resource), count = layout_.count(resource);
    std::uint64_t held = 0;
    for (std::size_t server = 0; server * places() < free_.size(); ++server)
      for (std::size_t place = first; place < first + count; ++place)
        held += layout_.all()[place] - free_[server * places() + place - 1];
    return held;
  }
  /// The integral of what ended slices have held in a place of a server.
  const held_integral& held(std::uint32_t server, std::size_t place) const { return held_[row(server) + place]; }

 private:
  std::size_t row(std::uint32_t server) const { return server * places(); }

  resource_layout layout_;
  std::vector<std::uint64_t> free_;  // by server and place
  std::vector<held_integral> held_;  // likewise
};

}  // namespace muster
