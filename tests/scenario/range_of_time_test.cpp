#include <gtest/gtest.h>

#include "tests/scenario/sample.h"

namespace muster {
namespace {

// 2^62 fs are 4612 s, and 1000 jobs at 1e-7 per us take 10,000 s.
TEST(range_of_time, that_a_replication_would_leave_is_told_with_the_unit_that_has_room) {
  EXPECT_EQ(complaints(sample, {"time_unit=\"us\"", "arrivals.rate=1e-7"}),
            "f.toml:19:8: run.jobs: 1000 jobs take about 1e+10 us; expected less than 4.61e+09 us, the range of the "
            "clock; that of time_unit 'ms' is 4.61e+06 s");
}

// 2^62 ns are 53,375 d: no unit has a coarser clock.
TEST(range_of_time, that_no_unit_extends_is_told_alone) {
  EXPECT_EQ(
      complaints(sample, {"time_unit=\"d\"", "arrivals.rate=1e-5"}),
      "f.toml:19:8: run.jobs: 1000 jobs take about 1e+08 d; expected less than 5.34e+04 d, the range of the clock");
}

}  // namespace
}  // namespace muster
