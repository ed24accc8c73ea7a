#include <algorithm>

#include "tests/scenario/graph_folder.h"
#include "tests/simulation/replicate.h"

// The end of all arrivals, where a policy may leave an empty cluster idle until the next one.

namespace muster {
namespace {

class finite_stream : public graph_folder {};

// By hand: the large jobs run one after the other until 10, when the turn passes to medium and no event is left. So the
// medium job runs until 15, the small one, which has the turn from its start on, until 20.
TEST_F(finite_stream, is_served_to_its_end_by_static_quickswap_as_published) {
  write("jobs.csv", "id,arrival,size,class\n1,0,5,large\n2,1,5,large\n3,2,5,medium\n4,3,5,small\n");
  const scenario model =
      read_here(
          "name = \"x\"\n[platform]\nservers = [{ name = \"node\", cores = 4 }]\n"
          "[[classes]]\nname = \"large\"\nneed = 4\n[[classes]]\nname = \"medium\"\nneed = 2\n"
          "[[classes]]\nname = \"small\"\nneed = 1\n[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n"
          "[policy]\nname = \"static_quickswap\"\nhand_over = \"published\"\n[run]\nreplications = 1\n")
          .points.front()
          .model;
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
