#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/protocol/job_extension.h"

#include <memory>

#include <gtest/gtest.h>
#include <systemc>

namespace muster {
namespace {

void describe(job_extension& j) {
  j.id = 7;
  j.type = class_id{3};
  j.where = job::place::waiting;
  j.arrival = 11;
  j.ahead = j.behind = &j;
  j.descriptor = {3, 99};
  j.requested = 120;
  j.killed_at_estimate = true;
  j.estimate = 110;
  j.user = 6;
  j.started = 13;
  j.held.total = 12;
  j.own.open_slices = 2;
  j.own.borrowed = true;
  j.own.submitter = 5;
  j.transaction = reinterpret_cast<tlm::tlm_generic_payload*>(16);
  j.interruptions = 4;
  j.migrations = 3;
  j.failures = 2;
  j.own.failed = true;
  j.done = 9;
  j.own.least_run = 8;
  j.words = {3, 99, 1, 2};
  static const group_id group{1};
  j.groups = &group;
  j.group_count = 1;
}

void expect_copy(const job_extension& copy, const job_extension& of) {
  EXPECT_EQ(copy.id, of.id);
  EXPECT_EQ(copy.type, of.type);
  EXPECT_EQ(copy.where, of.where);
  EXPECT_EQ(copy.arrival, of.arrival);
  EXPECT_EQ(copy.descriptor.type, of.descriptor.type);
  EXPECT_EQ(copy.descriptor.size, of.descriptor.size);
  EXPECT_EQ(copy.requested, of.requested);
  EXPECT_EQ(copy.killed_at_estimate, of.killed_at_estimate);
  EXPECT_EQ(copy.estimate, of.estimate);
  EXPECT_EQ(copy.user, of.user);
  EXPECT_EQ(copy.started, of.started);
  EXPECT_EQ(copy.held.total, of.held.total);
  EXPECT_EQ(copy.own.open_slices, 0u) << "what the scheduler alone knows stays with the job";
  EXPECT_FALSE(copy.own.borrowed);
  EXPECT_EQ(copy.own.submitter, 0);
  EXPECT_EQ(copy.transaction, of.transaction);
  EXPECT_EQ(copy.interruptions, of.interruptions);
  EXPECT_EQ(copy.migrations, of.migrations);
  EXPECT_EQ(copy.failures, of.failures);
  EXPECT_EQ(copy.done, of.done);
  EXPECT_EQ(copy.words, of.words);
  EXPECT_EQ(copy.groups, nullptr) << "the copy stands in no queue";
  EXPECT_EQ(copy.group_count, 0u);
  EXPECT_EQ(copy.ahead, nullptr) << "the copy stands in no queue";
  EXPECT_EQ(copy.behind, nullptr);
  EXPECT_EQ(copy.own.allocation, nullptr) << "the copy has no slices";
}

TEST(job_extension, clones_and_copies_all_but_its_place_in_the_queue_and_what_the_scheduler_alone_knows) {
  job_extension j;
  describe(j);
  const std::unique_ptr<job_extension> clone{static_cast<job_extension*>(j.clone())};
  expect_copy(*clone, j);
  job_extension copy;
  copy.copy_from(j);
  expect_copy(copy, j);
}

TEST(job_extension, goes_along_with_a_deep_copy_of_the_payload) {
  job_extension j;
  describe(j);
  tlm::tlm_generic_payload from, to;
  from.set_extension(&j);
  to.deep_copy_from(from);
  ASSERT_NE(to.get_extension<job_extension>(), nullptr);
  EXPECT_NE(to.get_extension<job_extension>(), &j);
  expect_copy(*to.get_extension<job_extension>(), j);
  from.clear_extension(&j);
}

TEST(slice_extension, clones_and_copies_all_values_but_not_its_place_in_a_list) {
  job_extension holder;
  slice_extension s;
  s.descriptor = {1, 2, 3};
  s.holder = &holder;
  s.group = group_id{4};
  s.server = 5;
  s.rate = 1.5;
  s.ended = slice_extension::end::interrupted;
  s.worked = false;
  s.place = 6;
  s.state_from = 7;
  s.ran = 8;
  s.asks = slice_extension::request::repair;
  s.next = s.previous = &s;
  tlm::tlm_generic_payload from, to;
  from.set_extension(&s);
  to.deep_copy_from(from);
  const auto* copy = to.get_extension<slice_extension>();
  ASSERT_NE(copy, nullptr);
  EXPECT_NE(copy, &s);
  EXPECT_EQ(copy->descriptor.job, 1u);
  EXPECT_EQ(copy->descriptor.cores, 2u);
  EXPECT_EQ(copy->descriptor.duration, 3u);
  EXPECT_EQ(copy->holder, &holder);
  EXPECT_EQ(copy->group, group_id{4});
  EXPECT_EQ(copy->server, 5u);
  EXPECT_EQ(copy->rate, 1.5);
  EXPECT_EQ(copy->ended, slice_extension::end::interrupted);
  EXPECT_FALSE(copy->worked);
  EXPECT_EQ(copy->place, 6u);
  EXPECT_EQ(copy->state_from, 7u);
  EXPECT_EQ(copy->ran, 8u);
  EXPECT_EQ(copy->asks, slice_extension::request::repair);
  EXPECT_EQ(copy->next, nullptr) << "the copy is in no list";
  EXPECT_EQ(copy->previous, nullptr);
  from.clear_extension(&s);
}

struct foreign_extension final : tlm::tlm_extension<foreign_extension> {
  tlm::tlm_extension_base* clone() const override { return new foreign_extension; }
  void copy_from(const tlm::tlm_extension_base&) override {}
  ~foreign_extension() override { ++destroyed; }
  static inline int destroyed = 0;
};

TEST(transaction_pool, keeps_its_own_extension_over_a_reset_and_drops_the_automatic_ones_of_others) {
  transaction_pool<job_extension> pool;
  tlm::tlm_generic_payload& p = pool.take();
  job_extension* const own = p.get_extension<job_extension>();
  EXPECT_EQ(own, &pool.extension(p));
  p.set_auto_extension(new foreign_extension);
  p.reset();
  EXPECT_EQ(p.get_extension<job_extension>(), own) << "sticky";
  EXPECT_EQ(foreign_extension::destroyed, 1);
  p.set_auto_extension(new foreign_extension);
  p.release();
  EXPECT_EQ(foreign_extension::destroyed, 2);
  EXPECT_EQ(&pool.take(), &p);
  EXPECT_EQ(p.get_extension<job_extension>(), own);
  EXPECT_EQ(p.get_extension<foreign_extension>(), nullptr);
  p.release();
}

TEST(transaction_pool, takes_a_payload_back_with_its_last_reference_only) {
  transaction_pool<slice_extension> pool;
  tlm::tlm_generic_payload& p = pool.take();
  p.acquire();
  p.release();
  EXPECT_EQ(pool.outstanding(), 1u);
  EXPECT_NE(&pool.take(), &p);
  EXPECT_EQ(pool.outstanding(), 2u);
  p.release();
  EXPECT_EQ(pool.outstanding(), 1u);
  EXPECT_EQ(&pool.take(), &p);
}

}  // namespace
}  // namespace muster
