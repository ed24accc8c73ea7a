#include "muster/modules/scheduler/allocation/free_servers.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace muster {
namespace {

// Around every size at which the tree gains a word or a level.
rc::Gen<std::uint32_t> some_size() {
  return rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(1, 200),
                        rc::gen::elementOf(std::vector<std::uint32_t>{63, 64, 65, 4095, 4096, 4097, 5000}));
}

RC_GTEST_PROP(free_servers, always_finds_the_lowest_server_with_an_idle_core, ()) {
  const std::uint32_t servers = *some_size();
  const std::uint32_t cores_each = *rc::gen::inRange<std::uint32_t>(1, 5);
  free_servers tree(servers, cores_each);
  std::vector<std::uint32_t> model(servers, cores_each);
  const auto steps = *rc::gen::scale(4.0, rc::gen::container<std::vector<std::pair<int, std::uint32_t>>>(rc::gen::pair(
                                              rc::gen::inRange(0, 3), rc::gen::inRange<std::uint32_t>(0, 1u << 30))));
  // As the scheduler does: take from the first; also what only a test does: take and give back anywhere.
  for (const auto& [step, number] : steps) {
    const bool any_idle = std::any_of(model.begin(), model.end(), [](std::uint32_t n) { return n > 0; });
    const std::uint32_t s = step == 0 && any_idle ? tree.first() : number % servers;
    if (step < 2 && model[s] > 0) {
      const std::uint32_t cores = 1 + number % model[s];
      tree.take(s, cores);
      model[s] -= cores;
    } else if (step == 2 && model[s] < cores_each) {
      const std::uint32_t cores = 1 + number % (cores_each - model[s]);
      tree.give_back(s, cores);
      model[s] += cores;
    }
    RC_ASSERT(tree.cores(s) == model[s]);
    const auto lowest = std::find_if(model.begin(), model.end(), [](std::uint32_t n) { return n > 0; });
    if (lowest != model.end()) RC_ASSERT(tree.first() == static_cast<std::uint32_t>(lowest - model.begin()));
  }
}

class free_servers_of_size : public testing::TestWithParam<std::uint32_t> {};

TEST_P(free_servers_of_size, finds_each_server_when_all_below_it_are_full_and_again_when_they_empty) {
  const std::uint32_t servers = GetParam();
  free_servers tree(servers, 2);
  for (std::uint32_t s = 0; s + 1 < servers; ++s) {
    ASSERT_EQ(tree.first(), s);
    tree.take(s, 2);
  }
  ASSERT_EQ(tree.first(), servers - 1);
  for (std::uint32_t s = servers - 1; s-- > 0;) {
    tree.give_back(s, 1);
    ASSERT_EQ(tree.first(), s);
  }
}

TEST_P(free_servers_of_size, recovers_from_being_full_everywhere) {
  const std::uint32_t servers = GetParam();
  free_servers tree(servers, 1);
  for (std::uint32_t s = 0; s < servers; ++s) tree.take(s, 1);
  tree.give_back(servers - 1, 1);
  EXPECT_EQ(tree.first(), servers - 1);
  tree.give_back(servers / 2, 1);
  EXPECT_EQ(tree.first(), servers / 2);
}

INSTANTIATE_TEST_SUITE_P(sizes, free_servers_of_size, testing::Values(1, 2, 63, 64, 65, 4096, 4097, 100000));

}  // namespace
}  // namespace muster
