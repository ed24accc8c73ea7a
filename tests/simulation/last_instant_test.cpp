#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"

// A window of measurement ends with a certain job; the replication goes on until the instant is complete, and only then
// are its accounts audited. Sizes and times between arrivals are whole here, so that many events share an instant.

namespace muster {
namespace {

constexpr std::uint64_t jobs_each = 203;

struct kind_of_study {
  const char* name;
  std::string platform, classes, arrivals;
  std::vector<std::string> policies;
};

void PrintTo(const kind_of_study& s, std::ostream* out) { *out << s.name; }

std::string rigid_class(const char* name, int need, double share, int size) {
  return fmt::format(
      "[[classes]]\nname = \"{}\"\nneed = {}\nshare = {}\nsize = {{ distribution = \"deterministic\", value = {} }}\n",
      name, need, share, size);
}

const std::string three_needs = rigid_class("a", 2, 0.4, 2) + rigid_class("b", 3, 0.4, 1) + rigid_class("c", 5, 0.2, 3);
const std::string two_needs = rigid_class("a", 1, 0.7, 1) + rigid_class("b", 1, 0.3, 4);

std::string slotted_class(const char* name, int units, const char* deadline) {
  return fmt::format(
      "[[classes]]\nname = \"{}\"\nshare = 0.5\nunits = {}\nutility = {{ function = \"linear\" }}\ndeadline = {{ {} "
      "}}\n",
      name, units, deadline);
}

const kind_of_study studies[] = {
    {"rigid",
     "servers = [{ name = \"m\", count = 2, cores = 3 }]\n",
     three_needs,
     "process = \"deterministic\"\nrate = 0.5\n",
     {"fcfs", "first_fit", "msf", "adaptive_quickswap", "server_filling", "divisor_filling", "max_weight",
      "server_filling_srpt", "kill_restart", "last_come_first_served"}},
    {"rigid_with_costs_and_faults",
     "servers = [{ name = \"m\", count = 2, cores = 3, faults = { to_failure = 50.0, to_repair = 1.0 } }]\n"
     "costs = { save = 1.0, restore = 1.0 }\n",
     three_needs,
     "process = \"deterministic\"\nrate = 0.25\n",
     {"first_fit", "server_filling", "kill_restart"}},
    {"rigid_whose_decisions_take_time",
     "servers = [{ name = \"m\", count = 2, cores = 3 }]\ndecision = { fixed = 0.25 }\nlink = { latency = 0.25 }\n",
     three_needs,
     "process = \"deterministic\"\nrate = 0.25\n",
     {"first_fit", "server_filling"}},
    {"pooled",
     "servers = [{ name = \"m\", count = 2 }]\ntimers = { law = \"deterministic\", tick = 1.0 }\n"
     "costs = { save = 1.0, restore = 1.0 }\n",
     two_needs,
     "process = \"deterministic\"\nrate = 0.5\n",
     {"fcfs_pooled", "balanced_fair\"\ntheta = 2.0 #"}},
    {"slotted",
     "servers = [{ name = \"m\", count = 3 }]\nslot = 1.0\n",
     slotted_class("a", 4, R"(distribution = "constant", slots = 5)") +
         slotted_class("b", 2, R"(distribution = "uniform", from = 0, to = 3)"),
     "process = \"deterministic\"\nrate = 1.0\n",
     {"ispeed", "fifo", "edf", "equal_partitioning"}}};

class last_instant : public testing::TestWithParam<kind_of_study> {
 protected:
  static std::string text(const std::string& policy, const std::string& run) {
    const kind_of_study& s = GetParam();
    return fmt::format("name = \"ends\"\n[platform]\n{}{}[arrivals]\n{}[policy]\nname = \"{}\"\n[run]\njobs = {}\n{}",
                       s.platform, s.classes, s.arrivals, policy, jobs_each, run);
  }
};

TEST_P(last_instant, is_complete_before_the_accounts_are_audited) {
  for (const std::string& policy : GetParam().policies) {
    const scenario model = first_point(text(policy, "replications = 12\n"));
    for (const bool check_protocol : {false, true}) {
      watching watch;
      watch.check_protocol = check_protocol;
      for (const replication_result& r : replicate(model, 2, watch)) EXPECT_EQ(r.jobs, jobs_each) << policy;
    }
  }
}

TEST_P(last_instant, is_complete_where_windows_have_parts_and_times_are_explained) {
  for (const std::string& policy : GetParam().policies) {
    scenario model = first_point(text(policy, "replications = 10\nprecision = { half_width = 0.5 }\n"));
    model.report.explain = true;
    for (const replication_result& r : replicate(model)) EXPECT_EQ(r.jobs, jobs_each) << policy;
  }
}

TEST_P(last_instant, is_complete_where_batch_means_end_the_run) {
  for (const std::string& policy : GetParam().policies) {
    const scenario model =
        first_point(text(policy, "intervals = \"batch_means\"\nprecision = { half_width = 0.2 }\nwarm_up = 0.0\n"));
    for (const replication_result& r : replicate(model)) EXPECT_GE(r.jobs, jobs_each) << policy;
  }
}

TEST_P(last_instant, is_complete_in_a_pilot) {
  for (const std::string& policy : GetParam().policies)
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
      scenario model = first_point(text(policy, "replications = 10\nwarm_up = \"mser5\"\n"));
      model.run.seed = seed;
      bool ended = false;
      worker_pool(1).run(
          1, [&](std::size_t) { return to_text(run_pilot(model)); },
          [&](const task_outcome& outcome) {
            EXPECT_FALSE(outcome.failed) << policy << ": " << outcome.text;
            return ended = true;
          },
          [] { return true; });
      EXPECT_TRUE(ended);
    }
}

INSTANTIATE_TEST_SUITE_P(of, last_instant, testing::ValuesIn(studies),
                         [](const auto& given) { return std::string{given.param.name}; });

}  // namespace
}  // namespace muster
