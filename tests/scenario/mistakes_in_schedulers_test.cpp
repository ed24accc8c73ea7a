#include <fmt/format.h>

#include "platform/model/scheduler_share.h"
#include "tests/scenario/mistake.h"

namespace muster {
namespace {

class mistakes_in_schedulers : public testing::TestWithParam<mistake> {};

// The sample on eight servers, whose wide jobs need half of them.
const std::string wide =
    with("servers = [ { name = \"node\", cores = 32 } ]", "servers = [ { name = \"node\", count = 8, cores = 8 } ]");

TEST(mistakes_in_keys, that_stand_outside_their_table_are_told_with_it) {
  EXPECT_EQ(complaints(replaced(sample, "[platform]", "schedulers = { count = 1 }\n[platform]")),
            "f.toml:2:1: schedulers: unknown key; did you mean 'platform.schedulers'?");
}

TEST_P(mistakes_in_schedulers, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(replaced(wide, m.from, m.to)), m.message);
}

const mistake scheduler_mistakes[] = {
    {"[[classes]]", "schedulers = { count = 0 }\n[[classes]]",
     "f.toml:4:24: platform.schedulers.count: expected an integer from 1 to 1000, found 0"},
    {"[[classes]]", "schedulers = { dispatching = \"random\" }\n[[classes]]",
     "f.toml:4:14: platform.schedulers.count: missing; expected an integer from 1 to 1000"},
    {"[[classes]]", "schedulers = { count = 9 }\n[[classes]]",
     "f.toml:4:24: platform.schedulers.count: each scheduler has servers of its own; expected at most 8, as many as "
     "there are servers, found 9"},
    {"[[classes]]", "schedulers = { count = 2, dispatching = \"shortest\" }\n[[classes]]",
     "f.toml:4:41: platform.schedulers.dispatching: unknown dispatching rule 'shortest'; did you mean "
     "'shortest_queue'?"},
    {"[[classes]]", "schedulers = { count = 2, dispatching = \"jsq\" }\n[[classes]]",
     "f.toml:4:41: platform.schedulers.dispatching: unknown dispatching rule 'jsq'; expected one of: random, "
     "round_robin, shortest_queue, power_of_d, by_class"},
    {"[[classes]]", "schedulers = { count = 2, choices = 2, information_delay = 1.0 }\n[[classes]]",
     "f.toml:4:37: platform.schedulers.choices: has no effect with dispatching 'random'; expected dispatching "
     "'power_of_d'\n"
     "f.toml:4:60: platform.schedulers.information_delay: has no effect where nothing looks at other schedulers; "
     "expected partition 'shared', work_stealing, or dispatching 'shortest_queue' or 'power_of_d'"},
    {"[[classes]]", "schedulers = { count = 2, partition = \"shared\", work_stealing = true }\n[[classes]]",
     "f.toml:4:65: platform.schedulers.work_stealing: has no effect with partition 'shared'; expected partition "
     "'servers'"},
    {"[[classes]]", "schedulers = { count = 2, work_stealing = true }\n[[classes]]",
     "f.toml:4:43: platform.schedulers.work_stealing: policy 'msfq' plans as if no job were taken from its queue; "
     "expected false, or one of: fcfs, first_fit, msf"},
    {"[[classes]]", "schedulers = { count = 2, partition = \"share\" }\n[[classes]]",
     "f.toml:4:39: platform.schedulers.partition: unknown partition 'share'; did you mean 'shared'?"},
    {"[[classes]]", "schedulers = { count = 2, dispatching = \"power_of_d\", choices = 3 }\n[[classes]]",
     "f.toml:4:65: platform.schedulers.choices: expected at most 2, the number of schedulers, found 3"},
    {"[[classes]]", "schedulers = { count = 4 }\n[[classes]]",
     "f.toml:4:24: platform.schedulers.count: scheduler 0 gets jobs of class 'heavy', but of the servers that they may "
     "use it has 16 cores, and a job needs 32; expected fewer schedulers, or more servers"},
    {"[[classes]]", "schedulers = { count = 3, dispatching = \"by_class\" }\n[[classes]]",
     "f.toml:4:24: platform.schedulers.count: classes are dealt out to the schedulers; expected at most 2, as many as "
     "there are classes, found 3"},
};

INSTANTIATE_TEST_SUITE_P(schedulers, mistakes_in_schedulers, testing::ValuesIn(scheduler_mistakes));

// Four schedulers, each of which may use all servers, so that the wide jobs fit.
TEST(schedulers, that_share_servers_have_policies_that_decide_by_what_is_free) {
  const std::string shared =
      replaced(wide, "[[classes]]", "schedulers = { count = 4, partition = \"shared\" }\n[[classes]]");
  const auto with_policy = [&](const char* policy) {
    return complaints(replaced(shared, "name = \"msfq\"", fmt::format("name = \"{}\"", policy)));
  };
  for (const char* policy : {"fcfs", "first_fit", "msf"}) EXPECT_EQ(with_policy(policy), "") << policy;
  EXPECT_EQ(with_policy("easy_backfill"),
            "f.toml:4:39: platform.schedulers.partition: policy 'easy_backfill' plans as if all servers were its own; "
            "expected \"servers\", or one of: fcfs, first_fit, msf");
}

TEST(schedulers, that_share_servers_have_servers_that_never_fail_and_classes_that_need_cores) {
  const auto shared = [](const std::string& more, const std::string& of_light) {
    return complaints("name = \"s\"\n[platform]\nservers = [{ name = \"node\", count = 2, cores = 8" + more +
                      " }]\nschedulers = { count = 2, partition = \"shared\" }\n[[classes]]\nname = \"light\"\n" +
                      of_light +
                      "\nrate = 1.0\nsize = { distribution = \"exponential\", mean = 1.0 }\n"
                      "[policy]\nname = \"fcfs\"\n[run]\njobs = 1000\n");
  };
  EXPECT_EQ(shared("", "need = 1"), "");
  EXPECT_EQ(shared(", faults = { to_failure = 50.0, to_repair = 1.0 }", "need = 1"),
            "f.toml:4:39: platform.schedulers.partition: servers 'node' may be out of service; expected \"servers\"");
  EXPECT_EQ(shared("", "tasks = 2\nper_task = { cores = 1 }"),
            "f.toml:4:39: platform.schedulers.partition: jobs need tasks, or resources beside cores; expected "
            "\"servers\"");
}

TEST(schedulers, that_take_jobs_from_each_other_have_servers_that_never_fail_and_jobs_that_are_not_explained) {
  const auto stealing = [](const std::string& more, const std::string& report) {
    return complaints("name = \"s\"\n[platform]\nservers = [{ name = \"node\", count = 2, cores = 8" + more +
                      " }]\nschedulers = { count = 2, work_stealing = true }\n[[classes]]\nname = \"light\"\nneed = "
                      "1\nrate = 1.0\nsize = { distribution = \"exponential\", mean = 1.0 }\n"
                      "[policy]\nname = \"fcfs\"\n[run]\njobs = 1000\n" +
                      report);
  };
  EXPECT_EQ(stealing("", ""), "");
  EXPECT_EQ(stealing(", faults = { to_failure = 50.0, to_repair = 1.0 }", ""),
            "f.toml:4:43: platform.schedulers.work_stealing: servers 'node' may be out of service; expected false");
  EXPECT_EQ(
      stealing("", "[report]\nexplain = true\n"),
      "f.toml:15:11: report.explain: jobs that schedulers take from each other are not accounted for part by part; "
      "expected false, or no platform.schedulers.work_stealing");
}

TEST(schedulers, of_jobs_that_draw_their_servers_there_is_one) {
  EXPECT_NE(complaints(replaced(pooled_sample, "[[classes]]", "schedulers = { count = 2 }\n[[classes]]"))
                .find("jobs that draw their servers have one scheduler; expected 1"),
            std::string::npos);
}

TEST(schedulers, are_dealt_the_servers_of_all_entries_one_after_the_other) {
  const scenario model = first_point(
      with("servers = [ { name = \"node\", cores = 32 } ]",
           "servers = [ { name = \"a\", count = 5, cores = 32 }, { name = \"b\", count = 2, cores = 64 }, { name = "
           "\"c\", cores = 32 } ]\nschedulers = { count = 3 }"),
      {"policy.name=fcfs"});
  // Servers 0 to 4 are a, 5 and 6 are b, 7 is c.
  const auto share = [&](std::uint32_t scheduler, std::size_t entry) {
    const entry_share own = share_of_entry(model, scheduler, entry);
    return std::vector<std::uint32_t>{own.first, own.step, own.count};
  };
  using numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(share(0, 0), (numbers{0, 3, 2}));
  EXPECT_EQ(share(1, 0), (numbers{1, 3, 2}));
  EXPECT_EQ(share(2, 0), (numbers{2, 3, 1}));
  EXPECT_EQ(share(2, 1), (numbers{0, 3, 1})) << "server 5";
  EXPECT_EQ(share(0, 1), (numbers{1, 3, 1})) << "server 6";
  EXPECT_EQ(share(1, 1)[2], 0u);
  EXPECT_EQ(share(1, 2), (numbers{0, 3, 1})) << "server 7";
  EXPECT_EQ(share(0, 2)[2] + share(2, 2)[2], 0u);
  const scenario own = share_of_scheduler(model, 1);
  ASSERT_EQ(own.servers.size(), 2u);
  EXPECT_EQ(own.servers[1].name, "c");
  EXPECT_FALSE(own.schedulers.several());
  EXPECT_DOUBLE_EQ(own.arrivals.rate, model.arrivals.rate / 3);
  EXPECT_EQ(cores_of_scheduler(model), 96u) << "of the second: two of a and c";
}

TEST(schedulers, read_again_from_the_resolved_scenario_are_the_same) {
  const study once = read(replaced(wide, "[[classes]]",
                                   "schedulers = { count = 2, dispatching = \"power_of_d\", information_delay = 0.25 "
                                   "}\n[[classes]]"));
  const study twice = read(once.resolved);
  const schedulers_spec &a = once.points[0].model.schedulers, &b = twice.points[0].model.schedulers;
  EXPECT_EQ(a.count, 2u);
  EXPECT_EQ(a.dispatching, find_dispatching("power_of_d"));
  EXPECT_EQ(a.information_delay, 0.25);
  EXPECT_EQ(std::tie(a.count, a.dispatching, a.choices, a.information_delay),
            std::tie(b.count, b.dispatching, b.choices, b.information_delay));
  EXPECT_EQ(once.resolved, twice.resolved);
}

}  // namespace
}  // namespace muster
