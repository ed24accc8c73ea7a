#include "platform/random/random_stream.h"

#include <bitset>
#include <cmath>
#include <set>
#include <vector>

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include "platform/random/policy_numbers.h"
#include "platform/simulation/server_clocks.h"

namespace muster {
namespace {

std::vector<std::uint64_t> draw(random_stream stream, std::size_t count) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(stream());
  return numbers;
}

TEST(random_stream, rests_on_a_philox_that_gives_the_known_answers_of_its_authors) {
  using generator = r123::Philox4x64;
  const std::uint64_t ones = ~std::uint64_t{0};
  const generator::ctr_type zero = generator{}({{0, 0, 0, 0}}, {{0, 0}});
  EXPECT_EQ(zero,
            (generator::ctr_type{{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}}));
  const generator::ctr_type full = generator{}({{ones, ones, ones, ones}}, {{ones, ones}});
  EXPECT_EQ(full,
            (generator::ctr_type{{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}}));
  const generator::ctr_type pi =
      generator{}({{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}},
                  {{0x452821e638d01377, 0xbe5466cf34e90c6c}});
  EXPECT_EQ(pi,
            (generator::ctr_type{{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}}));
}

// Computed apart from this code, from the definitions of Philox-4x64-10 and FNV-1a. If these change, so does every
// result that anybody has published with a seed.
TEST(random_stream, gives_the_same_first_values_for_ever) {
  const std::vector<std::uint64_t> arrivals{0xa9cfc78394b17a30, 0x7accd5cf86c60911, 0xf962c08189e1fd10,
                                            0xe02d4f1477ff0182, 0x6aa8a6601bfc8b89, 0x19dbb60d0a5a6944,
                                            0xc1f6b8cc7f5b9f20, 0x3945a3e88763a49b};
  EXPECT_EQ(draw({1, 0, "source", "arrivals"}, 8), arrivals);
  const std::vector<std::uint64_t> sizes{0x0c3615cd898383c9, 0x9838f39d9f8c0b69, 0x6cb8c80af1f7e66d,
                                         0xbeafa520a8080e95};
  EXPECT_EQ(draw({42, 3, "cluster.source", "sizes"}, 4), sizes);
}

TEST(random_stream, keeps_its_prefix_whatever_is_drawn_from_other_streams) {
  const auto alone = draw({1, 0, "source", "sizes"}, 1000);
  random_stream stream(1, 0, "source", "sizes");
  random_stream other(1, 0, "source", "arrivals");
  std::vector<std::uint64_t> beside;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    for (std::size_t n = 0; n < i % 7; ++n) other();
    beside.push_back(stream());
  }
  EXPECT_EQ(beside, alone);
}

TEST(random_stream, continues_in_a_copy_where_the_original_stood) {
  random_stream stream(1, 0, "source", "sizes");
  for (int i = 0; i < 5; ++i) stream();
  random_stream copy = stream;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(copy(), stream());
}

TEST(random_stream, tells_module_and_purpose_apart_even_where_their_names_run_together) {
  EXPECT_NE(draw({1, 0, "ab", "c"}, 4), draw({1, 0, "a", "bc"}, 4));
  EXPECT_NE(draw({1, 0, "", "abc"}, 4), draw({1, 0, "abc", ""}, 4));
  EXPECT_NE(draw({1, 0, "a", "b"}, 4), draw({1, 0, "b", "a"}, 4));
}

// Sixteen streams that differ in one part of their name each, and neighbours within each part.
std::vector<random_stream> neighbours() {
  std::vector<random_stream> all;
  for (const std::uint64_t seed : {1u, 2u})
    for (const std::uint64_t replication : {0u, 1u})
      for (const char* module : {"source", "sourcf"})
        for (const char* purpose : {"arrivals", "sizes"}) all.emplace_back(seed, replication, module, purpose);
  return all;
}

TEST(random_stream, shares_no_number_with_a_stream_of_another_seed_replication_module_or_purpose) {
  std::set<std::uint64_t> seen;
  const std::size_t each = 10000;
  for (const random_stream& stream : neighbours())
    for (const std::uint64_t number : draw(stream, each)) seen.insert(number);
  // By chance alone two of these numbers are equal with probability 7e-10.
  EXPECT_EQ(seen.size(), 16 * each);
}

// Of 64 bits two independent numbers differ in 32 on average, with variance 16. 120 pairs at 5 standard errors: a false
// alarm for one seed in 15,000.
TEST(random_stream, is_not_correlated_with_a_stream_of_another_seed_replication_module_or_purpose) {
  const std::size_t count = 10000;
  std::vector<std::vector<std::uint64_t>> numbers;
  for (const random_stream& stream : neighbours()) numbers.push_back(draw(stream, count));
  for (std::size_t a = 0; a < numbers.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double differing = 0;
      for (std::size_t i = 0; i < count; ++i)
        differing += static_cast<double>(std::bitset<64>(numbers[a][i] ^ numbers[b][i]).count());
      EXPECT_NEAR(differing / count, 32.0, 5.0 * 4.0 / std::sqrt(count)) << "streams " << a << " and " << b;
    }
}

// Each bit is 1 in half of the numbers: 64 bits at 5 standard errors, a false alarm for one seed in 27,000.
TEST(random_stream, sets_every_bit_in_half_of_its_numbers) {
  const std::size_t count = 100000;
  std::vector<double> ones(64);
  for (const std::uint64_t number : draw({1, 0, "source", "arrivals"}, count))
    for (std::size_t bit = 0; bit < 64; ++bit) ones[bit] += static_cast<double>(number >> bit & 1u);
  for (std::size_t bit = 0; bit < 64; ++bit)
    EXPECT_NEAR(ones[bit] / count, 0.5, 5.0 * 0.5 / std::sqrt(count)) << "bit " << bit;
}

// Theta is the work between two interruptions: 3 of it take a server of 4 cores of capacity 0.5 as long as 1.5 take.
TEST(random_interruptions, come_after_the_time_in_which_all_cores_of_a_server_do_theta_of_work) {
  scenario model;
  const server_spec four{"four", 2, 4, 0.5};
  const auto in_units = [&](double units) { return model.unit.to_ticks(units); };
  model.timers.kind = timer_spec::law::deterministic;
  EXPECT_EQ(random_interruptions(model, 0, four, 3.0).next(0), in_units(1.5));
  EXPECT_EQ(random_interruptions(model, 0, {"one", 1, 1, 0.5}, 3.0).next(0), in_units(6.0));
  model.timers.tick = 1.0;
  EXPECT_EQ(random_interruptions(model, 0, four, 3.0).next(1), in_units(2.0)) << "in whole ticks";
  EXPECT_EQ(random_interruptions(model, 0, four, 4.0).next(1), in_units(2.0)) << "just two of them";
  model.timers = {};
  random_interruptions exponential(model, 0, four, 3.0);
  // The standard error of a mean of 10,000 is a hundredth of it.
  double sum = 0.0;
  for (int n = 0; n < 10'000; ++n) sum += model.unit.to_units(exponential.next(0));
  EXPECT_NEAR(sum / 10'000, 1.5, 5.0 * 0.015);
}

TEST(policy_numbers, are_keyed_by_seed_and_replication) {
  const auto drawn = [](std::uint64_t seed, std::uint64_t replication) {
    policy_numbers numbers{seed, replication};
    std::vector<double> found;
    for (int n = 0; n < 5; ++n) found.push_back(numbers.uniform());
    for (const double x : found) EXPECT_TRUE(x >= 0.0 && x < 1.0) << x;
    return found;
  };
  EXPECT_EQ(drawn(1, 2), drawn(1, 2));
  EXPECT_NE(drawn(1, 2), drawn(1, 3));
  EXPECT_NE(drawn(1, 2), drawn(2, 2));
}

TEST(policy_numbers, have_exponential_ones_of_the_mean_that_is_asked_for) {
  policy_numbers numbers{1, 0};
  double sum = 0.0;
  for (int n = 0; n < 10'000; ++n) sum += numbers.exponential(3.0);
  EXPECT_NEAR(sum / 10'000, 3.0, 5.0 * 0.03);
}

}  // namespace
}  // namespace muster
