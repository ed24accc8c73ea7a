#include "platform/model/spooled_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace muster {
namespace {

/// A value to sort by, and one that tells equal ones apart.
struct numbered_value {
  std::uint32_t key, number;
  bool operator==(const numbered_value& other) const { return key == other.key && number == other.number; }
};

constexpr std::size_t values = 30'000, in_memory = 5'000;

std::vector<numbered_value> random_values() {
  std::mt19937 random{3};
  std::vector<numbered_value> all;
  for (std::uint32_t n = 0; n < values; ++n) all.push_back({static_cast<std::uint32_t>(random() % 500), n});
  return all;
}

spooled_list<numbered_value> listed(const std::vector<numbered_value>& all, std::size_t most) {
  spooled_list<numbered_value> list(most);
  for (const numbered_value& v : all) list.push_back(v);
  return list;
}

std::vector<numbered_value> all_of(const spooled_list<numbered_value>& list) { return {list.begin(), list.end()}; }

TEST(spooled_list, has_its_values_in_their_order_wherever_they_are) {
  const std::vector<numbered_value> all = random_values();
  const auto in_file = listed(all, in_memory), here = listed(all, values);
  EXPECT_LE(in_file.in_memory(), in_memory);
  EXPECT_EQ(here.in_memory(), values);
  EXPECT_EQ(all_of(in_file), all);
  EXPECT_EQ(all_of(here), all);
  EXPECT_EQ(in_file.size(), values);
  EXPECT_EQ(in_file.back(), all.back());
}

TEST(spooled_list, is_read_in_any_order_while_it_grows) {
  const std::vector<numbered_value> all = random_values();
  spooled_list<numbered_value> list(in_memory);
  std::mt19937 random{4};
  for (const numbered_value& v : all) {
    list.push_back(v);
    if (v.number % 50 != 0) continue;
    const std::size_t at = random() % list.size();
    ASSERT_EQ(list[at], all[at]) << at << " of " << list.size();
  }
}

TEST(spooled_list, sorts_as_a_stable_sort_in_memory_does) {
  std::vector<numbered_value> all = random_values();
  const auto by_key = [](const numbered_value& a, const numbered_value& b) { return a.key < b.key; };
  auto in_file = listed(all, in_memory), here = listed(all, values);
  in_file.sort(by_key);
  here.sort(by_key);
  std::stable_sort(all.begin(), all.end(), by_key);
  EXPECT_EQ(all_of(in_file), all);
  EXPECT_EQ(all_of(here), all);
  in_file.push_back({0, 7});
  EXPECT_EQ(in_file.back(), (numbered_value{0, 7}));
  EXPECT_EQ(in_file.size(), values + 1);
}

}  // namespace
}  // namespace muster
