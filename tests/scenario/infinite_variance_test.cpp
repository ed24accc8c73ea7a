#include <fmt/format.h>

#include "platform/scenario/study_warnings.h"
#include "tests/scenario/sample.h"

namespace muster {
namespace {

TEST(infinite_variance, of_sizes_is_warned_of_for_their_class_and_only_there) {
  const auto warnings = [](const char* shape) {
    return study_warnings(
        read(sample, {fmt::format(R"(classes.light.size={{distribution="pareto",mean=1.0,shape={}}})", shape)}));
  };
  EXPECT_EQ(warnings("2.0"),
            std::vector<std::string>{"class 'light': its sizes have an infinite variance, so that mean times may be "
                                     "infinite at any load, however long the run; percentiles such as "
                                     "response_time_p95 are finite"});
  EXPECT_EQ(warnings("2.1"), std::vector<std::string>{});
}

}  // namespace
}  // namespace muster
