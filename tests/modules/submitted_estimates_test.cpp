#include <vector>

#include "tests/modules/child.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

// Estimates and users that rigid jobs state in words behind the descriptor, as plain payloads and from a job source.

namespace muster {
namespace {

/// What a policy knows of a job when it arrives.
struct known_job {
  ticks estimate;
  std::uint32_t user;

  bool operator==(const known_job& o) const { return estimate == o.estimate && user == o.user; }
  friend std::ostream& operator<<(std::ostream& out, const known_job& k) {
    return out << "{" << k.estimate << ", " << k.user << "}";
  }
};
std::vector<known_job> known;  // in the order of arrival

/// First come, first served, by a policy that notes what it knows.
class notes_estimates final : public rigid_policy {
  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    known.push_back({j.estimate, j.user});
    rigid_policy::arrived(j, cluster, decide);
  }
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    for (const job* next = cluster.earliest(); next && cluster.fits(*next); next = cluster.earliest())
      decide.start(*next);
  }
};

policy_entry entry_that_uses(bool estimates) {
  policy_entry entry = entry_of_test<notes_estimates>();
  entry.uses_estimates = estimates;
  entry.any_needs = true;
  return entry;
}
const policy_entry uses_estimates = entry_that_uses(true), uses_none = entry_that_uses(false);

using source = estimate_settings::source;
constexpr std::uint32_t nobody = job_facts::no_user;

layout with_estimates(source from, std::uint32_t users, const policy_entry& policy = uses_estimates) {
  layout l;
  l.groups = {{"node", 1, 4, 1.0}};
  l.own_policy = &policy;
  l.estimates = {from, users};
  return l;
}

job_request request_of(ticks estimate, std::uint32_t user) {
  job_request request;
  request.size = 10;
  request.estimate = estimate;
  request.user = user;
  return request;
}

/// Submits plain payloads one after the other, each when the one before is complete, and checks the responses.
void submit_all(const layout& l, const std::vector<std::vector<std::uint64_t>>& payloads,
                tlm::tlm_response_status expected = tlm::TLM_OK_RESPONSE) {
  scene s{l};
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          for (const auto& words : payloads) EXPECT_EQ(me.submit(words), expected) << words.back();
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
}

TEST(submitted_estimate, and_user_stand_behind_the_need_in_a_plain_payload) {
  layout l = with_estimates(source::stated, 3);
  l.submitted = {{3}};
  submit_all(l, {{0, 10, 1, 20, 3}, {0, 10, 0, 30, 1}, {0, 10, 1, 40, 0}, {0, 10, 0, 50}});
  EXPECT_EQ(known, (std::vector<known_job>{{20, 2}, {30, 0}, {40, nobody}, {50, nobody}}));
}

TEST(submitted_estimate, of_a_job_source_is_that_of_its_request) {
  scene s{with_estimates(source::stated, 2), {request_of(20, 1), request_of(30, nobody), request_of(40, 0)}};
  s.run();
  EXPECT_EQ(known, (std::vector<known_job>{{20, 1}, {30, nobody}, {40, 0}}));
}

TEST(submitted_estimate, of_a_job_source_passes_links_and_checkers) {
  layout l = with_estimates(source::stated, 2);
  l.submission_latency = 5;
  l.monitored = true;
  scene s{l, {request_of(20, 1), request_of(30, 0)}};
  s.run();
  EXPECT_EQ(known, (std::vector<known_job>{{20, 1}, {30, 0}}));
}

TEST(submitted_estimate, is_the_size_where_sizes_are_estimates) {
  submit_all(with_estimates(source::size, 0), {{0, 10}, {0, 25}});
  EXPECT_EQ(known, (std::vector<known_job>{{10, nobody}, {25, nobody}}));
}

TEST(submitted_estimate, is_the_size_whatever_is_stated_where_sizes_are_estimates) {
  submit_all(with_estimates(source::size, 1), {{0, 10}, {0, 25, 0, 70, 1}});
  EXPECT_EQ(known, (std::vector<known_job>{{10, nobody}, {25, 0}}));
}

TEST(submitted_estimate, is_unknown_to_a_policy_that_uses_none_and_the_user_is_known) {
  submit_all(with_estimates(source::stated, 2, uses_none), {{0, 10, 0, 20, 2}, {0, 10, 0, 20}, {0, 10}});
  EXPECT_EQ(known, (std::vector<known_job>{{0, 1}, {0, nobody}, {0, nobody}}));
}

// The first user's jobs of 10 and 30 are complete before the third comes, which learns 20; the fourth states less.
TEST(submitted_estimate, is_learnt_from_the_last_two_jobs_of_the_user) {
  submit_all(with_estimates(source::learnt, 2),
             {{0, 10, 0, 90, 1}, {0, 30, 0, 80, 1}, {0, 10, 0, 70, 1}, {0, 10, 0, 15, 1}, {0, 10, 0, 60, 2}});
  EXPECT_EQ(known, (std::vector<known_job>{{90, 0}, {80, 0}, {20, 0}, {15, 0}, {60, 1}}));
}

TEST(submitted_estimate, that_is_missing_or_of_a_user_who_is_not_declared_is_answered_with_an_error) {
  layout l = with_estimates(source::stated, 2);
  submit_all(l,
             {{0, 10},
              {0, 10, 0},
              {0, 10, 0, 0, 1},
              {0, 10, 0, end_of_clock},
              {0, 10, 0, 20, 3},
              {0, 10, 0, 20, ~std::uint64_t{0}},
              {0, 10, 1, 20}},
             tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_TRUE(known.empty());
}

/// Notes the QOS of jobs.
class notes_qos final : public rigid_policy {
  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    noted.push_back(j.qos);
    if (cluster.fits(j)) decide.start(j);
  }

 public:
  static inline std::vector<std::uint32_t> noted;
};

layout with_three_qos() {
  static const policy_entry entry = [] {
    policy_entry notes = entry_of_test<notes_qos>();
    notes.uses_estimates = true;
    return notes;
  }();
  layout l = with_estimates(source::stated, 2, entry);
  l.estimates.qos = 3;
  return l;
}

constexpr std::uint32_t no_qos = job_facts::no_qos;

TEST(submitted_qos, stands_behind_the_user_in_a_plain_payload) {
  submit_all(with_three_qos(), {{0, 10, 0, 20, 1, 3}, {0, 10, 0, 20, 0, 1}, {0, 10, 0, 20, 1, 0}, {0, 10, 0, 20, 1}});
  EXPECT_EQ(notes_qos::noted, (std::vector<std::uint32_t>{2, 0, no_qos, no_qos}));
}

TEST(submitted_qos, of_a_job_source_is_that_of_its_request_with_and_without_a_user) {
  job_request with_user = request_of(20, 1), without_user = request_of(20, nobody);
  with_user.qos = 2;
  without_user.qos = 0;
  scene s{with_three_qos(), {with_user, without_user, request_of(20, 1)}};
  s.run();
  EXPECT_EQ(notes_qos::noted, (std::vector<std::uint32_t>{2, 0, no_qos}));
}

TEST(submitted_qos, that_is_not_declared_is_answered_with_an_error) {
  submit_all(with_three_qos(), {{0, 10, 0, 20, 1, 4}}, tlm::TLM_GENERIC_ERROR_RESPONSE);
}

TEST(submitted_qos, with_a_word_too_many_is_answered_with_an_error) {
  submit_all(with_three_qos(), {{0, 10, 0, 20, 1, 3, 0}}, tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(submitted_estimate, with_a_word_too_many_is_answered_with_an_error) {
  submit_all(with_estimates(source::stated, 2), {{0, 10, 0, 20, 1, 0}}, tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(submitted_estimate, is_no_part_of_a_job_where_none_may_be_stated) {
  submit_all(with_estimates(source::size, 0), {{0, 10, 0, 20}, {0, 10, 0, 20, 1}}, tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(submitted_estimate, is_refused_for_a_policy_of_other_jobs) {
  layout l = with_estimates(source::stated, 0);
  l.own_policy = nullptr;
  l.policy = "fcfs_pooled";
  expect_report("/muster/scheduler",
                "'scheduler': jobs may state estimates and users, but the jobs of policy 'fcfs_pooled' are pooled; "
                "expected a policy of rigid jobs");
  EXPECT_THROW(scene{l}, sc_core::sc_report);
}

}  // namespace
}  // namespace muster
