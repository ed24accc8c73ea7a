#include <gtest/gtest.h>

#include "muster/policies/catalogue.h"
#include "muster/policies/cluster_state.h"
#include "tests/refusal.h"

// Declared classes whose jobs differ in need, as policies see them.

namespace muster {
namespace {

job_class of_need(const char* name, unsigned need, std::vector<job_need> submitted = {}) {
  job_class type{name, need, {group_id{0}}};
  type.submitted = std::move(submitted);
  return type;
}

cluster_state cluster_of(const std::vector<job_class>& types) {
  table<class_id, job_class> classes;
  for (const job_class& type : types) classes.push_back(type);
  return {std::move(classes), table<group_id, unsigned>(1, 8)};
}

std::string refusal_of(const std::vector<job_class>& types) {
  return refusal<std::invalid_argument>([&] { cluster_of(types); });
}

TEST(several_needs, of_a_class_are_classes_of_the_view_in_descending_order_of_need) {
  job_class first = of_need("first", 3, {{5}, {1}}), second = of_need("second", 2);
  first.arrival_rate = second.arrival_rate = 1.0;
  first.mean_size = second.mean_size = 2.0;
  const cluster_state state = cluster_of({first, second});
  EXPECT_TRUE(state.several_needs());
  ASSERT_EQ(state.class_count(), 4u);
  EXPECT_EQ(state.declared_classes(), 2u);
  std::vector<unsigned> cores;
  std::string names;
  for (const class_id id : state.classes()) {
    cores.push_back(state.cores(id));
    names += state.name(id) + " ";
    const bool alone = state.name(id) == "second";
    EXPECT_EQ(state.mean_size(id).has_value(), alone);
    EXPECT_EQ(state.arrival_rate(id).has_value(), alone);
    EXPECT_EQ(state.arrival_share(id).has_value(), alone);
  }
  EXPECT_EQ(cores, (std::vector<unsigned>{5, 3, 2, 1}));
  EXPECT_EQ(names, "first first second first ");
  EXPECT_EQ(state.class_of(class_id{0}, 0), class_id{1});
  EXPECT_EQ(state.class_of(class_id{0}, 1), class_id{0});
  EXPECT_EQ(state.class_of(class_id{0}, 2), class_id{3});
  EXPECT_EQ(state.class_of(class_id{1}, 0), class_id{2});
  EXPECT_EQ(state.submitted_needs(class_id{0}), 2u);
  EXPECT_EQ(state.submitted_needs(class_id{1}), 0u);
}

TEST(several_needs, share_the_arrivals_of_their_class_where_it_is_known_how) {
  job_class type = of_need("jobs", 1, {{4}});
  type.arrival_share = 1.0;
  type.submitted.front().arrival_share = 0.25;
  const cluster_state state = cluster_of({type});
  EXPECT_EQ(state.arrival_share(class_id{0}), 0.25);
  EXPECT_EQ(state.arrival_share(class_id{1}), 0.75);
}

TEST(several_needs, of_no_class_leave_the_classes_as_they_are) {
  const cluster_state state = cluster_of({of_need("first", 3), of_need("second", 2)});
  EXPECT_FALSE(state.several_needs());
  EXPECT_EQ(state.declared_classes(), 2u);
  EXPECT_EQ(state.class_of(class_id{1}, 0), class_id{1});
  EXPECT_EQ(state.submitted_needs(class_id{1}), 0u);
}

TEST(several_needs, are_for_policies_that_ask_for_each_job_whether_it_fits) {
  const cluster_state state = cluster_of({of_need("jobs", 1, {{4}})});
  std::string copes;
  for (const policy_entry* entry : policy_catalogue())
    if (entry->jobs() == job_kind::rigid && !entry->objection_to_classes(state))
      copes += std::string{entry->name} + " ";
  EXPECT_EQ(copes, "conservative_backfill easy_backfill fcfs first_fit last_come_first_served msf slurm ");
  EXPECT_EQ(find_policy("max_weight")->objection_to_classes(state),
            "it takes the jobs of a class to need the same, but they bring needs of their own; expected one of "
            "conservative_backfill, easy_backfill, fcfs, first_fit, last_come_first_served, msf, slurm");
}

TEST(several_needs, that_cannot_be_are_refused_with_their_numbers) {
  EXPECT_EQ(refusal_of({of_need("jobs", 1, {{4}, {0}})}), "class 'jobs, need 2' needs 0 cores; expected at least 1");
  EXPECT_EQ(refusal_of({of_need("jobs", 1, {{9}})}),
            "class 'jobs, need 1' needs 9 cores, but the servers that it may use have 8; expected at most that");
  EXPECT_EQ(refusal_of({of_need("jobs", 1, {{2, task_need{2, {1}}}})}),
            "class 'jobs, need 1' differs from its class in what counts; expected tasks for both or none");
}

}  // namespace
}  // namespace muster
