#include "platform/simulation/huge_pages.h"

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
  // All comes from one heap, which grows by that room and keeps it; what is asked for now makes it grow.
  ::mallopt(M_MMAP_THRESHOLD, never);
  ::mallopt(M_TRIM_THRESHOLD, never);
  ::mallopt(M_TOP_PAD, room);
  void* const first = std::malloc(std::size_t{1} << 20);
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(first) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  std::free(first);
  if (end > begin && end - begin <= 2 * std::uintptr_t{room})
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace muster
