#include <gtest/gtest.h>

#include "muster/policies/catalogue.h"
#include "platform/model/class_table.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/timed_list_sample.h"

// Tables of a policy's parameters that the user names: QOS and users of jobs, in the order of their numbers, and
// accounts.

namespace muster {
namespace {

class policy_tables : public graph_folder {
 protected:
  void SetUp() override {
    graph_folder::SetUp();
    write("jobs.csv",
          "id,arrival,size,cores,requested,user,qos\n"
          "1,0,10,1,20,ann,low\n2,0,10,1,20,bob,\n3,1,10,1,20,ann,high\n4,1,10,1,20,cid,low\n");
  }
  static std::string under_slurm(const std::string& tables) {
    return timed_list_sample.substr(0, timed_list_sample.find("name = \"fcfs\"")) + "name = \"slurm\"\n" + tables +
           "[run]\nreplications = 1\n";
  }
  settings settings_of(const std::string& tables) const {
    return policy_settings(read_here(under_slurm(tables), {"time_unit=s"}).points.front().model);
  }
};

const std::string three_qos =
    "[policy.qos.unused]\n[policy.qos.high]\nPriority = 7\nPreempt = \"low\"\n[policy.qos.low]\nGrpCPUs = 3\n";

TEST_F(policy_tables, of_jobs_come_in_the_order_of_their_numbers_before_the_others) {
  const study s = read_here(under_slurm(three_qos), {"time_unit=s"});
  const scenario& model = s.points.front().model;
  EXPECT_EQ(model.arrivals.qos, (std::vector<std::string>{"low", "high"}));
  const timed_jobs& jobs = *model.arrivals.jobs;
  EXPECT_EQ(jobs[0].qos, 0u);
  EXPECT_EQ(jobs[1].qos, job_facts::no_qos);
  EXPECT_EQ(jobs[2].qos, 1u);
  const settings given = policy_settings(model);
  const std::vector<named_settings>& qos = given.tables("qos");
  ASSERT_EQ(qos.size(), 3u);
  EXPECT_EQ(qos[0].name, "low");
  EXPECT_EQ(qos[0].values.integer("GrpCPUs"), 3);
  EXPECT_EQ(qos[1].name, "high");
  EXPECT_EQ(qos[1].values.choice("Preempt"), "low");
  EXPECT_EQ(qos[2].name, "unused");
  EXPECT_EQ(read_here(s.resolved).resolved, s.resolved);
}

TEST_F(policy_tables, of_qos_are_those_of_a_column_of_a_log) {
  for (const char* column : {"queue", "qos"}) {
    write("log.csv", std::string("arrival,size,cores,requested,") + column + "\n0,10,1,20,low\n5,10,1,20,high\n");
    const scenario model =
        read_here(
            "name = \"logged\"\ntime_unit = \"s\"\n[platform]\nservers = [ { name = \"node\", cores = 4 } "
            "]\n[arrivals]\nprocess = \"log\"\nfile = \"log.csv\"\n[policy]\nname = \"slurm\"\n" +
            three_qos)
            .points.front()
            .model;
    EXPECT_EQ(model.arrivals.qos, (std::vector<std::string>{"low", "high"}));
    EXPECT_EQ((*model.arrivals.jobs)[1].qos, 1u);
    EXPECT_EQ(policy_settings(model).tables("qos")[1].name, "high");
  }
}

TEST_F(policy_tables, of_users_need_not_be_there_for_all_of_them) {
  const settings given = settings_of(
      "[policy.accounts.department_of_chemistry]\n[policy.accounts.department_of_physics]\nFairshare = 3\n"
      "[policy.users]\ncid = { account = \"department_of_physics\", Fairshare = 2 }\n");
  const std::vector<named_settings>& users = given.tables("users");
  ASSERT_EQ(users.size(), 3u);
  EXPECT_EQ(users[0].name, "ann");
  EXPECT_EQ(users[2].name, "cid");
  EXPECT_EQ(users[2].values.choice("account"), "department_of_physics");
  EXPECT_EQ(given.tables("accounts")[1].values.integer("Fairshare"), 3);
}

TEST_F(policy_tables, are_overridden_like_other_keys) {
  const scenario model =
      read_here(under_slurm(three_qos), {"time_unit=s", "policy.qos.low.GrpCPUs=5"}).points.front().model;
  EXPECT_EQ(policy_settings(model).tables("qos")[0].values.integer("GrpCPUs"), 5);
}

TEST_F(policy_tables, are_refused_word_for_word) {
  const auto said = [&](const std::string& tables) { return complaints_here(under_slurm(tables), {"time_unit=s"}); };
  EXPECT_EQ(said(three_qos), "");
  EXPECT_EQ(said("qos = { lo = {}, high = {} }\n"),
            "f.toml:11:7: policy.qos: jobs have 'low', of which there is no table; did you mean 'lo'?");
  EXPECT_EQ(said("qos = { low = { GrpCPU = 3 }, high = {} }\n"),
            "f.toml:11:17: policy.qos.low.GrpCPU: unknown key; did you mean 'GrpCPUs'?");
  EXPECT_EQ(said("qos = { low = 3, high = {} }\n"), "f.toml:11:15: policy.qos.low: expected a table, found an integer");
  EXPECT_EQ(said("qos = { low = { Preempt = \"highest\" }, high = {} }\n"),
            "f.toml:11:7: policy.qos: Preempt of 'low' names 'highest', which there is not; expected names of qos, set "
            "apart by commas");
}

}  // namespace
}  // namespace muster
