#include <gtest/gtest.h>

#include "platform/scenario/study_warnings.h"
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

using sentences = std::vector<std::string>;

sentences warnings(const std::vector<std::string>& overrides, const std::string& text = sample) {
  return study_warnings(read(text, overrides));
}

// 1000 jobs at 4e-7 per us take 2.5e9 us, 54 % of 2^62 fs; at 5e-7 they take 43 %.
TEST(range_of_time, of_which_a_replication_takes_more_than_half_is_warned_of_with_the_unit_that_has_room) {
  EXPECT_EQ(warnings({"time_unit=\"us\"", "arrivals.rate=4e-7"}),
            sentences{"run.jobs: 1000 jobs take about 2.5e+09 us, more than half of 4.61e+09 us, the range of the "
                      "clock, beyond which a run fails; that of time_unit 'ms' is 4.61e+06 s"});
  EXPECT_EQ(warnings({"time_unit=\"us\"", "arrivals.rate=5e-7"}), sentences{});
}

// 1000 jobs at 0.03 per d take 62 % of 53,375 d.
TEST(range_of_time, that_no_unit_extends_is_warned_of_with_the_advice_to_take_fewer_jobs) {
  EXPECT_EQ(warnings({"time_unit=\"d\"", "arrivals.rate=0.03"}),
            sentences{"run.jobs: 1000 jobs take about 3.33e+04 d, more than half of 5.34e+04 d, the range of the "
                      "clock, beyond which a run fails; take fewer jobs"});
}

// Of 1000 jobs 600 arrive in 1.5e9 us, and the 400 others at half the rate in 2e9 us.
TEST(range_of_time, counts_changes_of_the_rate_of_arrivals) {
  const std::string slower = sample + "[[events]]\nat = 1.5e9\nrate = 0.5\n";
  EXPECT_EQ(warnings({"time_unit=\"us\"", "arrivals.rate=4e-7"}, slower),
            sentences{"run.jobs: 1000 jobs take about 3.5e+09 us, more than half of 4.61e+09 us, the range of the "
                      "clock, beyond which a run fails; that of time_unit 'ms' is 4.61e+06 s"});
}

TEST(range_of_time, is_warned_of_once_for_the_longest_point_of_a_study) {
  EXPECT_EQ(warnings({"time_unit=\"us\""}, sample + "[sweep]\n\"arrivals.rate\" = [4e-7, 3e-7, 9e-7]\n"),
            sentences{"point 1, arrivals.rate = 3e-07: run.jobs: 1000 jobs take about 3.33e+09 us, more than half of "
                      "4.61e+09 us, the range of the clock, beyond which a run fails; that of time_unit 'ms' is "
                      "4.61e+06 s"});
}

TEST(range_of_time, counts_all_jobs_that_a_precision_may_take_with_batch_means) {
  EXPECT_EQ(warnings({"time_unit=\"us\"", "arrivals.rate=4e-6", "run.intervals=batch_means",
                      "run.precision.half_width=0.1", "run.most_replications=10"}),
            sentences{"run.jobs: up to 10000 jobs, until the precision is reached, take about 2.5e+09 us, more than "
                      "half of 4.61e+09 us, the range of the clock, beyond which a run fails; that of time_unit 'ms' "
                      "is 4.61e+06 s"});
}

}  // namespace
}  // namespace muster
