#include "platform/report/core_pictures.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace muster {
namespace {

core_slice slice(std::uint64_t server, std::uint32_t count, double begun, std::optional<double> ended) {
  core_slice s;
  s.server = server;
  s.count = count;
  s.begun = begun;
  s.ended = ended;
  return s;
}

std::vector<std::vector<std::uint32_t>> as_numbers(const std::vector<row_block>& all) {
  std::vector<std::vector<std::uint32_t>> numbers;
  for (const row_block& b : all) numbers.push_back({static_cast<std::uint32_t>(b.slice), b.first, b.count});
  return numbers;
}

using numbers = std::vector<std::vector<std::uint32_t>>;

TEST(core_rows, of_a_slice_are_neighbours_if_there_are_as_many) {
  const core_window window{
      0.0, 10.0, 1, {slice(0, 1, 0, 5), slice(0, 1, 1, 2), slice(0, 2, 3, 4), slice(0, 3, 4, std::nullopt)}, {}};
  EXPECT_EQ(as_numbers(rows_of(window, {4})), (numbers{{0, 0, 1}, {1, 1, 1}, {2, 1, 2}, {3, 1, 3}}));
}

TEST(core_rows, are_parted_where_no_neighbours_are_free) {
  const core_window window{
      0.0, 10.0, 2, {slice(0, 1, 0, 1), slice(0, 1, 0, 9), slice(0, 2, 2, 3), slice(1, 2, 2, 3)}, {}};
  EXPECT_EQ(as_numbers(rows_of(window, {3, 2})), (numbers{{0, 0, 1}, {1, 1, 1}, {2, 0, 1}, {2, 2, 1}, {3, 3, 2}}));
}

core_slice with_devices(core_slice s, const std::vector<held_device>& devices) {
  s.devices = devices;
  return s;
}

// Servers of two cores and three devices: the rows of the devices are 2 to 4 and 7 to 9.
TEST(core_rows, of_devices_are_behind_the_cores_of_their_server) {
  const core_window window{
      0.0,
      10.0,
      2,
      {with_devices(slice(1, 2, 0, 5), {{0}, {1}}), with_devices(slice(0, 1, 1, 5), {{0}, {2}}), slice(1, 1, 6, 7)},
      {}};
  EXPECT_EQ(as_numbers(rows_of(window, {2, 2}, {3, 3})),
            (numbers{{0, 5, 2}, {0, 7, 2}, {1, 0, 1}, {1, 2, 1}, {1, 4, 1}, {2, 5, 1}}));
}

// Two servers of two cores, and three devices of the cluster, whose rows are 4 to 6. The first slice there has no block
// of cores before it.
TEST(core_rows, of_the_devices_of_the_cluster_are_behind_all_servers_whichever_are_shown) {
  const core_window window{0.0,
                           10.0,
                           1,
                           {with_devices(slice(2, 0, 0, 5), {{0}, {1}}), slice(0, 2, 0, 5),
                            with_devices(slice(2, 0, 1, 5), {{2, 500}}), with_devices(slice(2, 0, 2, 5), {{2, 250}})},
                           {}};
  const std::vector<row_block> all = rows_of(window, {2}, {}, {2, 4, 3});
  EXPECT_EQ(as_numbers(all), (numbers{{0, 4, 2}, {1, 0, 2}, {2, 6, 1}, {3, 6, 1}}));
  EXPECT_EQ(all[2].height, 500);
  EXPECT_EQ(all[3].below, 500);
  EXPECT_EQ(all[3].height, 250);
}

TEST(core_rows, of_a_shared_device_are_parts_that_do_not_overlap_while_its_jobs_are_there) {
  const core_window window{0.0,
                           10.0,
                           1,
                           {with_devices(slice(0, 1, 0, 3), {{0, 250}}), with_devices(slice(0, 1, 1, 9), {{0, 500}}),
                            with_devices(slice(0, 1, 4, 9), {{0, 200}}), with_devices(slice(0, 1, 5, 9), {{0, 300}})},
                           {}};
  numbers parts;
  for (const row_block& b : rows_of(window, {4}, {1}))
    if (b.first == 4) parts.push_back({static_cast<std::uint32_t>(b.slice), b.below, b.height});
  // The third job takes the place of the first, and leaves 50 free there: the last one has these and 250 at the top.
  EXPECT_EQ(parts, (numbers{{0, 0, 250}, {1, 250, 500}, {2, 0, 200}, {3, 200, 50}, {3, 750, 250}}));
}

TEST(core_rows, are_those_of_one_slice_at_a_time_and_as_many_as_it_has_cores) {
  EXPECT_TRUE(rc::check([] {
    constexpr std::uint32_t cores = 6;
    core_window window{0.0, 1000.0, 2, {}, {}};
    // Whatever fits in when it begins.
    for (int n = *rc::gen::inRange(1, 60), now = 0; n > 0; --n) {
      now += *rc::gen::inRange(0, 3);
      const auto server = *rc::gen::inRange<std::uint64_t>(0, 2);
      std::uint32_t free = cores;
      for (const core_slice& s : window.slices)
        if (s.server == server && *s.ended > now) free -= s.count;
      if (free > 0)
        window.slices.push_back(
            slice(server, *rc::gen::inRange<std::uint32_t>(1, free + 1), now, now + *rc::gen::inRange(1, 20)));
    }
    const std::vector<row_block> all = rows_of(window, {cores, cores});
    std::vector<std::uint32_t> rows(window.slices.size());
    for (const row_block& a : all) {
      const core_slice& of_a = window.slices[a.slice];
      rows[a.slice] += a.count;
      RC_ASSERT(a.first / cores == of_a.server);
      RC_ASSERT((a.first + a.count - 1) / cores == of_a.server);
      for (const row_block& b : all) {
        const core_slice& of_b = window.slices[b.slice];
        const bool at_once = of_a.begun < *of_b.ended && of_b.begun < *of_a.ended;
        RC_ASSERT(&a == &b || !at_once || a.first + a.count <= b.first || b.first + b.count <= a.first);
      }
    }
    for (std::size_t n = 0; n < rows.size(); ++n) RC_ASSERT(rows[n] == window.slices[n].count);
  }));
}

// The rows of the cores of one server as they are defined, row by row.
numbers row_by_row(const core_window& window, std::uint32_t cores) {
  std::vector<double> busy_until(cores);
  numbers all;
  for (std::size_t n = 0; n < window.slices.size(); ++n) {
    const core_slice& s = window.slices[n];
    std::vector<std::uint32_t> free, taken;
    for (std::uint32_t row = 0; row < cores; ++row)
      if (busy_until[row] <= s.begun) free.push_back(row);
    for (std::size_t at = 0; taken.empty() && at + s.count <= free.size(); ++at)
      if (free[at + s.count - 1] == free[at] + s.count - 1)
        taken.assign(free.begin() + at, free.begin() + at + s.count);
    if (taken.empty()) taken.assign(free.begin(), free.begin() + std::min<std::size_t>(s.count, free.size()));
    for (std::size_t at = 0; at < taken.size(); ++at) {
      busy_until[taken[at]] = *s.ended;
      if (at > 0 && taken[at] == taken[at - 1] + 1)
        ++all.back().back();
      else
        all.push_back({static_cast<std::uint32_t>(n), taken[at], 1});
    }
  }
  return all;
}

TEST(core_rows, of_servers_beyond_a_word_of_bits_are_those_found_row_by_row) {
  EXPECT_TRUE(rc::check([] {
    const auto cores = *rc::gen::element<std::uint32_t>(1, 63, 64, 65, 128, 200);
    core_window window{0.0, 10'000.0, 1, {}, {}};
    for (int n = *rc::gen::inRange(1, 80), now = 0; n > 0; --n) {
      now += *rc::gen::inRange(0, 3);
      const int lasts = *rc::gen::inRange(0, 20);
      // Some need more rows than are free: they get those.
      window.slices.push_back(slice(0, *rc::gen::inRange<std::uint32_t>(1, cores + 1), now, now + lasts));
    }
    RC_ASSERT(as_numbers(rows_of(window, {cores})) == row_by_row(window, cores));
  }));
}

}  // namespace
}  // namespace muster
