#include "muster/modules/kernel/exclusion_queue.h"

#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace muster {
namespace {

using payload = tlm::tlm_generic_payload;

/// A hop whose peer does what a test says when a payload is sent to it.
struct hop {
  exclusion_queue gate;
  std::vector<const payload*> sent;
  /// @return whether the peer has answered in its return
  std::function<bool(payload&)> peer = [](payload&) { return false; };

  bool send(payload& p) {
    sent.push_back(&p);
    return peer(p);
  }
  void pass(payload& p) {
    gate.pass(p, [this](payload& next) { return send(next); });
  }
  void answer(const payload& p) {
    gate.answered(p, [this](payload& next) { return send(next); });
  }
};

using order = std::vector<const payload*>;

TEST(exclusion_queue, lets_one_payload_pass_at_a_time_and_the_others_in_their_order) {
  hop h;
  payload p[6];
  for (payload& each : p) h.pass(each);
  EXPECT_EQ(h.sent, (order{&p[0]}));
  for (int n = 0; n < 5; ++n) {
    h.answer(p[n]);
    ASSERT_EQ(h.sent.size(), static_cast<std::size_t>(n) + 2);
    EXPECT_EQ(h.sent.back(), &p[n + 1]);
  }
  h.answer(p[5]);
  EXPECT_EQ(h.sent.size(), 6u);
}

TEST(exclusion_queue, is_passed_at_once_where_the_peer_answers_in_its_return) {
  hop h;
  h.peer = [](payload&) { return true; };
  payload p[3];
  for (payload& each : p) h.pass(each);
  EXPECT_EQ(h.sent, (order{&p[0], &p[1], &p[2]}));
}

TEST(exclusion_queue, sends_all_that_wait_to_a_peer_that_answers_them_in_its_return) {
  hop h;
  payload p[4];
  for (payload& each : p) h.pass(each);
  h.peer = [](payload&) { return true; };
  h.answer(p[0]);
  EXPECT_EQ(h.sent, (order{&p[0], &p[1], &p[2], &p[3]}));
}

TEST(exclusion_queue, ignores_an_answer_to_what_is_not_under_way) {
  hop h;
  payload p[3];
  for (payload& each : p) h.pass(each);
  h.answer(p[1]);
  EXPECT_EQ(h.sent, (order{&p[0]})) << "it waits itself";
  h.answer(p[0]);
  h.answer(p[0]);
  EXPECT_EQ(h.sent, (order{&p[0], &p[1]})) << "answered twice";
}

// The answer within the call sends the third payload; that the peer's return answers the second once more must not let
// the fourth pass before the third is answered.
TEST(exclusion_queue, waits_for_the_third_of_which_the_second_was_answered_within_the_call_and_in_the_return) {
  hop h;
  payload p[4];
  for (int n = 0; n < 3; ++n) h.pass(p[n]);
  h.peer = [&](payload& sent) {
    if (&sent != &p[1]) return false;
    h.answer(sent);
    return true;
  };
  h.answer(p[0]);
  EXPECT_EQ(h.sent, (order{&p[0], &p[1], &p[2]}));
  h.pass(p[3]);
  EXPECT_EQ(h.sent.size(), 3u) << "the third is not answered";
  h.answer(p[2]);
  EXPECT_EQ(h.sent, (order{&p[0], &p[1], &p[2], &p[3]}));
}

// Likewise where nobody waits before the first one: the second comes to wait while the first is being sent.
TEST(exclusion_queue, waits_for_the_second_of_which_the_first_was_answered_within_the_call_and_in_the_return) {
  hop h;
  payload p[3];
  h.peer = [&](payload& sent) {
    if (&sent != &p[0]) return false;
    h.pass(p[1]);
    h.answer(sent);
    return true;
  };
  h.pass(p[0]);
  EXPECT_EQ(h.sent, (order{&p[0], &p[1]}));
  h.pass(p[2]);
  EXPECT_EQ(h.sent.size(), 2u) << "the second is not answered";
  h.answer(p[1]);
  EXPECT_EQ(h.sent, (order{&p[0], &p[1], &p[2]}));
}

}  // namespace
}  // namespace muster
