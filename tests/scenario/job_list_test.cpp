#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/scenario/graph_folder.h"
#include "tests/scenario/mistake.h"
#include "tests/scenario/slotted_sample.h"

namespace muster {
namespace {

const std::string header = "id,arrival,deadline,units,marginals\n";
const std::string three_jobs = header + "7,2,5,3,0.5 0.25 0\n2,2,,1,4\n9,1,1,2,1e-3 1\n";

class job_list : public graph_folder {
 protected:
  scenario first(const std::vector<std::string>& overrides = {}) const {
    return read_here(list_sample, overrides).points.front().model;
  }
};

TEST_F(job_list, gives_the_jobs_in_the_order_of_arrival_then_of_ids) {
  write("jobs.csv", three_jobs);
  const scenario model = first();
  EXPECT_EQ(model.arrivals.kind, arrival_spec::process::list);
  ASSERT_EQ(model.arrivals.list.size(), 3u);
  const auto& [early, two, seven] = std::tie(model.arrivals.list[0], model.arrivals.list[1], model.arrivals.list[2]);
  EXPECT_EQ(early.id, 9u);
  EXPECT_EQ(early.arrival, 1u);
  EXPECT_EQ(early.deadline, 1u);
  EXPECT_EQ(early.worth->units(), 2u);
  EXPECT_EQ(early.worth->gain(0), 1e-3);
  EXPECT_EQ(two.id, 2u);
  EXPECT_EQ(two.deadline, 0u);
  EXPECT_EQ(seven.id, 7u);
  EXPECT_EQ(seven.deadline, 5u);
  EXPECT_EQ(seven.worth->of(3), 0.75);
}

TEST_F(job_list, makes_a_class_of_its_jobs_and_a_run_of_them_all) {
  write("jobs.csv", three_jobs);
  const scenario model = first({"platform.slot=0.5"});
  EXPECT_EQ(model.run.jobs, 3u);
  EXPECT_EQ(model.run.warm_up, 0.0);
  ASSERT_EQ(model.classes.size(), 1u);
  EXPECT_EQ(model.classes[0].share, 1.0);
  EXPECT_DOUBLE_EQ(model.classes[0].size.mean(), 1.0);
  ASSERT_TRUE(model.classes[0].slotted);
  EXPECT_EQ(model.classes[0].slotted->worth, nullptr);
  EXPECT_EQ(model.classes[0].slotted->jobs, 0u);
}

TEST_F(job_list, multiplies_utilities_by_the_value_of_the_class) {
  write("jobs.csv", three_jobs);
  EXPECT_EQ(first({"classes.job.value=4"}).arrivals.list[2].worth->of(3), 3.0);
}

TEST_F(job_list, may_come_from_a_spreadsheet) {
  write("jobs.csv",
        "\xef\xbb\xbf"
        "id, arrival ,deadline,units,marginals\r\n\r\n7,2, 5 ,3,  0.5\t0.25  0 \r\n 2,2,,1,4\r\n\n9,1,1,2,1e-3 1");
  const auto spread = first().arrivals.list;
  ASSERT_EQ(spread.size(), 3u);
  EXPECT_EQ(spread[2].deadline, 5u);
  EXPECT_EQ(spread[2].worth->of(3), 0.75);
}

TEST_F(job_list, goes_with_the_results_and_reads_back) {
  write("jobs.csv", three_jobs);
  const study once = read_here(list_sample, {"classes.job.value=3"});
  EXPECT_EQ(once.files, (std::map<std::string, std::string>{{"jobs.csv", three_jobs}}));
  const study again = read_here(once.resolved);
  EXPECT_EQ(again.resolved, once.resolved);
  EXPECT_EQ(again.points[0].model.arrivals.list[2].worth->of(3), 2.25);
  EXPECT_EQ(again.points[0].model.run.jobs, 3u);
}

TEST_F(job_list, may_be_swept) {
  write("jobs.csv", three_jobs);
  write("one.csv", header + "1,1,,1,1\n");
  const study s = read_here(list_sample +
                            "[sweep]\n\"arrivals.file\" = [\"jobs.csv\", \"one.csv\"]\npolicy = [\"fifo\", "
                            "\"edf\"]\n");
  ASSERT_EQ(s.points.size(), 4u);
  EXPECT_EQ(s.points[1].model.run.jobs, 3u);
  EXPECT_EQ(s.points[3].model.run.jobs, 1u);
}

struct wrong_list {
  std::string content;
  const char* message;
};

TEST_F(job_list, with_a_mistake_is_refused_word_for_word) {
  const wrong_list cases[] = {
      {"",
       "jobs.csv:1:1: arrivals.file: is empty; expected the header id,arrival,deadline,units,marginals, or one with a "
       "column size"},
      {"\n\r\n",
       "jobs.csv:1:1: arrivals.file: is empty; expected the header id,arrival,deadline,units,marginals, or one with a "
       "column size"},
      {header, "jobs.csv:2:1: arrivals.file: expected at least one job after the header"},
      {"id,arrival,deadline,units,marginals,after\n",
       "jobs.csv:1:37: arrivals.file: expected no column after without a column size, because jobs with deadlines do "
       "not wait for others"},
      {"id,arrival,units\n1,1,1\n",
       "jobs.csv:1:1: arrivals.file: expected the header id,arrival,deadline,units,marginals, or one with a column "
       "size, "
       "found 'id,arrival,units'"},
      {"1,1,,1,1\n",
       "jobs.csv:1:1: arrivals.file: expected the header id,arrival,deadline,units,marginals, or one with a column "
       "size, "
       "found '1,1,,1,1'"},
      {header + "1,1,,1\n", "jobs.csv:2:1: arrivals.file: expected 5 columns, found 4"},
      {header + "1,1,,1,1,1\n", "jobs.csv:2:1: arrivals.file: expected 5 columns, found 6"},
      {header + "one,1,,1,1\n", "jobs.csv:2:1: arrivals.file: column id: expected a whole number, found 'one'"},
      {header + "-1,1,,1,1\n", "jobs.csv:2:1: arrivals.file: column id: expected a whole number, found '-1'"},
      {header + ",1,,1,1\n", "jobs.csv:2:1: arrivals.file: column id: expected a whole number, found nothing"},
      {header + "18446744073709551616,1,,1,1\n",
       "jobs.csv:2:1: arrivals.file: column id: expected a whole number, found '18446744073709551616'"},
      {header + "1,0,,1,1\n",
       "jobs.csv:2:3: arrivals.file: column arrival: expected a slot from 1 to 1000000000000, found '0'"},
      {header + "1,1.5,,1,1\n",
       "jobs.csv:2:3: arrivals.file: column arrival: expected a slot from 1 to 1000000000000, found '1.5'"},
      {header + "1,5,4,1,1\n",
       "jobs.csv:2:5: arrivals.file: column deadline: expected a slot from that of the arrival, 5, to 1000000000000, "
       "or nothing, found '4'"},
      {header + "1,5,soon,1,1\n",
       "jobs.csv:2:5: arrivals.file: column deadline: expected a slot from that of the arrival, 5, to 1000000000000, "
       "or nothing, found 'soon'"},
      {header + "1,1,,0,\n",
       "jobs.csv:2:6: arrivals.file: column units: expected an integer from 1 to 1000000, found '0'"},
      {header + "1,1,,1000001,1\n",
       "jobs.csv:2:6: arrivals.file: column units: expected an integer from 1 to 1000000, found '1000001'"},
      {header + "1,1,,2,1\n",
       "jobs.csv:2:8: arrivals.file: column marginals: expected 2 numbers, one for each unit, found 1"},
      {header + "1,1,,2,1 2 3\n",
       "jobs.csv:2:8: arrivals.file: column marginals: expected 2 numbers, one for each unit, found 3"},
      {header + "1,1,,2,1 -1\n",
       "jobs.csv:2:10: arrivals.file: column marginals: expected a number from 0 to 1e+100, found '-1'"},
      {header + "1,1,,2, 1 nan\n",
       "jobs.csv:2:11: arrivals.file: column marginals: expected a number from 0 to 1e+100, found 'nan'"},
      {header + "1,1,,2,inf 1e101\n",
       "jobs.csv:2:8: arrivals.file: column marginals: expected a number from 0 to 1e+100, found 'inf'"},
      {header + "3,1,,1,1\n\n3,2,,1,1\n",
       "jobs.csv:4:1: arrivals.file: column id: 3 stands in line 2 already; expected an id of its own"},
      {header + "1,0,,1,1\n2,1,,1,x\n",
       "jobs.csv:2:3: arrivals.file: column arrival: expected a slot from 1 to 1000000000000, found '0'\n"
       "jobs.csv:3:8: arrivals.file: column marginals: expected a number from 0 to 1e+100, found 'x'"},
      {header + "1,1000000000000,,1,1\n",
       "f.toml:8:8: arrivals.file: the last slot, 1000000000001, ends at 1e+12 s; expected less than 4.61e+09 s, the "
       "range of the clock"},
  };
  for (const wrong_list& wrong : cases) {
    write("jobs.csv", wrong.content);
    EXPECT_EQ(complaints_here(list_sample), wrong.message);
  }
}

TEST_F(job_list, with_many_mistakes_tells_a_hundred_of_them) {
  std::string content = header;
  for (int i = 0; i < 1000; ++i) content += "x,1,,1,1\n";
  write("jobs.csv", content);
  const std::string said = complaints_here(list_sample);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 99);
}

TEST_F(job_list, that_cannot_be_read_is_refused_word_for_word) {
  write("jobs.csv", three_jobs);
  EXPECT_EQ(complaints_here(list_sample, {"arrivals.file=job.csv"}),
            "--set arrivals.file=job.csv:1:15: arrivals.file: 'job.csv' cannot be opened: No such file or directory; "
            "did you mean 'jobs.csv'?");
  EXPECT_EQ(complaints_here(list_sample, {"arrivals.file=\"../jobs.csv\""}),
            "--set arrivals.file=\"../jobs.csv\":1:15: arrivals.file: expected a relative path without '..', found "
            "'../jobs.csv'");
  EXPECT_EQ(complaints_here(list_sample, {"arrivals.file=graphs"}),
            "--set arrivals.file=graphs:1:15: arrivals.file: 'graphs' is a directory; expected a list of jobs");
  EXPECT_EQ(complaints_here(replaced(list_sample, "file = \"jobs.csv\"\n", "")),
            "f.toml:6:1: arrivals.file: missing; expected a string");
  std::filesystem::resize_file(folder_ / "jobs.csv", (std::uintmax_t{256} << 20) + 1);
  EXPECT_EQ(complaints_here(list_sample),
            "f.toml:8:8: arrivals.file: 'jobs.csv' is too large; expected at most 268435456 bytes");
}

TEST_F(job_list, leaves_nothing_for_the_class_or_the_run_to_say) {
  write("jobs.csv", three_jobs);
  const mistake mistakes[] = {
      {"name = \"job\"", "name = \"job\"\nunits = 3",
       "f.toml:6:9: classes.job.units: expected no units here, because the list of jobs tells it"},
      {"name = \"job\"", "name = \"job\"\nutility = { function = \"linear\" }",
       "f.toml:6:11: classes.job.utility: expected no utility here, because the list of jobs tells it"},
      {"name = \"job\"", "name = \"job\"\ninitialisation = 0.0",
       "f.toml:6:18: classes.job.initialisation: expected no initialisation here, because the list of jobs tells it"},
      {"name = \"job\"", "name = \"job\"\ndeadline = { distribution = \"constant\", slots = 1 }",
       "f.toml:6:12: classes.job.deadline: expected no deadline here, because the list of jobs tells it"},
      {"name = \"job\"", "name = \"job\"\njobs = 3",
       "f.toml:6:8: classes.job.jobs: expected no jobs here, because the list of jobs tells it"},
      {"name = \"job\"", "name = \"job\"\nshare = 1.0",
       "f.toml:6:9: classes.job.share: expected no share here, because the arrivals are finite"},
      {"name = \"job\"", "name = \"job\"\nrate = 1.0",
       "f.toml:6:8: classes.job.rate: expected no rate here, because the arrivals are finite"},
      {"name = \"job\"", "name = \"job\"\nsize = { distribution = \"exponential\", mean = 1.0 }",
       "f.toml:6:8: classes.job.size: expected no size here, because the list of jobs tells it"},
      {"name = \"job\"", "name = \"job\"\n[[classes]]\nname = \"other\"",
       "f.toml:9:11: arrivals.process: expected a single class with a list of jobs, found 2"},
      {"process = \"list\"", "process = \"list\"\nrate = 1.0",
       "f.toml:8:8: arrivals.rate: expected no rate here, because the arrivals are finite"},
      {"process = \"list\"", "process = \"list\"\nslots = 3",
       "f.toml:8:9: arrivals.slots: has no effect with process 'list'; expected process 'uniform'"},
      {"[policy]", "[run]\njobs = 3\nwarm_up = 0.1\n[policy]",
       "f.toml:10:8: run.jobs: expected no jobs here, because the arrivals are finite\n"
       "f.toml:11:11: run.warm_up: expected 0, because the arrivals are finite, found 0.1"},
      {"\"ispeed\"", "\"fcfs\"",
       "f.toml:10:8: policy.name: policy 'fcfs' cannot run these classes: the jobs of a list are slotted; expected a "
       "policy of slotted jobs (edf, equal_partitioning, fifo, ispeed)"},
  };
  for (const mistake& m : mistakes) EXPECT_EQ(complaints_here(replaced(list_sample, m.from, m.to)), m.message) << m.to;
}

}  // namespace
}  // namespace muster
