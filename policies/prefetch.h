#pragma once

#include <cstddef>

namespace muster {

/// Prefetches the cache lines of memory that is about to be written or read.
inline void prefetch(const void* first, std::size_t bytes) {
  for (std::size_t line = 0; line < bytes; line += 64) __builtin_prefetch(static_cast<const char*>(first) + line, 1);
}

}  // namespace muster
