#include "muster/policies/placement.h"
#include "tests/scenario/mistake.h"
#include "tests/scenario/resource_sample.h"

// The rule by which rigid jobs are placed.

namespace muster {
namespace {

TEST(placement_of_a_scenario, is_first_unless_another_is_named) {
  EXPECT_EQ(first_point(sample).placement, find_placement("first"));
  EXPECT_EQ(first_point(with("[[classes]]", "placement = \"best_fit\"\n[[classes]]")).placement,
            find_placement("best_fit"));
}

class mistakes_in_placement : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_in_placement, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(with(m.from, m.to)), m.message);
}

const mistake placement_mistakes[] = {
    {"[[classes]]", "placement = \"bestfit\"\n[[classes]]",
     "f.toml:4:13: platform.placement: unknown rule of placement 'bestfit'; did you mean 'best_fit'?"},
    {"[[classes]]", "placement = 1\n[[classes]]",
     "f.toml:4:13: platform.placement: expected a string, found an integer"},
};
INSTANTIATE_TEST_SUITE_P(platform, mistakes_in_placement, testing::ValuesIn(placement_mistakes));

TEST(placement_of_a_scenario, has_no_effect_on_jobs_whose_servers_the_policy_chooses) {
  EXPECT_EQ(
      complaints(replaced(pooled_sample, "[[classes]]", "placement = \"first\"\n[[classes]]")),
      "f.toml:4:13: platform.placement: has no effect on pooled jobs: policy 'balanced_fair' chooses their servers");
}

TEST(placement_of_a_scenario, is_left_to_a_policy_that_places_jobs_itself) {
  const std::string of_tetris = replaced(sample, "msfq", "tetris");
  EXPECT_EQ(complaints(replaced(of_tetris, "[[classes]]", "placement = \"first\"\n[[classes]]")), "");
  EXPECT_EQ(complaints(replaced(of_tetris, "[[classes]]", "placement = \"best_fit\"\n[[classes]]")),
            "f.toml:4:13: platform.placement: policy 'tetris' places jobs itself; expected 'first', the default");
}

TEST(placement_of_a_scenario, is_the_users_under_backfilling_where_only_cores_count) {
  const auto said_of = [](const std::string& text) {
    const std::string of_policy = replaced(text, "[policy]\nname = \"fcfs\"", "[policy]\nname = \"easy_backfill\"");
    return complaints(replaced(of_policy, "[[classes]]", "placement = \"best_fit\"\n[[classes]]"));
  };
  EXPECT_EQ(said_of(with("msfq", "fcfs")), "");
  EXPECT_EQ(said_of(resource_sample),
            "f.toml:11:13: platform.placement: policy 'easy_backfill' places tasks itself; expected 'first', the "
            "default");
}

}  // namespace
}  // namespace muster
