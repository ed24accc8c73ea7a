#include "platform/model/job_kind.h"

#include <gtest/gtest.h>

#include "tests/scenario/slotted_sample.h"

namespace muster {
namespace {

TEST(kind_of_jobs, is_that_of_the_policy_where_jobs_have_no_units) {
  EXPECT_EQ(kind_of_jobs(first_point(sample)), job_kind::rigid);
  EXPECT_EQ(kind_of_jobs(first_point(pooled_sample)), job_kind::pooled);
}

TEST(kind_of_jobs, is_slotted_where_classes_have_units) {
  EXPECT_EQ(kind_of_jobs(first_point(slotted_sample)), job_kind::slotted);
  EXPECT_EQ(kind_of_jobs(first_point(slotted_stream)), job_kind::slotted);
}

// As it is asked while a scenario with mistakes is read.
TEST(kind_of_jobs, is_rigid_where_classes_or_the_policy_are_unknown) {
  EXPECT_EQ(kind_of_jobs(scenario{}), job_kind::rigid);
  scenario model = first_point(pooled_sample);
  model.policy.name = "unheard_of";
  EXPECT_EQ(kind_of_jobs(model), job_kind::rigid);
}

// Where only the policy is wrong, the classes decide, so that nobody looks for units that are not there.
TEST(kind_of_jobs, follows_the_classes_where_the_policy_does_not_fit_them) {
  scenario model = first_point(sample);
  model.policy.name = "ispeed";
  EXPECT_EQ(kind_of_jobs(model), job_kind::rigid);
  model = first_point(slotted_sample);
  model.policy.name = "balanced_fair";
  EXPECT_EQ(kind_of_jobs(model), job_kind::slotted);
}

}  // namespace
}  // namespace muster
