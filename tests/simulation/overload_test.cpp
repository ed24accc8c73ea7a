#include <fmt/format.h>
#include <gtest/gtest.h>

#include "muster/policies/catalogue.h"
#include "tests/refusal.h"
#include "tests/simulation/replicate.h"

// Replications that would never end: they end early, keep what they have measured, and say why.

namespace muster {
namespace {

/// M/D/1 at load 3 under a policy. @param run lines of its table `run`
std::string overloaded(const std::string& run, const std::string& policy = "fcfs", double rate = 3.0) {
  return fmt::format(R"(name = "overloaded"
[platform]
servers = [{{ name = "node" }}]
[[classes]]
name = "job"
share = 1.0
size = {{ distribution = "deterministic", value = 1.0 }}
[arrivals]
rate = {}
[policy]
name = "{}"
[run]
replications = 1
{}
)",
                     rate, policy, run);
}

std::string note_of(const replication_result& r) {
  for (const remark& said : r.notes)
    if (said.text.rfind("overloaded: ", 0) == 0) return said.text;
  return "";
}

std::string fault_of(const std::string& toml, const std::vector<std::string>& set = {}) {
  return refusal<std::runtime_error>([&] { replicate(toml, set); });
}

/// The note, or the fault where nothing was measured.
std::string outcome_of(const std::string& toml, const std::string& setting) {
  try {
    return note_of(replicate(toml, {setting}).front());
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

TEST(overload, ends_a_replication_at_the_limit_of_jobs_in_the_system_and_keeps_what_was_measured) {
  const auto results = replicate(overloaded("jobs = 100_000_000\nwarm_up = 0.0\nmost_jobs_in_system = 2000"));
  const replication_result& r = results.front();
  EXPECT_NEAR(static_cast<double>(r.jobs), 1000.0, 100.0);
  EXPECT_EQ(r.balances.front().present, 2000u);
  EXPECT_NEAR(r.find("all", "throughput")->value, 1.0, 0.01);
  for (const measurement& m : r.measurements) EXPECT_TRUE(m.marks.has(caution::overloaded)) << m.metric;
  EXPECT_TRUE(r.overloaded());
  EXPECT_EQ(note_of(r),
            "overloaded: 2000 jobs were in the system, which is run.most_jobs_in_system; the replication ended there, "
            "and estimates are of the time until then");
}

TEST(overload, before_the_warm_up_has_ended_is_measured_from_the_beginning) {
  const auto results = replicate(overloaded("jobs = 100_000_000\nwarm_up = 0.5\nmost_jobs_in_system = 2000"));
  EXPECT_NEAR(results.front().find("all", "utilization")->value, 1.0, 0.01);
  EXPECT_NE(note_of(results.front()).find(", warm-up included"), std::string::npos) << note_of(results.front());
}

TEST(overload, before_the_warm_up_has_ended_measures_resources_from_the_beginning) {
  const auto results =
      replicate(overloaded("jobs = 100_000_000\nwarm_up = 0.5\nmost_jobs_in_system = 2000"),
                {"platform.resources={gpu={kind=\"devices\"}}", "platform.servers=[{name=\"node\",resources={gpu=1}}]",
                 "classes.job.per_task={gpu=1}"});
  EXPECT_NEAR(results.front().find("resource_gpu", "resource_utilization")->value, 1.0, 0.01);
  EXPECT_EQ(results.front().find("resource_gpu", "resource_stranded")->value, 0.0);
}

TEST(overload, ends_a_replication_after_twenty_arrivals_for_each_job_that_is_to_leave) {
  const auto results = replicate(overloaded("jobs = 10000\nmost_jobs_in_system = 1_000_000_000", "fcfs", 200.0));
  EXPECT_NEAR(static_cast<double>(results.front().jobs), 1000.0, 50.0);
  EXPECT_EQ(note_of(results.front())
                .rfind("overloaded: 200000 jobs had arrived, 20 for each job that run.jobs asks for, and fewer", 0),
            0u)
      << note_of(results.front());
}

TEST(overload, is_not_seen_where_all_jobs_leave_in_time) {
  for (const replication_result& r : replicate(overloaded("jobs = 2000\nmost_jobs_in_system = 1_000_000"))) {
    EXPECT_EQ(r.jobs, 2000u);
    EXPECT_FALSE(r.overloaded());
    EXPECT_EQ(note_of(r), "");
  }
}

// Each arrival preempts the job before it, which had half of its time. It was also quadratic in the queue.
TEST(overload, is_a_fault_where_no_job_has_completed) {
  const std::string said =
      fault_of(overloaded("jobs = 10000\nmost_jobs_in_system = 100_000", "last_come_first_served", 2.0),
               {"arrivals.process=deterministic"});
  EXPECT_EQ(said,
            "no job has completed during 100000 arrivals: 100000 jobs were in the system, which is "
            "run.most_jobs_in_system (50000 s)")
      << said;
}

TEST(overload, of_a_pilot_ends_it_as_well) {
  const scenario model = first_point(overloaded("jobs = 100_000_000\nwarm_up = \"mser5\"\nmost_jobs_in_system = 2000"));
  std::string found;
  worker_pool(1).run(
      1, [&](std::size_t) { return to_text(run_pilot(model)); },
      [&](const task_outcome& outcome) {
        found = outcome.text;
        return !outcome.failed;
      },
      [] { return true; });
  EXPECT_LE(warm_up_from_text(found).jobs, 1100u);
}

/// Three times as many jobs as four cores can serve, of two classes.
std::string busy(const policy_entry& entry, double load) {
  constexpr const char* sizes = "size = { distribution = \"exponential\", mean = 1.0 }";
  const std::string wide = entry.jobs() == job_kind::rigid    ? fmt::format("need = 4\n{}", sizes)
                           : entry.jobs() == job_kind::pooled ? sizes
                                                              : "units = 4";
  const std::string narrow = entry.jobs() == job_kind::rigid    ? fmt::format("need = 1\n{}", sizes)
                             : entry.jobs() == job_kind::pooled ? sizes
                                                                : "units = 1";
  return fmt::format(
      "name = \"busy\"\n[platform]\nservers = [{{ name = \"node\", {} = 4 }}]\n"
      "[[classes]]\nname = \"wide\"\nshare = 0.3\n{}\n[[classes]]\nname = \"narrow\"\nshare = 0.7\n{}\n"
      "[arrivals]\nload = {}\n[policy]\nname = \"{}\"\n{}"
      "[run]\njobs = 100_000_000\nreplications = 1\nmost_jobs_in_system = 1000\n",
      entry.jobs() == job_kind::rigid ? "cores" : "count", wide, narrow, load, entry.name,
      entry.name == "balanced_fair" ? "theta = 0.5\n" : "");
}

// A run ends whatever the policy, where more jobs come than can leave, servers fail faster than they serve and
// decisions take longer than arrivals.
TEST(overload, ends_the_replications_of_every_policy) {
  const std::vector<std::string> settings{
      "platform.costs={ dispatch_latency = 5.0, restore = 5.0, save = 5.0, migration = 5.0 }",
      "platform.servers.node.faults={ to_failure = 0.3, to_repair = 0.1 }", "platform.decision.fixed=3.0"};
  for (const policy_entry* entry : policy_catalogue()) {
    if (entry->name == "nmsr") continue;  // its schedules take such loads for a mistake
    for (const double load : {1.2, 3.0})
      for (const std::string& setting : settings) {
        const std::string outcome = outcome_of(busy(*entry, load), setting);
        const bool ended = outcome.find("1000 jobs were in the system") != std::string::npos ||
                           outcome.find("has gone into overhead") != std::string::npos;
        EXPECT_TRUE(ended) << entry->name << ", load " << load << ", " << setting << ": " << outcome;
      }
  }
}

/// Slotted jobs of 3 units on two cores, all of them there from the beginning.
std::string population(unsigned jobs, const std::string& policy) {
  return fmt::format(R"(name = "population"
[platform]
servers = [{{ name = "machine", count = 2 }}]
[[classes]]
name = "job"
units = 3
jobs = {}
[arrivals]
process = "uniform"
slots = 1
[policy]
{}
[run]
replications = 1
)",
                     jobs, policy);
}

// Overhead once ate exactly what a job had left in each slot.
TEST(overhead, of_jobs_that_share_cores_belongs_to_their_share_so_that_they_come_to_their_end) {
  const std::string shares = population(3, "name = \"equal_partitioning\"\nshare = \"fractional\"");
  for (const char* costs :
       {"platform.costs.dispatch_latency=0.04", "platform.costs.restore=0.05", "platform.costs.epsilon=0.05",
        "platform.costs.save=0.05", "platform.costs.migration=0.1", "platform.link.latency=0.0002"}) {
    const replication_result r = replicate(shares, {costs}).front();
    EXPECT_EQ(r.jobs, 3u) << costs;
    // Nine units on two cores take five slots; what is lost makes it one or two more.
    EXPECT_LE(r.simulated_time, 7.0) << costs;
  }
}

// No slot begins while the only server is up for long enough: jobs are never in service when it fails.
TEST(overload, ends_where_servers_fail_faster_than_any_job_completes) {
  const std::string said = fault_of(population(3, "name = \"fifo\""),
                                    {"platform.servers.machine.faults={ to_failure = 0.01, to_repair = 0.001 }"});
  EXPECT_NE(said.find("servers have failed 1000000 times without a completion between"), std::string::npos) << said;
}

// All servers are to be up at once, so that a job of all cores is out of service while one of them is down.
TEST(overload, ends_where_servers_fail_faster_than_a_job_of_all_of_them_starts) {
  const std::string said = fault_of(R"(name = "wide"
platform.servers = [{ name = "node", count = 16, faults = { to_failure = 0.1, to_repair = 1.0 } }]
classes = [{ name = "job", need = 16, share = 1.0, size = { distribution = "exponential", mean = 300.0 } }]
arrivals.rate = 0.00001
policy = "fcfs"
run = { jobs = 20000, replications = 1 }
)");
  EXPECT_NE(said.find("servers have failed 1000000 times without a completion between"), std::string::npos) << said;
  EXPECT_NE(said.find("checkpoint_every"), std::string::npos) << said;
}

TEST(overhead, that_takes_all_core_time_is_named) {
  const std::string said = fault_of(population(60, "name = \"equal_partitioning\"\nshare = \"fractional\""),
                                    {"platform.costs.dispatch_latency=0.1"});
  EXPECT_NE(said.find("all core time that jobs got in 1000 slots has gone into overhead, and none into work"),
            std::string::npos)
      << said;
}

// Two jobs share a core within each slot. The first gets it two slots late, when it is already to give it up.
TEST(overhead, of_decisions_that_give_cores_and_take_them_at_one_instant_is_named) {
  for (const char* decision : {"1.5", "2.0"})
    EXPECT_NE(fault_of(population(3, "name = \"equal_partitioning\"\nshare = \"fractional\""),
                       {std::string{"platform.decision.fixed="} + decision})
                  .find("and than a decision"),
              std::string::npos)
        << decision;
}

}  // namespace
}  // namespace muster
