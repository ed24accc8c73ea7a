#include "platform/store/result_store.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

namespace muster {
namespace {

class result_store_test : public testing::Test {
 protected:
  ~result_store_test() override { std::filesystem::remove(path_); }

  const std::string path_ =
      (std::filesystem::path{testing::TempDir()} / ("muster_store_" + std::to_string(::getpid()) + ".sqlite")).string();
  result_store store_{path_, study{}};
};

replication_result with(std::size_t rows) {
  replication_result r;
  for (std::size_t n = 0; n < rows; ++n) {
    r.measurements.push_back({"c" + std::to_string(n), "response_time", true, 1.0, 10});
    r.presence.push_back({0.5, "c" + std::to_string(n), n});
    r.notes.push_back({"note " + std::to_string(n), "c" + std::to_string(n)});
  }
  r.jobs = 10;
  return r;
}

TEST_F(result_store_test, nothing_is_left_of_a_replication_that_is_replaced) {
  store_.add(0, 0, with(3), false, {"jobs_0.csv", "jobs_0.vcd"});
  store_.remove(0, 0);
  EXPECT_TRUE(store_.list().empty());
  EXPECT_TRUE(store_.traces().empty());
  store_.add(0, 0, with(1), true, {"jobs_0.vcd"});
  const replication_result found = store_.replications(0, 1).at(0);
  EXPECT_EQ(found.measurements.size(), 1u);
  EXPECT_EQ(store_.presence(0).size(), 1u);
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_EQ(found.notes.front().in_words(), "class 'c0': note 0");
  EXPECT_EQ(store_.traces(), (std::vector<std::string>{"jobs_0.vcd"}));
  ASSERT_EQ(store_.list().size(), 1u);
  EXPECT_TRUE(store_.list().front().protocol_checked);
  EXPECT_EQ(store_.sums().jobs, 10u);
}

TEST_F(result_store_test, other_replications_and_points_stay_when_one_is_removed) {
  for (const std::size_t point : {0u, 1u})
    for (const std::uint32_t replication : {0u, 1u})
      store_.add(point, replication, with(1 + 2 * point + replication), false,
                 {"trace_" + std::to_string(point) + std::to_string(replication)});
  store_.remove(1, 1);
  EXPECT_EQ(store_.list().size(), 3u);
  EXPECT_EQ(store_.traces(), (std::vector<std::string>{"trace_00", "trace_01", "trace_10"}));
  EXPECT_EQ(store_.replications(0, 2).at(0).notes.size(), 1u);
  EXPECT_EQ(store_.replications(0, 2).at(1).notes.size(), 2u);
  EXPECT_EQ(store_.replications(1, 1).at(0).notes.size(), 3u);
  EXPECT_EQ(store_.replications(1, 2).size(), 1u);
}

// An index of the keys would take half as much again as the rows.
TEST_F(result_store_test, rows_of_replications_are_their_own_index_and_come_back_in_their_order) {
  store_.add(1, 0, with(12), false, {});
  store_.add(0, 1, with(12), false, {});
  store_.add(0, 0, with(12), false, {});
  for (const replication_result& found : store_.replications(0, 2)) {
    ASSERT_EQ(found.measurements.size(), 12u);
    for (std::size_t n = 0; n < 12; ++n) EXPECT_EQ(found.measurements[n].class_name, "c" + std::to_string(n));
  }
  store_.commit();
  database db = open_database(path_);
  for (const char* table : {"measurements", "notes", "slices", "bins", "response_quantiles"}) {
    query indices(db, "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?", std::string(table));
    EXPECT_FALSE(indices.next()) << table;
  }
}

// Replications of points in turn, as workers finish them. A twentieth of the file at least is room in pages.
TEST_F(result_store_test, can_be_packed_and_has_the_same_replications_then) {
  for (const std::uint32_t replication : {0u, 1u, 2u})
    for (std::size_t point = 0; point < 80; ++point) store_.add(point, replication, with(60), false, {});
  store_.commit();
  const auto size = std::filesystem::file_size(path_);
  ASSERT_GT(size, 1'100'000u);
  store_.pack();
  EXPECT_LT(std::filesystem::file_size(path_), size / 20 * 19);
  for (std::size_t point = 0; point < 80; ++point) {
    const auto found = store_.replications(point, 3);
    ASSERT_EQ(found.size(), 3u);
    for (const replication_result& one : found) EXPECT_EQ(one.measurements.size(), 60u);
  }
}

TEST_F(result_store_test, has_what_was_added_for_itself_at_once_and_for_others_once_it_is_committed) {
  const auto seen_by_another = [&] {
    database db = open_database(path_);
    return db.execAndGet("SELECT count(*) FROM replications").getInt();
  };
  for (const std::uint32_t replication : {0u, 1u, 2u}) store_.add(0, replication, with(1), false, {});
  EXPECT_EQ(store_.list().size(), 3u);
  store_.commit();
  EXPECT_EQ(seen_by_another(), 3);
  {
    result_store another(path_, study{});
    for (const std::uint32_t replication : {3u, 4u}) another.add(0, replication, with(1), false, {});
  }
  EXPECT_EQ(seen_by_another(), 5) << "at the end of the store's life";
}

TEST_F(result_store_test, has_replications_from_before_one_that_cannot_be_stored) {
  store_.add(0, 0, with(1), false, {});
  store_.commit();
  EXPECT_THROW(store_.add(0, 0, with(1), false, {}), SQLite::Exception);
  store_.add(0, 1, with(1), false, {});
  store_.commit();
  EXPECT_EQ(store_.list().size(), 2u);
  EXPECT_EQ(store_.replications(0, 1).at(0).measurements.size(), 1u);
}

TEST_F(result_store_test, gives_out_as_many_replications_as_are_asked_for) {
  for (const std::uint32_t replication : {0u, 1u, 2u}) store_.add(0, replication, with(replication + 1), false, {});
  const auto found = store_.replications(0, 2);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].notes.size(), 2u);
  EXPECT_EQ(store_.presence(0).size(), 1u) << "of the first replication alone";
  EXPECT_EQ(found[1].measurements.size(), 2u);
}

}  // namespace
}  // namespace muster
