#pragma once

namespace muster {

/// Steps in which the memory that a timer's expiration will access is prefetched: what one step has fetched holds the
/// pointers that the next one follows. With many timers that memory has left the cache; all steps together save a third
/// of the time with 10,000 pooled servers, and 15 to 20 % with as many rigid jobs.
enum class prefetch_step {
  first,   ///< some 14 expirations ahead
  second,  ///< some 3 expirations ahead
  third    ///< it expires next
};

}  // namespace muster
