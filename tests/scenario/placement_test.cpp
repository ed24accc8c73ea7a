#include "muster/policies/placement.h"
#include "platform/model/network_topology.h"
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

// The rack of each server, with a blank between groups.
std::string racks_on(const std::string& link, std::uint32_t scheduler = 0, const std::string& more = "") {
  const std::string platform =
      "name = \"racks\"\n[platform]\nservers = [{ name = \"a\", count = 5 }, { name = \"b\", count = 3 }]\nplacement = "
      "\"fewest_racks\"\n";
  const std::string jobs =
      "[[classes]]\nname = \"job\"\nneed = 1\nshare = 1.0\nsize = { distribution = \"deterministic\", value = 1.0 "
      "}\n[arrivals]\nrate = 0.1\n"
      "[policy]\nname = \"fcfs\"\n";
  const server_racks racks = racks_of(first_point(platform + "link = " + link + "\n" + more + jobs), scheduler);
  std::string text;
  for (const std::vector<std::uint32_t>& of_group : racks.of_servers) {
    if (!text.empty()) text += ' ';
    for (const std::uint32_t rack : of_group) text += std::to_string(rack);
  }
  return text + " of " + std::to_string(racks.count);
}

// Eight servers: by hand. A fat tree of four ports has two places at each edge switch, the first of which is the
// scheduler's. A dragonfly of two groups of two routers has two servers at each router.
TEST(racks_of_a_network, are_leaf_switches_or_groups_of_routers) {
  EXPECT_EQ(racks_on("{ topology = \"racks\", racks = 3 }"), "00011 122 of 3");
  EXPECT_EQ(racks_on("{ topology = \"leaf_spine\", leaves = 4, spines = 2 }"), "00112 233 of 4");
  EXPECT_EQ(racks_on("{ topology = \"fat_tree\", ports = 4 }"), "01122 334 of 5");
  EXPECT_EQ(racks_on("{ topology = \"dragonfly\", groups = 2, routers = 2 }"), "00001 111 of 2");
}

TEST(racks_of_a_network, are_those_of_the_servers_that_a_scheduler_owns) {
  const std::string several = "schedulers = { count = 2 }\n";
  EXPECT_EQ(racks_on("{ topology = \"racks\", racks = 3 }", 0, several), "001 2 of 3");
  EXPECT_EQ(racks_on("{ topology = \"racks\", racks = 3 }", 1, several), "01 12 of 3");
}

TEST(placement_of_a_scenario, by_racks_is_refused_where_the_topology_has_none) {
  EXPECT_EQ(
      complaints(with("[[classes]]", "placement = \"fewest_racks\"\n[[classes]]")),
      "f.toml:4:13: platform.placement: 'fewest_racks' needs racks, which topology 'star' does not have; expected "
      "racks, fat_tree, dragonfly or leaf_spine");
}

}  // namespace
}  // namespace muster
