#include "platform/toml/nearest_name.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

const std::vector<std::string> policies{"fcfs", "first_fit", "msf", "msfq"};

TEST(nearest_name, finds_a_name_with_one_slip) {
  EXPECT_EQ(nearest_name("msfqq", policies), "msfq");
  EXPECT_EQ(nearest_name("first-fit", policies), "first_fit");
  EXPECT_EQ(nearest_name("firstfit", policies), "first_fit");
}

TEST(nearest_name, counts_swapped_neighbours_as_one_slip) { EXPECT_EQ(nearest_name("mfsq", policies), "msfq"); }

TEST(nearest_name, finds_a_name_of_which_one_end_is_left_out_or_added) {
  const std::vector<std::string> names{"dispatching", "dispatch_bytes", "out", "--out"};
  EXPECT_EQ(nearest_name("dispatch", names), "dispatching");
  EXPECT_EQ(nearest_name("--output", names), "--out");
  EXPECT_EQ(nearest_name("output", names), std::nullopt) << "three letters are too few";
}

TEST(nearest_name, is_silent_if_nothing_is_near) {
  EXPECT_EQ(nearest_name("edf", policies), std::nullopt);
  EXPECT_EQ(nearest_name("", policies), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(100'000, 'm'), policies), std::nullopt);
}

TEST(nearest_name, does_not_take_another_single_letter_for_a_slip) {
  EXPECT_EQ(nearest_name("x", {"s", "d"}), std::nullopt);
}

TEST(suggestion, lists_the_names_only_if_they_are_few) {
  EXPECT_EQ(suggestion("edf", policies), "; expected one of: fcfs, first_fit, msf, msfq");
  EXPECT_EQ(suggestion("edf", std::vector<std::string>(41, "long_name")), "");
  EXPECT_EQ(suggestion("mfsq", policies), "; did you mean 'msfq'?");
}

}  // namespace
}  // namespace muster
