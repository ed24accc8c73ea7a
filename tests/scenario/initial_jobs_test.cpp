#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "platform/log/log_format.h"
#include "platform/model/synthetic_workload.h"
#include "tests/scenario/graph_folder.h"

// Jobs that wait or run at time 0: formats, what they become beside logs and lists, and what is said of them.

namespace muster {
namespace {

class queues : public graph_folder {
 protected:
  /// What a queue tells of its jobs; what is wrong with it, if something is.
  std::vector<std::string> told_by(const std::string& content) const {
    write("queue", content);
    std::vector<std::string> all;
    try {
      line_stream lines((folder_ / "queue").string());
      const log_format_entry* format = format_of(lines.begin());
      if (!format || !format->open_queue) return {"no format"};
      const std::unique_ptr<log_reader> reader = format->open_queue(lines);
      for (log_record r; reader->next(r);)
        all.push_back(r.left_out.empty()
                          ? fmt::format("{}: {} {} of {} on {} since {}, {} {}{}", r.line,
                                        r.state == logged_state::runs ? "runs" : "waits", r.elapsed, r.requested,
                                        r.requested_cores, r.submit, r.user, r.partition, r.depends ? " depends" : "")
                          : fmt::format("{}: {}{}", r.line, r.left_out, r.damaged ? " (damaged)" : ""));
    } catch (const log_error& error) {
      all.push_back(fmt::format("{}: {}", error.line, error.what()));
    }
    return all;
  }
  /// The nodes that a queue tells of each of its jobs.
  std::vector<std::string> nodes_in(const std::string& content) const {
    write("queue", content);
    line_stream lines((folder_ / "queue").string());
    const std::unique_ptr<log_reader> reader = format_of(lines.begin())->open_queue(lines);
    std::vector<std::string> all;
    for (log_record r; reader->next(r);) all.emplace_back(r.nodes);
    return all;
  }
};

using queue_lines = std::vector<std::string>;

TEST_F(queues, of_squeue_tell_the_nodes_of_jobs_that_run) {
  EXPECT_EQ(nodes_in("JOBID ST TIME TIME_LIMIT CPUS NODELIST(REASON)\n1 R 0:10 1:00 2 n[1-2]\n"
                     "2 PD 0:00 1:00 2 (ReqNodeNotAvail, UnavailableNodes:n[3-4])\n3 PD 0:00 1:00 2 (Dependency)\n"),
            (queue_lines{"n[1-2]", "", ""}));
  EXPECT_EQ(nodes_in("JOBID|ST|TIME|TIME_LIMIT|CPUS|REASON|NODELIST\n1|R|0:10|1:00|2|None|n[1-2],m\n"
                     "2|PD|0:00|1:00|2|Priority|\n3|R|0:10|1:00|2|None|(null)\n"),
            (queue_lines{"n[1-2],m", "", ""}));
}

TEST_F(queues, of_squeue_with_bars_have_names_with_bars_and_blanks) {
  EXPECT_EQ(
      told_by("JOBID|NAME|STATE|TIME|TIME_LIMIT|NODES|CPUS|USER|PARTITION|SUBMIT_TIME|NODELIST\n"
              "17|my|odd name|RUNNING|1-02:00:00|2-00:00:00|2|64|ann|batch|2024-01-31T12:00:00|n[1-2]\n"
              "18|x|PENDING|0:00|30:00|1|4|bob|long|2024-01-31T12:00:10|\n"
              "19|x|CONFIGURING|0:05|UNLIMITED|1|4|bob|long|N/A|n3\n"
              "20|x|COMPLETING|5:00|30:00|1|4|bob|long|N/A|n3\n"
              "21|PENDING|0:00|30:00|1|4|bob|long\n"
              "22|x|RUNNING|INVALID|30:00|1|4|bob|long|N/A|n4\n"),
      (queue_lines{"2: runs 93600 of 172800 on 64 since 1706702400, ann batch",
                   "3: waits -1 of 1800 on 4 since 1706702410, bob long", "4: runs 5 of -1 on 4 since -1, bob long",
                   "5: that neither wait nor run", "6: with fewer fields than heads (damaged)",
                   "7: that run without a time since their start (TIME) (damaged)"}));
}

TEST_F(queues, of_squeue_with_blanks_have_names_and_reasons_with_blanks) {
  EXPECT_EQ(told_by("             JOBID PARTITION     NAME     USER ST       TIME  TIME_LEFT CPUS NODELIST(REASON)\n"
                    "                17     batch my job 1      ann  R      10:00      20:00    8 n[1-2]\n"
                    "                18     batch        a      bob PD       0:00    1:00:00    2 (Resources)\n"
                    "                19     batch      b c      bob PD       0:00    1:00:00    2 (ReqNodeNotAvail, "
                    "UnavailableNodes:n[3-4])\n"
                    "                20     batch        a      bob PD       0:00    1:00:00    2 (Dependency)\n"
                    "                21     batch        a      bob PD       0:00    1:00:00    2 (JobHeldUser)\n"),
            (queue_lines{"2: runs 600 of 1800 on 8 since -1, ann batch", "3: waits -1 of 3600 on 2 since -1, bob batch",
                         "4: waits -1 of 3600 on 2 since -1, bob batch",
                         "5: waits -1 of 3600 on 2 since -1, bob batch depends", "6: that are held"}));
}

// Nodes that a job does not have yet leave the end of its line empty.
TEST_F(queues, of_squeue_tell_the_time_since_the_start_by_what_is_left) {
  EXPECT_EQ(told_by("JOBID ST TIME_LIMIT TIME_LEFT CPUS NODELIST\n1 R 1:00:00 40:00 2 n1\n2 PD 1:00:00 1:00:00 2\n"),
            (queue_lines{"2: runs 1200 of 3600 on 2 since -1,  ", "3: waits -1 of 3600 on 2 since -1,  "}));
}

TEST_F(queues, of_squeue_have_a_job_for_each_task_of_an_array) {
  const std::string heads = "JOBID|ST|TIME|TIME_LIMIT|CPUS\n";
  const std::string row = ": waits -1 of 60 on 1 since -1,  ";
  EXPECT_EQ(told_by(heads + "7_[1-3,9%2]|PD|0:00|1:00|1\n8_[0-8:4]|PD|0:00|1:00|1\n9_4|PD|0:00|1:00|1\n"),
            (queue_lines{"2" + row, "2" + row, "2" + row, "2" + row, "3" + row, "3" + row, "3" + row, "4" + row}));
  const std::string cut = ": of an array whose tasks are cut short (squeue -r has a line for each) (damaged)";
  EXPECT_EQ(told_by(heads + "7_[1-3,12|PD|0:00|1:00|1\n7_[1-3,...]|PD|0:00|1:00|1\n7_[5-3]|PD|0:00|1:00|1\n"),
            (queue_lines{"2" + cut, "3" + cut, "4" + cut}));
}

TEST_F(queues, of_squeue_leave_out_jobs_without_a_number_of_cores) {
  const std::string without = ": without a number of cores (CPUS) (damaged)";
  EXPECT_EQ(told_by("JOBID|ST|TIME|TIME_LIMIT|CPUS\n1|PD|0:00|1:00|x\n2|R|0:10|1:00|-4\n3|PD|0:00|1:00|0\n"
                    "4|PD|0:00|1:00|\n5|PD|0:00|1:00|K\n6|PD|0:00|1:00|1.5K\n7|CG|0:00|1:00|x\n"),
            (queue_lines{"2" + without, "3" + without, "4" + without, "5" + without, "6" + without,
                         "7: waits -1 of 60 on 1536 since -1,  ", "8: that neither wait nor run"}));
}

TEST_F(queues, of_squeue_say_which_column_is_missing) {
  const char* format = ", as of squeue -o \"%i|%T|%M|%l|%C|%u|%P|%V\"";
  EXPECT_EQ(told_by("JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n"),
            queue_lines{fmt::format("1: expected a column CPUS (%C){}", format)});
  EXPECT_EQ(told_by("JOBID|ST|TIME|CPUS\n"),
            queue_lines{fmt::format("1: expected a column TIME_LIMIT (%l){}", format)});
  EXPECT_EQ(told_by("JOBID|ST|TIME_LEFT|CPUS\n"), queue_lines{fmt::format("1: expected a column TIME (%M){}", format)});
  EXPECT_EQ(told_by("JOBID|TIME|TIME_LEFT|CPUS\n"),
            queue_lines{fmt::format("1: expected a column STATE (%T){}", format)});
}

TEST_F(queues, of_a_table_have_states) {
  EXPECT_EQ(told_by("state,size,elapsed,cores,requested,user\nwaiting,10,,2,20,ann\nrunning,30,5,4,40,\n"
                    "ended,10,5,1,,\nrunning,10,,1,,\nrunning,ten,1,1,,\n"),
            (queue_lines{"2: waits -1 of 20 on 2 since -1, ann ", "3: runs 5 of 40 on 4 since -1,  ",
                         "4: whose state is neither waiting nor running (damaged)",
                         "5: that run without a time since their start (elapsed) (damaged)",
                         "6: whose size is no time (damaged)"}));
  EXPECT_EQ(nodes_in("state;size;elapsed;nodes\nrunning;9;1;n[1-2,5]\nwaiting;9;;n3\nrunning;9;1;\n"),
            (queue_lines{"n[1-2,5]", "", ""}));
  EXPECT_EQ(told_by("stat,size\nwaiting,10\n"),
            queue_lines{"1: expected a column 'state', the state of the jobs; did you mean 'stat'?"});
  EXPECT_EQ(told_by("state,cores\nwaiting,1\n"), queue_lines{"1: expected a column size or requested"});
}

const std::string replay_from_now = R"(name = "now"
[platform]
servers = [ { name = "node", count = 2, cores = 4 } ]
[arrivals]
process = "log"
file = "log.swf"
[initial]
file = "queue"
[policy]
name = "fcfs"
)";

const std::string log_of_now =
    "1 100 -1 10 4 -1 -1 4 20 -1 1 7 1 -1 -1 -1 -1 -1\n2 160 -1 30 1 -1 -1 1 40 -1 1 9 1 -1 -1 -1 -1 -1\n";
const std::string queue_of_now =
    "JOBID|ST|TIME|TIME_LIMIT|CPUS|USER|SUBMIT_TIME\n"
    "5|PD|0:00|1:00|4|9|2024-01-31T12:00:10\n6|R|0:40|2:00|2|ann|2024-01-31T11:00:00\n"
    "7|PD|0:00|3:00|1|ann|2024-01-31T12:00:00\n8|R|2:30|2:00|1|7|2024-01-31T11:00:00\n"
    "9|PD|0:00|1:00|16|7|2024-01-31T12:00:00\n";

using initial_row = std::tuple<double, double, std::string, double, std::string>;

std::vector<initial_row> rows_of(const scenario& model) {
  std::vector<initial_row> all;
  for (const timed_job& j : *model.arrivals.jobs)
    all.emplace_back(j.arrival, j.size, model.classes[j.type].name, j.requested,
                     j.user == job_facts::no_user ? "" : model.arrivals.users[j.user]);
  return all;
}

class initial_jobs_test : public queues {
 protected:
  scenario of(const std::string& text, const std::string& queue, const std::vector<std::string>& overrides = {}) const {
    write("log.swf", log_of_now);
    write("queue", queue);
    return read_here(text, overrides).points.front().model;
  }
  std::string complaint(const std::string& text, const std::string& queue,
                        const std::vector<std::string>& overrides = {}) const {
    write("log.swf", log_of_now);
    write("queue", queue);
    return complaints_here(text, overrides);
  }
};

// Two minutes, of which 40 s are done; a limit that is exceeded; and those that wait, in the order of submission.
TEST_F(initial_jobs_test, come_before_those_of_a_log_with_what_is_left_of_them) {
  const scenario model = of(replay_from_now, queue_of_now);
  const double step = 1e-9;
  EXPECT_EQ(rows_of(model), (std::vector<initial_row>{{0, 80, "2_cores", 80, "ann"},
                                                      {0, step, "1_core", step, "7"},
                                                      {step, 180, "1_core", 180, "ann"},
                                                      {step, 60, "4_cores", 60, "9"},
                                                      {step, 10, "4_cores", 20, "7"},
                                                      {60, 30, "1_core", 40, "9"}}));
  EXPECT_EQ(model.arrivals.initial, 4u);
  EXPECT_EQ(model.arrivals.running, 2u);
  ASSERT_EQ(model.arrivals.notes.size(), 2u);
  EXPECT_EQ(model.arrivals.notes[0].substr(0, 50), "log log.swf (swf): 2 jobs of 2 users in 0.0 days; ");
  EXPECT_EQ(model.arrivals.notes[1],
            "initial queue (squeue): 2 jobs run at time 0, and 2 wait, in the order of their submission; the size of 4 "
            "is their time limit; 1 have run for their whole size and end at once; left out: 1 that need more than the "
            "servers have (first: line 6)");
}

// Queued jobs come in the order of the scenario's jobs: those that run, then those that wait, without what is left out.
TEST_F(initial_jobs_test, keep_what_their_file_tells_of_each) {
  write("log.swf", log_of_now);
  write("queue",
        "JOBID|STATE|TIME|TIME_LIMIT|CPUS|USER\n41_[2-6:2,9]|PENDING|0:00|1:00|1|ann\n17|RUNNING|0:40|2:00|2|bob\n"
        "18|PENDING|0:00|1:00|99|bob\n19+1|PENDING|0:00|0:30|4|\n");
  write("f.toml", replay_from_now);
  const study_with_queues found =
      read_study_with_queues((folder_ / "f.toml").string(), {"arrivals.process=log", "time_unit=min"});
  ASSERT_EQ(found.queues.size(), 1u);
  std::vector<std::string> told;
  for (const queued_job& j : found.queues.front())
    told.push_back(fmt::format("{} of {} in line {}, place {}: {} cores, {} {:.3f} of {} min, {}", j.name, j.user,
                               j.line, j.place, j.cores, j.runs ? "runs" : "waits", j.elapsed, j.limit, j.by_request));
  EXPECT_EQ(told, (std::vector<std::string>{"17 of bob in line 3, place 4: 2 cores, runs 0.667 of 2 min, true",
                                            "41_2 of ann in line 2, place 0: 1 cores, waits 0.000 of 1 min, true",
                                            "41_4 of ann in line 2, place 1: 1 cores, waits 0.000 of 1 min, true",
                                            "41_6 of ann in line 2, place 2: 1 cores, waits 0.000 of 1 min, true",
                                            "41_9 of ann in line 2, place 3: 1 cores, waits 0.000 of 1 min, true",
                                            "19_1 of  in line 5, place 6: 4 cores, waits 0.000 of 0.5 min, true"}));
  EXPECT_EQ(found.read.points.front().model.arrivals.initial, told.size());
}

TEST_F(initial_jobs_test, are_the_same_in_all_replications_of_a_log) {
  using keys = std::vector<std::string>;
  for (const keys& rule :
       {keys{"arrivals.replicate=shake", "arrivals.shift=100"}, keys{"arrivals.replicate=resample"}}) {
    const scenario model = of(replay_from_now, queue_of_now, rule);
    for (std::uint32_t replication = 0; replication < 5; ++replication) {
      const auto source = make_workload(model, replication);
      std::vector<ticks> sizes;
      ticks latest = 0;
      for (job_request job; source->next(job); latest = job.arrival) {
        EXPECT_GE(job.arrival, latest);
        if (sizes.size() < 4) sizes.push_back(job.size);
        if (sizes.size() == 2) {
          EXPECT_EQ(job.arrival, 0u);
        }
      }
      EXPECT_EQ(sizes, (std::vector<ticks>{80'000'000'000, 1, 180'000'000'000, 60'000'000'000})) << rule.front();
    }
  }
}

const std::string listed_now = R"(name = "now"
[platform]
servers = [ { name = "node", count = 2, cores = 4 } ]
[[classes]]
name = "small"
[[classes]]
name = "large"
need = 8
[arrivals]
process = "list"
file = "jobs.csv"
[initial]
file = "queue"
[policy]
name = "fcfs"
)";

TEST_F(initial_jobs_test, come_before_those_of_a_list_in_its_classes) {
  write("jobs.csv", "id,arrival,size,class,user\n1,0,5,large,ann\n2,3,4,small,bob\n");
  const scenario model = of(listed_now,
                            "state,size,elapsed,class,cores,user\nwaiting,9,,small,3,cid\nrunning,7,2,large,,bob\n"
                            "waiting,1,,middle,,\nwaiting,1,,small,9,\nwaiting,1,,,,\n");
  const double step = 1e-9;
  EXPECT_EQ(rows_of(model), (std::vector<initial_row>{{0, 5, "large", 0, "bob"},
                                                      {step, 9, "small", 0, "cid"},
                                                      {step, 5, "large", 0, "ann"},
                                                      {3, 4, "small", 0, "bob"}}));
  EXPECT_EQ(model.classes[0].listed[(*model.arrivals.jobs)[1].need].need.cores, 3u);
  ASSERT_EQ(model.arrivals.notes.size(), 1u);
  EXPECT_EQ(model.arrivals.notes[0],
            "initial queue (csv): 1 jobs run at time 0, and 1 wait, in the order of the file; left out: 1 of a class "
            "that there is not (first: line 4), 1 that need more than the servers of their class have (first: line "
            "5), 1 without a class (first: line 6)");
}

TEST_F(initial_jobs_test, may_be_none) {
  const scenario model = of(replay_from_now, "JOBID|ST|TIME|TIME_LIMIT|CPUS\n");
  EXPECT_EQ(model.arrivals.initial, 0u);
  EXPECT_EQ(model.arrivals.jobs->size(), 2u);
  EXPECT_EQ(model.arrivals.notes.at(1), "initial queue (squeue): 0 jobs run at time 0, and 0 wait");
}

TEST_F(initial_jobs_test, that_cannot_be_read_are_refused_word_for_word) {
  EXPECT_EQ(
      complaint(replay_from_now, "Dear user\n"),
      "queue:1:1: initial.file: looks like no queue that is known; expected what squeue of Slurm prints, or table "
      "with a header (CSV)");
  EXPECT_EQ(complaint(replay_from_now, log_of_now),
            "queue:1:1: initial.file: is of the format swf (Standard Workload Format), which does not tell what waits "
            "and runs");
  EXPECT_EQ(complaint(replay_from_now, "state,size\nwaiting,9\nasleep,3\nasleep,3\n"),
            "queue:3:1: initial.file: 2 of its 3 lines cannot be read in the format csv (table with a header (CSV)): 2 "
            "whose state is neither waiting nor running (first: line 3)");
  EXPECT_EQ(complaint(replay_from_now, queue_of_now, {"arrivals.file=queue"}),
            "queue:1:1: arrivals.file: is of the format squeue (what squeue of Slurm prints): jobs that wait and run, "
            "which initial.file takes");
  EXPECT_EQ(complaint(replay_from_now, queue_of_now, {"initial.file=none"}),
            "--set initial.file=none:1:14: initial.file: 'none' cannot be opened: No such file or directory");
}

const std::string random_now = R"(name = "now"
[platform]
servers = [ { name = "node", count = 2, cores = 4 } ]
[[classes]]
name = "small"
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "large"
need = 4
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
rate = 0.5
[initial]
file = "queue"
[policy]
name = "fcfs"
)";

// A job without a class is of the only one that needs as many cores. Another need than that of its class is one of its
// own, which no job has in the long run.
TEST_F(initial_jobs_test, come_before_those_of_a_random_process) {
  const scenario model = of(random_now,
                            "state,size,elapsed,class,cores,user\nwaiting,9,,,4,cid\nrunning,7,2,small,3,bob\n"
                            "waiting,1,,,2,\nwaiting,2,,large,,ann\n");
  ASSERT_TRUE(model.arrivals.initial_jobs);
  EXPECT_FALSE(model.arrivals.jobs);
  EXPECT_EQ(model.arrivals.initial, 3u);
  EXPECT_EQ(model.arrivals.running, 1u);
  EXPECT_EQ(model.arrivals.notes.at(0),
            "initial queue (csv): 1 jobs run at time 0, and 2 wait, in the order of the file; left out: 1 without a "
            "class (first: line 4)");
  EXPECT_TRUE(model.classes[1].listed.empty());
  ASSERT_EQ(model.classes[0].listed.size(), 2u);
  EXPECT_EQ(model.classes[0].listed[1].need.cores, 3u);
  EXPECT_DOUBLE_EQ(model.classes[0].mean_work(), 1.0);

  scenario alone = model;
  alone.arrivals.initial_jobs = nullptr;
  const auto with = make_workload(model, 3), without = make_workload(alone, 3);
  std::vector<std::tuple<ticks, ticks, std::uint64_t>> first;  // arrival, size, need
  job_request job, other;
  for (int n = 0; n < 3 && with->next(job); ++n) first.emplace_back(job.arrival, job.size, job.need);
  EXPECT_EQ(first, (std::vector<std::tuple<ticks, ticks, std::uint64_t>>{
                       {0, 5'000'000'000, 1}, {1, 9'000'000'000, 0}, {1, 2'000'000'000, 0}}));
  for (int n = 0; n < 100; ++n) {
    ASSERT_TRUE(with->next(job) && without->next(other));
    EXPECT_EQ(std::tie(job.arrival, job.size, job.type, job.need, job.user),
              std::tie(other.arrival, other.size, other.type, other.need, other.user));
  }
}

TEST_F(initial_jobs_test, may_be_all_that_there_are) {
  const std::string nothing_else = R"(name = "now"
[platform]
servers = [ { name = "node", count = 2, cores = 4 } ]
[[classes]]
name = "job"
[arrivals]
process = "none"
[policy]
name = "fcfs"
)";
  const std::string with_queue = nothing_else + "[initial]\nfile = \"queue\"\n";
  const scenario model = of(with_queue, queue_of_now);
  const double step = 1e-9;
  EXPECT_EQ(rows_of(model), (std::vector<initial_row>{{0, 80, "job", 80, "ann"},
                                                      {0, step, "job", step, "7"},
                                                      {step, 180, "job", 180, "ann"},
                                                      {step, 60, "job", 60, "9"}}));
  EXPECT_TRUE(model.arrivals.only_initial());
  EXPECT_EQ(model.run.jobs, 4u);
  EXPECT_EQ(model.run.replications, 1u);
  EXPECT_NE(complaint(nothing_else, queue_of_now)
                .find(": arrivals.process: none, but no job waits or runs at time 0 either; expected initial.file"),
            std::string::npos);
  EXPECT_NE(complaint(with_queue, "state,size,cores\nwaiting,9,64\n")
                .find(": arrivals.process: none, but there is no other job: initial queue (csv): 0 jobs run at time 0, "
                      "and 0 wait; left out: 1 that need more than the servers of their class have (first: line 2)"),
            std::string::npos);
}

// The class has tasks of two cores.
TEST_F(initial_jobs_test, have_as_many_tasks_as_their_cores_make) {
  const std::string of_tasks = R"(name = "now"
[platform.resources]
gpu = { kind = "devices" }
[platform]
servers = [ { name = "node", count = 2, cores = 4, resources = { gpu = 2 } } ]
[[classes]]
name = "job"
tasks = 1
per_task = { cores = 2, gpu = 1 }
[arrivals]
process = "none"
[initial]
file = "queue"
[policy]
name = "fcfs"
)";
  const scenario model = of(of_tasks, "state,size,cores\nwaiting,9,6\nwaiting,8,3\nwaiting,7,2\n");
  ASSERT_EQ(model.arrivals.jobs->size(), 2u);
  std::vector<unsigned> tasks;
  for (const timed_job& j : *model.arrivals.jobs) tasks.push_back(model.classes[0].listed[j.need].need.tasks->tasks);
  EXPECT_EQ(tasks, (std::vector<unsigned>{3, 1}));
  EXPECT_NE(model.arrivals.notes.at(0).find("left out: 1 whose cores are those of no number of tasks of their class "
                                            "(first: line 3)"),
            std::string::npos);
}

const std::string running_now = R"(name = "now"
[platform]
servers = [ { name = "node", count = 3, cores = 4 }, { name = "fat", cores = 8 } ]
[[classes]]
name = "job"
[arrivals]
process = "none"
[initial]
file = "queue"
[policy]
name = "fcfs"
)";

/// The servers of each job that runs: entry, server and cores.
queue_lines places_in(const scenario& model) {
  queue_lines all;
  for (const running_job& j : model.arrivals.at_time_0) {
    std::string& text = all.emplace_back();
    for (const server_part& part : j.servers) text += fmt::format("{}.{}:{} ", part.entry, part.server, part.units);
  }
  return all;
}

// Jobs whose nodes are told come first. The cores of a job are divided evenly, as far as there is room: of the 9 of the
// third one, node 3 has room for 2.
TEST_F(initial_jobs_test, are_on_the_servers_that_their_queue_names) {
  const scenario model = of(running_now,
                            "state;size;elapsed;cores;nodes\nrunning;9;1;1;\nrunning;8;1;2;node03\n"
                            "running;7;1;9;fat,node[01,03]\nrunning;6;1;3;node01\nrunning;5;1;1;node[01-02]\n"
                            "running;4;1;1;rack7\nrunning;3;1;1;node[1\nwaiting;2;;4;node2\n");
  EXPECT_EQ(places_in(model), (queue_lines{"0.2:2 ", "0.0:4 0.2:2 1.0:3 ", "", "", "", "", ""}));
  EXPECT_EQ(rows_of(model).at(0), (initial_row{0, 7, "job", 0, ""}));
  EXPECT_EQ(rows_of(model).at(6), (initial_row{0, 8, "job", 0, ""}));
  EXPECT_EQ(
      model.arrivals.notes.back(),
      "2 of the 7 jobs that run are on the servers that initial.file names; placed as usual: 1 whose nodes have "
      "too few cores, or other resources, free (first: line 5), 1 on more nodes than they have cores (first: line "
      "6), 1 on nodes that platform.servers does not have by these names (first: line 7), 1 whose list of nodes "
      "cannot be read (first: line 8), 1 without nodes (first: line 2)");
}

TEST_F(initial_jobs_test, are_refused_beside_jobs_that_are_not_rigid) {
  EXPECT_NE(complaint(random_now, queue_of_now, {"policy.name=fcfs_pooled"})
                .find(": initial: expected no initial jobs here, because they are rigid"),
            std::string::npos);
}

}  // namespace
}  // namespace muster
