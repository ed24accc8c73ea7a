#include "muster/modules/kernel/huge_pages.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace muster {

void prefer_huge_pages() {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  constexpr int room = 64 << 20, never = 1 << 30;
  constexpr std::uintptr_t page = 2 << 20;
  static bool done = false;
  if (done) return;
  done = true;
  // All memory comes from one heap, which grows in steps of `room` and is not returned. The allocation below makes the
  // heap grow.
  ::mallopt(M_MMAP_THRESHOLD, never);
  ::mallopt(M_TRIM_THRESHOLD, never);
  ::mallopt(M_TOP_PAD, room);
  auto* const first = static_cast<char*>(std::malloc(std::size_t{1} << 20));
  if (!first) return;
  char* const begin = first + (page - reinterpret_cast<std::uintptr_t>(first) % page) % page;
  char* const end = static_cast<char*>(::sbrk(0));
  if (begin < end && end - begin <= 2 * std::ptrdiff_t{room})
    ::madvise(begin, static_cast<std::size_t>(end - begin), MADV_HUGEPAGE);
  std::free(first);
#endif
}

}  // namespace muster
