#include "platform/imported_fmu/fmu_messages.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

using severity = fmu_messages::severity;
using sentences = std::vector<std::string>;

TEST(messages_of_an_fmu, that_go_with_no_failure_are_told_once_each_in_their_order) {
  fmu_messages messages;
  EXPECT_EQ(messages.said(), sentences{});
  for (int n = 0; n < 3; ++n) {
    messages.add("the fan is slow", severity::warning);
    messages.add("read room.csv with 40 rows", severity::ok);
  }
  messages.add("the fan has failed", severity::failure);
  EXPECT_EQ(messages.said(), (sentences{"warns: 'the fan is slow'", "says: 'read room.csv with 40 rows'"}));
}

TEST(messages_of_an_fmu, that_differ_in_nothing_but_numbers_are_one) {
  fmu_messages messages;
  for (const char* text : {"slow at 5 s: -1.5e-3 of v2", "slow at 12.25 s: +4 of v2", "slow at 1e+06 s: 7.0E5 of v3"})
    messages.add(text, severity::warning);
  messages.add("slow at 5 s", severity::warning);
  messages.add("slow at 5 s", severity::ok);
  EXPECT_EQ(messages.said(),
            (sentences{"warns: 'slow at # s: # of v#'", "warns: 'slow at 5 s'", "says: 'slow at 5 s'"}));
  messages.add("slow at . s", severity::ok);  // no number, nor is what follows
  messages.add("5.", severity::ok);
  messages.add("6.", severity::ok);
  EXPECT_EQ(messages.said().back(), "says: '#.'");
}

TEST(messages_of_an_fmu, are_bounded_in_number_and_length) {
  fmu_messages messages;
  for (char c = 'a'; c <= 'z'; ++c) messages.add(std::string(1000, c), severity::ok);
  const sentences all = messages.said();
  ASSERT_EQ(all.size(), fmu_messages::most_told + 1);
  for (const std::string& sentence : all) EXPECT_LT(sentence.size(), 250u);
  EXPECT_EQ(all.back(), "says more; the first 5 messages are shown");
}

}  // namespace
}  // namespace muster
