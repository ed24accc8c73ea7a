#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/cluster_process/cluster_process.h"
#include "tests/command_line/command.h"
#include "tests/refusal.h"

// A scenario's cluster in a process of its own.

namespace muster {
namespace {

using settings_list = std::vector<std::pair<std::string, std::string>>;

const cluster_start rigid_cluster{
    MUSTER_BINARY,
    MUSTER_SOURCE "/scenarios/quickswap_one_or_all.toml",
    {{"run.jobs", "600"}, {"arrivals.rate", "6"}, {"policy", R"({ name = "msfq", threshold = 4 })"}}};
const cluster_start pooled_cluster{MUSTER_BINARY,
                                   MUSTER_SOURCE "/scenarios/balanced_fairness_two_servers.toml",
                                   {{"run.jobs", "600"},
                                    {"arrivals.load", "0.8"},
                                    {"classes.*.size", R"({ distribution = "exponential", mean = 1.0 })"},
                                    {"policy", R"({ name = "balanced_fair", interruptions_per_job = 5 })"}}};
const cluster_start slotted_cluster{
    MUSTER_BINARY,
    MUSTER_SOURCE "/scenarios/ispeed_homogeneous.toml",
    {{"arrivals.slots", "20"}, {"classes.free.utility.function", "bing_search"}, {"policy", R"({ name = "ispeed" })"}}};

/// Servers that draw power, with jobs at known times: one each 4 s, which holds two of four cores for 1 s.
const std::string plain_text = R"(name = "plain"
platform.servers = [{ name = "node", cores = 4, power = { idle = 10.0, active = 30.0 } }]
classes = [{ name = "job", need = 2, share = 1.0, size = { distribution = "deterministic", value = 1.0 } }]
arrivals = { process = "renewal", interarrival = { distribution = "deterministic", value = 4.0 } }
policy = "fcfs"
run = { jobs = 1000, replications = 1 }
)";

/// Servers that fail, with devices and an amount that draw power beside cores, and licences of the cluster.
const std::string powers_text = R"(name = "powers"
[platform.resources]
gpu = { kind = "devices" }
memory = { kind = "amount" }
licence = { kind = "amount", of = "cluster", amount = 4, power = { idle = 1.0, busy = 3.0 } }
[[platform.servers]]
name = "node"
count = 2
cores = 4
resources = { gpu = 2, memory = 8 }
faults = { to_failure = 8.0, to_repair = 4.0 }
power = { idle = 10.0, active = 30.0, resources = { gpu = { idle = 20.0, busy = 300.0 }, memory = { idle = 0.5 } } }
[[classes]]
name = "job"
share = 1.0
size = { distribution = "exponential", mean = 2.0 }
per_task = { cores = 2, gpu = 1, memory = 3 }
per_job = { licence = 1 }
[arrivals]
rate = 0.7
[policy]
name = "fcfs"
[run]
jobs = 1000
replications = 1
)";

class cluster_in_a_process : public command_line_test {
 protected:
  cluster_start plain_cluster(const settings_list& settings = {}) {
    std::ofstream(folder_ / "plain.toml") << plain_text;
    return {MUSTER_BINARY, at("plain.toml"), settings};
  }

  // results.csv of the program, for the first replication alone.
  std::string results_of_run(const cluster_start& start) {
    std::string command = "muster run " + start.scenario + " --quiet --force --replications 1 --out " + at("results");
    for (const auto& [key, value] : start.settings) command += " --set '" + key + "=" + value + "'";
    EXPECT_EQ(shell(command).status, 0);
    return content_of(at("results/results.csv"));
  }
};

/// Processes that descend from this one, by parent. Those whose parent has ended are the program's that has been
/// started.
std::multimap<pid_t, pid_t> all_processes() {
  std::multimap<pid_t, pid_t> by_parent;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string stat = content_of(entry.path() / "stat"),
                      rest = stat.substr(std::min(stat.size(), stat.rfind(')') + 1));
    std::istringstream in(rest);
    char state;
    pid_t parent;
    if (in >> state >> parent) by_parent.emplace(parent, std::atoi(entry.path().filename().c_str()));
  }
  return by_parent;
}

std::vector<pid_t> descendants() {
  const auto by_parent = all_processes();
  std::vector<pid_t> found{::getpid()};
  for (std::size_t n = 0; n < found.size(); ++n)
    for (auto [child, end] = by_parent.equal_range(found[n]); child != end; ++child) found.push_back(child->second);
  found.erase(found.begin());
  return found;
}

void wait_until_there_are(std::size_t processes) {
  while (descendants().size() != processes) ::usleep(1000);
}

double value_of(cluster_process& c, const std::string& variable) { return c.value(c.find(variable)); }
std::int64_t ticks_of(const cluster_process& c, double s) {
  return static_cast<std::int64_t>(s * static_cast<double>(c.ticks_per_second()));
}

void run_by_thirds(cluster_process& c) {
  const auto second = static_cast<std::int64_t>(c.ticks_per_second());
  for (std::int64_t n = 3 * c.now() / second + 1; !c.finished(); ++n) c.advance(n * second / 3);
}

void run_by_random_steps(cluster_process& c) {
  std::mt19937 random(7);
  while (!c.finished()) c.advance(c.now() + ticks_of(c, 1e-3 * static_cast<double>(random() % 10'000)));
}

// Every stop is a completion, and is at its instant: an instant before there was none.
void run_by_completions(cluster_process& c) {
  const std::size_t completed = c.find("completed");
  double before = c.value(completed);
  while (!c.finished()) {
    const bool stopped = c.advance(c.now() + ticks_of(c, 50.0), true);
    EXPECT_TRUE(!stopped || c.value(completed) > before);
    before = c.value(completed);
  }
}

TEST_F(cluster_in_a_process, has_the_results_of_the_program_whatever_the_steps) {
  for (const cluster_start& start : {rigid_cluster, pooled_cluster, slotted_cluster}) {
    SCOPED_TRACE(start.scenario);
    const std::string expected = results_of_run(start);
    ASSERT_GT(expected.size(), 500u);
    for (const auto run : {run_by_thirds, run_by_random_steps, run_by_completions}) {
      cluster_process c{start};
      run(c);
      EXPECT_EQ(c.results_csv(), expected);
    }
  }
}

TEST_F(cluster_in_a_process, stops_at_the_first_instant_at_which_a_number_changes) {
  cluster_process c{plain_cluster()};
  EXPECT_FALSE(c.advance(ticks_of(c, 3.0), true));  // none has been asked for
  EXPECT_EQ(value_of(c, "running.job"), 0.0);
  for (const double at : {4.0, 5.0, 8.0, 9.0}) {
    EXPECT_TRUE(c.advance(ticks_of(c, 11.0), true));
    EXPECT_EQ(c.now(), ticks_of(c, at));
    EXPECT_EQ(value_of(c, "running.job"), at == 4.0 || at == 8.0 ? 1.0 : 0.0);
  }
  EXPECT_FALSE(c.advance(ticks_of(c, 11.0), true));
  EXPECT_EQ(c.now(), ticks_of(c, 11.0));
}

// What a cluster does from an instant on, in numbers.
std::vector<double> rest_of(cluster_process& c) {
  std::vector<double> seen;
  for (int step = 0; step < 20; ++step) {
    c.advance(c.now() + ticks_of(c, 1.7));
    for (const char* variable : {"waiting.light", "running.heavy", "completed", "utilization.cores"})
      seen.push_back(value_of(c, variable));
  }
  return seen;
}

TEST_F(cluster_in_a_process, goes_back_exactly_as_often_as_wanted) {
  cluster_process c{rigid_cluster};
  c.advance(ticks_of(c, 20.0));
  std::optional<cluster_process::snapshot> first = c.take_snapshot();
  const std::vector<double> expected = rest_of(c);
  const cluster_process::snapshot second = c.take_snapshot();
  const std::vector<double> expected_later = rest_of(c);
  EXPECT_NE(expected, expected_later);
  run_by_thirds(c);
  const std::string results = c.results_csv();
  for (int time = 0; time < 2; ++time) {
    c.restore(*first);
    EXPECT_EQ(c.now(), ticks_of(c, 20.0));
    c.set(c.find("speed.node"), 0.5);  // a way that is left again
    EXPECT_NE(rest_of(c), expected);
    c.restore(*first);
    EXPECT_EQ(rest_of(c), expected);
    c.restore(second);
    EXPECT_EQ(rest_of(c), expected_later);
    run_by_random_steps(c);
    EXPECT_EQ(c.results_csv(), results);
  }
  EXPECT_EQ(results, results_of_run(rigid_cluster));
  const cluster_process other{rigid_cluster};
  cluster_process third{rigid_cluster};
  EXPECT_EQ(refusal<std::invalid_argument>([&] { third.restore(*first); }),
            "a snapshot is another cluster's; expected one of this cluster");
}

TEST_F(cluster_in_a_process, keeps_inputs_that_were_set_before_a_snapshot) {
  cluster_process c{plain_cluster()};
  c.advance(ticks_of(c, 1.0));
  c.set(c.find("arrival_rate"), 2.0);
  const auto before = c.take_snapshot();
  c.set(c.find("arrival_rate"), 1.0);
  c.restore(before);
  EXPECT_EQ(value_of(c, "arrival_rate"), 2.0);
  c.advance(ticks_of(c, 2.4));
  EXPECT_EQ(value_of(c, "arrived"), 0.0);
  c.advance(ticks_of(c, 2.6));  // 3 s of its time are left, at twice the rate
  EXPECT_EQ(value_of(c, "arrived"), 1.0);
}

TEST_F(cluster_in_a_process, leaves_no_process_behind) {
  {
    cluster_process c{plain_cluster()};
    EXPECT_EQ(descendants().size(), 2u);
    std::vector<cluster_process::snapshot> last;
    for (int n = 0; n < 200; ++n) {
      c.advance(ticks_of(c, n));
      last.push_back(c.take_snapshot());
      if (last.size() > 10) last.erase(last.begin());
      if (n % 20 == 19) c.restore(last.front());
      if (n % 20 == 19) c.advance(ticks_of(c, n));
    }
    wait_until_there_are(2 + last.size());
    last.clear();
    wait_until_there_are(2);
  }
  EXPECT_EQ(descendants().size(), 0u);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process has not been waited for";
}

TEST_F(cluster_in_a_process, ends_when_its_client_is_killed_even_in_the_midst_of_a_step) {
  const cluster_start start = plain_cluster({{"run.jobs", "1000000000"}});
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // the processes become children of this one
  for (const bool in_a_step : {false, true}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t client = ::fork();
    if (client == 0) {
      try {
        cluster_process c{start};
        const auto kept = c.take_snapshot();
        [[maybe_unused]] const auto written = ::write(ends[1], "x", 1);
        if (in_a_step) c.advance(ticks_of(c, 3.9e9));
        for (;;) ::pause();
      } catch (...) {
        ::_exit(1);
      }
    }
    ::close(ends[1]);
    char ready;
    ASSERT_EQ(::read(ends[0], &ready, 1), 1);
    ::kill(client, SIGKILL);
    while (::wait(nullptr) > 0) continue;  // hangs if one goes on
    ::close(ends[0]);
  }
}

TEST_F(cluster_in_a_process, says_that_its_process_has_been_killed_and_can_go_back_even_then) {
  cluster_process c{plain_cluster()};
  c.advance(ticks_of(c, 9.0));
  const auto before = c.take_snapshot();
  const std::vector<pid_t> processes = descendants();
  ASSERT_EQ(processes.size(), 3u);
  ::kill(processes[1], SIGKILL);  // the first has started it, the last is the snapshot's
  wait_until_there_are(2);
  const std::string expected =
      "the process of the cluster 'plain' has ended without an answer: it was killed, or has crashed";
  EXPECT_EQ(refusal<cluster_process_error>([&] { c.advance(ticks_of(c, 10.0)); }), expected);
  EXPECT_EQ(refusal<cluster_process_error>([&] { value_of(c, "completed"); }), expected);
  c.restore(before);
  EXPECT_EQ(value_of(c, "completed"), 2.0);
}

TEST_F(cluster_in_a_process, adds_up_jobs_and_energy) {
  cluster_process many{rigid_cluster};
  for (int n = 1; n < 60; ++n) {
    many.advance(ticks_of(many, n));
    EXPECT_EQ(value_of(many, "arrived"), value_of(many, "waiting.light") + value_of(many, "running.light") +
                                             value_of(many, "waiting.heavy") + value_of(many, "running.heavy") +
                                             value_of(many, "completed"));
  }
  EXPECT_GT(value_of(many, "completed"), 100.0);

  cluster_process c{plain_cluster()};
  EXPECT_EQ(value_of(c, "power"), 40.0);
  c.advance(ticks_of(c, 16.5));  // jobs at 4, 8, 12 and 16 s: 2 * 3.5 core-seconds of 4 * 16.5
  EXPECT_EQ(value_of(c, "in_use.cores"), 2.0);
  EXPECT_EQ(value_of(c, "utilization.cores"), 0.5);
  EXPECT_EQ(value_of(c, "power.node"), 2 * 30.0 + 2 * 10.0);
  EXPECT_EQ(value_of(c, "energy"), 30.0 * 7.0 + 10.0 * (66.0 - 7.0));
  c.set(c.find("speed.node"), 0.5);  // the fourth job ends at 17.5
  c.set(c.find("in_service.node"), 0.0);
  c.advance(ticks_of(c, 18.0));
  EXPECT_EQ(value_of(c, "completed"), 4.0);
  EXPECT_EQ(value_of(c, "energy"), 30.0 * 7.0 + 20.0 * 2.0 + 10.0 * (72.0 - 9.0)) << "at half the speed 20 W";
  c.advance(ticks_of(c, 21.0));
  EXPECT_EQ(value_of(c, "waiting.job"), 1.0);
  c.set(c.find("in_service.node"), 1.0);
  c.advance(ticks_of(c, 21.0));
  EXPECT_EQ(value_of(c, "running.job"), 1.0);
}

// Between two changes of what is held and up the power is constant.
TEST_F(cluster_in_a_process, has_the_power_by_which_its_energy_grows) {
  std::ofstream(folder_ / "powers.toml") << powers_text;
  cluster_process c{{MUSTER_BINARY, at("powers.toml")}};
  const std::size_t power = c.find("power"), energy = c.find("energy");
  for (const char* counted : {"in_use.cores", "in_use.gpu", "in_use.licence", "up.node"}) value_of(c, counted);
  EXPECT_EQ(c.value(power), 2 * (4 * 10.0 + 2 * 20.0 + 8 * 0.5) + 4 * 1.0);
  double joules = 0.0, fewest_up = 2.0, most_licences = 0.0;
  for (int n = 0; n < 300; ++n) {
    const std::int64_t since = c.now();
    const double watts = c.value(power);
    c.advance(c.now() + ticks_of(c, 10.0), true);
    joules += watts * static_cast<double>(c.now() - since) / static_cast<double>(c.ticks_per_second());
    EXPECT_NEAR(c.value(energy), joules, 1e-9 * joules);
    EXPECT_NEAR(c.value(power), value_of(c, "power.node") + 4 * 1.0 + 2.0 * value_of(c, "in_use.licence"), 1e-9);
    fewest_up = std::min(fewest_up, value_of(c, "up.node"));
    most_licences = std::max(most_licences, value_of(c, "in_use.licence"));
  }
  EXPECT_EQ(fewest_up, 0.0);
  EXPECT_EQ(most_licences, 4.0);
}

TEST_F(cluster_in_a_process, replaces_a_number_of_its_policy_as_the_event_does_and_goes_back_behind_it) {
  cluster_start by_event = rigid_cluster;
  by_event.settings.emplace_back("events", R"([{ at = 20, parameter = "threshold", value = 1 }])");
  const auto to_the_end = [&](cluster_process& c) {
    run_by_thirds(c);
    return c.results_csv();
  };
  cluster_process plain{rigid_cluster}, with_event{by_event}, c{rigid_cluster};
  const std::string unchanged = to_the_end(plain), expected = to_the_end(with_event);
  EXPECT_NE(unchanged, expected);
  const std::size_t threshold = c.find("policy.threshold");
  EXPECT_EQ(c.variables()[threshold].start, 4.0);
  c.advance(ticks_of(c, 20.0));
  const cluster_process::snapshot before = c.take_snapshot();
  for (int times = 0; times < 2; ++times) {
    c.set(threshold, 1.0);
    EXPECT_EQ(to_the_end(c), expected);
    EXPECT_EQ(c.value(threshold), 1.0);
    c.restore(before);
    EXPECT_EQ(c.value(threshold), 4.0);
  }
  EXPECT_EQ(to_the_end(c), unchanged);
}

TEST_F(cluster_in_a_process, hears_what_its_policy_refuses_when_it_is_set_and_keeps_what_was_set_before) {
  cluster_start start = rigid_cluster;
  start.settings.back().second = R"({ name = "kill_restart" })";
  cluster_process c{start};
  const std::size_t growth = c.find("policy.growth");
  c.set(c.find("speed.node"), 0.5);
  const std::string refused = refusal<std::invalid_argument>([&] { c.set(growth, 1.0); });
  EXPECT_NE(refused.find("growth: expected a number > 1, found 1"), std::string::npos) << refused;
  EXPECT_EQ(c.value(growth), 2.0);
  c.advance(ticks_of(c, 1.0));
  EXPECT_EQ(c.value(growth), 2.0);
  EXPECT_EQ(value_of(c, "speed.node"), 0.5);
}

TEST_F(cluster_in_a_process, refuses_what_cannot_be_set_with_what_was_expected) {
  cluster_process c{rigid_cluster};
  const auto refused = [&](const char* variable, double value) {
    return refusal<std::invalid_argument>([&] { c.set(c.find(variable), value); });
  };
  EXPECT_EQ(refused("speed.node", 20.0), "'speed.node' is set to 20; expected a number from 0.001 to 10");
  EXPECT_EQ(refused("speed.node", std::nan("")), "'speed.node' is set to nan; expected a number from 0.001 to 10");
  EXPECT_EQ(refused("in_service.node", 0.5), "'in_service.node' is set to 0.5; expected a whole number from 0 to 1");
  EXPECT_EQ(refused("arrived", 1.0), "'arrived' is an output; expected an input");
  EXPECT_EQ(refused("arived", 1.0), "the cluster has no variable 'arived'; did you mean 'arrived'?");
  const auto parameter = [&](const char* name, const char* value) {
    return refusal<std::invalid_argument>([&] { c.set_parameter(name, value); });
  };
  EXPECT_NE(parameter("treshold", "3").find("did you mean 'threshold'?"), std::string::npos);
  EXPECT_NE(parameter("threshold", "900").find("policy.threshold"), std::string::npos);
  EXPECT_EQ(parameter("threshold", "3"), "");
  run_by_thirds(c);
  EXPECT_EQ(c.results_csv().find("nan"), std::string::npos);
  EXPECT_THROW(c.advance(0), std::invalid_argument);
}

TEST_F(cluster_in_a_process, says_why_it_cannot_begin_or_go_on) {
  const auto error = [](const cluster_start& start) {
    return refusal<cluster_process_error>([&] { cluster_process c{start}; });
  };
  const cluster_start start = plain_cluster();
  EXPECT_EQ(error({"no_such_program", start.scenario}),
            "the program 'no_such_program' cannot be started: No such file or directory; expected the path of muster, "
            "or its name in a folder of PATH");
  EXPECT_EQ(error({"true", start.scenario}),
            "the program 'true' has ended without an answer (exit status 0); expected the program muster");
  EXPECT_NE(error(plain_cluster({{"run.job", "10"}})).find("did you mean 'jobs'?"), std::string::npos);
  EXPECT_EQ(error({MUSTER_BINARY, scenario()}),
            scenario() +
                ": the sweep has 4 points, and a cluster runs one; expected a value of each swept key: "
                "arrivals.rate, policy");
  cluster_process early{start};
  EXPECT_NE(refusal<cluster_process_error>([&] { early.results_csv(); }).find("has not finished"), std::string::npos);
  early.advance(ticks_of(early, 9.0));
  EXPECT_EQ(value_of(early, "completed"), 2.0);

  cluster_process c{plain_cluster({{"arrivals.interarrival.value", "4e6"}})};
  c.set(c.find("arrival_rate"), 0.001);
  const auto fault = [&] { return refusal<cluster_process_error>([&] { c.advance(std::int64_t{1} << 62); }); };
  EXPECT_NE(fault().find("simulated time leaves the range of the clock"), std::string::npos);
  EXPECT_NE(fault().find("simulated time leaves the range of the clock"), std::string::npos);
}

TEST_F(cluster_in_a_process, is_told_of_by_its_command_to_who_calls_it_by_hand) {
  for (const char* words : {"", "1", "77"}) {
    const command_result result = shell("muster cluster-process " + std::string(words));
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.output.find("expected the number of a socket"), std::string::npos) << result.output;
  }
}

}  // namespace
}  // namespace muster
