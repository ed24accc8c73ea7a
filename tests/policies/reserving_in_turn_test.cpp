#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "muster/policies/backfilling/reserving_in_turn.h"
#include "muster/policies/cluster_state.h"

// Jobs are {cores, duration}, in turn, on a pool of eight cores, at instant 0; a class is a number of cores.

namespace muster {
namespace {

constexpr unsigned all_cores = 8;

struct waiting_job {
  unsigned cores;
  ticks duration;
};

/// Reservations for jobs beside one that holds some cores until an instant.
class planned_pool {
 public:
  planned_pool(unsigned held, ticks until, const std::vector<waiting_job>& jobs)
      : state_(classes(), table<group_id, unsigned>(1, all_cores), nullptr), plan_(plan_for(state_)) {
    plan_->advance(state_);
    plan_->reserve(add({held, until}));
    for (const waiting_job& j : jobs) given_.push_back(&add(j));
  }

  /// @return how many jobs have had their turn
  std::size_t reserve_in_turn() { return reserving_in_turn{all_cores}.reserve(*plan_, given_, 0); }
  void reserve_for_all() {
    for (planned_job* j : given_) plan_->reserve(*j);
  }
  /// When the reservations of the first jobs begin.
  std::vector<ticks> begins(std::size_t count) const {
    std::vector<ticks> found;
    for (std::size_t n = 0; n < count; ++n) found.push_back(given_[n]->begin);
    return found;
  }

 private:
  static table<class_id, job_class> classes() {
    table<class_id, job_class> all;
    for (unsigned cores = all_cores; cores > 0; --cores) {
      job_class type;
      type.name = "cores_" + std::to_string(cores);
      type.need = cores;
      type.groups = {group_id{0}};
      all.push_back(type);
    }
    return all;
  }

  planned_job& add(const waiting_job& given) {
    job& of = jobs_.emplace_back();
    of.id = jobs_.size();
    of.type = class_id{all_cores - given.cores};
    planned_job& j = planned_.emplace_back();
    j.of = &of;
    j.cores = given.cores;
    j.duration = given.duration;
    return j;
  }

  cluster_state state_;
  std::unique_ptr<reservation_plan> plan_;
  std::deque<job> jobs_;
  std::deque<planned_job> planned_;
  std::vector<planned_job*> given_;
};

TEST(reserving_in_turn, makes_no_reservation_where_no_job_fits_now) {
  EXPECT_EQ((planned_pool{8, 10, std::vector<waiting_job>(1000, {1, 5})}.reserve_in_turn()), 0u);
  EXPECT_EQ((planned_pool{6, 10, std::vector<waiting_job>(1000, {3, 5})}.reserve_in_turn()), 0u);
}

TEST(reserving_in_turn, ends_once_the_last_job_that_fits_now_has_started_or_would_delay_those_before_it) {
  std::vector<waiting_job> jobs(1000, {8, 10});
  jobs.push_back({1, 10});  // it has ended when the first of the others begins
  EXPECT_EQ((planned_pool{6, 10, jobs}.reserve_in_turn()), 1001u);
  jobs.back().duration = 11;  // the first of the others, at 10, is in its way
  EXPECT_EQ((planned_pool{6, 10, jobs}.reserve_in_turn()), 1u);
  jobs.front() = {2, 1};  // it starts on the cores that are left
  EXPECT_EQ((planned_pool{6, 10, jobs}.reserve_in_turn()), 1u);
}

TEST(reserving_in_turn, lets_the_jobs_start_that_start_where_all_have_reservations_and_makes_far_fewer) {
  std::mt19937 bits{1};
  const auto any = [&](unsigned low, unsigned high) {
    return std::uniform_int_distribution<unsigned>{low, high}(bits);
  };
  std::size_t turns = 0, jobs = 0;
  for (int pool = 0; pool < 300; ++pool) {
    std::vector<waiting_job> waiting(any(1, 150));
    for (waiting_job& j : waiting) j = {any(0, 3) == 0 ? any(1, 8) : any(1, 2), any(1, 60)};
    const unsigned held = any(1, 8), until = any(1, 40);
    planned_pool lazy{held, until, waiting}, full{held, until, waiting};
    const std::size_t made = lazy.reserve_in_turn();
    full.reserve_for_all();
    ASSERT_EQ(lazy.begins(made), full.begins(made)) << pool;
    const std::vector<ticks> all = full.begins(waiting.size());
    for (std::size_t n = made; n < all.size(); ++n) ASSERT_GT(all[n], 0u) << "job " << n << " of pool " << pool;
    turns += made;
    jobs += waiting.size();
  }
  EXPECT_LT(3 * turns, jobs);
}

}  // namespace
}  // namespace muster
