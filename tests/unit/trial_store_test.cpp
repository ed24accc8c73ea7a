#include "platform/search/trial_store.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace muster {
namespace {

class trial_store_test : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  const std::string file_ = std::filesystem::temp_directory_path() /
                            (std::string("trials_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(trial_store_test, has_what_an_earlier_one_of_the_same_question_was_given) {
  {
    trial_store first(file_, "question\nof two lines");
    EXPECT_EQ(first.taken_over(), 0u);
    first.add("3, 4", 7, "seven");
    first.add("3, 4", 8, "eight");
  }
  trial_store second(file_, "question\nof two lines");
  EXPECT_EQ(second.taken_over(), 2u);
  EXPECT_EQ(second.find("3, 4", 7), "seven");
  EXPECT_FALSE(second.find("3, 4", 9));
  EXPECT_FALSE(second.find("3", 7));
}

TEST_F(trial_store_test, begins_anew_with_another_question) {
  trial_store(file_, "one").add("3", 0, "text");
  EXPECT_EQ(trial_store(file_, "other").taken_over(), 0u);
  EXPECT_EQ(trial_store(file_, "one").taken_over(), 0u);
}

TEST_F(trial_store_test, has_the_latest_of_what_a_replication_was_given) {
  trial_store store(file_, "one");
  store.add("3", 1, "first");
  store.add("3", 1, "again");
  EXPECT_EQ(store.find("3", 1), "again");
  EXPECT_EQ(trial_store(file_, "one").taken_over(), 1u);
}

}  // namespace
}  // namespace muster
