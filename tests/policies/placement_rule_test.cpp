#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "muster/policies/placement.h"

// Which server each rule of placement chooses: by hand, and against a scan of all servers.

namespace muster {
namespace {

class no_numbers final : public random_numbers {
 public:
  double uniform() override { return 0.0; }
};

// Two groups, the second of which comes first in the order of the job's class.
struct two_groups {
  two_groups(const std::vector<unsigned>& first, const std::vector<unsigned>& second) {
    for (const auto* group : {&first, &second}) {
      idle_ranking ranking(static_cast<std::uint32_t>(group->size()), 8);
      for (std::uint32_t s = 0; s < group->size(); ++s) ranking.set(s, (*group)[s]);
      servers.push_back(std::move(ranking));
    }
  }

  // Where the rule places the first cores: "group/server/cores".
  std::string choice(const char* rule, unsigned cores) const {
    no_numbers random;
    const idle_server s = find_placement(rule)->choose(candidate_servers(servers, order), cores, random);
    return std::to_string(static_cast<unsigned>(s.group)) + "/" + std::to_string(s.server) + "/" +
           std::to_string(s.cores);
  }

  table<group_id, idle_ranking> servers;
  std::vector<group_id> order{group_id{1}, group_id{0}};
};

TEST(placement_rules, first_is_the_default_and_needs_no_search) {
  ASSERT_FALSE(placement_catalogue().empty());
  EXPECT_EQ(placement_catalogue().front(), find_placement("first"));
  EXPECT_EQ(find_placement("first")->choose, nullptr);
  EXPECT_EQ(find_placement("no_such_rule"), nullptr);
}

TEST(placement_rules, best_fit_takes_the_smallest_gap_that_holds_the_job) {
  const two_groups cluster({8, 3, 2}, {5, 3});
  EXPECT_EQ(cluster.choice("best_fit", 2), "0/2/2");
  EXPECT_EQ(cluster.choice("best_fit", 4), "1/0/5");
  EXPECT_EQ(cluster.choice("best_fit", 6), "0/0/8");
}

TEST(placement_rules, best_fit_takes_the_largest_gap_where_none_holds_the_job) {
  EXPECT_EQ(two_groups({4, 7}, {5, 3}).choice("best_fit", 9), "0/1/7");
}

TEST(placement_rules, worst_fit_takes_the_largest_gap) {
  EXPECT_EQ(two_groups({4, 7}, {5, 3}).choice("worst_fit", 1), "0/1/7");
}

TEST(placement_rules, equal_servers_are_taken_in_the_order_of_the_class_and_then_by_number) {
  const two_groups cluster({4, 4}, {0, 4, 4});
  for (const char* rule : {"best_fit", "worst_fit"}) EXPECT_EQ(cluster.choice(rule, 3), "1/1/4") << rule;
}

// Gangs on random clusters: no choice of racks is smaller than the number of racks with the most idle cores that hold
// the job, and a rack but the last is used up.
TEST(placement_rules, fewest_racks_uses_as_few_racks_as_possible) {
  std::mt19937 random(3);
  no_numbers none;
  std::size_t gangs = 0;
  for (int round = 0; round < 500; ++round) {
    const auto count = static_cast<std::uint32_t>(1 + random() % 5);
    server_racks racks{count, {}};
    table<group_id, idle_ranking> servers;
    std::vector<group_id> groups;
    std::vector<unsigned> idle(count);
    for (std::uint32_t g = 0; g < 1 + random() % 2; ++g) {
      std::vector<std::uint32_t> of_group(1 + random() % 12);
      for (std::uint32_t& rack : of_group) rack = static_cast<std::uint32_t>(random() % count);
      idle_ranking ranking(static_cast<std::uint32_t>(of_group.size()), 4, of_group, count);
      for (std::uint32_t s = 0; s < of_group.size(); ++s) {
        ranking.set(s, random() % 5);
        idle[of_group[s]] += ranking.cores(s);
      }
      for (std::uint32_t rack = 0; rack < count; ++rack) {
        unsigned sum = 0;
        for (std::uint32_t s = 0; s < of_group.size(); ++s) sum += of_group[s] == rack ? ranking.cores(s) : 0;
        ASSERT_EQ(ranking.idle_in(rack), sum);
      }
      servers.push_back(std::move(ranking));
      racks.of_servers.push_back(of_group);
      groups.push_back(group_id{g});
    }
    const unsigned all = std::accumulate(idle.begin(), idle.end(), 0u);
    if (all == 0) continue;
    unsigned missing = 1 + static_cast<unsigned>(random() % all);
    std::vector<unsigned> largest = idle;
    std::sort(largest.rbegin(), largest.rend());
    std::size_t fewest = 0;
    for (unsigned held = 0; held < missing; held += largest[fewest++]) {
    }
    std::set<std::uint32_t> used;
    std::optional<std::uint32_t> latest;
    while (missing > 0) {
      const idle_server s =
          find_placement("fewest_racks")->choose(candidate_servers(servers, groups, &racks, latest), missing, none);
      const unsigned taken = std::min(missing, s.cores);
      ASSERT_GT(taken, 0u);
      servers[s.group].set(s.server, s.cores - taken);
      const std::uint32_t rack = racks.of_servers[s.group][s.server];
      if (latest && *latest != rack) EXPECT_EQ(idle[*latest], 0u);
      idle[rack] -= taken;
      used.insert(rack);
      latest = rack;
      missing -= taken;
    }
    EXPECT_EQ(used.size(), fewest);
    gangs += fewest > 1;
  }
  EXPECT_GT(gangs, 100u);
}

RC_GTEST_PROP(idle_ranking, finds_what_a_scan_of_all_servers_finds, ()) {
  const std::uint32_t servers = *rc::gen::inRange<std::uint32_t>(1, 40);
  const unsigned each = *rc::gen::inRange(1u, 6u);
  idle_ranking ranking(servers, each);
  std::vector<unsigned> model(servers, each);
  const auto steps = *rc::gen::container<std::vector<std::pair<std::uint32_t, unsigned>>>(
      rc::gen::pair(rc::gen::inRange<std::uint32_t>(0, servers), rc::gen::inRange(0u, each + 1)));
  for (const auto& [server, cores] : steps) {
    ranking.set(server, cores);
    model[server] = cores;
    for (unsigned at_least = 1; at_least <= each; ++at_least) {
      std::optional<std::uint32_t> best;
      for (std::uint32_t s = 0; s < servers; ++s)
        if (model[s] >= at_least && (!best || model[s] < model[*best])) best = s;
      RC_ASSERT(ranking.fewest(at_least) == best);
    }
    const auto most = std::max_element(model.begin(), model.end());
    RC_ASSERT(ranking.most() ==
              (*most > 0 ? std::optional(static_cast<std::uint32_t>(most - model.begin())) : std::nullopt));
    std::set<std::uint32_t> ranked, idle;
    for (std::size_t rank = 0; rank < ranking.count(); ++rank) ranked.insert(ranking.at(rank));
    for (std::uint32_t s = 0; s < servers; ++s)
      if (model[s] > 0) idle.insert(s);
    RC_ASSERT(ranked == idle && ranking.count() == idle.size());
  }
}

}  // namespace
}  // namespace muster
