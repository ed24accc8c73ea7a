#include <algorithm>

#include "tests/simulation/finite_arrivals.h"
#include "tests/simulation/replicate.h"

// The end of all arrivals, where a policy may leave an empty cluster idle until the next one.

namespace muster {
namespace {

// By hand: the large jobs run one after the other until 10, when the turn passes to medium and no event is left. So the
// medium job runs until 15, the small one, which has the turn from its start on, until 20.
TEST_F(finite_arrivals, are_served_to_their_end_by_static_quickswap_as_published) {
  const scenario model = four_jobs();
  const replication_result found = replicate(model).front();
  EXPECT_EQ(found.jobs, 4u);
  const auto response = [&](const std::string& class_name) {
    const auto row = std::find_if(found.measurements.begin(), found.measurements.end(), [&](const measurement& m) {
      return m.class_name == class_name && m.metric == "response_time";
    });
    return row == found.measurements.end() ? 0.0 : row->value;
  };
  EXPECT_DOUBLE_EQ(response("large"), 7.0);
  EXPECT_DOUBLE_EQ(response("medium"), 13.0);
  EXPECT_DOUBLE_EQ(response("small"), 17.0);
}

}  // namespace
}  // namespace muster
