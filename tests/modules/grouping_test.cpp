#include <algorithm>

#include "tests/modules/child.h"
#include "tests/modules/scene.h"

namespace muster {
namespace {

std::string records_of(const layout& l, const std::vector<job_request>& jobs) {
  return in_child([&] {
    scene s{l, jobs};
    s.run();
    return s.log.text();
  });
}

void same_records(layout l, const std::vector<std::vector<server_group>>& groupings) {
  const auto jobs = random_jobs(2000, l.needs.size(), 12, 60);
  std::string first;
  for (const auto& grouping : groupings) {
    l.groups = grouping;
    const std::string text = records_of(l, jobs);
    EXPECT_NE(text, "failed");
    if (first.empty()) {
      first = text;
      EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2000);
    }
    EXPECT_TRUE(text == first) << "the records depend on how " << grouping.size() << " groups share the cores";
  }
}

const std::vector<std::vector<server_group>> of_64_cores{
    {{"node", 1, 64, 1.0}},
    {{"node", 64, 1, 1.0}},
    {{"large", 2, 16, 1.0}, {"small", 32, 1, 1.0}},
    {{"small", 3, 7, 1.0}, {"large", 1, 40, 1.0}, {"odd", 1, 3, 1.0}}};

TEST(grouping, of_cores_into_servers_leaves_the_records_as_they_are) {
  same_records({{64, 20, 3, 1}, {}, "first_fit"}, of_64_cores);
}

TEST(grouping, leaves_the_records_as_they_are_with_msfq) { same_records({{64, 1}, {}, "msfq"}, of_64_cores); }

TEST(grouping, leaves_the_records_as_they_are_behind_links) {
  same_records({{64, 20, 3, 1}, {}, "msf", {2, 1}, 5}, of_64_cores);
}

}  // namespace
}  // namespace muster
