#include <fmt/format.h>

#include "tests/scenario/graph_folder.h"
#include "tests/simulation/job_by_job.h"
#include "tests/simulation/replicate.h"

// Jobs that wait or run at time 0, beside schedules made by hand.

namespace muster {
namespace {

class simulated_queue : public graph_folder {
 protected:
  /// Eight cores, of which two jobs hold four until 30 and two until 10. Three jobs wait, and one arrives at 12.
  scenario under(const std::string& policy) const {
    write("queue.csv",
          "state,size,elapsed,class,requested,user\nwaiting,5,,two,10,c\nrunning,40,10,four,70,a\n"
          "waiting,20,,eight,40,a\nrunning,15,5,two,25,b\nwaiting,8,,two,9,b\n");
    write("jobs.csv", "id,arrival,size,class,requested,user\n1,12,4,one,5,c\n");
    std::string text = "name = \"x\"\n[platform]\nservers = [{ name = \"node\", cores = 8 }]\n";
    for (const auto& [name, need] : {std::pair{"one", 1}, {"two", 2}, {"four", 4}, {"eight", 8}})
      text += fmt::format("[[classes]]\nname = \"{}\"\nneed = {}\n", name, need);
    return read_here(text +
                     "[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n[initial]\nfile = \"queue.csv\"\n"
                     "[policy]\n" +
                     policy + "[run]\nreplications = 1\n")
        .points.front()
        .model;
  }
  /// Start and end of each job, in whole seconds: those that run, those that wait, and the one that arrives.
  static lines times_in(const scenario& model, std::size_t jobs = 6) {
    return through_the_simulator(
        model, jobs,
        [](ticks at, const job_extension& j) {
          return fmt::format("{} to {}", j.started / 1'000'000'000, at / 1'000'000'000);
        },
        0, true);
  }
};

TEST_F(simulated_queue, goes_on_under_fcfs) {
  EXPECT_EQ(first_difference(times_in(under("name = \"fcfs\"\n")),
                             {"0 to 30", "0 to 10", "0 to 5", "30 to 50", "50 to 58", "50 to 54"}),
            "");
}

// The shortest estimates wait; those that run have started before. The two that have the same cores follow each other.
TEST_F(simulated_queue, goes_on_under_backfilling_that_prefers_others_to_those_that_run) {
  EXPECT_EQ(first_difference(times_in(under("name = \"easy_backfill\"\norder = \"shortest\"\n")),
                             {"0 to 30", "0 to 10", "8 to 13", "30 to 50", "0 to 8", "12 to 16"}),
            "");
}

// All that are there are the jobs of the queue.
TEST_F(simulated_queue, ends_with_its_last_job_where_no_other_arrives) {
  under("name = \"fcfs\"\n");
  const std::string text =
      "name = \"x\"\n[platform]\nservers = [{ name = \"node\", cores = 8 }]\n[[classes]]\nname = \"two\"\nneed = 2\n"
      "[[classes]]\nname = \"four\"\nneed = 4\n[[classes]]\nname = \"eight\"\nneed = 8\n"
      "[arrivals]\nprocess = \"none\"\n[initial]\nfile = \"queue.csv\"\n[policy]\nname = \"fcfs\"\n";
  const scenario alone = read_here(text).points.front().model;
  EXPECT_EQ(first_difference(times_in(alone, 5), {"0 to 30", "0 to 10", "0 to 5", "30 to 50", "50 to 58"}), "");
  EXPECT_EQ(replicate(alone).front().jobs, 5u);
}

// Jobs that come every 12 units for a unit each, behind those of the queue.
TEST_F(simulated_queue, is_served_before_the_jobs_of_a_process) {
  under("name = \"fcfs\"\n");
  const scenario endless =
      read_here(
          "name = \"x\"\n[platform]\nservers = [{ name = \"node\", cores = 8 }]\n[[classes]]\nname = \"two\"\n"
          "need = 2\nshare = 0.999998\nsize = { distribution = \"deterministic\", value = 1.0 }\n"
          "[[classes]]\nname = \"four\"\nneed = 4\nshare = 0.000001\nsize = { distribution = \"deterministic\", value "
          "= 1.0 "
          "}\n"
          "[[classes]]\nname = \"eight\"\nneed = 8\nshare = 0.000001\nsize = { distribution = \"deterministic\", value "
          "= "
          "1.0 }\n"
          "[arrivals]\nprocess = \"deterministic\"\nrate = 0.0833333333333333333\n"
          "[initial]\nfile = \"queue.csv\"\n[policy]\nname = \"fcfs\"\n")
          .points.front()
          .model;
  EXPECT_EQ(first_difference(times_in(endless, 9), {"0 to 30", "0 to 10", "0 to 5", "30 to 50", "50 to 58", "50 to 51",
                                                    "50 to 51", "50 to 51", "51 to 52"}),
            "");
}

// static_quickswap serves one class at a time, and begins with the one that arrives first.
TEST_F(simulated_queue, says_which_jobs_that_run_a_policy_does_not_start) {
  const auto notes_under = [&](const char* policy) {
    const std::vector<replication_result> results = replicate(under(policy));
    lines all;
    for (const remark& note : results.front().notes) all.push_back(note.in_words());
    return all;
  };
  const lines held = notes_under("name = \"static_quickswap\"\n");
  EXPECT_EQ(std::count(held.begin(), held.end(),
                       "1 of the 2 jobs that run in initial.file were not started at time 0, or not kept running"),
            1);
  for (const std::string& note : notes_under("name = \"fcfs\"\n"))
    EXPECT_EQ(note.find("initial.file"), std::string::npos) << note;
}

}  // namespace
}  // namespace muster
