#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "platform/theory/stability/stability.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/mistake.h"

// Logs as arrivals: the jobs and classes that they become, and what is said of them.

namespace muster {
namespace {

const std::string log_sample = R"(name = "logged"
[platform.resources]
memory = { kind = "amount", unit = "B" }
[platform]
servers = [ { name = "node", count = 2, cores = 4, resources = { memory = "8 GB" } } ]
[arrivals]
process = "log"
file = "log.swf"
[policy]
name = "fcfs"
)";

/// A line of a log. @param cores requested, allocated
std::string line(int id, int arrival, int run, int cores, int requested, int user, int allocated = -1, int memory = -1,
                 int queue = -1) {
  return fmt::format("{} {} -1 {} {} -1 -1 {} {} {} 1 {} 1 -1 {} -1 -1 -1\n", id, arrival, run, allocated, cores,
                     requested, memory, user, queue);
}

const std::string four_jobs = "; MaxProcs: 16\n; Queue: 1 day/night\n" + line(1, 100, 10, 4, 20, 7, 4, -1, 1) +
                              line(2, 160, 30, 1, 40, 9, 2, 1000) + line(3, 130, 20, 4, -1, 7) +
                              line(4, 200, 60, 9, 70, 3, 8);

using row = std::tuple<double, double, std::string, unsigned, double, std::string>;

/// Arrival, size, class, cores, request and user of each job.
std::vector<row> rows(const scenario& model) {
  std::vector<row> all;
  for (const timed_job& j : *model.arrivals.jobs) {
    const class_spec& c = model.classes[j.type];
    all.emplace_back(j.arrival, j.size, c.name, c.listed[j.need].need.cores, j.requested,
                     j.user == job_facts::no_user ? "" : model.arrivals.users[j.user]);
  }
  return all;
}

class log_arrivals_test : public graph_folder {
 protected:
  scenario first(const std::vector<std::string>& overrides = {}, const std::string& log = four_jobs) const {
    write("log.swf", log);
    return read_here(log_sample, overrides).points.front().model;
  }
  std::string complaints_about(const std::string& log, const std::vector<std::string>& overrides = {}) const {
    write("log.swf", log);
    return complaints_here(log_sample, overrides);
  }
  std::vector<std::string> classes(const std::string& class_by, const std::string& time_unit = "s") const {
    std::vector<std::string> names;
    for (const class_spec& c : first({"arrivals.class_by='" + class_by + "'", "time_unit=" + time_unit}).classes)
      names.push_back(c.name);
    return names;
  }
};

TEST_F(log_arrivals_test, have_the_jobs_of_the_log_since_its_first_arrival_in_classes_by_need) {
  const scenario model = first();
  EXPECT_EQ(rows(model),
            (std::vector<row>{
                {0, 10, "4_cores", 4, 20, "7"}, {30, 20, "4_cores", 4, 0, "7"}, {60, 30, "1_core", 1, 40, "9"}}));
  EXPECT_EQ(model.run.jobs, 3u);
  EXPECT_EQ(model.run.replications, 1u);
  ASSERT_EQ(model.classes.size(), 2u);
  EXPECT_EQ(model.classes[0].name, "1_core");
  EXPECT_DOUBLE_EQ(model.classes[1].share, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(model.classes[1].size.mean(), 15.0);
  EXPECT_EQ(model.classes[1].need, 4u);
  EXPECT_FALSE(model.counts_tasks());
}

// 2024-01-01T08:00:00Z is 1704096000; the log's first arrival is 100 s later.
TEST_F(log_arrivals_test, know_when_they_begin_where_the_log_tells_it_and_days_keep_their_length) {
  const std::string dated = "; UnixStartTime: 1704096000\n" + four_jobs;
  EXPECT_EQ(first({}, dated).arrivals.log.begins, 1704096100.0);
  EXPECT_EQ(first({"arrivals.from=30"}, dated).arrivals.log.begins, 1704096130.0);
  EXPECT_EQ(first({"arrivals.scale=0.5"}, dated).arrivals.log.begins, std::nullopt);
  EXPECT_EQ(first().arrivals.log.begins, std::nullopt);
  EXPECT_EQ(first({}, "; UnixStartTime: 0\n" + four_jobs).arrivals.log.begins, std::nullopt);
}

TEST_F(log_arrivals_test, say_what_was_left_out_and_what_is_the_need) {
  EXPECT_EQ(first().arrivals.notes,
            std::vector<std::string>{
                "log log.swf (swf): 3 jobs of 2 users in 0.0 days; their need is the requested processors; MaxProcs of "
                "the log is 16, and the platform has 8 cores; sorted: 1 not in the order of arrival (first: "
                "line 5); left out: 1 that need more than the servers have (first: line 6)"});
  EXPECT_EQ(
      first({"arrivals.processors=allocated", "arrivals.from=10"}).arrivals.notes,
      std::vector<std::string>{
          "log log.swf (swf): 3 jobs of 3 users in 0.0 days; their need is the allocated processors, for 1 of "
          "them the requested ones; MaxProcs of the log is 16, and the platform has 8 cores; sorted: 1 not "
          "in the order of arrival (first: line 5); left out: 1 that arrive outside from and to (first: line 3)"});
}

// 4 * 10 + 4 * 20 + 30 of work, and 8 cores for 60 s.
TEST_F(log_arrivals_test, say_when_they_are_more_than_the_cores_can_do) {
  const auto note = [&](const std::string& scale) { return first({"arrivals.scale=" + scale}).arrivals.notes.at(0); };
  EXPECT_NE(note("0.2").find("; until the last arrival they have 1.56 times the work that 8 cores do; "),
            std::string::npos);
  EXPECT_EQ(note("0.32").find("until the last arrival"), std::string::npos);
  // 4 * 10 + 100 of work, of classes that are in another order than their first jobs, and 8 cores for 10 s.
  const std::string other = first({}, line(1, 0, 10, 4, 20, 7) + line(2, 10, 100, 1, 400, 7)).arrivals.notes.at(0);
  EXPECT_NE(other.find("they have 1.75 times the work that 8 cores do"), std::string::npos) << other;
}

TEST_F(log_arrivals_test, that_were_to_wait_for_another_are_counted_and_arrive_as_in_the_log) {
  const std::string log = line(1, 0, 10, 1, 20, 7) + "2 5 -1 10 1 -1 -1 1 20 -1 1 7 1 -1 -1 -1 1 60\n" +
                          "3 8 -1 10 1 -1 -1 1 20 -1 1 7 1 -1 -1 -1 2 0\n";
  const scenario model = first({}, log);
  EXPECT_EQ((*model.arrivals.jobs)[2].arrival, 8.0);
  EXPECT_NE(model.arrivals.notes.front().find(
                "; 2 that were to wait for another job arrive when they did in the log (first: line 2)"),
            std::string::npos)
      << model.arrivals.notes.front();
}

TEST_F(log_arrivals_test, are_cut_scaled_and_converted_to_the_unit_of_time) {
  EXPECT_EQ(rows(first({"time_unit=min", "arrivals.from=\"30 s\"", "arrivals.to=1.5", "arrivals.scale=3"})),
            (std::vector<row>{{0, 20.0 / 60, "4_cores", 4, 0, "7"}, {1.5, 0.5, "1_core", 1, 40.0 / 60, "9"}}));
}

class share_of_users : public log_arrivals_test {
 protected:
  /// Three jobs of each of forty users, and a hundred of nobody's, numbered by their times of arrival.
  scenario of(double share, int seed) const {
    std::string log;
    for (int n = 0; n < 120; ++n) log += line(n, n, 5, 1, 10, n % 40);
    for (int n = 120; n < 220; ++n) log += line(n, n, 5, 1, 10, -1);
    return first({fmt::format("arrivals.share={}", share), fmt::format("run.seed={}", seed)}, log);
  }
  /// How many jobs each user has; of nobody's each by its time of arrival, from the first job of all on.
  static std::map<std::string, int> jobs_by_user(const scenario& model) {
    std::map<std::string, int> jobs;
    for (const timed_job& j : *model.arrivals.jobs)
      ++jobs[j.user == job_facts::no_user ? fmt::format("nobody {}", j.arrival) : model.arrivals.users[j.user]];
    return jobs;
  }
  static std::size_t users_in(const std::map<std::string, int>& jobs) {
    return static_cast<std::size_t>(
        std::count_if(jobs.begin(), jobs.end(), [](const auto& of) { return of.first.front() != 'n'; }));
  }
};

TEST_F(share_of_users, has_so_many_users_with_all_their_jobs) {
  const std::map<std::string, int> jobs = jobs_by_user(of(0.3, 1));
  EXPECT_EQ(users_in(jobs), 12u);
  for (const auto& [user, count] : jobs) EXPECT_EQ(count, user.front() == 'n' ? 1 : 3) << user;
  EXPECT_EQ(users_in(jobs_by_user(of(0.001, 1))), 1u);
  EXPECT_EQ(users_in(jobs_by_user(of(1.0, 1))), 40u);
}

// A binomial number of 100 with probability 0.3 is outside 12 .. 49 once in 30,000 times.
TEST_F(share_of_users, has_as_large_a_share_of_jobs_without_user) {
  const std::map<std::string, int> jobs = jobs_by_user(of(0.3, 1));
  const std::size_t without = jobs.size() - users_in(jobs);
  EXPECT_GE(without, 12u);
  EXPECT_LE(without, 49u);
}

TEST_F(share_of_users, depends_on_the_seed_and_grows_with_the_share) {
  const std::map<std::string, int> jobs = jobs_by_user(of(0.3, 1)), more = jobs_by_user(of(0.6, 1));
  EXPECT_EQ(jobs, jobs_by_user(of(0.3, 1)));
  EXPECT_NE(jobs, jobs_by_user(of(0.3, 2)));
  for (const auto& [user, count] : jobs) EXPECT_EQ(more.count(user), 1u) << user;
}

TEST_F(share_of_users, counts_the_jobs_that_it_leaves_out) {
  const scenario model = of(0.3, 1);
  const std::string left_out = fmt::format("{} of users outside the share", 220 - model.arrivals.jobs->size());
  EXPECT_NE(model.arrivals.notes.front().find(left_out), std::string::npos) << model.arrivals.notes.front();
  EXPECT_NE(model.arrivals.notes.front().find("of 12 users"), std::string::npos) << model.arrivals.notes.front();
}

TEST_F(log_arrivals_test, become_classes_by_a_rule) {
  using names = std::vector<std::string>;
  EXPECT_EQ(classes("user"), (names{"user_7", "user_9"}));
  EXPECT_EQ(classes("queue"), (names{"queue_day_night", "queue_unknown"}));
  EXPECT_EQ(classes("partition"), names{"partition_unknown"});
  EXPECT_EQ(classes("all"), names{"job"});
  EXPECT_EQ(classes("cores: 1, 2-3, 4-"), (names{"1_core", "from_4_cores"}));
  EXPECT_EQ(classes("run: 15 s, 1 min"), (names{"run_below_15s", "run_15s-1min"}));
  EXPECT_EQ(classes("run: 15 s, 1 min", "h"), (names{"run_below_15s", "run_15s-1min"}));
  // A class of several needs has each of them once.
  const scenario one = first({"arrivals.class_by=all"});
  ASSERT_EQ(one.classes[0].listed.size(), 2u);
  EXPECT_EQ(one.classes[0].listed[0].jobs, 2u);
  EXPECT_EQ(one.classes[0].listed[1].need, (job_need{1}));
}

TEST_F(log_arrivals_test, may_need_memory_for_each_core) {
  const scenario model = first({"arrivals.memory=memory", "arrivals.class_by=all"});
  ASSERT_EQ(model.classes[0].listed.size(), 2u);
  EXPECT_EQ(model.classes[0].listed[0].need, (job_need{4, task_need{4, {1, 0}}}));
  EXPECT_EQ(model.classes[0].listed[1].need, (job_need{1, task_need{1, {1, 1'024'000}}}));
  const scenario small = first({"arrivals.memory=memory", "platform.servers.node.resources.memory=1000"});
  EXPECT_EQ(small.arrivals.jobs->size(), 2u);
}

class log_with_devices : public graph_folder {
 protected:
  static std::string sample_with(const std::string& keys) {
    return R"(name = "logged"
[platform.resources]
memory = { kind = "amount", unit = "B" }
gpu = { kind = "devices" }
licence = { kind = "amount", of = "cluster", amount = 5 }
[platform]
servers = [ { name = "node", count = 2, cores = 8, resources = { memory = "16 GB", gpu = 4 } } ]
[arrivals]
process = "log"
file = "log.txt"
class_by = "all"
)" + keys + "[policy]\nname = \"first_fit\"\n";
  }
  /// Needs as tasks x cores, GPUs and memory of each, and licences of the job, in the order of the jobs; then the note.
  std::vector<std::string> needs(const std::string& keys) const {
    const scenario model = read_here(sample_with(keys)).points.front().model;
    std::vector<std::string> all;
    for (const timed_job& j : *model.arrivals.jobs) {
      const task_need& need = *model.classes[j.type].listed[j.need].need.tasks;
      all.push_back(fmt::format("{} x {} {} {}, {}", need.tasks, need.per_task[0], need.per_task[2], need.per_task[1],
                                need.per_job.empty() ? 0 : need.per_job[3]));
    }
    all.push_back(model.arrivals.notes.front());
    return all;
  }
};

// Whole GPUs and whole cores make as many equal tasks as divide both: 8 and 4 make 4, 6 and 4 make 2, 3 and 2 one.
TEST_F(log_with_devices, has_tasks_of_whole_devices_with_their_shares_of_cores_and_memory) {
  write("log.txt",
        "JobID|Submit|Elapsed|ReqTRES\n1|1|60|cpu=8,gres/gpu=4,mem=8000\n2|2|60|cpu=6,gres/gpu=4,license/a=2,mem=999\n"
        "3|3|60|cpu=3,gres/gpu=2\n4|4|60|cpu=5,mem=50\n5|5|60|cpu=2,gres/gpu=9\n6|6|60|cpu=2,gres/gpu=1.5\n");
  const std::vector<std::string> found =
      needs("memory = \"memory\"\nresources = { gpu = \"gres/gpu\", licence = \"license/a\" }\n");
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(std::vector<std::string>(found.begin(), found.end() - 1),
            (std::vector<std::string>{"4 x 2 1 2000, 0", "2 x 3 2 500, 2", "1 x 3 2 0, 0", "5 x 1 0 10, 0"}));
  EXPECT_NE(found.back().find("left out: 1 that need more than the servers have (first: line 6), 1 with a part of a "
                              "device that cannot be held (first: line 7)"),
            std::string::npos)
      << found.back();
  EXPECT_EQ(needs("resources = { gpu = \"gres/gpu\" }\n").front(), "4 x 2 1 0, 0");
}

TEST_F(log_with_devices, that_does_not_tell_of_them_is_refused_word_for_word) {
  write("log.txt", "JobID|Submit|Elapsed|ReqTRES\n1|1|60|cpu=8,gres/gpu=4\n");
  EXPECT_EQ(complaints_here(sample_with("resources = { gpus = \"gres/gpu\" }\n")),
            "f.toml:12:22: arrivals.resources.gpus: unknown resource 'gpus'; did you mean 'gpu'?");
  EXPECT_EQ(complaints_here(sample_with("memory = \"memory\"\nresources = { memory = \"mem\" }\n")),
            "f.toml:13:24: arrivals.resources.memory: is what arrivals.memory counts; expected one of them");
  write("log.txt", four_jobs);
  EXPECT_EQ(complaints_here(sample_with("resources = { gpu = \"gres/gpu\" }\n")),
            "f.toml:12:13: arrivals.resources: has no effect with format 'swf', which tells of cores and memory alone");
  write("log.txt", "arrival,size,cores,gpus\n1,5,2,4\n");
  EXPECT_NE(complaints_here(sample_with("resources = { gpu = \"gpu\" }\n"))
                .find("expected a column 'gpu', which arrivals.resources names; did you mean 'gpus'?"),
            std::string::npos);
}

TEST_F(log_arrivals_test, are_the_same_for_all_points_of_a_sweep) {
  write("log.swf", four_jobs);
  const study both = read_here(log_sample, {"sweep.\"policy.name\"=[\"fcfs\", \"first_fit\"]"});
  ASSERT_EQ(both.points.size(), 2u);
  EXPECT_EQ(both.points[0].model.arrivals.jobs, both.points[1].model.arrivals.jobs);
  EXPECT_EQ(both.notes().size(), 1u);
}

TEST_F(log_arrivals_test, name_the_log_by_its_whole_path_and_know_its_content) {
  write("log.swf", four_jobs);
  const study once = read_here(log_sample);
  const std::string path = std::filesystem::absolute(folder_ / "log.swf").lexically_normal().string();
  EXPECT_NE(once.resolved.find("file = \"" + path + "\""), std::string::npos) << once.resolved;
  EXPECT_TRUE(once.files.empty());
  EXPECT_EQ(once.logs.count(path), 1u);
  const study again = read_study(once.resolved, "f.toml", {}, "/");
  EXPECT_EQ(again.resolved, once.resolved);
  EXPECT_EQ(rows(again.points[0].model), rows(once.points[0].model));
  write("log.swf", four_jobs + line(5, 300, 1, 1, 1, 1));
  EXPECT_NE(read_here(log_sample).model_text, once.model_text);
}

TEST_F(log_arrivals_test, have_the_load_of_their_jobs_until_the_last_arrival) {
  EXPECT_DOUBLE_EQ(examine_stability(first()).work, (4 * 10 + 4 * 20 + 30) / (8.0 * 60.0));
}

TEST_F(log_arrivals_test, of_which_nothing_can_be_read_are_refused_word_for_word) {
  const std::string damaged = "1 2 3\n4 5 6\n";
  EXPECT_EQ(complaints_about(line(1, 0, 5, 1, 5, 1) + damaged),
            "log.swf:2:1: arrivals.file: 2 of its 3 lines cannot be read in the format swf (Standard Workload Format): "
            "2 with fewer "
            "than 18 fields (first: line 2)");
  EXPECT_EQ(complaints_about(""), "f.toml:8:8: arrivals.file: 'log.swf' is empty");
  EXPECT_EQ(
      complaints_about(std::string("\x7f"
                                   "ELF\0\1\1",
                                   7)),
      "log.swf:1:1: arrivals.file: is binary; expected a log as text (ASCII or UTF-8), perhaps compressed by gzip or "
      "zstd");
  EXPECT_EQ(complaints_about(four_jobs + std::string(1, '\0')).substr(0, 38), "log.swf:7:1: arrivals.file: is binary;");
  EXPECT_EQ(complaints_about("Dear user\n"),
            "log.swf:1:1: arrivals.file: looks like no log that is known; expected Standard Workload Format, or what "
            "sacct --parsable2 of Slurm prints, or events of the Slurm simulator, or table with a header (CSV)");
  EXPECT_EQ(complaints_about("; MaxProcs: 4\n"), "f.toml:8:8: arrivals.file: 'log.swf' has no jobs");
  EXPECT_EQ(complaints_about(line(1, 0, -1, 1, 5, 1)),
            "f.toml:8:8: arrivals.file: 'log.swf' has no job that can run: 1 without a run time (first: line 1)");
  EXPECT_EQ(complaints_about(line(1, 0, 5, 100, 5, 1)),
            "f.toml:8:8: arrivals.file: no job is left: 1 that need more than the servers have (first: line 1)");
  EXPECT_EQ(complaints_about(four_jobs, {"arrivals.file=none.swf"}),
            "--set arrivals.file=none.swf:1:15: arrivals.file: 'none.swf' cannot be opened: No such file or directory");
}

// The jobs that have 4 cores and 1, and the one that needs 9.
TEST_F(log_arrivals_test, have_the_processors_of_the_log_where_its_only_server_does_not_say) {
  const std::string without = "platform.servers=[{ name = \"node\", resources = { memory = \"8 GB\" } }]";
  write("log.swf", four_jobs);
  const study read = read_here(log_sample, {without});
  EXPECT_EQ(read.points[0].model.servers.at(0).cores, 16u);
  EXPECT_EQ(read.points[0].model.arrivals.jobs->size(), 4u);
  EXPECT_NE(read.resolved.find("cores = 16"), std::string::npos) << read.resolved;
  EXPECT_EQ(first({without, "platform.servers.node.cores=8"}).arrivals.jobs->size(), 3u);
  EXPECT_EQ(first({"platform.servers=[{ name = \"node\", count = 4 }]"}).servers.at(0).cores, 1u);
  for (const char* head : {"; MaxNodes: 16\n", "; MaxProcs: many\n", "; MaxProcs: 2.5\n", "; MaxProcs: 2000000\n"})
    EXPECT_NE(complaints_about(head + line(1, 0, 5, 1, 5, 1), {without})
                  .find("platform.servers.node.cores: missing, and the log tells no number of processors (MaxProcs); "
                        "expected the cores of the cluster"),
              std::string::npos)
        << head;
}

TEST_F(log_arrivals_test, with_keys_that_do_not_fit_are_refused_word_for_word) {
  const auto wrong = [&](const std::string& setting) {
    const std::string all = complaints_about(four_jobs, {setting});
    const std::size_t end = all.find(": arrivals.");
    return end == std::string::npos ? all : all.substr(end + 2);
  };
  EXPECT_EQ(wrong("arrivals.class_by='group'"),
            "arrivals.class_by: expected need, user, partition, queue, all, or ranges such as 'cores: 1, 2-16, 17-' or "
            "'run: 1h, 12h', found 'group'");
  EXPECT_EQ(wrong("arrivals.class_by='cores: 4-2'"),
            "arrivals.class_by: expected ranges of cores such as '1, 2-16, 17-', found '4-2'");
  EXPECT_EQ(wrong("arrivals.class_by='run: 2h, 1h'"),
            "arrivals.class_by: expected ascending times with units such as '1h, 12h', found '1h'");
  EXPECT_EQ(wrong("arrivals.share=0"), "arrivals.share: expected a number > 0 and <= 1, found 0");
  EXPECT_EQ(wrong("arrivals.replicate=shake"),
            "arrivals.shift: expected a time > 0 with replicate 'shake': the largest shift of an arrival");
  EXPECT_EQ(wrong("arrivals.dependencies=replays"),
            "arrivals.dependencies: unknown use of dependencies 'replays'; did you mean 'replay'?");
  EXPECT_EQ(wrong("arrivals.shift=5"), "arrivals.shift: has no effect without replicate 'shake'");
  EXPECT_EQ(
      wrong("arrivals.memory=memry"),
      "arrivals.memory: expected an amount of the servers that platform.resources declares, found 'memry'; did you "
      "mean 'memory'?");
  EXPECT_EQ(wrong("arrivals.columns.size=elapsed"),
            "arrivals.columns: has no effect with format 'swf', whose columns have their own names; expected format "
            "'csv'");
  EXPECT_EQ(wrong("arrivals.rate=1"), "arrivals.rate: expected no rate here, because the arrivals are finite");
  write("log.swf", four_jobs);
  EXPECT_EQ(complaints_here(log_sample + "[[classes]]\nname = \"a\"\n"),
            "f.toml:11:1: classes: expected no classes here: those of a log are made by arrivals.class_by");
}

TEST_F(log_arrivals_test, are_of_rigid_jobs) {
  const std::string message =
      "f.toml:10:8: policy.name: policy 'fcfs_pooled' cannot run these classes: the jobs of a log are rigid; expected "
      "a "
      "policy of rigid jobs (";
  write("log.swf", four_jobs);
  EXPECT_EQ(complaints_here(log_sample, {}).size(), 0u);
  std::string pooled = log_sample;
  pooled.replace(pooled.find("\"fcfs\""), 6, "\"fcfs_pooled\"");
  EXPECT_EQ(complaints_here(pooled).substr(0, message.size()), message);
}

}  // namespace
}  // namespace muster
