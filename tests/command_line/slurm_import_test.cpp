#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

/// Imports in a folder with the files of a small site.
class slurm_import_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    write("slurm.conf",
          "# A small site.\n"
          "clustername = small\n"
          "SlurmctldHost=head   # where it runs\n"
          "SCHEDULERTYPE=sched/backfill\n"
          "SchedulerParameters=bf_interval=30,\\\n"
          "bf_licenses\n"
          "SelectTypeParameters=CR_Core_Memory\n"
          "DefMemPerCPU=1000\n"
          "PriorityWeihgtAge=5\n"
          "Include nodes.conf\n"
          "PartitionName=DEFAULT MaxTime=1-00:00:00\n"
          "PartitionName=batch Nodes=n[01-03,05] Default=YES\n"
          "PartitionName=gpu Nodes=g[1-2] MaxTime=120\n"
          "PartitionName=all Nodes=ALL,x9 OverSubscribe=EXCLUSIVE\n");
    write("nodes.conf",
          "NodeName=DEFAULT RealMemory=8000\n"
          "NodeName=n[01-03,05] CPUs=4\n"
          "NodeName=g[1-2] Sockets=2 CoresPerSocket=4 Gres=gpu:a100:2\n");
    write("gres.conf",
          "NodeName=g1 Name=gpu Type=a100 File=/dev/nvidia[0-1]\n"
          "NodeName=g2 Name=gpu Type=a100 Count=1\n");
    write("jobs.txt",
          "JobID|JobName|User|Partition|Submit|Elapsed|Timelimit|ReqCPUS|AllocTRES|State|Constraints\n"
          "1|a|ann|batch|2024-01-31T12:00:00|00:10:00|01:00:00|4|cpu=4,mem=4G,node=1|COMPLETED|\n"
          "1.batch|batch|||2024-01-31T12:00:00|00:10:00||4|cpu=4|COMPLETED|\n"
          "2|b|c|bob|gpu|2024-01-31T12:00:30|00:05:00|00:30:00|8|cpu=8,mem=8G,node=2,gres/gpu=4|COMPLETED|\n"
          "3|c|ann|old|2024-01-31T12:01:00|00:04:00|00:30:00|1|cpu=1,mem=1G,node=1|COMPLETED|\n"
          "4|d|cid|batch|2024-01-31T12:02:00|00:03:00|UNLIMITED|64|cpu=64,mem=1G,node=16|COMPLETED|\n"
          "5|e|c,d|all|2024-01-31T12:02:00|00:03:00||6|cpu=6,node=2|COMPLETED|\n"
          "6|f|cid|batch|2024-01-31T12:02\n");
    write("queue.txt",
          "JOBID|STATE|TIME|TIME_LIMIT|CPUS|USER|PARTITION|SUBMIT_TIME|REASON|NODELIST|NODES|TRES_PER_NODE\n"
          "812|RUNNING|10:00|1:00:00|8|ann|batch|2024-01-30T08:20:00|None|n[02,05]|2|N/A\n"
          "815|PENDING|0:00|2:00:00|4|bob|gpu|2024-01-31T09:45:00|Resources||1|gres:gpu:1\n");
  }

  void write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }
  command_result in_folder(const std::string& commands) const {
    return shell("cd " + folder_.string() + " && " + commands);
  }
};

void expect_row(const std::string& csv, const std::string& row) {
  EXPECT_NE(csv.find("\n" + row + "\n"), std::string::npos) << row << "\n is no line of\n" << csv;
}

TEST_F(slurm_import_test, writes_the_nodes_partitions_and_jobs_that_the_files_have) {
  const auto made = in_folder("muster import slurm.conf gres.conf jobs.txt queue.txt --out site.toml");
  EXPECT_EQ(made.status, 0) << made.output;
  EXPECT_EQ(made.output.substr(0, made.output.find("\n\n")),
            "cluster small: 6 nodes with 32 cores, in 2 entries of servers\n"
            "read: 5 jobs of jobs.txt (sacct), 2 jobs of queue.txt (squeue)\n"
            "jobs: 3 arrive; 1 run and 1 wait at time 0\n"
            "policy: slurm, with the parameters of slurm.conf");
  const std::string text = content_of(folder_ / "site.toml");
  EXPECT_EQ(text.substr(text.find("\nname = ") + 1),
            R"(name = "site"
about = "a cluster, and its jobs, as files of Slurm tell"
time_unit = "s"

[platform.resources]
memory = { kind = "amount", unit = "B" }
gpu = { kind = "devices" }

[platform]
servers = [
  { name = "n", count = 4, cores = 4, resources = { memory = 8388608000 } },
  { name = "g", count = 2, cores = 8, resources = { memory = 8388608000, gpu = 2 } },
]

[[classes]]
name = "batch"
servers = ["n"]

[[classes]]
name = "gpu"
servers = ["g"]

[[classes]]
name = "partition_all"
servers = ["n", "g"]

[[classes]]
name = "batch-now"
servers = ["n"]
per_task = { cores = 4, memory = 4194304000 }

[[classes]]
name = "gpu-now"
servers = ["g"]
per_task = { cores = 4, memory = 4194304000, gpu = 1 }

[arrivals]
process = "list"
file = "site_jobs.csv"
estimate = "requested"

[initial]
file = "site_queue.csv"

[policy]
name = "slurm"
bf_interval = 30

[run]
replications = 1
)");
  EXPECT_EQ(content_of(folder_ / "site_jobs.csv"),
            "id,arrival,size,class,tasks,cores,memory,gpu,exclusive,requested,user\n"
            "1,0,600,batch,1,4,4294967296,0,false,3600,ann\n"
            "2,30,300,gpu,2,4,4294967296,2,false,1800,bob\n"
            "3,120,180,partition_all,2,3,3145728000,0,true,86400,c_d\n");
  EXPECT_EQ(content_of(folder_ / "site_queue.csv"),
            "state,elapsed,requested,cores,class,arrival,nodes,user,job\n"
            "running,600,3600,8,batch-now,1706602800,\"n.2,n.4\",ann,812\n"
            "waiting,,7200,4,gpu-now,1706694300,,bob,815\n");
}

TEST_F(slurm_import_test, lists_each_line_that_the_scenario_does_not_have) {
  const auto made = in_folder("muster import slurm.conf gres.conf jobs.txt queue.txt --out site.toml --format csv");
  EXPECT_EQ(made.status, 0) << made.output;
  for (const char* row :
       {"slurm.conf,5,1,yes,SchedulerParameters=bf_licenses,the policy slurm does not have this option",
        "slurm.conf,9,1,may,PriorityWeihgtAge=5,muster does not know this parameter; did you mean 'PriorityWeightAge'?",
        "slurm.conf,14,1,yes,node x9 of partition all,no line has a node of this name",
        "slurm.conf,3,1,no,SlurmctldHost=head,has no effect on the schedule",
        "gres.conf,2,1,yes,1 gpu on node g2,\"slurm.conf has 2, which is taken\"",
        "jobs.txt,1,1,yes,column Constraints,a job may have any node of its partition",
        "jobs.txt,3,1,no,lines that are steps of jobs,left out",
        "jobs.txt,5,1,yes,jobs of partition old,\"left out, as no file describes the partition\"",
        "jobs.txt,6,1,yes,jobs of partition batch,\"left out, as they need more than its nodes have\"",
        "jobs.txt,8,1,yes,lines with fewer fields than heads,left out",
        "queue.txt,2,2,may,memory of jobs,the file does not tell it; DefMemPerCPU or DefMemPerNode is taken"})
    expect_row(made.output, row);
}

TEST_F(slurm_import_test, tells_file_line_and_range_of_each_value_that_the_policy_does_not_take) {
  std::ofstream(folder_ / "nodes.conf", std::ios::app)
      << "SchedulerParameters=bf_interval=0,bf_window=1e9,default_queue_depth=many,sched_interval=-2,bf_max_job_test\n"
         "PriorityType=priority/tsc\nPriorityWeightAge=-5\nPriorityMaxAge=soon\nPriorityFavorSmall=maybe\n"
         "PartitionName=night Nodes=n01 PriorityTier=70000 PriorityJobFactor=half Priority=3\nPriorityCalcPeriod=0\n"
         "SchedulerParameters=bf_intervall=60,defre,bf_max_job_user_part=3,odd\n"
         "PreemptType=preempt/all\nPreemptMode=REQUEUE\nPreemptExemptTime=often\n"
         "PartitionName=day Nodes=n01 PreemptMode=SUSPEND GraceTime=1:00\n";
  const auto made = in_folder("muster import slurm.conf jobs.txt --out site.toml --format csv");
  EXPECT_EQ(made.status, 0) << made.output;
  const std::string standard = "; Slurm's default is taken", no_option = "the policy slurm does not have this option";
  for (const auto& [what, expected] : std::vector<std::pair<std::string, std::string>>{
           {"4,1,yes,SchedulerParameters=bf_interval=0", "expected a whole number from 1 to 31536000" + standard},
           {"4,1,yes,SchedulerParameters=bf_window=1e9", "expected a whole number from 1 to 525600" + standard},
           {"4,1,yes,SchedulerParameters=default_queue_depth=many",
            "expected a whole number from 0 to 1000000" + standard},
           {"4,1,yes,SchedulerParameters=sched_interval=-2", "expected a whole number from -1 to 31536000" + standard},
           {"4,1,yes,SchedulerParameters=bf_max_job_test", "expected a whole number from 1 to 1000000" + standard},
           {"5,1,yes,PriorityType=priority/tsc", "expected priority/basic or priority/multifactor" + standard},
           {"6,1,yes,PriorityWeightAge=-5", "expected a whole number from 0 to 1000000000" + standard},
           {"7,1,yes,PriorityMaxAge=soon", "\"expected a time such as 7-0, 1:00:00, or minutes" + standard + "\""},
           {"8,1,yes,PriorityFavorSmall=maybe", "expected YES or NO" + standard},
           {"9,1,yes,Priority=3", "is not taken; PriorityTier and PriorityJobFactor are"},
           {"10,1,yes,PriorityCalcPeriod=0",
            "\"expected a time of a second or more, such as 0:30, 1:00:00, or minutes" + standard + "\""},
           {"11,1,yes,SchedulerParameters=bf_intervall=60", no_option + "; did you mean 'bf_interval'?"},
           {"11,1,yes,SchedulerParameters=defre", no_option + "; did you mean 'defer'?"},
           {"11,1,yes,SchedulerParameters=bf_max_job_user_part=3", no_option},
           {"11,1,yes,SchedulerParameters=odd", no_option},
           {"12,1,yes,PreemptType=preempt/all",
            "expected preempt/none or preempt/partition_prio or preempt/qos" + standard},
           {"13,1,yes,PreemptMode=REQUEUE", "no PreemptType is taken; jobs are not preempted"},
           {"14,1,yes,PreemptExemptTime=often", "\"expected a time such as 7-0, 1:00:00, or minutes" + standard + "\""},
           {"15,1,yes,preemptmode=SUSPEND", "\"expected OFF, REQUEUE or CANCEL; that of the cluster is taken\""},
           {"15,1,yes,gracetime=1:00", "expected a whole number of seconds; none is taken"},
           {"9,1,yes,prioritytier=70000", "expected a whole number from 0 to 65533; 1 is taken"},
           {"9,1,yes,priorityjobfactor=half", "expected a whole number from 0 to 65533; 1 is taken"}})
    expect_row(made.output, "nodes.conf," + what + "," + expected);
  EXPECT_EQ(in_folder("muster check site.toml").status, 0);
}

TEST_F(slurm_import_test, writes_the_preemption_of_the_site) {
  std::ofstream(folder_ / "nodes.conf", std::ios::app)
      << "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nPreemptExemptTime=2:00\n"
         "SchedulerParameters=preempt_youngest_first,preempt_reorder_count=3\n"
         "PartitionName=old Nodes=n01 PreemptMode=OFF\nPartitionName=DEFAULT PreemptMode=CANCEL GraceTime=60\n";
  const auto made = in_folder("muster import slurm.conf jobs.txt --out site.toml --format csv");
  EXPECT_EQ(made.status, 0) << made.output;
  EXPECT_EQ(made.output.find("reempt"), std::string::npos) << made.output;
  const std::string text = content_of(folder_ / "site.toml");
  for (const char* line :
       {"PreemptExemptTime = 120.0", "PreemptMode = \"requeue\"", "PreemptType = \"partition_prio\"",
        "preempt_reorder_count = 3", "preempt_youngest_first = \"yes\"", "policy = { PreemptMode = \"off\" }",
        "policy = { PreemptMode = \"cancel\", GraceTime = 60 }"})
    EXPECT_NE(text.find(std::string("\n") + line + "\n"), std::string::npos) << line << "\n" << text;
  EXPECT_EQ(in_folder("muster check site.toml").status, 0);
}

// The QOS of partition batch is not described, "big" limits partition gpu to 16 cores. Job 4 has more cores than "low"
// allows; the QOS of job 5 is not described.
TEST_F(slurm_import_test, writes_the_qos_of_partitions_and_jobs) {
  std::ofstream(folder_ / "nodes.conf", std::ios::app) << "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n"
                                                          "PriorityType=priority/multifactor\nPriorityWeightQOS=500\n"
                                                          "PartitionName=DEFAULT QOS=big\n";
  write("qos.txt",
        "Name|Priority|GraceTime|PreemptExemptTime|Preempt|PreemptMode|Flags|UsageFactor|GrpTRES|GrpJobs|MaxWall|"
        "MaxTRESPU|MaxJobsPU\n"
        "normal|10|00:00:00||low,none|cluster|OverPartQOS,DenyOnLimit|1.000000|cpu=64,mem=1T|8||node=4|\n"
        "low|0|00:00:30|00:02:00||REQUEUE|NoReserve|0.500000|||1-00:00:00|cpu=4|2\n"
        "big|0|often|00:00:00||WITHIN||1.000000|cpu=16||||\ncut|3\n");
  write("jobs.txt",
        "JobID|User|Partition|QOS|Submit|Elapsed|Timelimit|ReqCPUS|State\n"
        "1|ann|gpu|normal|2024-01-31T12:00:00|00:10:00|01:00:00|4|COMPLETED\n"
        "2|bob|gpu|low|2024-01-31T12:00:00|00:10:00||4|COMPLETED\n"
        "3|bob|gpu||2024-01-31T12:00:00|00:10:00|01:00:00|4|COMPLETED\n"
        "4|cid|gpu|low|2024-01-31T12:00:00|00:10:00|01:00:00|8|COMPLETED\n"
        "5|cid|gpu|odd|2024-01-31T12:00:00|00:10:00|01:00:00|1|COMPLETED\n");
  write("queue.txt",
        "JOBID|STATE|TIME|TIME_LIMIT|CPUS|USER|PARTITION|QOS\n812|RUNNING|10:00|1:00:00|8|ann|gpu|normal\n");
  const auto made = in_folder("muster import slurm.conf qos.txt jobs.txt queue.txt --out site.toml --format csv");
  EXPECT_EQ(made.status, 0) << made.output;
  for (const char* row :
       {"qos.txt,2,1,yes,GrpTRES=mem=1T of QOS normal,\"a QOS limits cores, nodes and jobs alone; "
        "expected whole numbers of cpu and node\"",
        "qos.txt,2,1,no,Flags=DenyOnLimit of QOS normal,has no effect on jobs that were accepted",
        "qos.txt,3,1,yes,Flags=NoReserve of QOS low,the policy slurm has OverPartQOS alone",
        "qos.txt,3,1,yes,UsageFactor=0.500000 of QOS low,usage counts in full",
        "qos.txt,4,1,yes,GraceTime=often of QOS big,expected a time such as 0:30; none is taken",
        "qos.txt,4,1,yes,PreemptMode=WITHIN of QOS big,\"expected Cluster, REQUEUE or CANCEL; that of the cluster is "
        "taken\"",
        "qos.txt,5,1,yes,a line with another number of fields than heads,\"it is cut short, and not "
        "read\"",
        "jobs.txt,5,1,yes,jobs of QOS low beyond its limits,\"they would never start under it, and "
        "have no QOS\"",
        "jobs.txt,6,1,may,QOS odd,\"no file describes it, as what sacctmgr -P show qos prints does; it "
        "has no limits and priority\""})
    expect_row(made.output, row);
  const std::string text = content_of(folder_ / "site.toml");
  for (const char* part :
       {"PreemptType = \"qos\"\n", "PriorityWeightQOS = 500\n", "policy = { GrpCPUs = 16, PreemptExemptTime = 0 }\n",
        "\n[policy.qos.\"normal\"]\nGrpCPUs = 64\nGrpJobs = 8\nMaxNodesPerUser = 4\nOverPartQOS = \"yes\"\n"
        "Preempt = \"low\"\nPriority = 10\n",
        "\n[policy.qos.\"low\"]\nGraceTime = 30\nMaxCPUsPerUser = 4\nMaxJobsPerUser = 2\nPreemptExemptTime = "
        "120\nPreemptMode = \"requeue\"\n"
        "Priority = 0\n",
        "\n[policy.qos.\"odd\"]\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const std::string jobs = content_of(folder_ / "site_jobs.csv"), queue = content_of(folder_ / "site_queue.csv");
  // A job without a limit has the shorter one of its partition and its QOS: 120 minutes, of the partition.
  EXPECT_NE(jobs.find(",7200,bob,low\n"), std::string::npos) << jobs;
  EXPECT_NE(jobs.find(",3600,bob,\n"), std::string::npos) << jobs;
  EXPECT_NE(jobs.find(",3600,cid,\n"), std::string::npos) << jobs;
  EXPECT_NE(jobs.find(",3600,cid,odd\n"), std::string::npos) << jobs;
  EXPECT_NE(queue.find(",ann,812,normal\n"), std::string::npos) << queue;
  const auto run = in_folder("muster run site.toml --quiet");
  EXPECT_EQ(run.status, 0) << run.output;
}

// Account "free" has no shares of its own. Bob is in two accounts, dan in none that is described.
TEST_F(slurm_import_test, writes_the_shares_of_accounts_and_users) {
  std::ofstream(folder_ / "nodes.conf", std::ios::app)
      << "PriorityType=priority/multifactor\nPriorityWeightFairshare=1000\n";
  write("accounts.txt",
        "Cluster - 'small':Fairshare=1:QOS='normal'\nParent - 'root'\n"
        "User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1\n"
        "Account - 'science':Description='science':Organization='u':Fairshare=30\nParent - 'science'\n"
        "Account - 'free':Description='free':Organization='u':Fairshare=parent\n"
        "User - 'bob':DefaultAccount='science':Fairshare=parent\nParent - 'free'\n"
        "User - 'ann':DefaultAccount='free':Fairshare=2\nUser - 'bob':DefaultAccount='science':Fairshare=9\n");
  write("more.script", "add user Name=dan DefaultAccount=lost Account=lost Fairshare=many\n");
  const auto made =
      in_folder("muster import slurm.conf accounts.txt more.script jobs.txt --out site.toml --format csv");
  EXPECT_EQ(made.status, 0) << made.output;
  expect_row(made.output, "accounts.txt,10,1,yes,bob in account free,it belongs to several accounts; science is taken");
  expect_row(made.output, "more.script,1,1,yes,account lost of dan,no file describes it; the root is taken");
  expect_row(made.output,
             "more.script,1,1,yes,Fairshare=many of dan,\"expected a whole number from 0 to 1000000000, or parent\"");
  const std::string text = content_of(folder_ / "site.toml");
  EXPECT_NE(text.find("\n[policy.accounts.\"science\"]\nFairshare = 30\n\n[policy.accounts.\"free\"]\nparent = "
                      "\"science\"\nFairshare = -1\n\n[policy.users.\"root\"]\nFairshare = 1\n\n"
                      "[policy.users.\"bob\"]\naccount = \"science\"\nFairshare = -1\n\n[policy.users.\"ann\"]\n"
                      "account = \"free\"\nFairshare = 2\n\n[policy.users.\"dan\"]\nFairshare = 1\n"),
            std::string::npos)
      << text;
  const auto run = in_folder("muster run site.toml --quiet");
  EXPECT_EQ(run.status, 0) << run.output;
}

// Job 2 needs more cores than account "lab" allows; the QOS of job 3 allows it as many.
TEST_F(slurm_import_test, writes_the_limits_of_accounts_and_users_where_they_are_enforced) {
  write("accounts.txt",
        "Cluster - 'small':Fairshare=1:GrpJobs=50\nParent - 'root'\n"
        "Account - 'science':Fairshare=3:GrpTRES=cpu=12,mem=4G,node=3:MaxJobs=2\nParent - 'science'\n"
        "Account - 'lab':Fairshare=parent:GrpTRES=cpu=4\nUser - 'ann':Fairshare=1:GrpJobs=5:GrpSubmitJobs=9\n"
        "Parent - 'lab'\nUser - 'bob':Fairshare=1:MaxJobs=0\n");
  write("more.script", "add qos Name=wide GrpTRES=cpu=16\nmodify user where name=ann set MaxJobs=3\n");
  write("jobs.txt",
        "JobID|User|Partition|QOS|Submit|Elapsed|Timelimit|ReqCPUS|State\n"
        "1|ann|gpu||2024-01-31T12:00:00|00:10:00|01:00:00|8|COMPLETED\n"
        "2|bob|gpu||2024-01-31T12:00:00|00:10:00|01:00:00|8|COMPLETED\n"
        "3|bob|gpu|wide|2024-01-31T12:00:00|00:10:00|01:00:00|8|COMPLETED\n");
  const auto imported = [&] {
    const auto made =
        in_folder("muster import slurm.conf accounts.txt more.script jobs.txt --out site.toml --format csv --force");
    EXPECT_EQ(made.status, 0) << made.output;
    return made.output;
  };
  expect_row(imported(), "accounts.txt,3,1,no,MaxJobs=2 of science,AccountingStorageEnforce has no limits");
  EXPECT_EQ(content_of(folder_ / "site.toml").find("[policy.accounts"), std::string::npos);
  std::ofstream(folder_ / "nodes.conf", std::ios::app) << "AccountingStorageEnforce=associations,limits,qos\n";
  const std::string listed = imported();
  const std::string expected =
      ",\"a scenario has GrpTRES of cpu and node, GrpJobs and MaxJobs of users, and of accounts below the root; "
      "expected whole numbers\"";
  expect_row(listed, "accounts.txt,1,1,yes,GrpJobs of Cluster" + expected);
  expect_row(listed, "accounts.txt,3,1,yes,GrpTRES=mem=4G of science" + expected);
  expect_row(listed, "accounts.txt,6,1,no,GrpSubmitJobs of User,has no effect on jobs that were accepted");
  expect_row(listed, "accounts.txt,8,1,yes,MaxJobs=0 of bob" + expected);
  expect_row(listed, "jobs.txt,3,1,yes,jobs of bob,\"left out, as they need more than the limits of lab allow\"");
  const std::string text = content_of(folder_ / "site.toml");
  EXPECT_NE(text.find("\n[policy.accounts.\"science\"]\nFairshare = 3\nGrpCPUs = 12\nGrpNodes = 3\nMaxJobs = 2\n\n"
                      "[policy.accounts.\"lab\"]\nparent = \"science\"\nFairshare = -1\nGrpCPUs = 4\n\n"
                      "[policy.users.\"ann\"]\naccount = \"science\"\nFairshare = 1\nGrpJobs = 5\nMaxJobs = 3\n\n"
                      "[policy.users.\"bob\"]\naccount = \"lab\"\nFairshare = 1\n"),
            std::string::npos)
      << text;
  const auto run = in_folder("muster run site.toml --quiet");
  EXPECT_EQ(run.status, 0) << run.output;
}

TEST_F(slurm_import_test, writes_which_nodes_jobs_take_first) {
  std::ofstream(folder_ / "nodes.conf", std::ios::app)
      << "SelectTypeParameters=CR_Core_Memory,CR_LLN,CR_Pack_Nodes,CR_ONE_TASK_PER_CORE\n"
         "SchedulerParameters=pack_serial_at_end\nPartitionName=DEFAULT LLN=YES\n";
  const auto made = in_folder("muster import slurm.conf jobs.txt --out site.toml --format csv");
  EXPECT_EQ(made.status, 0) << made.output;
  expect_row(made.output,
             "nodes.conf,4,1,no,SelectTypeParameters=CR_Pack_Nodes,it places tasks within the nodes that a job has");
  expect_row(made.output,
             "nodes.conf,4,1,yes,SelectTypeParameters=CR_ONE_TASK_PER_CORE,which cores and nodes are taken first is up "
             "to the policy's placement");
  const std::string text = content_of(folder_ / "site.toml");
  for (const char* part :
       {"\nCR_LLN = \"yes\"\n", "\npack_serial_at_end = \"yes\"\n", "\npolicy = { LLN = \"yes\" }\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(in_folder("muster check site.toml").status, 0);
}

TEST_F(slurm_import_test, writes_a_scenario_that_check_and_run_take_as_it_stands) {
  const auto run = in_folder(
      "muster import slurm.conf jobs.txt queue.txt --out site.toml --format json > listed.json && "
      "muster check site.toml && muster run site.toml --quiet");
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_NE(run.output.find("5 jobs arrive in all"), std::string::npos) << run.output;
}

// From what a site's commands print to when its queue starts, each step from what the one before has written. On 4
// nodes of 4 cores a job of 4 whole nodes waits until both that run have ended, at 700 s.
TEST_F(slurm_import_test, walks_from_the_files_over_the_calibration_to_the_forecast) {
  write("slurm.conf",
        "ClusterName=small\nSchedulerType=sched/builtin\nNodeName=n[1-4] CPUs=4\n"
        "PartitionName=batch Nodes=n[1-4] Default=YES MaxTime=60\n");
  std::string jobs =
      "JobID|User|Partition|Submit|Eligible|Start|Elapsed|TimelimitRaw|ReqCPUS|ReqTRES|State\n"
      "1|ann|batch|1000|1000|1000|600|30|8|cpu=8,node=2|COMPLETED\n"
      "2|bob|batch|1000|1100|1100|600|30|4|cpu=4,node=1|COMPLETED\n"
      "3|ann|batch|1200|1200|1700|60|30|16|cpu=16,node=4|COMPLETED\n";
  for (int n = 4; n < 24; ++n)  // each alone
    jobs += fmt::format("{0}|ann|batch|{1}|{1}|{1}|{2}|30|4|cpu=4,node=1|COMPLETED\n", n, 1000 * n, 100 + 10 * n);
  write("jobs.txt", jobs);
  write("queue.txt",
        "JOBID|STATE|TIME|TIME_LIMIT|CPUS|USER|PARTITION|REASON|NODELIST|NODES\n"
        "812|RUNNING|1:00|1:00:00|8|ann|batch|None|n[1-2]|2\n"
        "815|PENDING|0:00|1:00:00|16|bob|batch|Resources||4\n");
  const auto made = in_folder("muster import slurm.conf jobs.txt queue.txt --out site.toml");
  EXPECT_EQ(made.status, 0) << made.output;
  EXPECT_EQ(made.output.substr(made.output.rfind("\n\n") + 2),
            "site.toml is written; muster run site.toml simulates it\n"
            "muster calibrate site.toml says how far the replay is from what happened\n"
            "muster forecast site.toml says when the jobs that wait start\n");
  const std::string list = content_of(folder_ / "site_jobs.csv");
  EXPECT_EQ(list.substr(0, list.find("\n4,")),
            "id,arrival,size,class,tasks,cores,exclusive,requested,user,start\n"
            "1,0,600,batch,2,4,false,1800,ann,0\n"
            "2,100,600,batch,1,4,false,1800,bob,100\n"
            "3,200,60,batch,4,4,false,1800,ann,700");
  const auto walked = in_folder(
      "muster check site.toml && muster run site.toml --quiet && muster calibrate site.toml --out site_2.toml && "
      "muster forecast site_2.toml --replications 10");
  EXPECT_EQ(walked.status, 0) << walked.output;
  for (const char* part : {"23 jobs of log site_jobs.csv (csv)\n", "All starts agree within a second.",
                           "site_2.toml is written; muster forecast site_2.toml tells when jobs of the queue start",
                           "\nJob 815 of bob starts in "})
    EXPECT_NE(walked.output.find(part), std::string::npos) << part << "\n" << walked.output;
}

TEST_F(slurm_import_test, keeps_the_nodes_of_jobs_that_run) {
  for (const auto& [slurm, policy] :
       {std::pair{"sched/builtin", "name = \"fcfs\"  # of sched/builtin"}, {"sched/backfill", "name = \"slurm\"\n"}}) {
    const auto run =
        in_folder(fmt::format("sed s,sched/backfill,{}, slurm.conf > now.conf && "
                              "muster import now.conf queue.txt --out now.toml --force > listed.txt && "
                              "muster run now.toml --quiet --force",
                              slurm));
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_NE(content_of(folder_ / "now.toml").find("process = \"none\""), std::string::npos);
    EXPECT_NE(content_of(folder_ / "now.toml").find(policy), std::string::npos);
    EXPECT_NE(content_of(folder_ / "now_queue.csv").find(",\"n.2,n.4\",ann,812\n"), std::string::npos);
    EXPECT_NE(run.output.find("note: 1 of the 1 jobs that run are on the servers that initial.file names"),
              std::string::npos)
        << run.output;
    EXPECT_EQ(run.output.find("started on other servers"), std::string::npos) << run.output;
  }
}

// No slurm.conf: scontrol describes the machine, and its queue.
TEST_F(slurm_import_test, reads_what_scontrol_sinfo_and_sacctmgr_print) {
  write("nodes.txt",
        "NodeName=a1 Arch=x86_64 CoresPerSocket=4\n   CPUAlloc=0 CPUTot=8 CPULoad=0.01\n   AvailableFeatures=(null)\n"
        "   Gres=gpu:2\n   OS=Linux 5.10 #1 SMP CPUTot=99\n   RealMemory=1000 Sockets=2 Boards=1\n"
        "   State=IDLE ThreadsPerCore=1 Weight=1\n   Partitions=p\n\n"
        "NodeName=a2 Arch=x86_64 CoresPerSocket=4\n   CPUAlloc=0 CPUTot=8\n   Gres=gpu:2\n   RealMemory=1000\n"
        "   State=DOWN*+DRAIN ThreadsPerCore=1\n");
  write("partitions.txt",
        "PartitionName=p\n   AllowGroups=ALL AllocNodes=ALL Default=YES QoS=N/A\n   MaxTime=1-00:00:00\n"
        "   Nodes=a[1-2]\n   PriorityTier=3 State=UP TotalCPUs=16\n   DefMemPerNode=UNLIMITED\n");
  write("queue.txt",
        "JobId=5 JobName=x NumCPUs=64\n   UserId=ann(1001) GroupId=g(1)\n   JobState=RUNNING Reason=None "
        "Dependency=(null)\n   RunTime=00:10:00 TimeLimit=01:00:00\n   SubmitTime=2024-01-31T12:00:00\n   Partition=p\n"
        "   NodeList=a1\n   NumNodes=1 NumCPUs=4 NumTasks=4\n   TRES=cpu=4,mem=400M,node=1,gres/gpu=1\n"
        "   OverSubscribe=OK\n\n"
        "JobId=6 JobName=y\n   UserId=bob(1002)\n   JobState=PENDING Reason=Dependency Dependency=afterok:5\n"
        "   RunTime=00:00:00 TimeLimit=02:00:00\n   Partition=p\n   NumNodes=1 NumCPUs=8\n   TRES=cpu=8,node=1\n"
        "   OverSubscribe=NO\n\nJobId=7 JobName=z\n   JobState=COMPLETED NumCPUs=1\n");
  write("sinfo.txt",
        "PARTITION AVAIL TIMELIMIT NODES STATE NODELIST\np* up 1-00:00:00 1 idle a1\np* up 1-00:00:00 1 down* a2\n");
  write("accounts.txt",
        "# To edit this file start with a cluster line\nCluster - 'small':Fairshare=1:QOS='normal'\nParent - 'root'\n"
        "User - 'ann':DefaultAccount='a':Fairshare=5:MaxTRESMins=cpu=2\nUser - 'bob':DefaultAccount='a':Fairshare=5\n"
        "User - 'cid':Descrip\nUser - 'cut\n");
  const auto made =
      in_folder("muster import nodes.txt partitions.txt queue.txt sinfo.txt accounts.txt --out site.toml --format csv");
  EXPECT_EQ(made.status, 0) << made.output;
  for (const char* row :
       {"nodes.txt,10,1,yes,a2 DOWN*+DRAIN,\"it takes no jobs now, but is there in the scenario from the beginning\"",
        "sinfo.txt,3,1,yes,a2 down*,\"it takes no jobs now, but is there in the scenario from the beginning\"",
        "accounts.txt,4,1,yes,MaxTRESMins of User,\"a scenario has GrpTRES of cpu and node, GrpJobs and MaxJobs of "
        "users, "
        "and of accounts below the root; expected whole numbers\"",
        "accounts.txt,6,1,may,Descrip,expected Key=Value; the dump may be cut short",
        "accounts.txt,7,1,may,a line whose quotes do not end,\"it is cut short, and not read\"",
        "queue.txt,12,1,yes,Dependency=afterok:5,dependencies are not imported yet; the job waits at time 0 like any "
        "other",
        "queue.txt,21,1,may,jobs that neither wait nor run,left out"})
    expect_row(made.output, row);
  EXPECT_EQ(content_of(folder_ / "site_queue.csv"),
            "state,elapsed,requested,cores,class,arrival,nodes,user,job\n"
            "running,600,3600,4,p-now,1706702400,\"a.1\",ann,5\n"
            "waiting,,7200,8,p-now_2,,,bob,6\n");
  EXPECT_NE(content_of(folder_ / "site.toml").find("{ name = \"a\", count = 2, cores = 8, resources = { gpu = 2 } }"),
            std::string::npos)
      << content_of(folder_ / "site.toml");
  const auto run = in_folder("muster run site.toml --quiet");
  EXPECT_EQ(run.status, 0) << run.output;
}

TEST_F(slurm_import_test, says_which_file_is_wrong) {
  write("letter.txt", "Dear all\n");
  for (const auto& [command, message] : std::vector<std::pair<std::string, std::string>>{
           {"slurm.conf letter.txt",
            "letter.txt: is no file of a Slurm site; expected slurm.conf, gres.conf, topology.conf, or what sacct -P, "
            "squeue, sinfo, sacctmgr dump or scontrol show prints\n"},
           {"slurm.conf none.txt", "none.txt: cannot be opened: No such file or directory\n"},
           {"slurm.conf", "no job is known; expected what sacct -P or squeue prints\n"},
           {"jobs.txt queue.txt",
            "no node of a partition is known; expected slurm.conf, or what scontrol show node and scontrol show "
            "partition print\n"},
           {"slurm.conf jobs.txt --class-by need", "--class-by: has no effect on files of a Slurm site\n"}}) {
    const auto made = in_folder("muster import " + command + " --out wrong.toml");
    EXPECT_EQ(made.status, 2) << made.output;
    EXPECT_EQ(made.output, message);
  }
}

TEST_F(slurm_import_test, keeps_files_that_are_there_unless_it_is_forced) {
  write("site_jobs.csv", "mine");
  const auto kept = in_folder("muster import slurm.conf jobs.txt --out site.toml");
  EXPECT_EQ(kept.status, 2);
  EXPECT_EQ(kept.output,
            "site_jobs.csv: is there already; choose another file with --out, or overwrite with --force\n");
  EXPECT_EQ(content_of(folder_ / "site_jobs.csv"), "mine");
  EXPECT_EQ(in_folder("muster import slurm.conf jobs.txt --out site.toml --force").status, 0);
}

}  // namespace
}  // namespace muster
