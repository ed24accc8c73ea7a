#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <rapidcheck.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/model/class_table.h"
#include "platform/model/synthetic_workload.h"
#include "tests/oracles/slotted_places.h"
#include "tests/oracles/slotted_queue.h"
#include "tests/scenario/graph_folder.h"
#include "tests/simulation/job_by_job.h"
#include "tests/simulation/replicate.h"

// Slotted jobs from the scenario file to the results: against the optimum, against the rules written anew, and what
// the numbers owe each other.

namespace muster {
namespace {

using oracle::slot_policy;

/// The value of a metric, in a replication that has one.
double value(const replication_result& r, const std::string& metric, const std::string& class_name = "all") {
  for (const measurement& m : r.measurements)
    if (m.class_name == class_name && m.metric == metric && m.has_value) return m.value;
  throw std::logic_error("no " + metric + " of " + class_name);
}

bool has(const replication_result& r, const std::string& metric) {
  return std::any_of(r.measurements.begin(), r.measurements.end(),
                     [&](const measurement& m) { return m.metric == metric; });
}

const std::map<std::string, slot_policy> same_as{
    {"name = \"ispeed\"", slot_policy::ispeed_envelope},
    {"name = \"ispeed\"\ngain = \"literal\"", slot_policy::ispeed_literal},
    {"name = \"fifo\"", slot_policy::fifo},
    {"name = \"edf\"", slot_policy::edf},
    {"name = \"equal_partitioning\"", slot_policy::equal_whole},
    {"name = \"equal_partitioning\"\nshare = \"fractional\"", slot_policy::equal_fractional}};

const std::vector<std::string> concave_utilities{R"({ function = "linear" })",
                                                 R"({ function = "logarithmic", steepness = 10.0 })",
                                                 R"({ function = "exponential", steepness = 3.0 })",
                                                 R"({ function = "google_search" })",
                                                 R"({ function = "bing_search" })",
                                                 R"({ function = "set_up", share = 0.0, steepness = 5.0 })",
                                                 R"({ points = [ [0.0, 0.0], [0.25, 0.7], [0.5, 0.9], [1.0, 1.0] ] })"};

/// @param deadline of both classes
std::string population(const std::string& utility, const std::string& deadline, unsigned jobs, unsigned slots,
                       unsigned machines, const std::string& policy = "name = \"ispeed\"", unsigned replications = 5) {
  const auto one = [&](const char* name, unsigned units, double worth, unsigned count) {
    return fmt::format("[[classes]]\nname = \"{}\"\nunits = {}\nvalue = {}\njobs = {}\nutility = {}\ndeadline = {}\n",
                       name, units, worth, count, utility, deadline);
  };
  return fmt::format(
             "name = \"population\"\n[platform]\nservers = [ {{ name = \"machine\", count = {} }} ]\n[arrivals]\n"
             "process = \"uniform\"\nslots = {}\n[policy]\n{}\n[run]\nreplications = {}\n",
             machines, slots, policy, replications) +
         one("vip", 7, 100.0, jobs / 10 + 1) + one("free", 10, 1.0, jobs);
}

// ISPEED paper, Theorem 1.
TEST(ispeed, is_optimal_in_every_replication_where_all_have_the_same_deadline_and_utility_is_concave) {
  const char* deadline = R"({ distribution = "fixed_slot", slot = "arrival_slots" })";
  for (const std::string& utility : concave_utilities)
    for (const unsigned jobs : {5, 30, 120})  // a cluster that is nearly idle, busy, overloaded
      for (const auto& r : replicate(population(utility, deadline, jobs, 12, 20))) {
        EXPECT_EQ(value(r, "competitive_ratio"), 1.0) << utility << ", " << jobs << " jobs";
        EXPECT_EQ(value(r, "optimal_utility"), value(r, "utility")) << utility << ", " << jobs << " jobs";
      }
}

// ISPEED paper, Theorem 2, with alpha = 0.
TEST(ispeed, earns_at_least_half_of_the_optimum_whatever_the_deadlines_where_utility_is_concave) {
  double worst = 1.0;
  for (const std::string& utility : concave_utilities)
    for (const char* deadline : {R"({ distribution = "two_valued", tight = 0, loose = "arrival_slots" })",
                                 R"({ distribution = "uniform", from = 0, to = 4 })"})
      for (const auto& r : replicate(population(utility, deadline, 60, 6, 20))) {
        EXPECT_GE(value(r, "competitive_ratio"), 1.0) << utility << ", " << deadline;
        EXPECT_LE(value(r, "competitive_ratio"), 2.0) << utility << ", " << deadline;
        worst = std::max(worst, value(r, "competitive_ratio"));
      }
  EXPECT_GT(worst, 1.01) << "deadlines that differ cost something";
}

// The optimum knows the future and pays nothing.
TEST(optimal_utility, is_the_same_for_every_policy_and_none_earns_more) {
  const char* deadline = R"({ distribution = "uniform", from = 0, to = 4 })";
  const double optimum = value(replicate(population(concave_utilities[1], deadline, 60, 6, 20))[0], "optimal_utility");
  for (const auto& [policy, rule] : same_as)
    for (const char* epsilon : {"0.0", "0.4"}) {
      const auto results = replicate(first_point(population(concave_utilities[1], deadline, 60, 6, 20, policy, 1),
                                                 {std::string("platform.costs.epsilon=") + epsilon}));
      EXPECT_EQ(value(results[0], "optimal_utility"), optimum) << policy;
      EXPECT_GE(value(results[0], "competitive_ratio"), 1.0) << policy;
      EXPECT_EQ(value(results[0], "competitive_ratio"), optimum / value(results[0], "utility")) << policy;
    }
}

TEST(optimal_utility, is_not_measured_where_a_utility_is_not_concave_or_the_arrivals_never_end) {
  const char* deadline = R"({ distribution = "uniform", from = 0, to = 4 })";
  for (const char* utility :
       {R"({ function = "steps", tasks = 2 })", R"({ function = "set_up", share = 0.3, steepness = 5.0 })"}) {
    const auto results = replicate(population(utility, deadline, 20, 6, 20));
    EXPECT_FALSE(has(results[0], "optimal_utility")) << utility;
    EXPECT_FALSE(has(results[0], "competitive_ratio")) << utility;
    EXPECT_TRUE(has(results[0], "utility")) << utility;
  }
  std::string endless = population(concave_utilities[0], deadline, 20, 6, 20);
  endless = replaced(replaced(replaced(endless, "jobs = 3\n", "share = 0.1\n"), "jobs = 20\n", "share = 0.9\n"),
                     "process = \"uniform\"\nslots = 6", "load = 0.5");
  const auto results = replicate(replaced(endless, "[run]", "[run]\njobs = 500"));
  EXPECT_FALSE(has(results[0], "optimal_utility"));
  EXPECT_TRUE(has(results[0], "utility"));
}

const std::string listed = R"(name = "listed"
[platform]
servers = [ { name = "machine", count = 1 } ]
[[classes]]
name = "job"
[arrivals]
process = "list"
file = "jobs.csv"
[policy]
name = "ispeed"
[run]
replications = 1
)";

class list_of_jobs : public graph_folder {
 protected:
  scenario read_list(const std::string& lines, const std::vector<std::string>& set = {},
                     const std::string& policy = "name = \"ispeed\"") const {
    write("jobs.csv", "id,arrival,deadline,units,marginals\n" + lines);
    return read_here(replaced(listed, "name = \"ispeed\"", policy), set).points.front().model;
  }
};

// ISPEED takes the greater gain first, and the deadline of the other one passes.
TEST_F(list_of_jobs, of_theorem_3_costs_ispeed_the_smaller_of_two_gains) {
  for (const double c : {0.125, 0.5, 0.999}) {
    const auto r = replicate(read_list(fmt::format("1,1,1,1,{}\n2,1,2,1,1\n", c)))[0];
    EXPECT_EQ(value(r, "utility"), 1.0);
    EXPECT_EQ(value(r, "optimal_utility"), 1.0 + c);
    EXPECT_EQ(value(r, "competitive_ratio"), 1.0 + c);
    EXPECT_EQ(value(r, "expired_share"), 0.5);
    const auto edf = replicate(read_list(fmt::format("1,1,1,1,{}\n2,1,2,1,1\n", c), {"policy.name=edf"}))[0];
    EXPECT_EQ(value(edf, "competitive_ratio"), 1.0);
  }
}

TEST_F(list_of_jobs, that_earns_nothing_has_no_ratio_and_says_so) {
  const auto r = replicate(read_list("1,1,1,2,0 0\n2,1,1,2,5 5\n", {"policy.name=fifo"}))[0];
  EXPECT_EQ(value(r, "utility"), 0.0);
  EXPECT_EQ(value(r, "optimal_utility"), 5.0);
  EXPECT_THROW(value(r, "competitive_ratio"), std::logic_error);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_EQ(r.notes[0].in_words(), "competitive_ratio has no estimate: no job has earned anything");
}

TEST_F(list_of_jobs, that_share_cores_equally_until_their_deadline_earn_every_unit_that_their_shares_add_up_to) {
  const std::string fractional = "name = \"equal_partitioning\"\nshare = \"fractional\"";
  const auto three = replicate(read_list("1,1,3,1,1\n2,1,3,1,1\n3,1,3,1,1\n", {}, fractional))[0];
  EXPECT_EQ(value(three, "utility"), 3.0);
  std::string lines;
  for (int id = 0; id < 6; ++id) lines += fmt::format("{},1,3,2,1 1\n", id);
  const auto six = replicate(read_list(lines, {"platform.servers.machine.count=4"}, fractional))[0];
  EXPECT_EQ(value(six, "utility"), 12.0);
  EXPECT_EQ(value(six, "utilization"), 1.0);
}

// On one core, 0.125 and a fifth of the first slot are lost. So much is left of the unit for the second slot, in which
// the core is no new one.
TEST_F(list_of_jobs, lose_an_epsilon_of_a_slot_where_a_core_is_new_however_long_the_slots_are) {
  for (const double slot : {0.5, 1.0, 4.0}) {
    const auto r =
        replicate(read_list("1,1,2,1,1\n", {fmt::format("platform.slot={}", slot), "platform.costs.epsilon=0.2",
                                            "platform.costs.dispatch_latency=0.125"}))[0];
    const double lost = 0.125 + 0.2 * slot;
    EXPECT_EQ(value(r, "utility"), 1.0) << slot;
    EXPECT_NEAR(value(r, "response_time"), slot + lost, 1e-9) << slot;
    EXPECT_NEAR(value(r, "overhead_share"), lost / (slot + lost), 1e-9) << slot;
  }
}

// What the scenario's jobs come to, as all is written anew.

/// @param most jobs of it
std::vector<oracle::slotted_job> jobs_of(const scenario& model, std::uint32_t replication, std::size_t most) {
  const std::vector<std::size_t> order = by_descending_need(model);
  const auto source = make_workload(model, replication);
  std::vector<oracle::slotted_job> all;
  for (job_request next; all.size() < most && source->next(next);) {
    const utility& worth =
        next.worth ? *next.worth : *model.classes[order[static_cast<std::size_t>(next.type)]].slotted->worth;
    all.push_back({next.arrival, next.deadline.value_or(0), {}});
    for (unsigned k = 0; k < worth.units(); ++k) all.back().gains.push_back(worth.gain(k));
  }
  return all;
}

std::vector<oracle::slotted_outcome> written_anew(const scenario& model, slot_policy policy, std::uint32_t replication,
                                                  std::size_t most = SIZE_MAX) {
  std::uint64_t cores = 0;
  for (const server_spec& s : model.servers) cores += std::uint64_t{s.count} * s.cores;
  return serve_slots(cores, model.unit.to_ticks(model.slot), model.unit.to_ticks(model.slot * model.costs.epsilon),
                     jobs_of(model, replication, most), policy);
}

/// @return what differs between the results and the rules; nothing if all is well
std::string difference(const scenario& model, slot_policy policy, const std::vector<replication_result>& results) {
  for (std::uint32_t r = 0; r < results.size(); ++r) {
    const auto expected = written_anew(model, policy, r);
    double utility = 0.0, preemptions = 0.0, expired = 0.0;
    const auto jobs = static_cast<double>(expected.size());
    for (const auto& e : expected) {
      utility += e.utility;
      preemptions += static_cast<double>(e.preemptions);
      expired += e.expired;
    }
    const auto differs = [&](const char* metric, double truth) {
      return std::abs(value(results[r], metric) - truth) > 1e-9 * std::max(1.0, truth);
    };
    if (results[r].jobs != expected.size()) return fmt::format("{} jobs of {}", results[r].jobs, jobs);
    if (differs("utility", utility))
      return fmt::format("utility {}, expected {}", value(results[r], "utility"), utility);
    if (differs("expired_share", expired / jobs)) return fmt::format("expired {}", value(results[r], "expired_share"));
    if (differs("completed_share", 1.0 - expired / jobs)) return "completed";
    // Fractional shares preempt where jobs have no tick, which the rules do not count.
    if (policy != slot_policy::equal_fractional && differs("preemptions_per_job", preemptions / jobs))
      return fmt::format("preemptions {}, expected {}", value(results[r], "preemptions_per_job"), preemptions / jobs);
  }
  return "";
}

TEST(slotted_scenarios, of_a_population_come_to_what_the_rules_written_anew_say) {
  for (const auto& [policy, rule] : same_as) {
    for (const char* epsilon : {"0.0", "0.05", "1.0"}) {
      if (rule == slot_policy::equal_fractional && std::string{epsilon} != "0.0") continue;
      for (const char* deadline : {R"({ distribution = "two_valued", tight = 0, loose = 9 })",
                                   R"({ distribution = "uniform", from = 1, to = 20 })"}) {
        const scenario model = first_point(population(concave_utilities[1], deadline, 60, 6, 20, policy, 3),
                                           {std::string("platform.costs.epsilon=") + epsilon});
        EXPECT_EQ(difference(model, rule, replicate(model)), "")
            << policy << ", epsilon " << epsilon << ", " << deadline;
      }
    }
  }
}

// The envelope of units that gain nothing at first, of values that double precision adds up exactly.
TEST_F(list_of_jobs, comes_to_what_the_rules_written_anew_say) {
  std::mt19937_64 random{7};
  for (int round = 0; round < 8; ++round) {
    std::string lines;
    for (int id = 0; id < 25; ++id) {
      const std::uint64_t arrival = 1 + random() % 6, units = 1 + random() % 8;
      const std::string deadline = random() % 4 == 0 ? "" : std::to_string(arrival + random() % 6);
      std::string gains;
      for (std::uint64_t k = 0; k < units; ++k) gains += fmt::format(" {}", 0.25 * static_cast<double>(random() % 9));
      lines += fmt::format("{},{},{},{},{}\n", id, arrival, deadline, units, gains);
    }
    for (const auto& [policy, rule] : same_as) {
      const scenario model = read_list(lines, {"platform.servers.machine.count=3", "classes.job.value=100"}, policy);
      EXPECT_EQ(difference(model, rule, replicate(model, 1)), "") << policy << '\n' << lines;
    }
  }
}

constexpr std::size_t jobs_of_stream = 400;

std::string line_of(std::size_t job, bool expired, double utility, std::uint64_t left) {
  return fmt::format("job {} {} at {} with {:.9g}", job, expired ? "expires" : "is complete", left, utility);
}

std::string random_stream(const std::string& policy) {
  const int cores = *rc::gen::inRange(1, 4), count = *rc::gen::inRange(1, 5);
  std::string text = fmt::format(
      "name = \"stream\"\n[platform]\nservers = [ {{ name = \"m\", count = {}, cores = {} }}, {{ name = \"n\" }} ]\n"
      "slot = {}\ncosts = {{ epsilon = {} }}\n",
      count, cores, *rc::gen::element(1.0, 0.3, 2.5), *rc::gen::element(0.0, 0.05, 0.5));
  const int classes = *rc::gen::inRange(1, 4);
  for (int c = 0; c < classes; ++c)
    text += fmt::format(
        "[[classes]]\nname = \"c{}\"\nunits = {}\nvalue = {}\nshare = {}\nutility = {}\n{}", c, *rc::gen::inRange(1, 9),
        *rc::gen::element(1.0, 100.0), 1.0 / classes, *rc::gen::elementOf(concave_utilities),
        *rc::gen::element<std::string>("", "deadline = { distribution = \"constant\", slots = 2 }\n",
                                       "deadline = { distribution = \"uniform\", from = 0, to = 5 }\n"));
  return text + fmt::format("[arrivals]\nprocess = \"{}\"\nload = {}\n[policy]\n{}\n",
                            *rc::gen::element<std::string>("poisson", "deterministic"),
                            *rc::gen::element(0.3, 0.9, 1.1), policy);
}

TEST(slotted_scenarios, of_a_stream_go_job_by_job_as_the_rules_written_anew_say) {
  for (const auto& [policy, rule] : same_as) {
    const bool fractional = rule == slot_policy::equal_fractional;
    ASSERT_TRUE(rc::check([&, policy = policy, rule = rule] {
      const std::string text = random_stream(policy);
      RC_LOG() << text;
      scenario model = first_point(text);
      if (fractional) model.costs.epsilon = 0.0;  // the rules do not know whose core is new then
      const auto outcomes = written_anew(model, rule, 0, jobs_of_stream);
      lines expected;
      for (std::size_t n = 0; n < outcomes.size(); ++n)
        expected.push_back(line_of(n, outcomes[n].expired, outcomes[n].utility, outcomes[n].left));
      // Jobs of fractional shares end within a slot, and with it in the rules.
      const ticks step = fractional ? model.unit.to_ticks(model.slot) : 1;
      const auto told = [&](ticks now, const job_extension& j) {
        return line_of(j.id, j.slots->expired, static_cast<double>(j.slots->earned), (now + step - 1) / step * step);
      };
      const lines found = through_the_simulator(model, jobs_of_stream, told, end_of_clock);
      if (found != expected) RC_FAIL(first_difference(found, expected));
    })) << policy;
  }
}

const std::string two_classes = population(concave_utilities[2], R"({ distribution = "uniform", from = 0, to = 4 })",
                                           60, 6, 20, "name = \"ispeed\"", 3);

TEST(metrics_of_slotted_jobs, add_up) {
  for (const auto& [policy, rule] : same_as) {
    const scenario model = first_point(replaced(two_classes, "name = \"ispeed\"", policy), {"platform.slot=0.5"});
    for (const auto& r : replicate(model)) {
      for (const char* metric : {"utility", "utility_rate", "throughput", "utilization", "jobs_in_system"})
        EXPECT_NEAR(value(r, metric, "vip") + value(r, metric, "free"), value(r, metric),
                    1e-12 * std::abs(value(r, metric)))
            << metric << ", " << policy;
      for (const char* name : {"vip", "free", "all"}) {
        EXPECT_NEAR(value(r, "completed_share", name) + value(r, "expired_share", name), 1.0, 1e-12) << policy;
        EXPECT_NEAR(value(r, "utility_rate", name) * r.simulated_time, value(r, "utility", name),
                    1e-9 * value(r, "utility", name))
            << policy;
      }
      const double completed = value(r, "completed_share", "vip") * 7 + value(r, "completed_share", "free") * 60;
      EXPECT_NEAR(value(r, "completed_share") * 67, completed, 1e-9) << policy;
      EXPECT_NEAR(value(r, "throughput") * r.simulated_time, completed, 1e-9) << policy;
      EXPECT_EQ(r.jobs, 67u);
    }
  }
}

TEST(metrics_of_slotted_jobs, of_a_stream_count_what_leaves_after_the_warm_up) {
  std::string stream = replaced(replaced(two_classes, "jobs = 7\n", "share = 0.1\n"), "jobs = 60\n", "share = 0.9\n");
  stream = replaced(replaced(stream, "process = \"uniform\"\nslots = 6", "load = 1.2"), "[run]",
                    "[run]\njobs = 2000\nwarm_up = 0.25");
  for (const auto& r : replicate(stream)) {
    EXPECT_EQ(r.jobs, 2000u);
    EXPECT_NEAR(value(r, "completed_share") + value(r, "expired_share"), 1.0, 1e-12);
    EXPECT_GT(value(r, "expired_share"), 0.01);
    // The window's length by two metrics that share nothing but it.
    EXPECT_NEAR(value(r, "utility") / value(r, "utility_rate"),
                1500 * value(r, "completed_share") / value(r, "throughput"), 1e-6);
  }
}

TEST(slotted_scenarios, find_the_same_byte_for_byte_in_another_process) {
  for (const auto& [policy, rule] : same_as) {
    const std::string text = replaced(two_classes, "name = \"ispeed\"", policy);
    EXPECT_EQ(text_of(replicate(first_point(text), 1)), text_of(replicate(first_point(text), 2))) << policy;
  }
}

TEST(slotted_scenarios, do_not_depend_on_the_order_in_which_the_classes_are_written) {
  const std::size_t vip = two_classes.find("[[classes]]"), free = two_classes.rfind("[[classes]]");
  const std::string swapped =
      two_classes.substr(0, vip) + two_classes.substr(free) + two_classes.substr(vip, free - vip);
  const auto sorted = [](const std::string& text) {
    std::vector<std::string> rows;
    for (const replication_result& r : replicate(text))
      for (const measurement& m : r.measurements)
        rows.push_back(fmt::format("{} {} {} {}", m.class_name, m.metric, m.has_value ? m.value : -1.0, m.jobs));
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  for (const auto& [policy, rule] : same_as)
    EXPECT_EQ(sorted(replaced(two_classes, "name = \"ispeed\"", policy)),
              sorted(replaced(swapped, "name = \"ispeed\"", policy)))
        << policy;
}

TEST(slotted_scenarios, give_every_policy_the_same_jobs) {
  const auto jobs = [](const std::string& policy) {
    std::vector<std::tuple<std::uint64_t, std::uint64_t, std::vector<double>>> all;
    for (const auto& j : jobs_of(first_point(replaced(two_classes, "name = \"ispeed\"", policy)), 1, SIZE_MAX))
      all.emplace_back(j.arrival, j.deadline, j.gains);
    return all;
  };
  const auto of_ispeed = jobs("name = \"ispeed\"");
  EXPECT_EQ(of_ispeed.size(), 67u);
  for (const auto& [policy, rule] : same_as) EXPECT_EQ(jobs(policy), of_ispeed) << policy;
}

TEST(stream_with_deadlines, runs_to_its_number_of_jobs_under_twice_the_load_that_can_be_served) {
  for (const auto& [policy, rule] : same_as) {
    std::string stream = replaced(replaced(two_classes, "jobs = 7\n", "share = 0.1\n"), "jobs = 60\n", "share = 0.9\n");
    stream =
        replaced(replaced(stream, "process = \"uniform\"\nslots = 6", "load = 2.0"), "[run]", "[run]\njobs = 5000");
    const scenario model = first_point(replaced(stream, "name = \"ispeed\"", policy), {"run.replications=1"});
    const auto r = replicate(model)[0];
    EXPECT_EQ(r.jobs, 5000u) << policy;
    EXPECT_GT(value(r, "utilization"), 0.95) << policy;
    EXPECT_GT(value(r, "expired_share"), 0.2) << policy;
    EXPECT_LT(value(r, "jobs_in_system"), 6 * model.arrivals.rate) << policy << ": after six slots all have left";
  }
}

const std::string migrating = R"(name = "migrating"
[platform]
servers = [ { name = "m", count = 3 } ]
slot = 1.0
[[classes]]
name = "vip"
share = 0.2
units = 8
value = 20
utility = { function = "logarithmic", steepness = 20.0 }
deadline = { distribution = "two_valued", tight = 1, loose = 12 }
[[classes]]
name = "free"
share = 0.8
units = 5
utility = { function = "exponential", steepness = 3.0 }
deadline = { distribution = "uniform", from = 1, to = 9 }
[arrivals]
load = 0.6
[policy]
name = "edf"
[run]
jobs = 8000
replications = 2
seed = 3
)";

// @return migrations of the jobs that a run measures, all but the first tenth to leave, over their number
double migrations_per_job(const scenario& model, oracle::state_order order) {
  const std::size_t first = model.run.jobs / 10;
  double migrations = 0.0;
  for (std::uint32_t r = 0; r < model.run.replications; ++r) {
    const auto left = oracle::migrations_by_deadline(model.servers[0].count, model.unit.to_ticks(model.slot),
                                                     jobs_of(model, r, model.run.jobs + 100), order);
    for (std::size_t n = first; n < model.run.jobs; ++n) migrations += static_cast<double>(left[n]);
  }
  return migrations / static_cast<double>(model.run.replications * (model.run.jobs - first));
}

// 786 migrations of 14,400 jobs. There are 787 where a server that a job has left once more keeps its old place in the
// order of those that hold the job's state.
TEST(slotted_scenarios, migrate_as_often_as_jobs_that_go_back_first_to_the_server_that_they_left_last) {
  const scenario model = first_point(migrating);
  EXPECT_DOUBLE_EQ(migrations_per_job(model, oracle::state_order::left_last), 0.05458333333333333);
  EXPECT_DOUBLE_EQ(migrations_per_job(model, oracle::state_order::added_last), 0.05465277777777778);
  const auto results = replicate(model);
  EXPECT_DOUBLE_EQ((value(results[0], "migrations_per_job") + value(results[1], "migrations_per_job")) / 2,
                   0.05458333333333333);
}

}  // namespace
}  // namespace muster
