#include <random>

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

/// Tells on which servers each job begins, and how many cores it holds there.
class recorder_of_places final : public job_observer, public server_observer {
 public:
  explicit recorder_of_places(std::size_t jobs) : places_(jobs) {}
  void job_arrives(ticks, const job_extension&) override {}
  void job_completes(ticks, const job_extension&) override {}
  void slice_begins(ticks now, const slice_view& slice) override {
    int cores = 0;
    slice.for_each_core([&](std::uint32_t) { ++cores; });
    std::string& text = places_.at(slice.job);
    text += fmt::format("{}{}: {} on {}", text.empty() ? "" : ", ", now / 1'000'000'000, cores, slice.server);
  }
  void slice_works(ticks, const slice_view&) override {}
  void slice_saves(ticks, const slice_view&) override {}
  void slice_ends(ticks, const slice_view&) override {}
  const lines& places() const { return places_; }

 private:
  lines places_;
};

/// When each job begins on each of its servers, and with how many cores.
lines places_of_jobs(const scenario& model) {
  const std::size_t jobs = model.arrivals.jobs->size();
  const std::string text = in_child([&]() -> std::string {
    sc_core::sc_set_time_resolution(1.0, sc_core::SC_NS);
    try {
      first_jobs workload(model, 0, jobs);
      recorder_of_places seen(jobs);
      module_of<cluster_hardware> whole("cluster", model, 0, workload, seen, hardware_options{true});
      whole.observe_cores(&seen);
      sc_core::sc_start();
      whole.audit(whole.time.now());
      return fmt::format("{}", fmt::join(seen.places(), "\n"));
    } catch (const std::exception& fault) {
      return fault.what();
    }
  });
  lines all;
  boost::algorithm::split(all, text, [](char c) { return c == '\n'; });
  return all;
}

class queue_with_nodes : public graph_folder {
 protected:
  /// Jobs on named nodes, one without, and one that waits, on 4 servers of 4 cores.
  scenario of_cores(const std::string& policy, const std::string& more = "") const {
    write("queue.csv",
          "state;size;elapsed;cores;nodes\nrunning;12;2;1;\nrunning;30;10;2;node03\n"
          "running;25;5;6;node[01,04]\nrunning;20;0;4;node02\nwaiting;5;;4;\n");
    return read_here(
               "name = \"x\"\n[platform]\nservers = [{ name = \"node\", count = 4, cores = 4 }]\n"
               "[[classes]]\nname = \"job\"\n[arrivals]\nprocess = \"none\"\n"
               "[initial]\nfile = \"queue.csv\"\n[policy]\nname = \"" +
               policy + "\"\n[run]\nreplications = 1\n" + more)
        .points.front()
        .model;
  }
  /// Tasks of two cores and a device on nodes that have room for two of them.
  scenario of_tasks(const std::string& policy, unsigned nodes) const {
    return read_here(fmt::format("name = \"x\"\n[platform.resources]\ngpu = {{ kind = \"devices\" }}\n[platform]\n"
                                 "servers = [{{ name = \"node\", count = {}, cores = 4, resources = {{ gpu = 2 }} }}]\n"
                                 "[[classes]]\nname = \"job\"\ntasks = 1\nper_task = {{ cores = 2, gpu = 1 }}\n"
                                 "[arrivals]\nprocess = \"none\"\n[initial]\nfile = \"queue.csv\"\n"
                                 "[policy]\nname = \"{}\"\n",
                                 nodes, policy))
        .points.front()
        .model;
  }
};

// The job without nodes runs on the only core that is free of the first server until 10; then four cores are free.
const lines around_those_that_run{"0: 2 on 2", "0: 3 on 0, 0: 3 on 3", "0: 4 on 1", "0: 1 on 0",
                                  "10: 1 on 0, 10: 2 on 2, 10: 1 on 3"};

TEST_F(queue_with_nodes, begins_there_and_places_others_around) {
  EXPECT_EQ(first_difference(places_of_jobs(of_cores("fcfs")), around_those_that_run), "");
  EXPECT_EQ(first_difference(places_of_jobs(of_cores("easy_backfill")), around_those_that_run), "");
}

// Jobs may be taken off servers that may fail.
TEST_F(queue_with_nodes, begins_there_where_servers_may_leave) {
  EXPECT_EQ(
      first_difference(places_of_jobs(of_cores("fcfs",
                                               "[[events]]\nat = 1000\nservers = \"node\"\naction = \"fail\"\n"
                                               "[[events]]\nat = 2000\nservers = \"node\"\naction = \"return\"\n")),
                       around_those_that_run),
      "");
}

// Tasks of 2 cores and a device: the second server has room for one of the three of the second job.
TEST_F(queue_with_nodes, begins_there_with_all_that_its_tasks_need) {
  write("queue.csv", "state;size;elapsed;cores;nodes\nrunning;30;10;2;node2\nrunning;25;5;6;node[1-2]\n");
  for (const char* policy : {"fcfs", "easy_backfill", "conservative_backfill"})
    EXPECT_EQ(first_difference(places_of_jobs(of_tasks(policy, 2)), {"0: 2 on 1", "0: 4 on 0, 0: 2 on 1"}), "")
        << policy;
}

// Whatever the nodes are, those that run begin there, and backfilling starts the others where there is room in fact.
TEST_F(queue_with_nodes, begins_there_under_backfilling_of_tasks) {
  std::mt19937 draw(29);
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(draw() % bound); };
  const char* const policies[] = {"easy_backfill", "conservative_backfill", "slurm"};
  for (unsigned n = 0; n < 100; ++n) {
    std::string queue = "state;size;elapsed;cores;nodes\n";
    std::vector<unsigned> free(3, 2);  // tasks, by node
    lines expected;
    for (unsigned tried = 0; tried < 6; ++tried) {
      const unsigned node = below(3), tasks = 1 + below(2);
      if (free[node] < tasks) continue;
      free[node] -= tasks;
      queue += fmt::format("running;{};{};{};node{}\n", 20 + below(30), below(10), 2 * tasks, node + 1);
      expected.push_back(fmt::format("0: {} on {}", 2 * tasks, node));
    }
    for (unsigned waiting = 0; waiting < 4; ++waiting)
      queue += fmt::format("waiting;{};;{};\n", 1 + below(40), 2 * (1 + below(4)));
    write("queue.csv", queue);
    lines begun = places_of_jobs(of_tasks(policies[n % 3], 3));
    ASSERT_EQ(begun.size(), expected.size() + 4) << queue << begun.front();
    begun.resize(expected.size());
    ASSERT_EQ(first_difference(begun, expected), "") << queue;
  }
}

}  // namespace
}  // namespace muster
