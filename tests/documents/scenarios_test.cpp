#include <regex>

#include "tests/documents/sandbox.h"

// The scenarios of the documents, and what they say of the language.

namespace muster {
namespace {

class scenarios_of_documents : public sandbox {
 protected:
  std::string run(const std::string& file, const std::string& further = "") const {
    return expect_success("muster run " + file + " " + further + " --out out && cat out/results.csv");
  }
};

TEST_F(scenarios_of_documents, scenario_of_rigid_jobs) {
  write("my_cluster.toml", block());
  expect_within(run("my_cluster.toml"), ",adaptive_quickswap,");
}

TEST_F(scenarios_of_documents, scenario_of_tasks) {
  write("my_gpus.toml", block());
  const std::string report = shell("muster check my_gpus.toml").output;
  expect_within(report, "which is arrivals.load = 0.7.\n");
  expect_within(report, "Load of each resource at point 0");
  expect_within(report, "binds  its load\n");
}

TEST_F(scenarios_of_documents, list_of_needs) {
  small_run = "--replications 1 --quiet";
  write("jobs.csv", block());
  write(
      "listed.toml",
      "name = \"listed\"\n[platform.resources]\ngpu = { kind = \"devices\", shares = 4 }\n"
      "memory = { kind = \"amount\", unit = \"B\" }\n[platform]\nservers = [{ name = \"node\", count = 4, cores = 64, "
      "resources = { memory = \"256 GB\", gpu = 4 } }]\n[[classes]]\nname = \"train\"\n[[classes]]\nname = \"infer\"\n"
      "per_task = { gpu = 0.25 }\n[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n[policy]\nname = \"fcfs\"\n");
  // The last job waits for the GPUs of the third node until 2.5: (3.5 + 9.25) / 2.
  expect_within(run("listed.toml"), "listed,0,train,response_time,s,6.375,");
}

TEST_F(scenarios_of_documents, list_of_estimates) {
  small_run = "--replications 1 --quiet";
  write("jobs.csv", block());
  write("listed.toml",
        "name = \"listed\"\n[platform]\nservers = [{ name = \"node\", cores = 4 }]\n[[classes]]\nname = \"job\"\n"
        "[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\nkill_at_estimate = true\n[policy]\nname = \"fcfs\"\n");
  // The first job ends at 3.5; then the second, and the third, which is killed after 4.
  expect_within(run("listed.toml"), "listed,0,all,makespan,s,7.5,");
}

// A log of ten days: five of its jobs a day, of three users.
std::string ten_days() {
  std::string log;
  for (int n = 0; n < 50; ++n)
    log += std::to_string(n + 1) + ' ' + std::to_string(n * 17280) + " -1 " + std::to_string(3600 + 600 * (n % 7)) +
           " 4 -1 -1 " + std::to_string(1 << n % 6) + " 86400 -1 1 " + std::to_string(n % 3) + " 1 -1 -1 -1 -1 -1\n";
  return log;
}

TEST_F(scenarios_of_documents, scenario_of_a_log) {
  small_run = "--replications 2 --quiet";
  write("my.swf", ten_days());
  write("my_log.toml", block());
  expect_within(run("my_log.toml"), ",from_17_cores,");
  // Days 1 to 8 have jobs 6 to 40.
  expect_within(shell("muster check my_log.toml").output, "note: log my.swf (swf): 35 jobs of 3 users");
}

TEST_F(scenarios_of_documents, queue_of_slurm) {
  small_run = "--replications 2 --quiet --out out";
  write("my.swf", ten_days());
  write("my_log.toml", block_of("scenario_of_a_log"));
  write("shown", block_of("output_of_squeue"));
  write("bin/squeue", "#!/bin/sh\ncat shown\n");
  fs::permissions(folder_ / "bin/squeue", fs::perms::owner_all);
  expect_success(block());
  const std::string note =
      "initial queue.txt (squeue): 2 jobs run at time 0, and 21 wait, in the order of their submission";
  expect_within(read("out/manifest.json"), note + "; the size of 23 is their time limit");
}

TEST_F(scenarios_of_documents, output_of_squeue) {
  std::string text = block();
  write("my.swf", ten_days());
  write("my_log.toml", block_of("scenario_of_a_log"));
  write("queue.txt", text.replace(text.find("CPUS"), 4, "MIN_CPUS"));
  expect_within(shell("muster check my_log.toml --set initial.file=queue.txt").output,
                "queue.txt:1:1: initial.file: expected a column CPUS (%C), as of squeue -o ");
}

TEST_F(scenarios_of_documents, replay_of_a_log) {
  small_run = "--replications 3 --quiet --out out";
  write("MY.swf", "; MaxProcs: 64\n" + ten_days());
  expect_success(block());
  expect_within(read("out/results.csv"), ",conservative_backfill,");
  expect_within(read("out/scenario.toml"), "cores = 64");
}

// A screen has 24 lines.
TEST_F(scenarios_of_documents, replay_of_my_log) {
  small_run = "--replications 3 --out out";
  write("MY.swf", ten_days());
  const std::string output = expect_success("exec 2>/dev/null\n" + block());
  expect_within(output, "\nwaiting_time, s\nbest ");
  expect_within(output, "\nbounded_slowdown\nbest ");
  EXPECT_LE(lines_of(output).size(), 24u) << output;
  expect_within(read("out/scenario.toml"), "cores = 128");
}

// The listing is of 20 replications: numbers differ, and with them columns of the verdict.
TEST_F(scenarios_of_documents, answer_of_a_replay) {
  small_run = "--replications 3 --out out";
  const std::regex gaps(" +");
  const std::string output = std::regex_replace(expect_success("./muster run scenarios/log_replay.toml"), gaps, " ");
  std::size_t rows = 0;
  for (const std::string& line : lines_of(block())) {
    const std::string found = std::regex_replace(line, gaps, " ");
    std::smatch row;
    if (std::regex_match(found, row, std::regex("( [0-9] [a-z_]+ )[0-9.]+ (\\+-|\\() ?.*")) && ++rows > 0)
      expect_within(output, row[1]);
    else if (found.find_first_of("0123456789") == std::string::npos && found.substr(0, 5) != "best ")
      expect_within(output, found);
  }
  EXPECT_EQ(rows, 5u);
}

TEST_F(scenarios_of_documents, calibration_of_a_replay) {
  small_run = "--quiet";
  expect_within(expect_success(block()), "\nWhat the log tells of the cluster, with 95 % intervals\n");
}

TEST_F(scenarios_of_documents, answer_of_a_calibration) {
  small_run = "--quiet";
  const std::string output = expect_success(block_of("calibration_of_a_replay"));
  for (const std::string& line : lines_of(block())) expect_within(output, "\n" + line + "\n");
}

TEST_F(scenarios_of_documents, log_of_the_campus_is_what_its_script_makes) {
  expect_success("/usr/bin/python3 -B scenarios/logs/campus.py | cmp - <(gzip -dc scenarios/logs/campus.swf.gz)");
}

TEST_F(scenarios_of_documents, model_of_a_log) {
  write("my.swf.gz", ten_days());  // the content tells that it is not compressed
  expect_within(expect_success(block()), "\nmy.toml is written; muster run my.toml simulates it\n");
  EXPECT_TRUE(fs::exists(folder_ / "results/my/results.csv"));
}

// Two jobs that run in the log: one on a node of `batch`, one on both of `gpu`.
TEST_F(scenarios_of_documents, import_of_a_site) {
  small_run = "--quiet";
  write("slurm.conf", block_of("files_of_a_site"));
  write("gres.conf", "NodeName=g[1-2] Name=gpu Count=4\n");
  write("jobs.txt",
        "JobID|User|Partition|Submit|Elapsed|Timelimit|ReqCPUS|ReqTRES|State\n"
        "1|ann|batch|2024-01-31T12:00:00|01:00:00|02:00:00|16|cpu=16,mem=8G,node=1|COMPLETED\n"
        "2|bob|gpu|2024-01-31T12:10:00|01:00:00|02:00:00|8|cpu=8,mem=8G,node=2,gres/gpu=8|COMPLETED\n");
  write("queue.txt", block_of("output_of_squeue"));
  const std::string output = expect_success(block());
  expect_within(output, "cluster small: 10 nodes with 192 cores, in 2 entries of servers\n");
  expect_within(output, "jobs: 2 arrive; 2 run and 21 wait at time 0\n");
  EXPECT_TRUE(fs::exists(folder_ / "results/my_site/results.csv"));
}

TEST_F(scenarios_of_documents, way_of_a_site) {
  write("slurm.conf", block_of("files_of_a_site"));
  std::string jobs = "JobID|User|Partition|Submit|Eligible|Start|Elapsed|Timelimit|ReqCPUS|ReqTRES|AllocTRES|State\n";
  for (int n = 1; n < 20; ++n)
    jobs += std::to_string(n) + "|ann|batch|" + std::to_string(5000 * n) + "|" + std::to_string(5000 * n) + "|" +
            std::to_string(5000 * n + 1) + "|00:" + std::to_string(20 + n) +
            ":00|02:00:00|16|cpu=16,mem=8G,node=1|cpu=16,mem=8G,node=1|COMPLETED\n";
  write("jobs", jobs);
  write("queue", block_of("output_of_squeue"));
  for (const auto& [program, file] : {std::pair{"bin/sacct", "jobs"}, {"bin/squeue", "queue"}}) {
    write(program, std::string{"#!/bin/sh\ncat "} + file + "\n");
    fs::permissions(folder_ / program, fs::perms::owner_all);
  }
  const std::string output = expect_success(block());
  expect_within(output, "19 jobs of log my_site_jobs.csv (csv)\n");
  expect_within(output, "\nmuster forecast my_site.toml says when the jobs that wait start\n");
  expect_within(output, "All of the 21 jobs that wait have started in ");
}

TEST_F(scenarios_of_documents, files_of_a_site) {
  write("slurm.conf", block());
  write("jobs.txt", "JobID|Partition|Submit|Elapsed|ReqCPUS\n1|gpu|2024-01-31T12:00:00|01:00:00|16\n");
  expect_within(shell("muster import slurm.conf jobs.txt --out my_site.toml").output,
                "policy: slurm, with the parameters of slurm.conf");
  expect_within(read("my_site.toml"),
                "{ name = \"g\", count = 2, cores = 32, resources = { memory = 67108864000, gpu = 4 } }");
}

// The job of ann with the QOS normal preempts the one before, which has all cores.
TEST_F(scenarios_of_documents, tables_of_slurm) {
  small_run = "--quiet";
  write("jobs.csv", "id,arrival,size,cores,requested,user,qos\n1,0,900,8,900,bob,standby\n2,10,60,8,60,ann,normal\n");
  write(
      "my_qos.toml",
      "name = \"my_qos\"\ntime_unit = \"s\"\n[platform]\nservers = [ { name = \"n\", count = 2, cores = 4 } ]\n"
      "[[classes]]\nname = \"batch\"\n[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n[run]\nreplications = 1\n" +
          block());
  expect_success("./muster run my_qos.toml --quiet");
  const std::string results = read("results/my_qos/results.csv");
  EXPECT_NE(results.find("my_qos,0,all,preemptions_per_job,,0.5,"), std::string::npos) << results;
}

TEST_F(scenarios_of_documents, messages_of_tasks) {
  const std::string right = "gpu = 2 }";
  std::string text = block_of("scenario_of_tasks");
  ASSERT_NE(text.find(right), std::string::npos);
  write("my_gpus.toml", text.replace(text.find(right), right.size(), "gpu = 5 }"));
  expect_within(shell("muster check my_gpus.toml").output, block());
}

TEST_F(scenarios_of_documents, scenario_of_pooled_jobs) {
  write("my_pool.toml", block());
  write("graphs/mine.txt", block_of("graph_of_pooled_jobs"));
  expect_within(run("my_pool.toml"), "hyperexponential");
}

TEST_F(scenarios_of_documents, graph_of_pooled_jobs) {
  write("my_pool.toml", block_of("scenario_of_pooled_jobs"));
  write("graphs/mine.txt", block() + "mail a\n");
  expect_within(shell("muster check my_pool.toml").output, "graphs/mine.txt:4:1: ");
}

TEST_F(scenarios_of_documents, scenario_of_slotted_jobs) {
  small_run = "--replications 2 --quiet";
  write("my_search.toml", block());
  expect_within(run("my_search.toml"), ",expired_share,");
}

TEST_F(scenarios_of_documents, list_of_slotted_jobs) {
  small_run = "--replications 2 --quiet";
  write("jobs.csv", block());
  write("listed.toml",
        "name = \"listed\"\n[platform]\nservers = [{ name = \"machine\" }]\n[[classes]]\nname = \"listed\"\n"
        "[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n[policy]\nname = \"ispeed\"\n");
  // One machine: slot 1 earns 4 of job 1, slots 2 and 3 earn 5 each of job 2; job 1 has expired by then.
  expect_within(run("listed.toml"), "listed,0,all,utility,,14,");
}

TEST_F(scenarios_of_documents, precision_of_another_metric) {
  small_run = "--set run.jobs=500 --set arrivals.rate=4 --set policy.name=msf --quiet";
  const std::string file = content_of(tree / "scenarios/quickswap_one_or_all.toml");
  const std::size_t table = file.find("\n[run]\n");
  ASSERT_NE(table, std::string::npos);
  write("precise.toml",
        file.substr(0, table + 1) + std::regex_replace(block(), std::regex("1000"), "10") + file.substr(table + 7));
  run("precise.toml");
  expect_within(read("out/manifest.json"), "\"waiting_time\"");
}

TEST_F(scenarios_of_documents, metrics_that_judge) {
  small_run = "--set run.jobs=500 --set arrivals.rate=4 --quiet";
  write("judged.toml", content_of(tree / "scenarios/quickswap_one_or_all.toml") + "\n" + block());
  run("judged.toml");
  expect_within(read("out/report.html"), "\"title\":\"response_time_p99 of light\"");
}

TEST_F(scenarios_of_documents, class_with_a_weight) {
  write("weights.toml", "name = \"weights\"\n[platform]\nservers = [{ name = \"node\" }]\n" + block() +
                            "[[classes]]\nname = \"other\"\nshare = 0.8\n"
                            "size = { distribution = \"exponential\", mean = 1.0 }\n"
                            "[arrivals]\nload = 0.5\n[policy]\nname = \"weighted\"\n");
  run("weights.toml", "--plugin " MUSTER_PLUGINS "/examples.so");
}

// The listing of rigid jobs with three mistakes.
TEST_F(scenarios_of_documents, messages_of_mistakes) {
  std::string text = block_of("scenario_of_rigid_jobs");
  const auto replace = [&](const std::string& right, const std::string& wrong) {
    ASSERT_NE(text.find(right), std::string::npos) << right;
    text.replace(text.find(right), right.size(), wrong);
  };
  replace("need = 48 ", "need = 80 ");
  replace("[policy]\nname = \"adaptive_quickswap\"", "[policy]\nname = \"adaptive_quikswap\"");
  replace("\nwarm_up ", "\nwarmup ");
  write("my_cluster.toml", text);
  const command_result result = shell("muster check my_cluster.toml");
  EXPECT_EQ(result.status, 2);
  for (const std::string& line : lines_of(block())) expect_within(result.output, line);
}

}  // namespace
}  // namespace muster
