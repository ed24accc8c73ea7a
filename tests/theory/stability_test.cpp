#include "platform/theory/stability/stability.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/command_line/stability_text.h"
#include "platform/inference/stability_of_study.h"
#include "platform/model/compatibility_graph.h"
#include "platform/scenario/scenario_file.h"
#include "platform/theory/demand.h"

namespace muster {
namespace {

scenario point(const std::string& classes, const std::string& servers, const std::string& policy = "msf",
               const std::string& settings = "") {
  return read_study("name = \"s\"\n[platform]\nservers = [" + servers + "]\n" + classes + "[policy]\nname = \"" +
                        policy + "\"\n" + settings + "\n",
                    "test", {})
      .points.front()
      .model;
}

std::string a_class(const std::string& name, int need, double rate, const std::string& more = "") {
  return "[[classes]]\nname = \"" + name + "\"\nneed = " + std::to_string(need) + "\nrate = " + std::to_string(rate) +
         "\nsize = { distribution = \"exponential\", mean = 1.0 }\n" + more + "\n";
}

TEST(bottleneck, is_the_set_of_classes_that_presses_hardest_not_the_whole) {
  const scenario model =
      point(a_class("a", 1, 1.8, R"(servers = ["left"])") + a_class("b", 1, 0.2) + a_class("c", 1, 0.4),
            R"({ name = "left", cores = 2 }, { name = "right", cores = 6 })");
  const bottleneck found = find_bottleneck(make_compatibility_graph(model));
  EXPECT_DOUBLE_EQ(found.load, 0.9);
  EXPECT_EQ(found.classes, std::vector<std::size_t>{0});
}

TEST(bottleneck, is_found_among_overlapping_sets) {
  // Sets {a}: 1/2, {b}: 2/4, {a, b}: 3/4 on {x, y}; with c: 3.2/10.
  const scenario model = point(a_class("a", 1, 1.0, R"(servers = ["x"])") +
                                   a_class("b", 1, 2.0, R"(servers = ["x", "y"])") + a_class("c", 1, 0.2),
                               R"({ name = "x", cores = 2 }, { name = "y", cores = 2 }, { name = "z", cores = 6 })");
  const bottleneck found = find_bottleneck(make_compatibility_graph(model));
  EXPECT_DOUBLE_EQ(found.load, 0.75);
  EXPECT_EQ(found.classes, (std::vector<std::size_t>{0, 1}));
}

TEST(bottleneck, counts_capacity_as_work_per_time) {
  const scenario model = point(a_class("a", 1, 3.0), R"({ name = "x", count = 2, cores = 1, capacity = 2.5 })");
  EXPECT_DOUBLE_EQ(find_bottleneck(make_compatibility_graph(model)).load, 0.6);
}

TEST(stability, of_msf_one_or_all_is_the_work_bound) {
  const stability s =
      examine_stability(point(a_class("light", 1, 2.0) + a_class("heavy", 4, 0.4), R"({ name = "n", cores = 4 })"));
  EXPECT_DOUBLE_EQ(s.work, 0.9);
  EXPECT_DOUBLE_EQ(*s.policy_rate, 2.4 / 0.9);
  EXPECT_EQ(s.answer, stability::verdict::stable);
}

TEST(stability, of_static_quickswap_is_remark_1_whatever_its_settings) {
  // floor(8/3) = 2 places: 1.0/2 + 0.4/1 = 0.9 < 1 though the work bound alone gives 0.775.
  for (const char* settings :
       {"", "hand_over = \"while_draining\"", "hand_over = \"published\"", "drain = \"always\""}) {
    const stability s = examine_stability(point(a_class("three", 3, 1.0) + a_class("eight", 8, 0.4),
                                                R"({ name = "n", cores = 8 })", "static_quickswap", settings));
    EXPECT_DOUBLE_EQ(s.work, 0.775) << settings;
    EXPECT_DOUBLE_EQ(s.policy_rate.value(), 1.4 / 0.9) << settings;
    EXPECT_TRUE(s.policy_rate_is_exact()) << settings;
  }
}

TEST(stability, counts_cores_that_no_further_job_of_a_class_can_use_as_lost) {
  // Jobs of 5 on 9 cores run one at a time: 1.1 jobs per unit of time are too many, though the work is only 5.5 of 9.
  const stability s = examine_stability(point(a_class("five", 5, 1.1), R"({ name = "n", cores = 9 })"));
  EXPECT_DOUBLE_EQ(s.work, 1.1);
  EXPECT_EQ(s.answer, stability::verdict::unstable);
}

TEST(stability, of_fcfs_one_or_all_is_lower_than_the_work_bound) {
  const stability s = examine_stability(
      point(a_class("light", 1, 3.6) + a_class("heavy", 32, 0.4), R"({ name = "n", cores = 32 })", "fcfs"));
  EXPECT_LT(s.work, 1.0);
  EXPECT_NEAR(*s.policy_rate, 3.02609, 1e-5);
  EXPECT_EQ(s.answer, stability::verdict::unstable);
}

TEST(stability, of_adaptive_quickswap_is_not_claimed_where_a_need_does_not_divide_the_next_larger) {
  const auto with = [](int need) {
    return examine_stability(point(a_class("a", 1, 1.0) + a_class("b", 2, 0.1) + a_class("c", need, 0.1),
                                   R"({ name = "n", cores = 12 })", "adaptive_quickswap"));
  };
  EXPECT_FALSE(with(3).policy_rate);
  EXPECT_EQ(with(3).answer, stability::verdict::unknown);
  EXPECT_DOUBLE_EQ(with(4).policy_rate.value(), 1.2 * 12.0 / 1.6);
  EXPECT_EQ(with(4).answer, stability::verdict::stable);
}

TEST(stability, of_greedy_policies_with_needs_that_divide_each_other_is_the_work_bound) {
  for (const char* policy : {"first_fit", "msf", "adaptive_quickswap"}) {
    const stability s = examine_stability(point(a_class("a", 1, 1.0) + a_class("b", 2, 0.5) + a_class("c", 8, 0.2),
                                                R"({ name = "n", cores = 8 })", policy));
    EXPECT_DOUBLE_EQ(s.policy_rate.value(), s.work_rate) << policy;
    EXPECT_TRUE(s.policy_rate_is_exact()) << policy;
  }
}

// 13 of 15 cores at least, see greedy_limit_test.
TEST(stability, of_greedy_policies_elsewhere_has_a_bound_that_says_so) {
  const auto found_at = [](double load, const std::string& policy) {
    return examine_stability(point(a_class("a", 1, 0.5 * load) + a_class("b", 3, 0.25 * load) +
                                       a_class("c", 5, 0.2 * load) + a_class("d", 15, 0.05 * load),
                                   R"({ name = "n", cores = 15 })", policy));
  };
  for (const char* policy : {"first_fit", "msf"}) {
    const stability s = found_at(4.0, policy);
    EXPECT_NEAR(s.policy_rate.value(), 13.0 / 3.0, 1e-9) << policy;
    EXPECT_EQ(limit_text(s), ">= 4.33333") << policy;
    EXPECT_EQ(s.answer, stability::verdict::stable) << policy;
    EXPECT_EQ(found_at(4.5, policy).answer, stability::verdict::unknown) << policy;
    EXPECT_EQ(found_at(5.1, policy).answer, stability::verdict::unstable) << policy;
  }
}

TEST(stability, of_greedy_policies_elsewhere_is_simulated_where_it_is_asked_for) {
  const scenario model =
      point(a_class("a", 1, 2.25) + a_class("b", 3, 1.125) + a_class("c", 5, 0.9) + a_class("d", 15, 0.225),
            R"({ name = "n", cores = 15 })", "msf");
  EXPECT_EQ(examine_stability(model).answer, stability::verdict::unknown);
  const stability s = examine_stability(model, limit_search::thorough);
  EXPECT_EQ(s.answer, stability::verdict::stable);
  EXPECT_EQ(limit_text(s), fmt::format(">= {:.6g} (simulated)", s.policy_rate.value()));
  EXPECT_GT(*s.policy_rate, 4.5);
  EXPECT_LT(*s.policy_rate, 5.0);
}

// Needs of 2 and 3 on 4 cores, never together: a job of 3 alone, or two of 2. No policy carries rates of 1 and 0.6,
// though the work is 3.8 of 4 and each class alone would do.
TEST(stability, ends_at_the_best_mix_of_schedules_for_any_policy) {
  for (const char* policy : {"fcfs", "first_fit", "msf", "adaptive_quickswap"}) {
    const stability s = examine_stability(
        point(a_class("two", 2, 1.0) + a_class("three", 3, 0.6), R"({ name = "n", cores = 4 })", policy));
    EXPECT_DOUBLE_EQ(s.work, 0.95) << policy;
    EXPECT_LE(s.unstable_from, 1.6 / 1.1 * (1 + 1e-9)) << policy;
    EXPECT_EQ(s.answer, stability::verdict::unstable) << policy;
  }
}

// See saturated_queue_test: 1.2 at share 1/2 and sizes of 1 on two cores. Half as much with a set-up of 1.
TEST(stability, of_fcfs_with_any_sizes_is_a_simulated_limit_with_its_interval) {
  const auto found_at = [](double rate, const std::string& platform = "") {
    const auto a = [&](const char* name, int need) {
      return "[[classes]]\nname = \"" + std::string(name) + "\"\nneed = " + std::to_string(need) +
             "\nrate = " + std::to_string(rate / 2) + "\nsize = { distribution = \"deterministic\", value = 1.0 }\n";
    };
    return examine_stability(point(platform + a("one", 1) + a("two", 2), R"({ name = "n", cores = 2 })", "fcfs"));
  };
  const stability s = found_at(1.0);
  EXPECT_EQ(s.known_by, limit_evidence::simulated);
  EXPECT_NEAR(*s.policy_rate, 1.2, 0.01);
  EXPECT_LT(s.stable_below, *s.policy_rate);
  EXPECT_GT(s.unstable_from, *s.policy_rate);
  const auto plus_minus = limit_text(s).find(" +- 0.00");
  ASSERT_NE(plus_minus, std::string::npos) << limit_text(s);
  EXPECT_NEAR(std::stod(limit_text(s).substr(0, plus_minus)), 1.2, 0.01);
  EXPECT_EQ(s.answer, stability::verdict::stable);
  EXPECT_EQ(found_at(*s.policy_rate).answer, stability::verdict::unknown);
  EXPECT_EQ(found_at(1.25).answer, stability::verdict::unstable);
  EXPECT_NEAR(found_at(1.0).policy_rate.value(), found_at(0.3).policy_rate.value(), 1e-12) << "at any rate the same";
  EXPECT_NEAR(found_at(0.5, "costs = { set_up = 1.0 }\n").policy_rate.value(), 0.6, 0.005);
}

TEST(stability, of_fcfs_with_exponential_sizes_is_exact) {
  const stability s = examine_stability(point(a_class("a", 1, 1.0) + a_class("b", 2, 0.3) + a_class("c", 3, 0.2),
                                              R"({ name = "n", cores = 4 })", "fcfs"));
  EXPECT_TRUE(s.policy_rate_is_exact());
  EXPECT_LT(*s.policy_rate, s.work_rate);
}

TEST(stability, of_jobs_that_run_one_at_a_time_is_that_of_the_fastest_server_they_could_run_at) {
  // Jobs of 5 on 9 cores run one at a time: at capacity 2 each takes half its size.
  const stability alike =
      examine_stability(point(a_class("five", 5, 1.1), R"({ name = "n", cores = 9, capacity = 2.0 })"));
  EXPECT_DOUBLE_EQ(alike.work, 0.55);
  EXPECT_DOUBLE_EQ(alike.work_rate, 2.0);
  // No gang is faster than 1.5, whichever server is listed first; the work alone would be 5 of 11.
  for (const char* servers : {R"({ name = "a", cores = 5 }, { name = "b", cores = 4, capacity = 1.5 })",
                              R"({ name = "b", cores = 4, capacity = 1.5 }, { name = "a", cores = 5 })"}) {
    const stability mixed = examine_stability(point(a_class("five", 5, 1.2), servers));
    EXPECT_DOUBLE_EQ(mixed.work, 0.8) << servers;
  }
}

// A job waits for at most one core to wake: load 3.6 of 4 grows by up to 0.05, and by up to 0.5.
TEST(stability, is_claimed_below_the_limit_of_the_longest_waking_where_that_makes_a_policy_slower_and_no_more) {
  const auto found_with = [](const std::string& power, const std::string& policy) {
    return examine_stability(point(a_class("light", 1, 2.0) + a_class("heavy", 4, 0.4),
                                   R"({ name = "n", cores = 4, power = { )" + power + " } }", policy));
  };
  const stability in_turn = found_with("sleep_after = 1.0, wake = 0.05", "static_quickswap");
  EXPECT_NEAR(in_turn.policy_rate.value(), 2.4 / 0.945, 1e-9);
  EXPECT_EQ(in_turn.known_by, limit_evidence::bound);
  EXPECT_NEAR(in_turn.unstable_from, 2.4 / 0.9, 1e-9);
  EXPECT_EQ(in_turn.answer, stability::verdict::stable);
  EXPECT_EQ(found_with("sleep_after = 1.0, wake = 0.5", "static_quickswap").answer, stability::verdict::unknown);
  const stability in_order = found_with("sleep_after = 1.0, wake = 0.05", "fcfs");
  EXPECT_LT(in_order.policy_rate.value(), found_with("idle = 1.0", "fcfs").policy_rate.value());
  EXPECT_GT(in_order.policy_rate.value(), 0.94 * found_with("idle = 1.0", "fcfs").policy_rate.value());
  // The cores of a heavy job come free one after the other; light jobs take the first.
  EXPECT_FALSE(found_with("sleep_after = 1.0, wake = 0.05", "msf").policy_rate);
  EXPECT_TRUE(found_with("sleep_after = 1.0", "msf").policy_rate_is_exact()) << "waking takes no time";
  EXPECT_TRUE(found_with("idle = 1.0", "msf").policy_rate_is_exact());
}

// One-or-all at so low a load that it is stable under every policy of the papers.
stability of_one_or_all(const std::string& policy, const std::string& server = "", const std::string& platform = "") {
  return examine_stability(point(platform + a_class("light", 1, 1.0) + a_class("heavy", 4, 0.1),
                                 R"({ name = "n", cores = 4)" + server + " }", policy));
}

// Up 4/5 of the time: 3.2 of 4 cores, and 1.4 of them for 1.1 jobs.
TEST(stability, of_servers_that_fail_ends_at_the_work_that_they_do_while_they_are_up) {
  for (const char* policy : {"fcfs", "msf", "msfq", "static_quickswap"}) {
    EXPECT_EQ(of_one_or_all(policy).answer, stability::verdict::stable) << policy;
    const stability failing = of_one_or_all(policy, ", faults = { to_failure = 4.0, to_repair = 1.0 }");
    EXPECT_FALSE(failing.policy_rate) << policy;
    EXPECT_EQ(failing.answer, stability::verdict::unknown) << policy;
    EXPECT_LE(failing.unstable_from, 1.1 * 3.2 / 1.4 * (1 + 1e-9)) << policy;
  }
  EXPECT_EQ(limit_text(of_one_or_all("msf", ", faults = { to_failure = 4.0, to_repair = 1.0 }")), "<= 2.51429");
}

TEST(stability, has_only_an_upper_bound_where_decisions_take_time_or_links_have_a_bandwidth) {
  const auto expect = [](const std::string& policy, const char* more, const std::string& limit, const char* causes) {
    const stability s = of_one_or_all(policy, "", more);
    EXPECT_FALSE(s.policy_rate) << more;
    EXPECT_EQ(s.answer, stability::verdict::unknown) << more;
    EXPECT_EQ(limit_text(s), limit) << more;
    EXPECT_EQ(s.condition.find(std::string{"an upper bound, as not all time for "} + causes + " is counted: "), 0u)
        << s.condition;
  };
  // Load 1.4 of 4, and 0.02 more of the time for each job.
  expect("msf", "decision = { fixed = 0.01 }\n", "<= 3.14286", "decisions");
  expect("msf", "link = { latency = 0.01, bandwidth = 1e9 }\n", "<= 3.08123", "links");
  expect("static_quickswap", "decision = { fixed = 0.01 }\nlink = { latency = 0.01, bandwidth = 1e9 }\n", "<= 3.08123",
         "links, decisions");
  EXPECT_EQ(of_one_or_all("msf", "", "decision = { fixed = 0.01 }\n").condition,
            "an upper bound, as not all time for decisions is counted: no policy is stable above the limit of "
            "the best mix of schedules");
  // The limit of FCFS is lower than the work bound, and remains.
  EXPECT_EQ(limit_text(of_one_or_all("fcfs", "", "decision = { fixed = 0.01 }\n")),
            "<= " + limit_text(of_one_or_all("fcfs")));
}

TEST(stability, ends_where_decisions_and_dispatches_take_all_the_time_of_the_scheduler) {
  // Both classes: two decisions of 0.1 a job; a job on two servers of 2 cores is dispatched twice. Load alone allows
  // more.
  const auto at = [](const std::string& decision) {
    return read_study("name = \"s\"\n[platform]\nservers = [{ name = \"n\", count = 2, cores = 2 }]\n" + decision +
                          "[[classes]]\nname = \"wide\"\nneed = 4\nrate = 1.0\nsize = { distribution = "
                          "\"exponential\", mean = 0.1 }\n[[classes]]\nname = \"narrow\"\nneed = 1\nrate = 1.0\nsize = "
                          "{ distribution = \"exponential\", mean = 0.1 }\n[policy]\nname = \"first_fit\"\n",
                      "test", {})
        .points.front()
        .model;
  };
  const stability decided = examine_stability(at("decision = { fixed = 0.1 }\n"));
  EXPECT_DOUBLE_EQ(decided.unstable_from, 5.0);
  EXPECT_EQ(decided.answer, stability::verdict::unknown);
  EXPECT_EQ(decided.condition,
            "an upper bound: from there on decisions and dispatches take more time than the scheduler has");
  const stability dispatched = examine_stability(at("decision = { per_dispatch = 0.4 }\n"));
  EXPECT_DOUBLE_EQ(dispatched.unstable_from, 2.0 / 1.2);
  EXPECT_EQ(dispatched.answer, stability::verdict::unstable);
}

TEST(stability, counts_the_overhead_of_a_policy_that_preempts_as_a_lower_bound) {
  const std::string save = "costs = { save = 0.1 }\n";
  EXPECT_EQ(of_one_or_all("server_filling").overhead, overhead_count::none);
  EXPECT_EQ(of_one_or_all("msf", "", save).overhead, overhead_count::none) << "it does not preempt";
  const stability s = of_one_or_all("server_filling", "", save);
  EXPECT_EQ(s.overhead, overhead_count::lower_bound);
  EXPECT_EQ(limit_text(s), "<= 3.14286");
  EXPECT_EQ(s.condition,
            "an upper bound, as not all time for preemption is counted: no policy is stable above the limit "
            "of the best mix of schedules");
}

TEST(stability, of_nmsr_as_derived_is_the_best_mix) {
  const auto limit = [](const std::string& settings) {
    return limit_text(examine_stability(
        point(a_class("light", 1, 1.0) + a_class("heavy", 4, 0.1), R"({ name = "n", cores = 4 })", "nmsr", settings)));
  };
  EXPECT_EQ(limit(""), "3.14286");
  EXPECT_EQ(limit("timer = \"from_request\""), "<= 3.14286");
  EXPECT_EQ(limit("working_time = 50.0"), "<= 3.14286");
}

// 1 light and 0.1 heavy jobs on 4 cores hold 1.4 of them, and by 0.01 longer than their mean size of 1.
TEST(stability, counts_costs_and_latencies_that_every_job_pays) {
  for (const char* more :
       {"costs = { dispatch_latency = 0.01 }\n", "costs = { set_up = 0.01 }\n", "link = { latency = 0.005 }\n"}) {
    for (const char* policy : {"first_fit", "msf", "msfq", "static_quickswap", "adaptive_quickswap"}) {
      const stability s = of_one_or_all(policy, "", more);
      EXPECT_NEAR(s.policy_rate.value(), 1.1 * 4.0 / (1.4 * 1.01), 1e-9) << more << policy;
      EXPECT_TRUE(s.policy_rate_is_exact()) << more << policy;
    }
  }
}

TEST(stability, ends_at_load_exactly_1) {
  const auto verdict_at = [](double light) {
    const stability s = examine_stability(
        point(a_class("a", 1, light) + a_class("b", 2, 0.5), R"({ name = "n", cores = 4 })", "first_fit"));
    EXPECT_DOUBLE_EQ(s.work, (light + 1.0) / 4.0);
    return s.answer;
  };
  EXPECT_EQ(verdict_at(2.875), stability::verdict::stable);
  EXPECT_EQ(verdict_at(3.0), stability::verdict::unstable);
}

// A cycle on two cores: one heavy job of mean size 1.25, then L light ones, P(L >= n) = 2^-n. The first takes 1, the
// second prolongs the period by 1/2, each further one by 1/2: 1/2 + 1/8 + 1/8. Two jobs in 2 units of time.
TEST(stability, of_fcfs_ends_at_exactly_the_rate_of_a_queue_that_never_empties) {
  const auto found_at = [](double each) {
    return examine_stability(point("[[classes]]\nname = \"heavy\"\nneed = 2\nrate = " + std::to_string(each) +
                                       "\nsize = { distribution = \"exponential\", mean = 1.25 }\n" +
                                       a_class("light", 1, each),
                                   R"({ name = "n", cores = 2 })", "fcfs"));
  };
  const stability at_limit = found_at(0.5);
  EXPECT_EQ(at_limit.policy_rate, 1.0);
  EXPECT_DOUBLE_EQ(at_limit.work, 0.875);
  EXPECT_EQ(at_limit.answer, stability::verdict::unstable);
  EXPECT_EQ(found_at(0.4375).answer, stability::verdict::stable);
}

// 1.0 / 2 + 0.5 / 1 = 1, while the work is 7 of 8: one class at a time is served.
TEST(stability, of_static_quickswap_ends_at_exactly_its_limit) {
  const auto found_at = [](double eight) {
    return examine_stability(point(a_class("three", 3, 1.0) + a_class("eight", 8, eight),
                                   R"({ name = "n", cores = 8 })", "static_quickswap"));
  };
  EXPECT_EQ(found_at(0.5).policy_rate, 1.5);
  EXPECT_EQ(found_at(0.5).answer, stability::verdict::unstable);
  EXPECT_EQ(found_at(0.4375).answer, stability::verdict::stable);
}

TEST(stability, of_slotted_jobs_without_deadlines_ends_at_load_exactly_1) {
  const auto found_at = [](const std::string& rate) {
    return examine_stability(
        point("[[classes]]\nname = \"a\"\nshare = 1.0\nunits = 2\nutility = { function = "
              "\"linear\" }\n[arrivals]\nrate = " +
                  rate + "\n",
              R"({ name = "n", count = 4, cores = 1 })", "fifo"));
  };
  EXPECT_DOUBLE_EQ(found_at("2.0").work, 1.0);
  EXPECT_EQ(found_at("2.0").answer, stability::verdict::unstable);
  EXPECT_EQ(found_at("1.875").answer, stability::verdict::unknown);
}

// Of the two cores above the limit of FCFS is 1; the work of 1.75 for each job bounds the rate by 2 / 1.75 = 8 / 7.
// Static Quickswap with needs 3 and 8 of 8: 1.0 / 2 + 0.75 = 1.25 > 1, so 1.75 / 1.25.
TEST(stability_warnings, name_the_limit_of_the_policy_where_it_is_known_and_else_that_of_any) {
  const auto warning_of = [](const std::string& classes, int cores, const std::string& policy) {
    const study s = read_study("name = \"s\"\n[platform]\nservers = [{ name = \"n\", cores = " + std::to_string(cores) +
                                   " }]\n" + classes + "[policy]\nname = \"" + policy + "\"\n",
                               "test", {});
    const auto found = stability_warnings(s, examine_points(s));
    return found.empty() ? "" : found.front();
  };
  const auto two_cores_at = [&](double each, const std::string& policy) {
    return warning_of("[[classes]]\nname = \"heavy\"\nneed = 2\nrate = " + std::to_string(each) +
                          "\nsize = { distribution = \"exponential\", mean = 1.25 }\n" + a_class("light", 1, each),
                      2, policy);
  };
  const auto expect = [](const std::string& warning, const std::string& words) {
    EXPECT_NE(warning.find(" is unstable: " + words + "; its queue"), std::string::npos) << warning;
  };
  EXPECT_EQ(two_cores_at(0.46875, "fcfs"), "");
  expect(two_cores_at(0.53125, "fcfs"), "the rate 1.0625 is not below the limit 1");
  expect(two_cores_at(0.625, "fcfs"), "the rate 1.25 is not below the limit 1");
  EXPECT_EQ(two_cores_at(0.53125, "msf"), "");
  expect(two_cores_at(0.625, "msf"), "the rate 1.25 is not below the limit 1.14286");
  expect(warning_of(a_class("three", 3, 1.0) + a_class("eight", 8, 0.75), 8, "static_quickswap"),
         "the rate 1.75 is not below the limit 1.4");
  expect(warning_of(a_class("two", 2, 1.0) + a_class("three", 3, 0.6), 4, "adaptive_quickswap"),
         "the rate 1.6 is not below the limit 1.45455");
}

// Half of the jobs have 2 units and half have 3, on 4 cores: 2.5 * rate / 4.
TEST(stability, of_slotted_jobs_at_any_load_needs_a_deadline_of_every_class) {
  const auto found_at = [](const std::string& rate, bool first_expires, bool second_expires) {
    const auto a_slotted = [](const std::string& name, int units, bool expires) {
      return "[[classes]]\nname = \"" + name + "\"\nshare = 0.5\nunits = " + std::to_string(units) +
             "\nutility = { function = \"linear\" }\n" +
             (expires ? "deadline = { distribution = \"uniform\", from = 1, to = 6 }\n" : "");
    };
    return examine_stability(point(
        a_slotted("a", 2, first_expires) + a_slotted("b", 3, second_expires) + "[arrivals]\nrate = " + rate + "\n",
        R"({ name = "n", count = 4, cores = 1 })", "fifo"));
  };
  EXPECT_DOUBLE_EQ(found_at("2.0", true, false).work, 1.25);
  EXPECT_EQ(found_at("2.0", true, true).answer, stability::verdict::stable);
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      if (first && second) continue;
      EXPECT_EQ(found_at("2.0", first, second).answer, stability::verdict::unstable) << first << second;
      EXPECT_EQ(found_at("1.2", first, second).answer, stability::verdict::unknown) << first << second;
    }
}

TEST(stability_report, explains_overhead_where_one_of_the_points_has_some) {
  const auto explained_over = [](const std::string& latencies) {
    const std::string report =
        stability_report(read_study("name = \"s\"\n[platform]\nservers = [{ name = \"n\" }]\n" + a_class("a", 1, 0.5) +
                                        "[policy]\nname = \"fcfs\"\n[sweep]\n\"platform.costs.dispatch_latency\" = " +
                                        latencies + "\n",
                                    "test", {}))
            .text();
    return report.find(about_overhead) != std::string::npos;
  };
  EXPECT_FALSE(explained_over("[0.0]"));
  EXPECT_TRUE(explained_over("[0.1, 0.0]"));
  EXPECT_TRUE(explained_over("[0.0, 0.1]"));
}

}  // namespace
}  // namespace muster
