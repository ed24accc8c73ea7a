#pragma once

namespace muster {

/// Requests huge pages for the memory that this process allocates from now on. Has no effect without glibc and Linux's
/// transparent huge pages.
///
/// With thousands of servers most accesses to a job or a server miss the cache, and in small pages the translation of
/// addresses as well. Saves 6 % of the time with 10,000 and with 100,000 servers.
void prefer_huge_pages();

}  // namespace muster
