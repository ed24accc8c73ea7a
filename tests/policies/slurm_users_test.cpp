#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/policies/slurm_scene.h"

// Users, accounts, QOS and limits under Slurm's policy, by hand.

namespace muster {
namespace {

// Jobs 1 and 2 wait for the only core, which user 0 has had before.
TEST(slurm, starts_jobs_of_the_user_of_less_usage_first_by_fair_share) {
  const std::vector<std::array<std::uint64_t, 4>> jobs{{0, 1000, 1, 0}, {5, 10, 1, 0}, {6, 10, 1, 1}};
  EXPECT_EQ(on_cores(1, jobs, "slurm", {}), (starts{0, 1000, 1010}));
  EXPECT_EQ(on_cores(1, jobs, "slurm",
                     {{"PriorityType", std::string("multifactor")}, {"PriorityWeightFairshare", std::int64_t{1000}}}),
            (starts{0, 1010, 1000}));
}

// Users 0 and 1 have used 1,000 and 500 core seconds when jobs 2 and 3, which need both cores, may start.
TEST(slurm, starts_jobs_of_the_user_first_whose_account_has_used_less_of_its_share) {
  const std::vector<std::array<std::uint64_t, 4>> jobs{{0, 1000, 1, 0}, {0, 500, 1, 1}, {5, 10, 2, 0}, {6, 10, 2, 1}};
  const auto with = [&](std::int64_t shares_of_first) {
    std::vector<named_settings> accounts{{"first", {}}, {"second", {}}}, users{{"ann", {}}, {"bob", {}}};
    accounts[0].values.set("Fairshare", shares_of_first);
    users[0].values.set("account", std::string("first"));
    users[1].values.set("account", std::string("second"));
    return on_cores(2, jobs, "slurm",
                    {{"PriorityType", std::string("multifactor")},
                     {"PriorityWeightFairshare", std::int64_t{1000}},
                     {"accounts", accounts},
                     {"users", users}});
  };
  EXPECT_EQ(with(1), (starts{0, 0, 1010, 1000}));
  EXPECT_EQ(with(10), (starts{0, 0, 1000, 1010}));
}

TEST(slurm, leaves_out_jobs_of_users_that_run_as_many_as_they_may) {
  const std::vector<std::array<std::uint64_t, 4>> jobs{{0, 50, 1, 0}, {0, 50, 1, 0}, {0, 50, 1, 1}};
  EXPECT_EQ(on_cores(4, jobs, "slurm", {{"MaxJobsPerUser", std::int64_t{1}}}), (starts{0, 50, 0}));
}

TEST(slurm, refuses_classes_whose_jobs_exceed_a_limit_of_their_partition_alone) {
  settings limited;
  limited.set("GrpCPUs", std::int64_t{7});
  try {
    placing_scene(only_cores, {{2, {4}}}, {0}, needs_of({{2, {4}}}), "slurm", {}, {}, {limited});
    ADD_FAILURE() << "was taken";
  } catch (const policy_error& e) {
    EXPECT_NE(std::string(e.what()).find("jobs of class 'need_0' need 8 cores, more than its GrpCPUs; expected at "
                                         "least as many, found 7"),
              std::string::npos)
        << e.what();
  }
}

/// QOS of which "high" has the priority 10, preempts "low", and has other parameters, too.
std::vector<named_settings> high_and_low(const std::vector<std::pair<const char*, settings::value>>& of_high = {}) {
  std::vector<named_settings> all{{"high", {}}, {"low", {}}};
  all[0].values.set("Priority", std::int64_t{10});
  all[0].values.set("Preempt", std::string("low"));
  for (const auto& [name, value] : of_high) all[0].values.set(name, value);
  return all;
}

// Jobs 1 and 2 wait for both nodes, which job 0 has until 100.
TEST(slurm, starts_jobs_of_the_qos_of_the_higher_priority_first) {
  const std::vector<placed_job> jobs{{0, 100, 100, 0}, {1, 50, 60, 0, 0, 1}, {2, 50, 60, 0, 0, 0}};
  const placing_scene::changes set{{"qos", high_and_low()}, {"PriorityType", std::string("multifactor")}};
  EXPECT_EQ(two_nodes(set).run(jobs), (starts{0, 100, 150}));
  placing_scene::changes weighed = set;
  weighed.emplace_back("PriorityWeightQOS", std::int64_t{1000});
  EXPECT_EQ(two_nodes(weighed).run(jobs), (starts{0, 150, 100}));
}

// Jobs 1 and 2 wait for both nodes, which job 0 has until 100. Job 0 has no QOS.
TEST(slurm, takes_jobs_as_they_came_whatever_their_qos_where_the_builtin_scheduler_has_no_priorities) {
  const std::vector<placed_job> jobs{{0, 100, 100, 0}, {1, 50, 60, 0, 0, 1}, {2, 50, 60, 0, 0, 0}};
  placing_scene::changes set{{"qos", high_and_low()},
                             {"PreemptType", std::string("qos")},
                             {"PreemptMode", std::string("requeue")},
                             {"PreemptExemptTime", 60.0},  // longer than any of them runs
                             {"SchedulerType", std::string("builtin")}};
  EXPECT_EQ(two_nodes(set).run(jobs), (starts{0, 100, 150}));
  set.emplace_back("PriorityType", std::string("multifactor"));
  EXPECT_EQ(two_nodes(set).run(jobs), (starts{0, 150, 100}));
}

// A partition allows a job of a user, the QOS two.
TEST(slurm, keeps_the_limit_of_the_partition_where_that_of_the_qos_is_not_over_it) {
  const std::vector<placed_job> jobs{{0, 50, 60, 3, 0, 0}, {0, 50, 60, 3, 0, 0}, {0, 50, 60, 3, 0, 0}};
  std::vector<settings> of_classes(4);
  for (settings& of_class : of_classes) of_class.set("MaxJobsPerUser", std::int64_t{1});
  const auto with = [&](const char* over) {
    const placing_scene::changes set{
        {"qos", high_and_low({{"MaxJobsPerUser", std::int64_t{2}}, {"OverPartQOS", std::string(over)}})}};
    return placing_scene(only_cores, {{2, {4}}}, {0}, needs_of(std::vector<tasks_of_class>(4, {1, {1}})), "slurm", set,
                         {}, of_classes)
        .run(jobs);
  };
  EXPECT_EQ(with("no"), (starts{0, 50, 100}));
  EXPECT_EQ(with("yes"), (starts{0, 0, 50}));
}

// Jobs 0 and 1 run on a node each, of which job 0 is of the QOS that gives way.
TEST(slurm, lets_jobs_of_the_qos_give_way_that_that_of_the_waiting_job_preempts) {
  const std::vector<placed_job> jobs{{0, 900, 900, 2, 0, 1}, {0, 900, 900, 2, 0, 0}, {10, 20, 60, 2, 0, 0}};
  placing_scene scene = two_nodes(
      {{"qos", high_and_low()}, {"PreemptType", std::string("qos")}, {"PreemptMode", std::string("requeue")}});
  const starts found = scene.run(jobs);
  EXPECT_EQ(found[2], 10u);
  EXPECT_EQ(scene.kills(0), 1u);
  EXPECT_EQ(scene.kills(1), 0u);
}

// Job 1 gives way to job 2 at 10, or when its grace time is over. What the partition says has no effect.
TEST(slurm, cancels_and_delays_jobs_that_give_way_as_their_qos_says) {
  const std::vector<placed_job> jobs{{0, 900, 900, 2, 0, 0}, {0, 900, 900, 2, 0, 1}, {10, 20, 60, 2, 0, 0}};
  const auto with = [&](const char* mode, std::int64_t grace) {
    std::vector<named_settings> qos = high_and_low();
    qos[1].values.set("PreemptMode", std::string(mode));
    qos[1].values.set("GraceTime", grace);
    std::vector<settings> of_classes(4);
    of_classes[2].set("PreemptMode", std::string("off"));
    of_classes[2].set("GraceTime", std::int64_t{7});
    const placing_scene::changes set{
        {"qos", qos}, {"PreemptType", std::string("qos")}, {"PreemptMode", std::string("cancel")}};
    return placing_scene(only_cores, {{2, {4}}}, {0}, needs_of(std::vector<tasks_of_class>(4, {1, {3}})), "slurm", set,
                         {}, of_classes)
        .run(jobs);
  };
  EXPECT_EQ(with("cluster", 0), (starts{0, 0, 10}));
  EXPECT_EQ(with("requeue", 0), (starts{0, 131, 10}));
  EXPECT_EQ(with("cancel", 45), (starts{0, 0, 60}));
}

TEST(slurm, refuses_qos_that_preempt_in_a_circle_or_one_that_there_is_not_and_jobs_that_exceed_a_limit_alone) {
  const auto refusal_of = [](const std::vector<named_settings>& qos) -> std::string {
    try {
      two_nodes({{"qos", qos}}).run({{0, 50, 60, 0, 0, 0}});
    } catch (const policy_error& e) {
      return e.what();
    }
    return "none";
  };
  std::vector<named_settings> circle = high_and_low();
  circle[1].values.set("Preempt", std::string("high"));
  EXPECT_NE(refusal_of(circle).find("'high' preempts itself, or such a QOS, by way of others"), std::string::npos);
  EXPECT_NE(refusal_of(high_and_low({{"Preempt", std::string("low,lwo")}}))
                .find("Preempt of 'high' names 'lwo', which there is not"),
            std::string::npos);
  EXPECT_EQ(refusal_of(high_and_low({{"GrpCPUs", std::int64_t{7}}})),
            "job 0 of class 'need_0' needs 8 cores on 2 nodes, more than the limits of its partition and of QOS 'high' "
            "allow; expected a job that keeps them");
  EXPECT_EQ(refusal_of(high_and_low({{"GrpCPUs", std::int64_t{8}}})), "none");
}

/// Account "lab" belongs to "science"; user 0 belongs to lab, user 1 to science, and user 2 to none.
placing_scene::changes with_limits(const std::vector<std::pair<const char*, std::int64_t>>& of_science,
                                   const std::vector<std::pair<const char*, std::int64_t>>& of_lab,
                                   const std::vector<std::pair<const char*, std::int64_t>>& of_user_0) {
  std::vector<named_settings> accounts{{"science", {}}, {"lab", {}}}, users{{"ann", {}}, {"bob", {}}};
  accounts[1].values.set("parent", std::string("science"));
  users[0].values.set("account", std::string("lab"));
  users[1].values.set("account", std::string("science"));
  for (const auto& [name, most] : of_science) accounts[0].values.set(name, most);
  for (const auto& [name, most] : of_lab) accounts[1].values.set(name, most);
  for (const auto& [name, most] : of_user_0) users[0].values.set(name, most);
  return {{"accounts", accounts}, {"users", users}};
}

// Two jobs of each user are of one core; there is room for all of them at once.
TEST(slurm, leaves_out_jobs_of_accounts_that_have_what_they_and_those_above_them_may) {
  const std::vector<placed_job> jobs{{0, 50, 60, 3, 0}, {0, 50, 60, 3, 0}, {0, 50, 60, 3, 1},
                                     {0, 50, 60, 3, 1}, {0, 50, 60, 3, 2}, {0, 50, 60, 3, 2}};
  const auto with = [&](const placing_scene::changes& limits) { return two_nodes(limits).run(jobs); };
  EXPECT_EQ(with(with_limits({}, {}, {})), (starts{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(with(with_limits({{"GrpJobs", 3}}, {}, {})), (starts{0, 0, 0, 50, 0, 0}));
  EXPECT_EQ(with(with_limits({{"GrpCPUs", 2}}, {{"GrpCPUs", 1}}, {})), (starts{0, 50, 0, 50, 0, 0}));
  EXPECT_EQ(with(with_limits({{"GrpNodes", 1}}, {}, {})), (starts{0, 50, 100, 150, 0, 0}));
  EXPECT_EQ(with(with_limits({}, {}, {{"GrpJobs", 1}})), (starts{0, 50, 0, 0, 0, 0}));
}

TEST(slurm, takes_max_jobs_of_a_user_from_the_nearest_account_above_that_has_it) {
  const std::vector<placed_job> jobs{
      {0, 50, 60, 3, 0}, {0, 50, 60, 3, 0}, {0, 50, 60, 3, 0}, {0, 50, 60, 3, 1}, {0, 50, 60, 3, 1}};
  const auto with = [&](const placing_scene::changes& limits) { return two_nodes(limits).run(jobs); };
  EXPECT_EQ(with(with_limits({{"MaxJobs", 1}}, {}, {})), (starts{0, 50, 100, 0, 50}));
  EXPECT_EQ(with(with_limits({{"MaxJobs", 1}}, {{"MaxJobs", 2}}, {})), (starts{0, 0, 50, 0, 50}));
  EXPECT_EQ(with(with_limits({{"MaxJobs", 1}}, {{"MaxJobs", 2}}, {{"MaxJobs", 3}})), (starts{0, 0, 0, 0, 50}));
}

// QOS "high" allows two jobs, the account one.
TEST(slurm, keeps_the_limit_of_an_account_where_no_qos_of_the_job_has_it) {
  const auto with = [](std::uint32_t qos) {
    placing_scene::changes set = with_limits({{"GrpJobs", 1}}, {}, {});
    set.emplace_back("qos", high_and_low({{"GrpJobs", std::int64_t{2}}}));
    return two_nodes(set).run({{0, 50, 60, 3, 0, qos}, {0, 50, 60, 3, 0, qos}, {0, 50, 60, 3, 0, qos}});
  };
  EXPECT_EQ(with(0), (starts{0, 0, 50}));
  EXPECT_EQ(with(1), (starts{0, 50, 100}));
}

TEST(slurm, refuses_jobs_that_exceed_a_limit_of_their_account_alone) {
  try {
    two_nodes(with_limits({{"GrpCPUs", 7}}, {}, {})).run({{0, 50, 60, 0, 0}});
    ADD_FAILURE() << "was taken";
  } catch (const policy_error& e) {
    EXPECT_STREQ(e.what(),
                 "job 0 of class 'need_0' needs 8 cores on 2 nodes, more than the limits of its partition and of its "
                 "user and accounts allow; expected a job that keeps them");
  }
}

}  // namespace
}  // namespace muster
