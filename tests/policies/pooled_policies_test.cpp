#include <rapidcheck.h>

#include <gtest/gtest.h>

#include "tests/policies/pooling_scene.h"

namespace muster {
namespace {

using servers = std::vector<std::size_t>;
constexpr std::size_t nobody = pooling_scene::nobody;

// The paper's Figure 1: servers 0 and 1 belong to classes 0 and 1, server 2 serves both.
pooling_scene three_servers(const char* policy) { return {3, {{0, 2}, {1, 2}}, policy}; }

TEST(fcfs_pooled, gives_an_arrival_all_idle_servers_that_it_may_use) {
  pooling_scene s = three_servers("fcfs_pooled");
  s.arrive(0);
  EXPECT_EQ(s.works_for(), (servers{0, nobody, 0}));
  s.arrive(1);
  EXPECT_EQ(s.works_for(), (servers{0, 1, 0}));
}

TEST(fcfs_pooled, lets_a_freed_server_join_the_first_job_in_the_queue_even_if_it_is_served_already) {
  pooling_scene s = three_servers("fcfs_pooled");
  const auto first = s.arrive(0);
  const auto second = s.arrive(1);
  s.arrive(0);
  s.complete(first);
  // Server 2 helps the second job, which came before the third; server 0 may only serve the third.
  EXPECT_EQ(s.works_for(), (servers{2, second, second}));
}

TEST(fcfs_pooled, leaves_servers_idle_that_no_job_may_use) {
  pooling_scene s = three_servers("fcfs_pooled");
  s.arrive(0);
  s.arrive(0);
  EXPECT_EQ(s.works_for(), (servers{0, nobody, 0}));
  s.complete(0);
  EXPECT_EQ(s.works_for(), (servers{1, nobody, 1}));
  s.complete(1);
  EXPECT_EQ(s.works_for(), (servers{nobody, nobody, nobody}));
}

TEST(balanced_fair, moves_an_interrupted_job_behind_the_others) {
  pooling_scene s = three_servers("balanced_fair");
  s.arrive(0);
  s.arrive(1);
  s.arrive(0);
  s.interrupt(0);
  EXPECT_EQ(s.works_for(), (servers{2, 1, 1}));
  EXPECT_EQ(s.at(0).where, job::place::waiting);
  s.complete(2);
  EXPECT_EQ(s.works_for(), (servers{0, 1, 1}));
}

TEST(balanced_fair, resumes_an_interrupted_job_at_once_where_nobody_else_wants_the_server) {
  pooling_scene s = three_servers("balanced_fair");
  s.arrive(0);
  s.interrupt(0);
  EXPECT_EQ(s.works_for(), (servers{0, nobody, 0}));
}

// Section 2: a server works for the first job in the queue that may use it. Here against a search of the whole queue.
TEST(pooled_policies, serve_the_queue_in_order_at_every_server_whatever_happens) {
  ASSERT_TRUE(rc::check([] {
    const std::size_t count = *rc::gen::inRange<std::size_t>(1, 6);
    std::vector<std::vector<unsigned>> compatible;
    const auto classes = *rc::gen::inRange(1, 5);
    for (int c = 0; c < classes; ++c) {
      const auto chosen = *rc::gen::inRange(1u, 1u << count);
      compatible.emplace_back();
      for (unsigned server = 0; server < count; ++server)
        if (chosen >> server & 1u) compatible.back().push_back(server);
    }
    pooling_scene s{count, compatible, "balanced_fair"};
    std::vector<std::size_t> queue;
    for (int event = 0; event < 60; ++event) {
      const auto kind = *rc::gen::inRange(0, 5);
      const auto served = std::count_if(queue.begin(), queue.end(),
                                        [&](std::size_t j) { return s.at(j).where == job::place::in_service; });
      if (kind < 2 || served == 0) {
        queue.push_back(s.arrive(*rc::gen::inRange(0u, static_cast<unsigned>(classes))));
      } else {
        auto nth = *rc::gen::inRange<std::ptrdiff_t>(0, served);
        const auto at = std::find_if(queue.begin(), queue.end(), [&](std::size_t j) {
          return s.at(j).where == job::place::in_service && nth-- == 0;
        });
        const std::size_t number = *at;
        queue.erase(at);
        if (kind == 2) {
          s.complete(number);
        } else {
          queue.push_back(number);
          s.interrupt(number);
        }
      }
      for (unsigned server = 0; server < count; ++server) {
        const auto first = std::find_if(queue.begin(), queue.end(), [&](std::size_t j) {
          const auto& mine = compatible[static_cast<std::size_t>(s.at(j).type)];
          return std::find(mine.begin(), mine.end(), server) != mine.end();
        });
        RC_ASSERT(s.works_for()[server] == (first == queue.end() ? nobody : *first));
      }
    }
  }));
}

}  // namespace
}  // namespace muster
