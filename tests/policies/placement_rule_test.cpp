#include <algorithm>
#include <numeric>
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
