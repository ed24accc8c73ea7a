#pragma once

#include <cstddef>
#include <cstdint>

namespace muster {

/// Bytes of a cache line.
inline constexpr std::size_t cache_line = 64;

/// Prefetches all cache lines that hold memory which is about to be read or written, without waiting for them.
inline void prefetch(const void* first, std::size_t bytes) {
  const char* const begin = static_cast<const char*>(first);
  const char* const end = begin + bytes;
  for (const char* line = begin - reinterpret_cast<std::uintptr_t>(first) % cache_line; line < end; line += cache_line)
    __builtin_prefetch(line, 1);
  asm volatile("");  // without it GCC takes a function that only prefetches for pure, and removes calls of it
}

/// Prefetches the memory from `first` up to `end`, such as an object up to one of its members.
inline void prefetch_range(const void* first, const void* end) {
  prefetch(first, static_cast<std::size_t>(static_cast<const char*>(end) - static_cast<const char*>(first)));
}

/// Prefetches an object; of no effect if the pointer is null.
template <class Object>
void prefetch(const Object* object) {
  prefetch(object, sizeof *object);
}

}  // namespace muster
