#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace muster {

/// How far two orders of the same things agree.
struct order_agreement {
  std::size_t in_order = 0;         ///< the most things that can be chosen so that both have them in the same order
  std::optional<double> kendall{};  ///< Kendall's tau-b, -1 to 1; nothing: one of the orders has a single moment
};

/// Compares two orders.
/// @param moments of each thing, in the one and in the other; things of equal moments may be in any order
order_agreement compare_orders(std::vector<std::pair<std::int64_t, std::int64_t>> moments);

}  // namespace muster
