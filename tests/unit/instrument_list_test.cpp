#include "platform/metrics/instrument.h"

#include <gtest/gtest.h>

#include "muster/modules/server/server_observer.h"

namespace muster {
namespace {

struct arrival_counter final : instrument {
  unsigned arrivals = 0;
  void job_arrives(ticks, const job_extension&) override { ++arrivals; }
};

struct slice_counter : instrument {
  unsigned slices = 0;
  void slice_begins(ticks, const slice_view&) override { ++slices; }
  void slice_ends(ticks, const slice_view&) override { --slices; }
};

struct slice_and_phase_counter final : slice_counter {
  void phase_begins(ticks, unsigned) override {}
};

using receivers = instrument_list::receivers;

TEST(instrument_list, tells_an_instrument_only_what_its_class_or_a_base_of_it_overrides) {
  instrument_list all;
  arrival_counter& jobs = all.add(std::make_unique<arrival_counter>());
  EXPECT_FALSE(all.any_slices());
  slice_counter& slices = all.add(std::make_unique<slice_counter>());
  slice_and_phase_counter& both = all.add(std::make_unique<slice_and_phase_counter>());
  EXPECT_EQ(all.all.size(), 3u);
  EXPECT_EQ(all.job_arrives, receivers{&jobs});
  EXPECT_EQ(all.job_completes, receivers{});
  EXPECT_EQ(all.phase_begins, receivers{&both});
  EXPECT_EQ(all.slice_begins, (receivers{&slices, &both}));
  EXPECT_EQ(all.slice_works, receivers{});
  EXPECT_EQ(all.slice_saves, receivers{});
  EXPECT_EQ(all.slice_ends, (receivers{&slices, &both}));
  EXPECT_EQ(all.edge_occupied, receivers{});
}

TEST(instrument_list, leaves_an_instrument_out_of_slices_until_it_wants_them_again) {
  instrument_list all;
  slice_counter& one = all.add(std::make_unique<slice_counter>());
  slice_counter& other = all.add(std::make_unique<slice_counter>());
  all.tell_no_slices(one);
  EXPECT_EQ(all.slice_begins, receivers{&other});
  EXPECT_EQ(all.slice_ends, receivers{&other});
  all.tell_no_slices(other);
  EXPECT_FALSE(all.any_slices());
  all.tell_slices(one);
  EXPECT_EQ(all.slice_begins, receivers{&one});
  EXPECT_EQ(all.slice_works, receivers{});
  EXPECT_EQ(all.slice_ends, receivers{&one});
}

}  // namespace
}  // namespace muster
