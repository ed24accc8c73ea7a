#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "platform/model/synthetic_workload.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/slotted_sample.h"

namespace muster {
namespace {

std::vector<job_request> all_jobs(const scenario& model, std::size_t most = 1'000'000, std::uint32_t replication = 0) {
  const auto source = make_workload(model, replication);
  std::vector<job_request> jobs;
  for (job_request job; jobs.size() < most && source->next(job);) jobs.push_back(job);
  return jobs;
}

using facts = std::tuple<ticks, class_id, ticks, std::uint64_t>;

std::vector<facts> facts_of(const std::vector<job_request>& jobs) {
  std::vector<facts> all;
  all.reserve(jobs.size());
  for (const job_request& j : jobs) all.emplace_back(j.arrival, j.type, j.size, *j.deadline);
  return all;
}

constexpr ticks slot = 500'000'000;  // of the sample

TEST(population, has_as_many_jobs_of_each_class_as_the_scenario_says) {
  std::map<class_id, int> counts;
  for (const job_request& j : all_jobs(first_point(slotted_sample))) ++counts[j.type];
  EXPECT_EQ(counts, (std::map<class_id, int>{{class_id{0}, 380}, {class_id{1}, 20}}));
}

TEST(population, arrives_at_the_beginning_of_each_of_the_first_slots_and_in_no_other) {
  std::map<ticks, int> arrivals;
  ticks before = 0;
  for (const job_request& j : all_jobs(first_point(slotted_sample))) {
    EXPECT_GE(j.arrival, before);
    before = j.arrival;
    ASSERT_EQ(j.arrival % slot, 0u);
    ++arrivals[j.arrival / slot];
  }
  EXPECT_EQ(arrivals.begin()->first, 0u);
  EXPECT_EQ(arrivals.rbegin()->first, 19u);
  for (const auto& [at, jobs] : arrivals) EXPECT_NEAR(jobs, 20, 18) << at;  // four standard deviations
}

TEST(population, has_the_work_of_its_units_and_deadlines_of_its_classes) {
  int tight = 0;
  for (const job_request& j : all_jobs(first_point(slotted_sample))) {
    const std::uint64_t slots = *j.deadline - (j.arrival / slot + 1);
    if (j.type == class_id{0}) {
      EXPECT_EQ(j.size, 50 * slot);
      EXPECT_TRUE(slots == 1 || slots == 100) << slots;
      tight += slots == 1;
    } else {
      EXPECT_EQ(j.size, 20 * slot);
      EXPECT_TRUE(slots >= 1 && slots <= 10) << slots;
    }
    EXPECT_EQ(j.worth, nullptr);
    EXPECT_TRUE(j.servers.empty());
  }
  EXPECT_NEAR(tight, 95, 34);  // four standard deviations
}

TEST(population, of_fixed_deadlines_has_the_same_slot_for_all) {
  for (const job_request& j : all_jobs(
           first_point(slotted_sample, {"classes.*.deadline={ distribution = 'fixed_slot', slot = 'arrival_slots' }"})))
    EXPECT_EQ(j.deadline, 20u);
}

TEST(population, without_deadlines_has_none) {
  const std::string text =
      replaced(slotted_sample, "deadline = { distribution = \"uniform\", from = 1, to = 10 }\n", "");
  for (const job_request& j : all_jobs(first_point(text))) EXPECT_EQ(*j.deadline == 0, j.type == class_id{1});
}

TEST(population, is_the_same_for_every_policy_and_platform) {
  const auto jobs = facts_of(all_jobs(first_point(slotted_sample)));
  for (const char* other : {"policy.name=fifo", "platform.costs.epsilon=0.5", "platform.servers.machine.count=1",
                            "classes.free.value=3.0", "classes.free.initialisation=0.0"})
    EXPECT_EQ(jobs, facts_of(all_jobs(first_point(slotted_sample, {other})))) << other;
}

TEST(population, does_not_depend_on_the_order_in_which_the_classes_are_written) {
  const std::size_t free = slotted_sample.find("[[classes]]"), vip = slotted_sample.rfind("[[classes]]"),
                    arrivals = slotted_sample.find("[arrivals]");
  const std::string swapped = slotted_sample.substr(0, free) + slotted_sample.substr(vip, arrivals - vip) +
                              slotted_sample.substr(free, vip - free) + slotted_sample.substr(arrivals);
  ASSERT_EQ(first_point(swapped).classes[0].name, "vip");
  EXPECT_EQ(facts_of(all_jobs(first_point(slotted_sample))), facts_of(all_jobs(first_point(swapped))));
}

TEST(population, of_a_class_does_not_depend_on_other_classes) {
  const auto of_free = [](const scenario& model) {
    std::vector<facts> all = facts_of(all_jobs(model));
    all.erase(std::remove_if(all.begin(), all.end(), [](const facts& f) { return std::get<1>(f) != class_id{0}; }),
              all.end());
    return all;
  };
  EXPECT_EQ(of_free(first_point(slotted_sample)), of_free(first_point(slotted_sample, {"classes.vip.jobs=1"})));
}

TEST(population, differs_between_replications_and_seeds) {
  const auto jobs = facts_of(all_jobs(first_point(slotted_sample)));
  EXPECT_NE(jobs, facts_of(all_jobs(first_point(slotted_sample), 1'000'000, 1)));
  EXPECT_NE(jobs, facts_of(all_jobs(first_point(slotted_sample, {"run.seed=2"}))));
}

TEST(population, mixes_the_classes_within_a_slot) {
  const auto jobs = all_jobs(first_point(slotted_sample, {"arrivals.slots=1", "classes.vip.jobs=380"}));
  int changes = 0;
  for (std::size_t i = 1; i < jobs.size(); ++i) changes += jobs[i].type != jobs[i - 1].type;
  EXPECT_NEAR(changes, 380, 60);  // four standard deviations
}

TEST(stream_of_slotted_jobs, counts_deadlines_from_the_slot_in_which_a_job_can_first_be_served) {
  const std::string text =
      replaced(slotted_stream, "units = 50\n", "units = 50\ndeadline = { distribution = \"constant\", slots = 3 }\n");
  const scenario model = first_point(text, {"arrivals.load=5"});
  const ticks length = 1'000'000'000;
  for (const job_request& j : all_jobs(model, 1000)) {
    const std::uint64_t served_from = *j.deadline - 3;
    EXPECT_GE((served_from - 1) * length, j.arrival);
    EXPECT_LT((served_from - 1) * length, j.arrival + length);
    EXPECT_EQ(j.size, 50 * length);
  }
  const scenario regular =
      first_point(replaced(text, "load = 0.5", "process = \"deterministic\"\nrate = 1.0"), {"platform.slot=0.5"});
  for (const job_request& j : all_jobs(regular, 10)) EXPECT_EQ((*j.deadline - 4) * (length / 2), j.arrival);
}

TEST(stream_of_slotted_jobs, arrives_alike_whatever_the_deadlines) {
  const auto arrivals = [](const std::vector<std::string>& overrides) {
    std::vector<ticks> all;
    for (const job_request& j : all_jobs(first_point(slotted_stream, overrides), 100)) all.push_back(j.arrival);
    return all;
  };
  EXPECT_EQ(arrivals({}), arrivals({"classes.free.deadline={ distribution = 'uniform', from = 1, to = 9 }"}));
}

TEST_F(graph_folder, of_a_list_of_jobs_gives_them_in_the_order_of_arrival_then_of_ids) {
  write("jobs.csv", "id,arrival,deadline,units,marginals\n5,3,3,1,2\n9,1,,2,1 0.5\n4,3,7,1,0\n");
  const scenario model = read_here(list_sample, {"platform.slot=2.0", "classes.job.value=10"}).points.front().model;
  const auto jobs = all_jobs(model);
  const ticks length = 2'000'000'000;
  EXPECT_EQ(facts_of(jobs), (std::vector<facts>{{0, class_id{0}, 2 * length, 0},
                                                {2 * length, class_id{0}, length, 7},
                                                {2 * length, class_id{0}, length, 3}}));
  EXPECT_EQ(jobs[0].worth->of(1), 10.0);
  EXPECT_EQ(jobs[0].worth->of(2), 15.0);
  EXPECT_EQ(jobs[1].worth->of(1), 0.0);
  EXPECT_EQ(jobs[2].worth->of(1), 20.0);
  EXPECT_EQ(facts_of(jobs), facts_of(all_jobs(model, 100, 7)));
}

}  // namespace
}  // namespace muster
