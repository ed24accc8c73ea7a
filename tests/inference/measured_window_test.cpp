#include "platform/cautions/measured_window.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "platform/theory/stability/relaxation.h"
#include "tests/experiment/single_class.h"
#include "tests/scenario/first_point.h"

namespace muster {
namespace {

// -1 where there is none.
double relaxation_of(const scenario& model) {
  return relaxation_in_jobs(model, examine_stability(model)).value_or(-1.0);
}

TEST(relaxation, of_an_exponential_server_grows_with_the_square_of_its_idle_share) {
  EXPECT_NEAR(relaxation_of(single_class(1, 0.5, "jobs = 100")), 4.0, 1e-9);
  EXPECT_NEAR(relaxation_of(single_class(1, 0.9, "jobs = 100")), 4.0 * 81.0, 1e-6);
  EXPECT_NEAR(relaxation_of(single_class(4, 0.9, "jobs = 100")), 4.0 * 81.0, 1e-6) << "of any number of cores";
}

// What is in service on many cores changes with the service times, however short the queue.
TEST(relaxation, of_many_cores_is_at_least_the_arrivals_within_a_service_time) {
  EXPECT_NEAR(relaxation_of(single_class(1000, 0.5, "jobs = 100")), 500.0 * 2.0, 1e-6) << "E[S^2] = 2";
  EXPECT_NEAR(relaxation_of(single_class(4, 0.9, "jobs = 100")), 4.0 * 81.0, 1e-6);
}

scenario two_classes(const std::string& policy, const std::string& arrivals) {
  const std::string text = R"(name = "two"
platform.servers = [{ name = "node", cores = 4 }]
classes = [
  { name = "one", need = 1, share = 0.5, size = { distribution = "exponential", mean = 1.0 } },
  { name = "four", need = 4, share = 0.5, size = { distribution = "exponential", mean = 1.0 } },
]
run.jobs = 10_000
)";
  return first_point(text + "policy = \"" + policy + "\"\narrivals = " + arrivals);
}

// Work 1 and 4, both exponential: c_w^2 = 17 / 2.5^2 - 1.
TEST(relaxation, counts_needs_and_arrivals_that_vary) {
  const auto at = [&](const std::string& arrivals) { return relaxation_of(two_classes("server_filling", arrivals)); };
  EXPECT_NEAR(at("{ rate = 1.44 }"), 2.0 * (17.0 / 6.25) * 81.0, 1e-6);
  EXPECT_NEAR(at("{ rate = 1.44, process = \"deterministic\" }"), 2.0 * (17.0 / 6.25 - 1.0) * 81.0, 1e-6);
  EXPECT_EQ(at("{ rate = 1.7 }"), -1.0) << "unstable";
}

// Load 0.9 of all servers and of the second by itself: the class that has no other server forgets within as many of its
// own arrivals, which are half of all.
TEST(relaxation, of_pooled_jobs_is_that_of_the_class_whose_own_servers_are_pressed_as_hard) {
  const std::string text = R"(name = "two"
platform.servers = [{ name = "s1" }, { name = "s3" }]
classes = [
  { name = "a", need = 1, share = 0.5, servers = ["s1", "s3"], size = { distribution = "exponential", mean = 1.0 } },
  { name = "b", need = 1, share = 0.5, servers = ["s3"], size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.load = 0.9
policy = "fcfs_pooled"
run.jobs = 1000
)";
  EXPECT_NEAR(relaxation_of(first_point(text)), 2.0 * 4.0 * 81.0, 1e-6);
}

/// Ten replications of eight parts, with that correlation of successive ones.
measured_point with_correlation(double correlation) {
  std::mt19937_64 bits(3);
  std::normal_distribution<double> normal;
  std::vector<replication_result> made;
  for (int r = 0; r < 10; ++r) {
    made.push_back(with_response_time(10.0));
    double state = normal(bits);
    for (int part = 0; part < 8; ++part) {
      made.back().measurements[0].parts.push_back(10.0 + state);
      state = correlation * state + std::sqrt(1.0 - correlation * correlation) * normal(bits);
    }
  }
  return measured_point(std::move(made));
}

// @param half of the replications has so much more, and half so much less
measured_point with_waiting_time(double mean, const std::string& class_name = "all", double half = 0.0) {
  std::vector<replication_result> made(10, with_response_time(10.0));
  for (std::size_t r = 0; r < made.size(); ++r)
    made[r].measurements.push_back({class_name, "waiting_time", true, mean + (r % 2 == 0 ? half : -half), 1000});
  return measured_point(std::move(made));
}

TEST(measured_window, is_short_where_it_is_few_relaxation_times) {
  const auto is_short = [](const std::string& run) {
    const scenario model = single_class(1, 0.9, run);
    return measured_window(model, examine_stability(model)).is_short();
  };
  EXPECT_TRUE(is_short("jobs = 1000"));
  EXPECT_FALSE(is_short("jobs = 10000"));
  EXPECT_TRUE(is_short("jobs = 10000\nwarm_up = 0.95")) << "the warm-up is no part of it";
}

// A relaxation time at load 0.5 is 4 jobs, a period or a cycle of the states 100.
scenario with_changing_rate(const std::string& process, const std::string& jobs) {
  const std::string text = R"(name = "x"
platform.servers = [{ name = "node" }]
classes = [{ name = "x", share = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
policy = "fcfs"
run.warm_up = 0.0
arrivals = { rate = 0.5, rates = [1.01, 1.0], )";
  return first_point(text + process + " }\nrun.jobs = " + jobs);
}

TEST(measured_window, is_short_where_it_is_few_cycles_of_the_rate_of_arrivals) {
  for (const char* process : {R"(process = "profile", period = 200.0)", R"(process = "modulated", stay = [120, 80])"}) {
    const auto window = [&](const std::string& jobs) {
      const scenario model = with_changing_rate(process, jobs);
      return measured_window(model, examine_stability(model));
    };
    EXPECT_TRUE(window("1000").is_short()) << process;
    EXPECT_EQ(
        window("1000").in_words(),
        "the measured window is short: 1000 jobs are 10 of the cycles of its rate of arrivals (100 jobs each), and "
        "20 are needed; its estimates are not those of the steady state. run.jobs = 2000 would do");
    EXPECT_FALSE(window("2000").is_short()) << process;
  }
}

// A relaxation time at load 0.5 is 4 jobs.
TEST(measured_window, without_a_job_says_how_many_are_needed) {
  scenario model = single_class(1, 0.5, "jobs = 1");
  model.run.warm_up_jobs = 1;  // as a pilot may find
  const std::string found = measured_window(model, examine_stability(model)).in_words();
  EXPECT_NE(found.find("0 jobs are 0 of the relaxation times"), std::string::npos) << found;
  EXPECT_NE(found.find("run.jobs = 80 would do"), std::string::npos) << found;
}

TEST(measured_window, is_short_where_its_parts_depend_on_each_other) {
  const scenario model = single_class(1, 0.9, "jobs = 10000");
  const auto is_short = [&](double correlation) {
    return measured_window(model, examine_stability(model)).seen_in(with_correlation(correlation)).is_short();
  };
  EXPECT_FALSE(is_short(0.0));
  EXPECT_TRUE(is_short(0.95));
}

// In a window of 20 relaxation times, p99 covers in half of all experiments where means do in 95 %.
TEST(measured_window, is_short_for_far_quantiles_where_it_is_long_enough_for_means) {
  const auto short_for = [](const std::string& run, const std::string& metric, std::uint64_t jobs) {
    const scenario model = single_class(1, 0.9, run);
    const measured_window window(model, examine_stability(model));
    EXPECT_FALSE(window.is_short());
    return window.is_short_for({"all", metric, 1.0, {}, {}, 10, 10 * jobs});
  };
  EXPECT_FALSE(short_for("jobs = 10000", "response_time", 9000));
  EXPECT_TRUE(short_for("jobs = 10000", "response_time_p95", 9000));
  EXPECT_FALSE(short_for("jobs = 22000", "response_time_p95", 19800));
  EXPECT_TRUE(short_for("jobs = 22000", "response_time_p99", 19800));
  EXPECT_FALSE(short_for("jobs = 80000", "response_time_p99", 72000));
  EXPECT_TRUE(short_for("jobs = 80000", "response_time_p99", 300)) << "of a class with few jobs";
  EXPECT_TRUE(short_for("jobs = 10000", "fairness_jain", 9000));
  EXPECT_FALSE(short_for("jobs = 22000", "fairness_jain", 19800));
  EXPECT_TRUE(short_for("jobs = 22000", "response_time_deviation", 19800));
  EXPECT_FALSE(short_for("jobs = 40000", "response_time_deviation", 36000));
}

// The work bound says little of a policy that leaves cores idle: at 0.56 of it, last_come_first_served may be near its
// own limit, and a long queue tells so. Its relaxation time, seen from M/M/1's mean queue, is that of M/M/1.
TEST(measured_window, is_short_for_the_queue_that_was_seen_where_the_limit_is_not_known) {
  const auto found_short = [](const std::string& policy, double wait) {
    const scenario model = two_classes(policy, "{ rate = 0.9 }");
    const stability limits = examine_stability(model);
    EXPECT_FALSE(measured_window(model, limits).is_short());
    return measured_window(model, limits).seen_in(with_waiting_time(wait)).is_short();
  };
  EXPECT_FALSE(found_short("last_come_first_served", 1.0));
  EXPECT_TRUE(found_short("last_come_first_served", 30.0));
  EXPECT_FALSE(found_short("first_fit", 30.0)) << "its limit is known";
  const scenario model = single_class(1, 0.9, "jobs = 1000");
  EXPECT_NEAR(relaxation_of_queue(model, 0.9 * 9.0), *relaxation_in_jobs(model, examine_stability(model)) * 0.81, 1e-9);
}

// Where windows have a short queue by chance, it tells of no shorter relaxation time than the interval of its mean
// does. Student's half-width of five values each of 10 + 6 and 10 - 6 is 2.262 * sqrt(40 / 10) = 4.52.
// A queue of one server in which neither arrivals nor sizes vary has one length for each phase of its period.
TEST(relaxation, of_a_queue_that_was_seen_is_none_where_nothing_varies) {
  const scenario model = first_point(R"(name = "x"
platform.servers = [{ name = "node" }]
classes = [{ name = "x", share = 1.0, size = { distribution = "deterministic", value = 1.0 } }]
policy = "fcfs"
arrivals = { rate = 0.5, process = "deterministic" }
run.jobs = 100
)");
  EXPECT_EQ(relaxation_of_queue(model, 3.0), 0.0);
}

TEST(measured_window, takes_the_queue_that_was_seen_at_the_upper_end_of_its_interval) {
  const scenario model = two_classes("last_come_first_served", "{ rate = 0.9 }");
  const measured_window window(model, examine_stability(model));
  const double jobs = 9000.0, most = std::sqrt(jobs / 20.0 / relaxation_of_queue(model, 1.0)) / 0.9;
  EXPECT_FALSE(window.seen_in(with_waiting_time(0.99 * most)).is_short());
  EXPECT_TRUE(window.seen_in(with_waiting_time(1.01 * most)).is_short());
  EXPECT_FALSE(window.seen_in(with_waiting_time(0.99 * most - 4.524, "all", 6.0)).is_short());
  EXPECT_TRUE(window.seen_in(with_waiting_time(1.01 * most - 4.524, "all", 6.0)).is_short());
}

// The schedules of nmsr take turns whatever the queues are: its queues are longer than the load says, and forget as
// much more slowly. Of M/M/1's mean queue of 0.8 * 4 jobs, that relaxation time is that of M/M/1.
TEST(measured_window, is_short_for_the_longest_queue_that_was_seen_where_schedules_take_turns) {
  const scenario model = two_classes("nmsr", "{ rate = 1.28 }");
  const stability limits = examine_stability(model);
  ASSERT_EQ(limits.rule, stability_rule::best_mix_in_turn);
  EXPECT_NEAR(relaxation_of_turns(limits, 0.8 * 4.0), 4.0 * 16.0 * 0.8, 1e-9);
  EXPECT_FALSE(measured_window(model, limits).is_short());
  EXPECT_FALSE(measured_window(model, limits).seen_in(with_waiting_time(5.0, "four")).is_short());
  const measured_window long_queue = measured_window(model, limits).seen_in(with_waiting_time(40.0, "four"));
  EXPECT_TRUE(long_queue.is_short());
  EXPECT_NE(long_queue.in_words().find("its queue as it was seen (819 jobs each)"), std::string::npos)
      << long_queue.in_words();
}

// Quantiles take more of these relaxation times than means do, too.
TEST(measured_window, is_short_for_far_quantiles_of_the_queue_that_was_seen) {
  const scenario model = two_classes("nmsr", "{ rate = 1.28 }");
  const stability limits = examine_stability(model);
  const estimate p95{"all", "response_time_p95", 1.0, {}, {}, 10, 80'000};
  EXPECT_FALSE(measured_window(model, limits).is_short_for(p95));
  const measured_window window = measured_window(model, limits).seen_in(with_waiting_time(12.0));
  EXPECT_FALSE(window.is_short());
  EXPECT_TRUE(window.is_short_for(p95));
}

// A p99 of 100 jobs or fewer is their maximum. Queues that are emptied at deadlines have no relaxation time, and take
// no more than three jobs beyond the quantile.
TEST(measured_window, is_short_for_quantiles_of_few_jobs_that_all_leave_at_deadlines) {
  const std::string text = R"(name = "slots"
policy = "edf"
arrivals.load = 0.9
run.jobs = 125
[platform]
servers = [{ name = "node", count = 3 }]
slot = 1.0
[[classes]]
name = "job"
share = 1.0
units = 5
utility = { function = "exponential", steepness = 3 }
deadline = { distribution = "uniform", from = 1, to = 9 }
)";
  const scenario model = first_point(text);
  const measured_window window(model, examine_stability(model));
  EXPECT_FALSE(window.is_short());
  const auto estimate_of = [](const std::string& metric, std::uint64_t jobs) {
    return estimate{"all", metric, 1.0, {}, {}, 10, 10 * jobs};
  };
  EXPECT_TRUE(window.is_short_for(estimate_of("response_time_p99", 100)));
  EXPECT_FALSE(window.is_short_for(estimate_of("response_time_p99", 300)));
  EXPECT_TRUE(window.is_short_for(estimate_of("response_time_p95", 50)));
  EXPECT_FALSE(window.is_short_for(estimate_of("response_time_p95", 100)));
  EXPECT_EQ(window.short_metrics({estimate_of("response_time_p99", 100)}),
            "response_time_p99: it has 113 jobs, and 300 are needed");
}

/// Ten replications that differ by a thousandth.
measured_point with_throughput(double mean) {
  std::vector<replication_result> made;
  for (int r = 0; r < 10; ++r) {
    made.push_back(with_response_time(10.0));
    made.back().measurements.push_back({"all", "throughput", true, mean * (1.0 + 0.001 * (r % 3 - 1)), 1000});
  }
  return measured_point(std::move(made));
}

// Whatever is known of the policy: jobs that never leave have no response time.
TEST(measured_window, grows_where_fewer_jobs_leave_than_come) {
  const scenario model = single_class(1, 0.9, "jobs = 10000");
  const measured_window window(model, examine_stability(model));
  EXPECT_FALSE(window.is_growing(with_throughput(model.arrivals.rate)));
  EXPECT_FALSE(window.is_growing(with_throughput(1.1 * model.arrivals.rate)));
  EXPECT_FALSE(window.is_growing(with_throughput(0.9995 * model.arrivals.rate)));
  EXPECT_TRUE(window.is_growing(with_throughput(0.98 * model.arrivals.rate)));
  EXPECT_NE(window.growth_in_words(with_throughput(0.98 * model.arrivals.rate)).find("0.8819 of 0.9 per unit of time"),
            std::string::npos)
      << window.growth_in_words(with_throughput(0.98 * model.arrivals.rate));
}

// Every replication ends at about the same time of the same day.
TEST(measured_window, does_not_grow_where_it_ends_within_a_cycle_of_the_rate_of_arrivals) {
  const scenario model = with_changing_rate(R"(process = "profile", period = 200.0)", "2000");
  const measured_window window(model, examine_stability(model));
  EXPECT_FALSE(window.is_growing(with_throughput(0.96 * model.arrivals.rate)));
  EXPECT_TRUE(window.is_growing(with_throughput(0.94 * model.arrivals.rate)));
}

TEST(measured_window, says_how_many_jobs_it_takes) {
  const scenario model = single_class(1, 0.9, "jobs = 1000\nwarm_up = 0.0");
  const std::string words = measured_window(model, examine_stability(model)).in_words();
  const std::size_t at = words.find("run.jobs = ");
  ASSERT_NE(at, std::string::npos) << words;
  const std::string jobs = words.substr(at + 11, words.find(' ', at + 11) - at - 11);
  const scenario longer = single_class(1, 0.9, "warm_up = 0.0\njobs = " + jobs);
  EXPECT_FALSE(measured_window(longer, examine_stability(longer)).is_short()) << words;
}

}  // namespace
}  // namespace muster
