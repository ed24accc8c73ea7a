#include "platform/metrics/packed_slices.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "platform/experiment/simulation_task.h"

// Slices of a log as a text.

namespace muster {
namespace {

TEST(packed_slices, are_the_same_when_they_are_taken_from_the_text) {
  std::mt19937_64 random{7};
  const auto any = [&] { return random() >> (random() % 64); };
  std::vector<packed_slice> all;
  for (int n = 0; n < 300; ++n) {
    packed_slice slice{any(), any(), any() >> 1U, any(), any() >> 1U, std::nullopt, any(), any()};
    if (n % 3 != 0) slice.lasted = any() >> 1U;
    all.push_back(slice);
  }
  std::string text;
  packed_slice before;
  for (const packed_slice& slice : all) {
    append(text, slice, before);
    before = slice;
  }
  std::string_view rest = text;
  packed_slice found;
  for (const packed_slice& slice : all) {
    ASSERT_TRUE(take(rest, found));
    EXPECT_EQ(found.server, slice.server);
    EXPECT_EQ(found.type, slice.type);
    EXPECT_EQ(found.job, slice.job);
    EXPECT_EQ(found.cores, slice.cores);
    EXPECT_EQ(found.begun, slice.begun);
    EXPECT_EQ(found.lasted, slice.lasted);
    EXPECT_EQ(found.overhead, slice.overhead);
    EXPECT_EQ(found.saving, slice.saving);
  }
  EXPECT_TRUE(rest.empty());
}

TEST(packed_slices, survive_the_way_from_a_worker_beside_the_rest) {
  for (const char* packed : {"", "AAAAAAAA", "0123456789abcdef"}) {
    replication_result found;
    found.jobs = 17;
    found.pictures.cores.packed = packed;
    found.pictures.cores.bins = {{0.0, 1.5, {1000}}};
    const replication_result again = replication_from_bytes(to_bytes(found));
    EXPECT_EQ(again.pictures.cores.packed, packed);
    EXPECT_EQ(again.jobs, 17u);
    ASSERT_EQ(again.pictures.cores.bins.size(), 1u);
    EXPECT_EQ(again.pictures.cores.bins[0].end, 1.5);
  }
}

// By hand: server 2 is C; class 0 is A; job 5 is twice 5, K; 33 cores are 1 + 32 * 1, hB; begin 4 is I; lasted 9 is K.
TEST(packed_slices, are_short) {
  std::string text;
  append(text, {2, 0, 5, 33, 4, 9, 0, 0}, {});
  EXPECT_EQ(text, "CAKhBIKAA");
  append(text, {2, 0, 4, 1, 4, std::nullopt, 0, 0}, {2, 0, 5, 33, 4, 9, 0, 0});
  EXPECT_EQ(text.substr(9), "CADBAAAA") << "a job before is an odd number";
}

TEST(packed_slices, are_refused_where_the_text_is_damaged) {
  std::string text;
  append(text, {2, 0, 5, 33, 4, 9, 0, 0}, {});
  for (const std::string& damaged : {text.substr(0, 6), "?" + text, std::string(20, '/'), std::string{}}) {
    std::string_view rest = damaged;
    packed_slice slice;
    EXPECT_FALSE(take(rest, slice)) << damaged;
  }
}

}  // namespace
}  // namespace muster
