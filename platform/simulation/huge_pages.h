#pragma once

namespace muster {

/// Lets the memory that this process takes from now on lie in huge pages, where the system leaves that to its programs.
///
/// With thousands of servers most looks at a job or a server miss the cache, and in small pages also the translation of
/// addresses. Of no effect without glibc and Linux's transparent huge pages.
void prefer_huge_pages();

}  // namespace muster
