#include <gtest/gtest.h>

#include "tests/scenario/slotted_sample.h"

// arrivals.factor sweeps the load of a scenario whatever its arrivals are given by.

namespace muster {
namespace {

TEST(arrival_factor, multiplies_a_rate_and_a_load) {
  for (const char* key : {"arrivals.rate", "arrivals.load"}) {
    const std::string once = std::string{key} + "=0.5", twice = std::string{key} + "=1.0";
    const scenario scaled = first_point(sample, {once, "arrivals.factor=2"}), plain = first_point(sample, {twice});
    EXPECT_EQ(scaled.arrivals.rate, plain.arrivals.rate) << key;
    EXPECT_EQ(scaled.classes[0].rate, plain.classes[0].rate) << key;
    EXPECT_EQ(scaled.arrivals.interarrival.mean(), plain.arrivals.interarrival.mean()) << key;
  }
}

TEST(arrival_factor, multiplies_the_rates_of_classes_and_leaves_their_shares) {
  const std::string rates =
      replaced(replaced(with("share = 0.9", "rate = 3.0"), "share = 0.1", "rate = 1.0"), "rate = 7.0", "");
  const scenario model = first_point(rates, {"arrivals.factor=0.5"});
  EXPECT_EQ(model.arrivals.rate, 2.0);
  EXPECT_EQ(model.classes[0].rate, 1.5);
  EXPECT_EQ(model.classes[0].share, 0.75);
}

TEST(arrival_factor, scales_an_interarrival_time_without_a_rate) {
  const scenario model =
      first_point(replaced(sample, "rate = 7.0", "process = \"renewal\""),
                  {"arrivals.interarrival={ distribution = \"uniform\", low = 1.0, high = 3.0 }", "arrivals.factor=4"});
  EXPECT_EQ(model.arrivals.rate, 2.0);
  EXPECT_EQ(model.arrivals.interarrival.mean(), 0.5);
}

TEST(arrival_factor, is_written_back_only_where_it_is_given) {
  EXPECT_EQ(read(sample).resolved.find("factor"), std::string::npos);
  EXPECT_NE(read(sample, {"arrivals.factor=0.5"}).resolved.find("\nfactor = 0.5\n"), std::string::npos);
}

TEST(arrival_factor, is_a_number_above_zero_of_arrivals_that_never_end) {
  EXPECT_EQ(complaints(sample, {"arrivals.factor=0"}),
            "--set arrivals.factor=0:1:17: arrivals.factor: expected a number > 0, found 0");
  EXPECT_EQ(complaints(slotted_sample, {"arrivals.factor=2"}),
            "--set arrivals.factor=2:1:17: arrivals.factor: expected no factor here, because the arrivals are finite");
}

}  // namespace
}  // namespace muster
