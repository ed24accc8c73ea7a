#include <gtest/gtest.h>

#include "tests/experiment/study_folder.h"

// A point that is overloaded beside others that are not.

namespace muster {
namespace {

// Jobs of size 3 on a server that fails every unit of time: nothing says before that they hardly ever complete.
const std::string failing =
    " --set 'platform.servers=[{name=\"node\",faults={to_failure=1.0,to_repair=0.1}}]' --set "
    "'classes.job.size={distribution=\"deterministic\",value=3.0}' --set run.most_jobs_in_system=1000 ";

TEST_F(study_test, a_point_that_is_overloaded_is_marked_and_the_others_go_on) {
  const std::string words = at("mm1.toml") + failing + "--set 'sweep={\"arrivals.rate\"=[0.01,0.2]}'";
  const auto ran = shell("muster run " + words + " -j 1 --precision 30% --out " + at("one"));
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_NE(ran.output.find("note: point 1, arrivals.rate = 0.2: "), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("overloaded: 1000 jobs were in the system, which is run.most_jobs_in_system"),
            std::string::npos)
      << ran.output;
  EXPECT_NE(ran.output.find("point 1, arrivals.rate = 0.2: is overloaded, so that no precision can be reached"),
            std::string::npos)
      << ran.output;
  const std::string csv = content_of(folder_ / "one/results.csv");
  EXPECT_EQ(csv.find("overloaded"), csv.find("overloaded", csv.find("\nmm1,1,"))) << "the first point is not marked";
  EXPECT_NE(csv.find("overloaded"), std::string::npos);
  EXPECT_EQ(results(words + " -j 3 --precision 30%", "three"), csv);
}

TEST_F(study_test, tune_leaves_out_what_is_overloaded_and_says_so) {
  const auto ran =
      shell("muster tune " + at("mm1.toml") + failing +
            "--set run.jobs=500 --over arrivals.rate=0.01:0.41:0.2 --minimize response_time --out " + at("tuned"));
  EXPECT_EQ(ran.status, 0) << ran.output;
  const std::string csv = content_of(folder_ / "tuned/tune.csv");
  EXPECT_NE(csv.find("overloaded in replication 0"), std::string::npos) << csv;
}

}  // namespace
}  // namespace muster
