#pragma once

namespace muster {

/// Requests huge pages for the memory that this process allocates from now on. Has no effect without glibc and Linux's
/// transparent huge pages.
///
/// With thousands of servers most accesses to a job or a server miss the cache, and with small pages they miss the
/// cache of address translations as well.
void prefer_huge_pages();

}  // namespace muster
