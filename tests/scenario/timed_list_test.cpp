#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "platform/command_line/stability_text.h"
#include "platform/model/class_table.h"
#include "platform/model/resource_load.h"
#include "platform/scenario/study_warnings.h"
#include "platform/theory/stability/stability.h"
#include "platform/theory/theory.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/mistake.h"
#include "tests/scenario/timed_list_sample.h"

// Lists of rigid and pooled jobs, and the needs that their columns tell.

namespace muster {
namespace {

class timed_list_of_jobs : public graph_folder {
 protected:
  scenario first(const std::string& text, const std::string& jobs) const {
    write("jobs.csv", jobs);
    return read_here(text).points.front().model;
  }
  std::string complaints_about(const std::string& text, const std::string& jobs) const {
    write("jobs.csv", jobs);
    return complaints_here(text);
  }
};

using row = std::tuple<double, double, std::uint32_t, std::uint32_t>;  // arrival, size, class, need

std::vector<row> rows(const scenario& model) {
  std::vector<row> all;
  for (const timed_job& j : *model.arrivals.jobs) all.emplace_back(j.arrival, j.size, j.type, j.need);
  return all;
}

TEST_F(timed_list_of_jobs, gives_the_jobs_in_the_order_of_arrival_then_of_ids) {
  const scenario model = first(timed_list_sample, "\xef\xbb\xbfid, size,arrival\r\n\r\n9,1,2.5\r\n7,3,2.5\n2,1e-3,0\n");
  EXPECT_EQ(rows(model), (std::vector<row>{{0.0, 1e-3, 0, 0}, {2.5, 3.0, 0, 0}, {2.5, 1.0, 0, 0}}));
  EXPECT_EQ(model.run.jobs, 3u);
  EXPECT_EQ(model.run.warm_up, 0.0);
  EXPECT_EQ(model.classes[0].share, 1.0);
  EXPECT_DOUBLE_EQ(model.classes[0].size.mean(), 4.001 / 3.0);
  EXPECT_EQ(model.classes[0].listed.size(), 1u);
  EXPECT_TRUE(class_table(model)[class_id{0}].submitted.empty());
}

TEST_F(timed_list_of_jobs, reads_fields_in_double_quotes) {
  const scenario model =
      first(timed_list_sample,
            "\"id\",\"arrival\",size,user\n\"1\",0,\"2.5\",\"Roe, Jane\"\n2,1,1,\"the \"\"boss\"\"\"\n"
            "3,2,1,\"Roe, Jane\"\n");
  EXPECT_EQ(rows(model), (std::vector<row>{{0.0, 2.5, 0, 0}, {1.0, 1.0, 0, 0}, {2.0, 1.0, 0, 0}}));
  EXPECT_EQ(model.arrivals.users, (std::vector<std::string>{"Roe, Jane", "the \"boss\""}));
  EXPECT_EQ(complaints_about(timed_list_sample, "id,arrival,size\n1,\"0,5\n2,1,\"x\"\n"),
            "jobs.csv:2:3: arrivals.file: expected a quote that closes this one, in the same line\n"
            "jobs.csv:3:6: arrivals.file: column size: expected a number > 0 and < 4.61e+09, the range of the clock, "
            "found 'x'");
}

TEST_F(timed_list_of_jobs, may_have_a_warm_up_and_a_cool_down_of_its_jobs) {
  const std::string jobs = "id,arrival,size\n1,0,1\n2,1,2\n3,2,1\n4,3,4\n5,4,5\n";
  const scenario model = first(timed_list_sample + "[run]\nwarm_up = 0.2\ncool_down = 0.59\n", jobs);
  EXPECT_EQ(model.run.unmeasured(), 1u);
  EXPECT_EQ(model.run.unmeasured_at_end(), 2u);
  const std::string too_long = complaints_about(timed_list_sample + "[run]\nwarm_up = 0.5\ncool_down = 0.5\n", jobs);
  EXPECT_NE(too_long.find(": run.cool_down: leaves no job to measure beside a warm_up of 0.5; expected less than 1 "
                          "together"),
            std::string::npos)
      << too_long;
  const std::string endless = complaints(sample, {"run.cool_down=0.1"});
  EXPECT_EQ(endless,
            "--set run.cool_down=0.1:1:15: run.cool_down: expected no cool_down here, because only a list or log of "
            "jobs has an end");
}

TEST_F(timed_list_of_jobs, finds_equal_needs_once) {
  const scenario model =
      first(timed_list_sample, "id,arrival,size,cores\n1,0,1,4\n2,1,2,\n3,2,3,4\n4,3,4,8\n5,4,5,1\n");
  EXPECT_EQ(rows(model), (std::vector<row>{{0, 1, 0, 1}, {1, 2, 0, 0}, {2, 3, 0, 1}, {3, 4, 0, 2}, {4, 5, 0, 0}}));
  const auto& listed = model.classes[0].listed;
  ASSERT_EQ(listed.size(), 3u);
  EXPECT_EQ(listed[0].need, (job_need{1}));
  EXPECT_EQ(listed[1].need, (job_need{4}));
  EXPECT_EQ(listed[2].need, (job_need{8}));
  EXPECT_EQ(listed[1].jobs, 2u);
  EXPECT_EQ(listed[1].size, 2.0);
  EXPECT_EQ(model.classes[0].mean_work(), (1 * 4 + 2 * 1 + 3 * 4 + 4 * 8 + 5 * 1) / 5.0);
  const auto submitted = class_table(model)[class_id{0}].submitted;
  ASSERT_EQ(submitted.size(), 2u);
  EXPECT_EQ(submitted[1].cores, 8u);
  EXPECT_DOUBLE_EQ(*submitted[1].arrival_share, 0.2);
}

TEST_F(timed_list_of_jobs, leaves_a_class_none_of_its_own_need_where_every_job_brings_one) {
  const scenario model = first(timed_list_sample, "id,arrival,size,cores\n1,0,1,4\n2,1,2,2\n3,2,3,4\n");
  EXPECT_EQ(rows(model), (std::vector<row>{{0, 1, 0, 0}, {1, 2, 0, 1}, {2, 3, 0, 0}}));
  EXPECT_EQ(model.classes[0].need, 4u);
  EXPECT_EQ(model.classes[0].listed.size(), 2u);
}

TEST_F(timed_list_of_jobs, tells_tasks_by_columns_named_as_resources) {
  const scenario model = first(task_list_sample,
                               "id,arrival,size,class,tasks,cores,gpu,memory,licence\n"
                               "1,0,1,plain,2,4,0.5,16 GB,\n"
                               "2,1,1,train,,,,,\n"
                               "3,2,1,train,3,,,1e9,1\n"
                               "4,3,1,plain,,,,,\n"
                               "5,4,1,plain,,2,,,\n");
  EXPECT_EQ(rows(model), (std::vector<row>{{0, 1, 0, 1}, {1, 1, 1, 0}, {2, 1, 1, 1}, {3, 1, 0, 0}, {4, 1, 0, 2}}));
  const auto& plain = model.classes[0].listed;
  EXPECT_EQ(plain[0].need, (job_need{3, task_need{3, {1, 0, 0, 0}}}));
  EXPECT_EQ(plain[1].need, (job_need{8, task_need{2, {4, 2, 16'000'000'000, 0}}}));
  EXPECT_EQ(plain[2].need, (job_need{2, task_need{1, {2, 0, 0, 0}}}));
  const auto& train = model.classes[1].listed;
  EXPECT_EQ(train[0].need, (job_need{4, task_need{2, {2, 4, 0, 0}}}));
  EXPECT_EQ(train[1].need, (job_need{6, task_need{3, {2, 4, 1'000'000'000, 0}, {0, 0, 0, 1}}}));
}

TEST_F(timed_list_of_jobs, counts_cores_alone_as_tasks_of_one_where_a_class_has_tasks) {
  const scenario model =
      first(task_list_sample, "id,arrival,size,class,cores\n1,0,1,plain,7\n2,1,1,train,3\n3,2,1,plain,\n");
  EXPECT_EQ(model.classes[0].listed[1].need, (job_need{7, task_need{7, {1, 0, 0, 0}}}));
  EXPECT_EQ(model.classes[1].listed[0].need, (job_need{6, task_need{2, {3, 4, 0, 0}}}));
}

TEST_F(timed_list_of_jobs, tells_whole_servers_and_tasks_of_a_server_of_cores_that_are_anywhere) {
  const scenario model = first(timed_list_sample,
                               "id,arrival,size,cores,exclusive,at_most_per_server\n"
                               "1,0,1,4,true,\n"
                               "2,1,1,,,\n"
                               "3,2,1,,false,\n"
                               "4,3,1,4,,2\n"
                               "5,4,1,,true,1\n");
  EXPECT_EQ(rows(model), (std::vector<row>{{0, 1, 0, 1}, {1, 1, 0, 0}, {2, 1, 0, 0}, {3, 1, 0, 2}, {4, 1, 0, 3}}));
  const auto& listed = model.classes[0].listed;
  EXPECT_EQ(listed[0].need, (job_need{1, task_need{1, {1}}}));
  EXPECT_EQ(listed[1].need, (job_need{4, task_need{4, {1}, {}, 0, true}}));
  EXPECT_EQ(listed[2].need, (job_need{4, task_need{4, {1}, {}, 2, false}}));
  EXPECT_EQ(listed[3].need, (job_need{1, task_need{1, {1}, {}, 1, true}}));
}

TEST_F(timed_list_of_jobs, leaves_the_need_of_the_class_where_a_line_tells_of_whole_servers_alone) {
  const scenario model = first(
      task_list_sample, "id,arrival,size,class,gpu,exclusive\n1,0,1,plain,,true\n2,1,1,train,,true\n3,2,1,train,,\n");
  EXPECT_EQ(rows(model), (std::vector<row>{{0, 1, 0, 0}, {1, 1, 1, 1}, {2, 1, 1, 0}}));
  EXPECT_EQ(model.classes[0].listed[0].need, (job_need{3, task_need{3, {1, 0, 0, 0}, {}, 0, true}}));
  EXPECT_EQ(model.classes[1].listed[1].need, (job_need{4, task_need{2, {2, 4, 0, 0}, {}, 0, true}}));
}

// Work of 10 + 40 = 50 in 4 s on 8 cores; of GPUs, in parts, 2 for 1 s and 8 for 10 s, of 16 in 2 s.
TEST_F(timed_list_of_jobs, has_the_load_of_what_its_jobs_need_until_the_last_arrival) {
  const stability found = examine_stability(first(timed_list_sample, "id,arrival,size,cores\n1,0,10,\n2,4,5,8\n"));
  EXPECT_EQ(found.answer, stability::verdict::stable);
  EXPECT_EQ(found.condition, "the arrivals are finite; the load is that until the last of them, without overhead");
  EXPECT_DOUBLE_EQ(found.work, 50.0 / 4.0 / 8.0);
  EXPECT_DOUBLE_EQ(found.classes[0].cores, 50.0 / 4.0);
  const scenario tasks = first(task_list_sample, "id,arrival,size,class,gpu\n1,0,1,plain,0.5\n2,2,10,train,\n");
  const auto loads = resource_loads(tasks, rate_until_last(tasks));
  ASSERT_EQ(loads[1].name, "gpu");
  EXPECT_DOUBLE_EQ(loads[1].load, (2.0 * 1.0 + 8.0 * 10.0) / 2.0 / 16.0);
}

TEST_F(timed_list_of_jobs, that_wait_for_others_have_the_load_of_the_file_which_is_said_beside_it) {
  const stability found =
      examine_stability(first(timed_list_sample, "id,arrival,size,cores,after,think\n1,0,10,,,\n2,4,5,8,1,90\n"));
  EXPECT_DOUBLE_EQ(found.work, 50.0 / 4.0 / 8.0);
  EXPECT_EQ(found.condition,
            "the arrivals are finite; the load is that until the last of them, without overhead, by the times that the "
            "file has: jobs that wait for others arrive as these end, whatever it says");
}

// Both licences are held for 3 s of the 4 until the last arrival.
TEST_F(timed_list_of_jobs, has_the_resource_that_binds_until_the_last_arrival_in_the_report_of_its_stability) {
  write("jobs.csv", "id,arrival,size,class,licence\n1,0,3,train,2\n2,4,1,plain,\n");
  const std::string text = stability_report(read_here(task_list_sample)).text();
  EXPECT_NE(text.find("licence    0.7500\n"), std::string::npos) << text;
  EXPECT_NE(text.find("licence   0.7500  binds\n"), std::string::npos) << text;
}

TEST_F(timed_list_of_jobs, has_no_known_means) {
  EXPECT_EQ(known_answer(first(timed_list_sample, "id,arrival,size\n1,0,1\n")).about,
            "no answer: none is known for the jobs of a list");
}

TEST_F(timed_list_of_jobs, may_be_of_pooled_jobs) {
  const scenario model =
      first(replaced(timed_list_sample, "\"fcfs\"", "\"fcfs_pooled\""), "id,arrival,size\n1,0,1\n2,1,1\n");
  EXPECT_EQ(rows(model), (std::vector<row>{{0, 1, 0, 0}, {1, 1, 0, 0}}));
}

TEST_F(timed_list_of_jobs, of_pooled_jobs_has_no_column_of_a_need) {
  EXPECT_EQ(complaints_about(replaced(timed_list_sample, "\"fcfs\"", "\"fcfs_pooled\""),
                             "id,arrival,size,exclusive\n1,0,1,true\n"),
            "jobs.csv:1:17: arrivals.file: expected no column exclusive, because the jobs of policy 'fcfs_pooled' take "
            "whole servers");
}

TEST_F(timed_list_of_jobs, goes_with_the_results_and_reads_back) {
  const std::string jobs = "id,arrival,size,cores\n1,0,1,4\n2,1,2,\n";
  write("jobs.csv", jobs);
  const study once = read_here(timed_list_sample);
  EXPECT_EQ(once.files, (std::map<std::string, std::string>{{"jobs.csv", jobs}}));
  const study again = read_here(once.resolved);
  EXPECT_EQ(again.resolved, once.resolved);
  EXPECT_EQ(rows(again.points[0].model), rows(once.points[0].model));
}

struct wrong_timed_list {
  std::string content;
  std::string message;
};

TEST_F(timed_list_of_jobs, with_a_mistake_is_refused_word_for_word) {
  const std::string header = "id,arrival,size,cores\n";
  const wrong_timed_list cases[] = {
      {header, "jobs.csv:2:1: arrivals.file: expected at least one job after the header"},
      {"id,size\n", "jobs.csv:1:1: arrivals.file: expected a column arrival"},
      {"size\n",
       "jobs.csv:1:1: arrivals.file: expected a column arrival\njobs.csv:1:1: arrivals.file: expected a column id"},
      {"id,arrival,size,core\n", "jobs.csv:1:17: arrivals.file: unknown column 'core'; did you mean 'cores'?"},
      {"id,arrival,size,size\n", "jobs.csv:1:17: arrivals.file: column size stands twice; expected it once"},
      {header + "1,0,1\n", "jobs.csv:2:1: arrivals.file: expected 4 columns, found 3"},
      {"id,start,arrival,size\n1,,2,1\n2,1.5,2,1\n",
       "jobs.csv:3:3: arrivals.file: column start: expected a time from the arrival on, 2, found 1.5"},
      {header + "x,0,1,1\n", "jobs.csv:2:1: arrivals.file: column id: expected a whole number, found 'x'"},
      {header + "1,0,1,1\n1,0,1,1\n",
       "jobs.csv:3:1: arrivals.file: column id: 1 stands in line 2 already; expected an id of its own"},
      {header + "1,-1,1,1\n",
       "jobs.csv:2:3: arrivals.file: column arrival: expected a number >= 0 and < 4.61e+09, the range of the clock, "
       "found '-1'"},
      {header + "1,0,0,1\n",
       "jobs.csv:2:5: arrivals.file: column size: expected a number > 0 and < 4.61e+09, the range of the clock, found "
       "'0'"},
      {header + "1,0,,1\n",
       "jobs.csv:2:5: arrivals.file: column size: expected a number > 0 and < 4.61e+09, the range of the clock, found "
       "nothing"},
      {header + "1,0,1,1.5\n",
       "jobs.csv:2:7: arrivals.file: column cores: expected an integer from 1 to 10000000, or nothing, found '1.5'"},
      {header + "1,0,1,8\n2,0,1,9\n3,0,1,9\n",
       "jobs.csv:3:7: arrivals.file: column cores: expected at most 8, the cores of the servers that class 'job' may "
       "use, found 9"},
      {"id,arrival,size,exclusiv\n",
       "jobs.csv:1:17: arrivals.file: unknown column 'exclusiv'; did you mean "
       "'exclusive'?"},
      {"id,arrival,size,exclusive\n1,0,1,yes\n",
       "jobs.csv:2:7: arrivals.file: column exclusive: expected true or false, or nothing, found 'yes'"},
      {"id,arrival,size,exclusive,at_most_per_server\n1,0,1,,0\n",
       "jobs.csv:2:8: arrivals.file: column at_most_per_server: expected an integer from 1 to 10000000, or nothing, "
       "found '0'"},
      {"id,arrival,size,exclusive,cores,at_most_per_server\n1,0,1,,8,3\n",
       "jobs.csv:2:8: arrivals.file: column cores: its compatible servers hold at most 6 such tasks at once, found 8"},
      {"id,arrival,size,class\n1,0,1,jobs\n",
       "jobs.csv:2:7: arrivals.file: column class: unknown class 'jobs'; did you mean 'job'?"},
  };
  for (const wrong_timed_list& wrong : cases)
    EXPECT_EQ(complaints_about(timed_list_sample, wrong.content), wrong.message) << wrong.content;
}

TEST_F(timed_list_of_jobs, with_dependencies_that_cannot_be_honoured_is_refused) {
  const std::string header = "id,arrival,size,after,think\n", column = ": arrivals.file: column after: ";
  const wrong_timed_list cases[] = {
      {header + "1,0,1,,\n2,1,1,3,\n", "jobs.csv:3:7" + column + "no job of the list has the number 3"},
      {header + "1,0,1,1,\n", "jobs.csv:2:7" + column + "expected jobs that arrive before this one; job 1 does not"},
      {header + "1,0,1,2,\n2,1,1,1,\n",
       "jobs.csv:2:7" + column + "expected jobs that arrive before this one; job 2 does not"},
      {header + "1,0,1,,\n2,1,1,singleton,\n",
       "jobs.csv:3:7" + column +
           "expected the jobs whose ends it waits for, such as 17 or afterok:17,afterany:18, or nothing, found "
           "'singleton'"},
      {header + "1,0,1,,\n2,1,1,after:1,\n",
       "jobs.csv:3:7" + column +
           "expected the jobs whose ends it waits for, such as 17 or afterok:17,afterany:18, or nothing, found "
           "'after:1'"},
      {header + "1,0,1,,2\n",
       "jobs.csv:2:7" + column + "expected the job behind which the think time begins, found nothing"},
      {header + "1,0,1,,\n2,1,1,1,-2\n",
       "jobs.csv:3:9: arrivals.file: column think: expected a number >= 0 and < 4.61e+09, the range of the clock, "
       "found "
       "'-2'"},
      {"id,arrival,size,think\n1,0,1,\n",
       "jobs.csv:1:1: arrivals.file: column think has no effect without a column after, which names the jobs that are "
       "waited for"},
      {"id,arrival,size,job,after\n1,0,1,x,\n",
       "jobs.csv:2:7: arrivals.file: column job: expected a number such as 17, or 17_3 for a task of an array, or "
       "nothing, found 'x'"},
  };
  for (const wrong_timed_list& wrong : cases)
    EXPECT_EQ(complaints_about(timed_list_sample, wrong.content), wrong.message) << wrong.content;
}

TEST_F(timed_list_of_jobs, with_tasks_that_no_server_holds_is_refused_with_the_largest_that_fits) {
  const std::string header = "id,arrival,size,class,tasks,cores,gpu,memory,licence\n";
  const wrong_timed_list cases[] = {
      {header + "1,0,1,plain,1,20,,,\n",
       "jobs.csv:2:15: arrivals.file: column cores: a task needs 20 cores; the largest that fits is 16, on server "
       "'big'"},
      {header + "1,0,1,plain,1,,3,,\n",
       "jobs.csv:2:16: arrivals.file: column gpu: a task needs 3 gpu; the largest that fits is 2, on server 'node'"},
      {header + "1,0,1,plain,1,,,65 GB,\n",
       "jobs.csv:2:17: arrivals.file: column memory: a task needs 65 GB memory; the largest that fits is 64 GB, on "
       "server 'node'"},
      {header + "1,0,1,plain,1,12,1,,\n",
       "jobs.csv:2:15: arrivals.file: column cores: no compatible server has all that a task needs; the nearest, "
       "'node', has 8 of 12 cores"},
      {header + "1,0,1,plain,5,,1,,\n",
       "jobs.csv:2:13: arrivals.file: column tasks: its compatible servers hold at most 4 such tasks at once, found 5"},
      {header + "1,0,1,plain,1,,,,3\n",
       "jobs.csv:2:18: arrivals.file: column licence: expected at most 2, all that the cluster has, found 3"},
      {header + "1,0,1,plain,1,,0.3,,\n",
       "jobs.csv:2:16: arrivals.file: column gpu: a device has 4 shares; expected a whole number of them, such as 0.25 "
       "or 0.5, found 0.3"},
      {header + "1,0,1,plain,1,,1.5,,\n",
       "jobs.csv:2:16: arrivals.file: column gpu: expected a part of one device or a whole number of them, found 1.5"},
      {header + "1,0,1,plain,1,,,0.5,\n",
       "jobs.csv:2:17: arrivals.file: column memory: expected a whole number from 0 to 2^53, or nothing, found '0.5'"},
      {header + "1,0,1,plain,0,,,,\n",
       "jobs.csv:2:13: arrivals.file: column tasks: expected an integer from 1 to 10000000, or nothing, found '0'"},
      {"id,arrival,size\n1,0,1\n", "jobs.csv:1:1: arrivals.file: expected a column class, because there are 2 classes"},
      {"id,arrival,size,class,gpus\n1,0,1,plain,1\n",
       "jobs.csv:1:23: arrivals.file: unknown column 'gpus'; did you mean 'gpu'?"},
  };
  for (const wrong_timed_list& wrong : cases)
    EXPECT_EQ(complaints_about(task_list_sample, wrong.content), wrong.message) << wrong.content;
}

// 2^62 fs are 4.61e9 us. Eight cores take 2.5e9 us for three jobs of 8 cores, and one arrives after 2.4e9 us.
TEST_F(timed_list_of_jobs, that_take_more_than_half_of_the_range_of_the_clock_are_warned_of) {
  const auto warnings = [this](const std::string& jobs) {
    write("jobs.csv", jobs);
    return study_warnings(read_here("time_unit = \"us\"\n" + timed_list_sample));
  };
  const std::string range =
      ", more than half of 4.61e+09 us, the range of the clock, beyond which a run fails; that of "
      "time_unit 'ms' is 4.61e+06 s";
  EXPECT_EQ(warnings("id,arrival,size,cores\n1,0,1e9,8\n2,0,1e9,8\n3,0,5e8,8\n"),
            std::vector<std::string>{"arrivals: the work of all jobs takes all cores about 2.5e+09 us" + range});
  EXPECT_EQ(warnings("id,arrival,size,cores\n1,0,1e9,8\n2,2.4e9,1e9,1\n"),
            std::vector<std::string>{"arrivals: the last job arrives after about 2.4e+09 us" + range});
  EXPECT_EQ(warnings("id,arrival,size,cores\n1,0,1e9,8\n2,2.3e9,1e9,1\n"), std::vector<std::string>{});
}

TEST_F(timed_list_of_jobs, leaves_sizes_and_some_policies_out) {
  const std::string jobs = "id,arrival,size,cores\n1,0,1,4\n2,1,2,2\n";
  write("jobs.csv", jobs);
  const mistake mistakes[] = {
      {"name = \"job\"", "name = \"job\"\nsize = { distribution = \"exponential\", mean = 1.0 }",
       "f.toml:6:8: classes.job.size: expected no size here, because the list of jobs tells it"},
      {"name = \"job\"", "name = \"job\"\nshare = 1.0",
       "f.toml:6:9: classes.job.share: expected no share here, because the arrivals are finite"},
      {"\"fcfs\"", "\"msfq\"",
       "f.toml:10:8: policy.name: policy 'msfq' cannot run these classes: it takes the jobs of a class to need the "
       "same, but they bring needs of their own; expected one of conservative_backfill, easy_backfill, fcfs, "
       "first_fit, last_come_first_served, msf, slurm"},
      {"\"fcfs\"", "\"fcfs_pooled\"",
       "jobs.csv:1:17: arrivals.file: expected no column cores, because the jobs of policy 'fcfs_pooled' take whole "
       "servers"},
      {"\"fcfs\"", "\"fifo\"",
       "f.toml:10:8: policy.name: policy 'fifo' cannot run these classes: the jobs of the list have a size; expected a "
       "policy of rigid or pooled jobs ({policies without slots})"},
  };
  for (const mistake& m : mistakes)
    EXPECT_EQ(complaints_here(replaced(timed_list_sample, m.from, m.to)), with_policies(m.message)) << m.to;
}

}  // namespace
}  // namespace muster
