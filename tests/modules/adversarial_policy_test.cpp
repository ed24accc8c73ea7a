#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

namespace muster {
namespace {

class starts_nothing final : public policy {
  void schedule(const cluster_view&, decisions&) override {}
};

class starts_what_does_not_fit final : public policy {
  void schedule(const cluster_view& cluster, decisions& decide) override {
    if (const job* next = cluster.earliest()) decide.start(*next);
  }
};

class starts_twice final : public policy {
  void schedule(const cluster_view& cluster, decisions& decide) override {
    const job& next = *cluster.earliest();
    decide.start(next);
    decide.start(next);
  }
};

class starts_who_has_left final : public policy {
  void arrived(const job& j, const cluster_view&, decisions& decide) override {
    if (!first_) decide.start(j);
    if (!first_) first_ = &j;
  }
  void completed(const job&, const cluster_view&, decisions& decide) override { decide.start(*first_); }
  void schedule(const cluster_view&, decisions&) override {}
  const job* first_ = nullptr;
};

class pools final : public policy {
  void arrived(const job& j, const cluster_view&, decisions& decide) override { decide.join(j, group_id{0}); }
};

class pools_what_has_left final : public policy {
  void arrived(const job& j, const cluster_view&, decisions& decide) override {
    if (!first_) decide.join(j, group_id{0});
    if (!first_) first_ = &j;
  }
  void completed(const job&, const cluster_view&, decisions& decide) override { decide.join(*first_, group_id{0}); }
  const job* first_ = nullptr;
};

class pools_where_it_must_not final : public policy {
  void arrived(const job& j, const cluster_view& cluster, decisions& decide) override {
    for (unsigned g = 0; g < 2; ++g)
      if (*cluster.servers(j).begin() != group_id{g}) decide.join(j, group_id{g});
  }
};

template <class Policy>
void ends_with(const std::string& fault, std::vector<job_request> jobs, layout l = {{3, 1}, {{"node", 2, 2, 1.0}}}) {
  expect_report("/muster/scheduler", fault);
  l.own_policy = &own_policy<Policy>(l);
  scene s{l, std::move(jobs)};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

TEST(policy_that_breaks_the_rules, starts_nothing) {
  std::vector<job_request> jobs;
  for (ticks n = 0; n < 100'001; ++n) jobs.push_back({n, class_id{1}, 1});
  ends_with<starts_nothing>("the policy has started nothing during 100000 arrivals while no job was in service",
                            std::move(jobs));
}

TEST(policy_that_breaks_the_rules, starts_a_job_that_does_not_fit) {
  ends_with<starts_what_does_not_fit>("the policy started job 1 of class 'need_3', of need 3, with 1 cores free",
                                      {{0, class_id{0}, 10}, {1, class_id{0}, 10}});
}

TEST(policy_that_breaks_the_rules, starts_a_job_twice) {
  ends_with<starts_twice>("the policy started job 0 a second time", {{0, class_id{1}, 10}});
}

TEST(policy_that_breaks_the_rules, starts_a_job_that_has_left) {
  ends_with<starts_who_has_left>("the policy started job 0, which has left", {{0, class_id{1}, 10}});
}

TEST(policy_that_breaks_the_rules, starts_a_pooled_job) {
  ends_with<starts_what_does_not_fit>("the policy started job 0 as a rigid one, but its jobs are pooled",
                                      {{0, class_id{0}, 10}}, {{1}, {{"a"}}, "fcfs_pooled"});
}

TEST(policy_that_breaks_the_rules, pools_servers_for_a_rigid_job) {
  ends_with<pools>("the policy let 'node' join job 0, which is rigid", {{0, class_id{1}, 10}});
}

TEST(policy_that_breaks_the_rules, lets_a_busy_server_join) {
  ends_with<pools>("the policy let 'a' join job 1, but it is busy", {{0, class_id{0}, 10}, {1, class_id{0}, 10}},
                   {{1}, {{"a"}}, "fcfs_pooled"});
}

TEST(policy_that_breaks_the_rules, lets_a_server_join_a_job_that_has_left) {
  ends_with<pools_what_has_left>("the policy let 'a' join job 0, which has left or is leaving", {{0, class_id{0}, 10}},
                                 {{1}, {{"a"}}, "fcfs_pooled"});
}

TEST(policy_that_breaks_the_rules, lets_a_server_join_a_job_that_may_not_use_it) {
  layout l{{1}, {{"a"}, {"b"}}, "fcfs_pooled"};
  l.drawn = 1;
  ends_with<pools_where_it_must_not>("the policy let 'b' join job 0, which may not use it", {{0, class_id{0}, 10, {0}}},
                                     l);
}

}  // namespace
}  // namespace muster
