#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

namespace muster {
namespace {

std::string four_classes(const std::string& servers, const std::string& policy = R"(name = "adaptive_quickswap")",
                         bool reversed = false) {
  const int needs[] = {1, 3, 5, 16};
  const double shares[] = {0.5, 0.25, 0.2, 0.05};
  std::string classes;
  for (int i = 0; i < 4; ++i) {
    const int c = reversed ? 3 - i : i;
    classes += fmt::format(
        "[[classes]]\nname = \"need_{0}\"\nneed = {0}\nshare = {1}\nsize = {{ distribution = \"exponential\", mean = "
        "1.0 }}\n",
        needs[c], shares[c]);
  }
  return fmt::format(
      "name = \"same\"\n[platform]\nservers = [{}]\n{}[arrivals]\nrate = 4.2\n[policy]\n{}\n[run]\njobs = "
      "30_000\nreplications = 2\n",
      servers, classes, policy);
}

std::string everything(std::vector<replication_result> results) {
  for (replication_result& r : results) r.events = 0;  // a gang of many slices expires more timers than one slice
  return text_of(std::move(results));
}

TEST(layout, one_server_of_many_cores_and_many_servers_of_one_give_the_same_results) {
  const std::string one = everything(replicate(four_classes(R"({ name = "node", count = 1, cores = 16 })")));
  EXPECT_EQ(one, everything(replicate(four_classes(R"({ name = "node", count = 16, cores = 1 })"))));
  EXPECT_EQ(one, everything(replicate(four_classes(R"({ name = "node", count = 4, cores = 4 })"))));
  EXPECT_EQ(one, everything(replicate(
                     four_classes(R"({ name = "a", count = 2, cores = 5 }, { name = "b", count = 6, cores = 1 })"))));
}

TEST(layout, two_thousand_cores_in_one_server_or_in_as_many_give_the_same_results) {
  const auto borg = [](const std::string& servers) {
    return replicate(fmt::format(R"(
name = "wide"
platform.servers = [{}]
classes = [
  {{ name = "small", need = 1, share = 0.98, size = {{ distribution = "exponential", mean = 20.0 }} }},
  {{ name = "large", need = 2000, share = 0.02, size = {{ distribution = "exponential", mean = 1.0 }} }},
]
arrivals.rate = 15.0
policy = "adaptive_quickswap"
run = {{ jobs = 5000, replications = 1 }}
)",
                                 servers));
  };
  EXPECT_EQ(everything(borg(R"({ name = "node", cores = 2048 })")),
            everything(borg(R"({ name = "node", count = 2048, cores = 1 })")));
}

TEST(costs, of_nothing_change_no_bit_however_much_state_there_is) {
  const std::string pool = R"(
name = "pool"
[platform]
servers = [{ name = "node", count = 5 }]
[[classes]]
name = "job"
servers = { random = 2 }
size = { distribution = "hyperexponential", mean = 1.0, scv = 4.0 }
share = 1.0
[arrivals]
load = 0.8
[policy]
name = "balanced_fair"
interruptions_per_job = 3
[run]
jobs = 20_000
replications = 2
)";
  const std::string without = everything(replicate(pool));
  const std::vector<std::string> nothing{"classes.job.state=1e6",      "platform.costs.dispatch_latency=0.0",
                                         "platform.costs.set_up=0.0",  "platform.costs.save=0.0",
                                         "platform.costs.restore=0.0", "platform.costs.migration=0.0"};
  EXPECT_EQ(without, everything(replicate(pool, nothing)));
  EXPECT_NE(without, everything(replicate(pool, {"platform.costs.save=1e-6"})));
}

TEST(classes, results_do_not_depend_on_the_order_in_which_classes_are_written) {
  const std::string servers = R"({ name = "node", cores = 16 })";
  for (const char* policy :
       {R"(name = "adaptive_quickswap")", R"(name = "static_quickswap")", R"(name = "first_fit")"}) {
    const auto written = replicate(four_classes(servers, policy, false));
    const auto reversed = replicate(four_classes(servers, policy, true));
    for (std::size_t r = 0; r < written.size(); ++r)
      for (const measurement& m : written[r].measurements) {
        const auto& others = reversed[r].measurements;
        const auto same = std::find_if(others.begin(), others.end(), [&](const measurement& o) {
          return o.class_name == m.class_name && o.metric == m.metric;
        });
        ASSERT_NE(same, others.end());
        EXPECT_EQ(m.value, same->value) << m.class_name << ' ' << m.metric;
      }
  }
}

// The mean of many samples over a whole replication, against the integral over time.
TEST(samples_of_jobs_in_the_system, are_those_of_the_class_that_they_name) {
  const replication_result r = replicate(four_classes(R"({ name = "node", cores = 16 })", R"(name = "first_fit")"),
                                         {"run.jobs=1000", "run.replications=1", "run.warm_up=0.0",
                                          "record.jobs_in_system_every=0.05", "record.until=1000"})
                                   .front();
  std::map<std::string, double> jobs;
  for (const presence_sample& s : r.presence) jobs[s.class_name] += static_cast<double>(s.jobs);
  ASSERT_EQ(jobs.size(), 4u);
  const double samples = static_cast<double>(r.presence.size()) / 4.0;
  EXPECT_GT(samples, 1000.0);
  std::set<int> apart;
  for (const measurement& m : r.measurements) {
    if (m.metric != "jobs_in_system" || m.class_name == "all") continue;
    EXPECT_NEAR(jobs.at(m.class_name) / samples, m.value, 0.03) << m.class_name;
    apart.insert(static_cast<int>(m.value / 0.1));
  }
  EXPECT_EQ(apart.size(), 4u) << "no class could pass for another one";
}

TEST(utilization, of_the_classes_adds_up_to_that_of_the_whole) {
  const auto results =
      replicate(four_classes(R"({ name = "slow", cores = 8 }, { name = "fast", cores = 16, capacity = 4.0 })"),
                {"platform.costs.set_up=0.1"});
  double all = 0.0, classes = 0.0;
  for (const measurement& m : results[0].measurements)
    if (m.metric == "utilization") (m.class_name == "all" ? all : classes) += m.value;
  EXPECT_GT(all, 0.05);
  EXPECT_NEAR(classes, all, 1e-9);
}

TEST(indices, of_weighted_response_time_and_fairness_follow_from_the_classes) {
  const scenario model = first_point(four_classes(R"({ name = "node", cores = 16 })"));
  const auto results = replicate(model);
  const auto value = [&](const std::string& metric, const std::string& class_name) {
    for (const measurement& m : results[0].measurements)
      if (m.metric == metric && m.class_name == class_name) return m.value;
    return -1.0;
  };
  double load = 0.0, weighted = 0.0, sum = 0.0, squares = 0.0;
  for (const class_spec& c : model.classes) {
    const double mean = value("response_time", c.name), rho = c.need * c.share;  // mean sizes are 1
    load += rho;
    weighted += rho * mean;
    sum += mean;
    squares += mean * mean;
  }
  EXPECT_NEAR(value("weighted_response_time", "all"), weighted / load, 1e-9);
  EXPECT_NEAR(value("fairness_jain", "all"), sum * sum / (4.0 * squares), 1e-12);
}

TEST(msfq, with_threshold_zero_is_msf_job_by_job) {
  const std::vector<kind> one_or_all{{1, 3.6, 1.0}, {8, 0.4, 1.0}};
  const auto msf = replicate(cluster_of(8, one_or_all, "name = \"msf\"", 100'000, 1));
  auto msfq = replicate(cluster_of(8, one_or_all, "name = \"msfq\"\nthreshold = 0", 100'000, 1));
  auto& measured = msfq[0].measurements;
  measured.erase(std::remove_if(measured.begin(), measured.end(),
                                [](const measurement& m) { return m.class_name.rfind("phase_", 0) == 0; }),
                 measured.end());
  EXPECT_EQ(everything(msf), everything(msfq));
}

TEST(estimates, one_replication_has_no_interval_and_a_class_without_completions_no_estimate) {
  const auto results = replicate(cluster_of(4, {{1, 1.0, 1.0}, {4, 1e-7, 1.0}}, "name = \"msf\"", 1000, 1));
  for (const estimate& e : measured_point(results).estimates()) {
    EXPECT_FALSE(e.ci_low || e.ci_high) << e.metric;
    const bool needs_rare = e.metric == "weighted_response_time" || e.metric == "fairness_jain" ||
                            (e.class_name == "need_4" && e.metric != "jobs_in_system" && e.metric != "throughput" &&
                             e.metric != "utilization");
    EXPECT_EQ(e.mean.has_value(), !needs_rare) << e.class_name << ' ' << e.metric;
  }
  ASSERT_EQ(results[0].notes.size(), 2u);
  EXPECT_EQ(results[0].notes[1].in_words(), "class 'need_4': no completion to estimate from");
  EXPECT_EQ(results[0].notes[0].in_words(),
            "weighted_response_time and fairness_jain have no estimate: not every class has completions");
}

// What is wanted of all is reached at the first look, what is wanted of one class long after it.
TEST(precision_by_batch_means, ends_the_replication_where_the_last_of_several_targets_is_reached) {
  const auto with = [](const std::string& targets) {
    return replicate(four_classes(R"({ name = "node", cores = 16 })"),
                     {"run.jobs=3000", "run.replications=1", "run.intervals=batch_means", "run.most_replications=100",
                      "run.precision=[" + targets + "]"});
  };
  const std::string easy = "{half_width=0.5}";
  const std::string hard = R"({half_width=0.15,metric="waiting_time",class="need_16"})";
  EXPECT_EQ(with(easy)[0].jobs, 3000u);
  const auto alone = with(hard);
  EXPECT_GT(alone[0].jobs, 3000u);
  EXPECT_LT(alone[0].jobs, 100u * 3000u);
  for (const measurement& m : alone[0].measurements) {
    if (m.metric != "waiting_time" || m.class_name != "need_16") continue;
    EXPECT_LE(m.relative_half_width().value(), 0.15);
  }
  EXPECT_EQ(everything(with(easy + "," + hard)), everything(alone));
  EXPECT_EQ(everything(with(hard + "," + easy)), everything(alone));
}

// Far too much work of one class under a policy that prefers the other one.
TEST(replication, marks_means_of_the_jobs_that_have_completed_where_many_have_not) {
  const auto results = replicate(cluster_of(4, {{4, 0.1, 1.0}, {1, 3.8, 1.0}}, "name = \"first_fit\"", 5000, 1));
  const std::set<std::string> of_completed{
      "response_time",    "response_time_p50", "response_time_p95",      "response_time_p99",      "waiting_time",
      "waiting_time_p50", "waiting_time_p95",  "waiting_time_p99",       "waiting_time_max",       "time_to_start",
      "slowdown",         "fairness_jain",     "weighted_response_time", "response_time_deviation"};
  for (const measurement& m : results[0].measurements)
    EXPECT_EQ(m.marks.has(caution::biased), m.class_name != "need_1" && of_completed.count(m.metric) == 1)
        << m.class_name << ' ' << m.metric;
  for (const estimate& e : measured_point(results).estimates())
    EXPECT_EQ(e.marks.words(), e.class_name != "need_1" && of_completed.count(e.metric) == 1 ? "biased" : "");
  ASSERT_EQ(results[0].notes.size(), 1u);
  EXPECT_EQ(results[0].notes[0].class_name, "need_4");
}

}  // namespace
}  // namespace muster
