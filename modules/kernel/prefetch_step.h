#pragma once

namespace muster {

/// Steps in which the memory that a timer's expiration will access is prefetched, as with many timers that memory has
/// left the cache. What one step has fetched holds the pointers that the next one follows.
enum class prefetch_step {
  first,   ///< some 11 expirations ahead
  second,  ///< some 3 expirations ahead
  third    ///< the timer expires next
};

}  // namespace muster
