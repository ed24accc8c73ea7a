#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

namespace muster {
namespace {

class starts_nothing final : public rigid_policy {
  void schedule(rigid_view, rigid_decisions&) override {}
};

class starts_what_does_not_fit final : public rigid_policy {
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    if (const job* next = cluster.earliest()) decide.start(*next);
  }
};

class starts_twice final : public rigid_policy {
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    const job& next = *cluster.earliest();
    decide.start(next);
    decide.start(next);
  }
};

class starts_who_has_left final : public rigid_policy {
  void arrived(const job& j, rigid_view, rigid_decisions& decide) override {
    if (!first_) decide.start(j);
    if (!first_) first_ = &j;
  }
  void completed(const job&, rigid_view, rigid_decisions& decide) override { decide.start(*first_); }
  void schedule(rigid_view, rigid_decisions&) override {}
  const job* first_ = nullptr;
};

class pools final : public pooled_policy {
  void arrived(const job& j, pooled_view, pooled_decisions& decide) override { decide.join(j, group_id{0}); }
};

class pools_what_has_left final : public pooled_policy {
  void arrived(const job& j, pooled_view, pooled_decisions& decide) override {
    if (!first_) decide.join(j, group_id{0});
    if (!first_) first_ = &j;
  }
  void completed(const job&, pooled_view, pooled_decisions& decide) override { decide.join(*first_, group_id{0}); }
  const job* first_ = nullptr;
};

class pools_where_it_must_not final : public pooled_policy {
  void arrived(const job& j, pooled_view cluster, pooled_decisions& decide) override {
    for (unsigned g = 0; g < 2; ++g)
      if (*cluster.servers(j).begin() != group_id{g}) decide.join(j, group_id{g});
  }
};

template <class Policy>
void ends_with(const std::string& fault, std::vector<job_request> jobs, layout l = {{3, 1}, {{"node", 2, 2, 1.0}}}) {
  expect_report("/muster/scheduler", fault);
  l.own_policy = &own_policy<Policy>();
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

class starts_a_copy final : public rigid_policy {
  void arrived(const job& j, rigid_view, rigid_decisions& decide) override {
    const job copy = j;
    decide.start(copy);
  }
};

class starts_a_job_of_its_own final : public rigid_policy {
  void arrived(const job& j, rigid_view, rigid_decisions& decide) override {
    job own;
    own.id = j.id;
    own.where = job::place::waiting;
    decide.start(own);
  }
};

template <bool kills>
class takes_cores_of_a_copy final : public rigid_policy {
  void arrived(const job& j, rigid_view, rigid_decisions& decide) override {
    decide.start(j);
    const job copy = j;
    if (kills)
      decide.kill(copy);
    else
      decide.preempt(copy);
  }
};

class pools_a_copy final : public pooled_policy {
  void arrived(const job& j, pooled_view, pooled_decisions& decide) override {
    const job copy = j;
    decide.join(copy, group_id{0});
  }
};

class serves_a_copy final : public slotted_policy {
  void slot_begins(slotted_view cluster, slotted_decisions& decide) override {
    const job copy = *cluster.first(class_id{0});
    decide.serve(copy);
  }
};

std::string copied(const std::string& decision) {
  return "policy 'of_the_test' " + decision + " a copy of job 0; expected the job itself, by reference or pointer";
}

TEST(policy_that_breaks_the_rules, starts_a_copy_of_a_job) {
  ends_with<starts_a_copy>(copied("started"), {{0, class_id{1}, 10}});
}

TEST(policy_that_breaks_the_rules, starts_a_job_that_it_has_made) {
  ends_with<starts_a_job_of_its_own>(copied("started"), {{0, class_id{1}, 10}});
}

template <class Policy>
void ends_preempting_with(const std::string& fault) {
  expect_report("/muster/scheduler", fault);
  layout l;
  l.own_policy = &preemptive_policy<Policy>();
  scene s{l, {{0, class_id{0}, 10}}};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

TEST(policy_that_breaks_the_rules, preempts_a_copy_of_a_job) {
  ends_preempting_with<takes_cores_of_a_copy<false>>(copied("preempted"));
}

TEST(policy_that_breaks_the_rules, kills_a_copy_of_a_job) {
  ends_preempting_with<takes_cores_of_a_copy<true>>(copied("killed"));
}

TEST(policy_that_breaks_the_rules, lets_a_server_join_a_copy_of_a_job) {
  ends_with<pools_a_copy>(copied("let servers join"), {{0, class_id{0}, 10}}, {{1}, {{"a"}}, "fcfs_pooled"});
}

TEST(policy_that_breaks_the_rules, serves_a_copy_of_a_job) {
  layout l{{1}, {{"a"}}, "fifo"};
  l.worth = std::make_shared<utility>(std::vector<double>{1.0});
  ends_with<serves_a_copy>(copied("served"), {{0, class_id{0}, l.slot, {}, 0}}, l);
}

/// Begins phase 99 of so many.
template <unsigned Phases>
class begins_phase_99 final : public rigid_policy {
  unsigned phases() const override { return Phases; }
  void schedule(rigid_view, rigid_decisions&) override { begin_phase(99); }
};

TEST(policy_that_breaks_the_rules, begins_a_phase_beyond_its_last) {
  ends_with<begins_phase_99<2>>("policy 'of_the_test' began phase 99; expected at most its 2 phases()",
                                {{0, class_id{1}, 10}});
}

TEST(policy_that_breaks_the_rules, begins_a_phase_and_has_none) {
  ends_with<begins_phase_99<0>>("policy 'of_the_test' began phase 99; expected none, as its phases() is 0",
                                {{0, class_id{1}, 10}});
}

class has_too_many_phases final : public rigid_policy {
  unsigned phases() const override { return ~0U; }
  void schedule(rigid_view, rigid_decisions&) override { begin_phase(1); }
};

TEST(policy_that_breaks_the_rules, has_more_phases_than_statistics_can_be_kept_of) {
  layout l{{3, 1}, {{"node", 2, 2, 1.0}}};
  expect_report("/muster/scheduler", "policy 'of_the_test': its phases() is 4294967295; expected at most 1000");
  l.own_policy = &own_policy<has_too_many_phases>();
  EXPECT_THROW((scene{l, {{0, class_id{1}, 10}}}), sc_core::sc_report);
}

class has_ever_more_phases final : public rigid_policy {
  unsigned phases() const override { return phases_ += 10; }
  void schedule(rigid_view, rigid_decisions&) override { begin_phase(11); }
  mutable unsigned phases_ = 0;
};

TEST(policy_that_breaks_the_rules, begins_a_phase_beyond_those_that_it_had_when_it_was_made) {
  ends_with<has_ever_more_phases>("policy 'of_the_test' began phase 11; expected at most its 10 phases()",
                                  {{0, class_id{1}, 10}});
}

}  // namespace
}  // namespace muster
