#include "platform/experiment/result_bytes.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

// A replication's result on its way from a worker, and in a store of trials.

namespace muster {
namespace {

replication_result found_somewhere() {
  replication_result found;
  found.measurements = {{"all", "response_time", true, 0.1, 10, 0.01, caution::biased, {1.0 / 3.0, 2.0}},
                        {"all", "utility_ratio", false, std::numeric_limits<double>::quiet_NaN(), 0}};
  found.balances = {{"light", 7, 3}};
  found.presence = {{1.5, "light", 2}};
  found.pictures.responses.resize(1);
  found.pictures.responses[0].class_name = "light";
  found.pictures.responses[0].times.add(1000, 3);
  found.pictures.bins = {{0.0, 1.0, 0.5, 0.0, {1.0, 2.0}, {500, 1000}}};
  found.pictures.cores.slices = {{3, "light", 17, "0-3,7", 5, 0.5, std::nullopt, 0.75, 1.0, {{2, 250}}}};
  found.pictures.slowdowns = {{4, std::nullopt, 9, 2.5}};
  found.controls = {{"sizes", -0.25, {0.5}}};
  found.notes = {{"a text of \"quotes\"\n", ""}};
  found.in_parts = true;
  found.jobs = std::numeric_limits<std::uint64_t>::max();
  return found;
}

void expect_same(const replication_result& again) {
  const replication_result found = found_somewhere();
  EXPECT_EQ(to_text(again), to_text(found));
  EXPECT_EQ(again.measurements[0].parts, found.measurements[0].parts);
  EXPECT_EQ(again.measurements[0].half_width, 0.01);
  EXPECT_FALSE(again.measurements[1].value_if_any());
  EXPECT_TRUE(std::isnan(again.measurements[1].value));
  EXPECT_EQ(again.pictures.responses[0].times.total(), 3u);
  EXPECT_EQ(again.pictures.cores.slices[0].devices[0].share, 250);
  EXPECT_FALSE(again.pictures.cores.slices[0].works);
  EXPECT_EQ(again.jobs, found.jobs);
}

TEST(result_bytes, have_all_numbers_of_a_result_to_the_last_bit) {
  expect_same(replication_from_bytes(to_bytes(found_somewhere())));
}

TEST(result_text, has_all_numbers_of_a_result_to_the_last_bit) {
  expect_same(replication_from_text(to_text(found_somewhere())));
}

TEST(result_bytes, that_end_anywhere_too_early_are_refused) {
  const std::string bytes = to_bytes(found_somewhere());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(replication_from_bytes(bytes.substr(0, length)), std::runtime_error) << length;
}

}  // namespace
}  // namespace muster
