#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/metrics/packed_slices.h"
#include "tests/scenario/graph_folder.h"
#include "tests/simulation/replicate.h"

// What the page draws of a log, of a schedule by hand.

namespace muster {
namespace {

class pictures_of_log : public graph_folder {
 protected:
  /// Two servers of two cores, in the order of arrival. Job (cores) from start to end, waiting from its arrival on:
  /// 0 (3) 0 to 100; 1 (2) 100 to 150, from 10; 2 (1) 100 to 130, from 20; 3 (4) 5000 to 9000; 4 (4) 9000 to 9020, from
  /// 5000; 5 (3) 9020 to 9040.
  replication_result replayed(bool with_pictures = true, const std::string& run = "") {
    write("log.swf",
          "1 0 -1 100 3 -1 -1 3 -1 -1 1 1 1 -1 -1 -1 -1 -1\n"
          "2 10 -1 50 2 -1 -1 2 -1 -1 1 1 1 -1 -1 -1 -1 -1\n"
          "3 20 -1 30 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n"
          "4 5000 -1 4000 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1\n"
          "5 5000 -1 20 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1\n"
          "6 9020 -1 20 3 -1 -1 3 -1 -1 1 1 1 -1 -1 -1 -1 -1\n");
    const scenario model = read_here(
                               "name = \"x\"\npolicy = \"fcfs\"\n[platform]\n"
                               "servers = [{ name = \"node\", count = 2, cores = 2 }]\n"
                               "[arrivals]\nprocess = \"log\"\nfile = \"log.swf\"\nclass_by = \"all\"\n" +
                               run)
                               .points.front()
                               .model;
    watching watch;
    watch.pictures = with_pictures;
    return replicate(model, 1, watch).front();
  }
};

/// The mean, from one time to another, of what holds in parts of the time: begin, end and value.
double mean_of_parts(const std::vector<std::array<double, 3>>& parts, double from, double to) {
  double sum = 0.0;
  for (const auto& [begin, end, value] : parts) sum += value * std::max(0.0, std::min(to, end) - std::max(from, begin));
  return sum / (to - from);
}

TEST_F(pictures_of_log, have_the_cores_in_use_and_those_that_waiting_jobs_need_in_bins_of_equal_length) {
  const replication_pictures found = replayed().pictures;
  ASSERT_GE(found.queue.size(), 512u);
  EXPECT_LE(found.queue.size(), 1025u);
  double end = 0.0;
  for (const queue_bin& bin : found.queue) {
    EXPECT_EQ(bin.begin, end);
    end = bin.end;
    const bool is_last = &bin == &found.queue.back();
    EXPECT_NEAR(bin.end - bin.begin, is_last ? 9040.0 - bin.begin : found.queue.front().end, 1e-9);
    EXPECT_NEAR(bin.used,
                mean_of_parts({{0, 100, 3}, {100, 130, 3}, {130, 150, 2}, {5000, 9020, 4}, {9020, 9040, 3}}, bin.begin,
                              bin.end),
                1e-9)
        << bin.begin;
    EXPECT_NEAR(bin.wanted, mean_of_parts({{10, 100, 2}, {20, 100, 1}, {5000, 9000, 4}}, bin.begin, bin.end), 1e-9)
        << bin.begin;
  }
  EXPECT_EQ(end, 9040.0);
}

TEST_F(pictures_of_log, have_the_shares_of_servers_over_the_whole_time) {
  const replication_pictures found = replayed().pictures;
  ASSERT_EQ(found.cores.bins.size(), found.queue.size());
  for (std::size_t n = 0; n < found.queue.size(); ++n) {
    const server_bin& bin = found.cores.bins[n];
    EXPECT_EQ(bin.begin, found.queue[n].begin);
    EXPECT_EQ(bin.end, found.queue[n].end);
    ASSERT_EQ(bin.servers.size(), 2u);
    EXPECT_NEAR((bin.servers[0] + bin.servers[1]) * 2 / 1000.0, found.queue[n].used, 0.0021) << bin.begin;
  }
}

TEST_F(pictures_of_log, have_every_slice_of_every_job) {
  const core_window window = replayed().pictures.cores;
  EXPECT_EQ(window.begin, 0.0);
  EXPECT_EQ(window.end, 9040.0);
  EXPECT_EQ(window.servers, 2u);
  EXPECT_TRUE(window.slices.empty());
  std::map<std::uint64_t, std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> cores_begin_and_end;
  std::string_view rest = window.packed;
  for (packed_slice slice; take(rest, slice);) {
    EXPECT_LT(slice.server, 2u);
    auto& [cores, begin, end] = cores_begin_and_end[slice.job];
    cores += slice.cores;
    begin = slice.begun;
    end = slice.begun + slice.lasted.value_or(9040 - slice.begun);
  }
  EXPECT_TRUE(rest.empty());
  const decltype(cores_begin_and_end) expected{{0, {3, 0, 100}},     {1, {2, 100, 150}},   {2, {1, 100, 130}},
                                               {3, {4, 5000, 9000}}, {4, {4, 9000, 9020}}, {5, {3, 9020, 9040}}};
  EXPECT_EQ(cores_begin_and_end, expected);
}

TEST_F(pictures_of_log, have_the_mean_slowdown_by_need_and_run_time) {
  std::map<std::pair<std::uint32_t, double>, std::pair<std::uint64_t, double>> found;
  for (const slowdown_cell& cell : replayed().pictures.slowdowns)
    found[{cell.cores, cell.run_below.value_or(0.0)}] = {cell.jobs, cell.slowdown};
  ASSERT_EQ(found.size(), 5u);
  const auto expect = [&](std::uint32_t cores, double below, std::uint64_t jobs, double slowdown) {
    EXPECT_EQ((found[{cores, below}].first), jobs) << cores << " " << below;
    EXPECT_NEAR((found[{cores, below}].second), slowdown, 1e-9) << cores << " " << below;
  };
  expect(1, 60, 1, (80 + 30) / 30.0);
  expect(2, 60, 1, (90 + 50) / 50.0);
  expect(4, 60, 2, ((4000 + 20) / 20.0 + 1.0) / 2.0);
  expect(4, 600, 1, 1.0);
  expect(4, 21'600, 1, 1.0);
}

TEST_F(pictures_of_log, have_the_slowdown_of_the_jobs_that_are_measured) {
  std::map<std::uint32_t, std::uint64_t> jobs_by_need;
  for (const slowdown_cell& cell : replayed(true, "[run]\nwarm_up = 0.5\ncool_down = 0.17\n").pictures.slowdowns)
    jobs_by_need[cell.cores] += cell.jobs;
  EXPECT_EQ(jobs_by_need, (std::map<std::uint32_t, std::uint64_t>{{4, 2}})) << "jobs 3 and 4 alone";
}

TEST_F(pictures_of_log, are_not_there_where_none_are_drawn) {
  const replication_pictures found = replayed(false).pictures;
  EXPECT_TRUE(found.queue.empty());
  EXPECT_TRUE(found.slowdowns.empty());
  EXPECT_TRUE(found.cores.packed.empty());
}

}  // namespace
}  // namespace muster
