#include <algorithm>
#include <array>

#include "tests/modules/child.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

// Jobs of one class that bring needs of their own, as plain payloads with a word behind the descriptor.

namespace muster {
namespace {

/// A node of four cores; a job needs one of them, or by its word three or all.
layout one_three_or_four() {
  layout l;
  l.groups = {{"node", 1, 4, 1.0}};
  l.submitted = {{3}, {4}};
  return l;
}

TEST(submitted_need, is_named_by_a_word_behind_the_descriptor) {
  scene s{one_three_or_four()};
  foreign_initiator foreign{"foreign", foreign_initiator::manner::completes};
  foreign.socket.bind(s.central.submissions);
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          me.wait_until(5);
                          foreign.submit({0, 10});     // one core, as all jobs of before
                          foreign.submit({0, 20, 0});  // one core
                          foreign.submit({0, 10, 2});  // all four, from 25 on
                          foreign.submit({0, 10, 1});  // three, from 35 on
                          foreign.submit({0, 30});     // one beside it
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
  std::vector<ticks> completed(5);
  for (const auto& r : foreign.responses) completed.at(r.job) = r.at;
  EXPECT_EQ(completed, (std::vector<ticks>{15, 25, 35, 45, 65}));
}

TEST(submitted_need, of_a_blocking_call_is_read_at_the_call) {
  scene s{one_three_or_four()};
  foreign_thread driver{"driver", [](foreign_thread& me) {
                          EXPECT_EQ(me.submit({0, 10, 2}), tlm::TLM_OK_RESPONSE);
                          EXPECT_EQ(me.submit({0, 10, 0}), tlm::TLM_OK_RESPONSE);
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.all_cores().running, 50u);
}

TEST(submitted_need, that_is_not_declared_is_answered_with_an_error) {
  scene s{one_three_or_four()};
  foreign_thread driver{"driver", [](foreign_thread& me) {
                          EXPECT_EQ(me.submit({0, 10, 3}), tlm::TLM_GENERIC_ERROR_RESPONSE);
                          EXPECT_EQ(me.submit({0, 10, ~std::uint64_t{0}}), tlm::TLM_GENERIC_ERROR_RESPONSE);
                          EXPECT_EQ(me.submit({0, 10, 1, 1}), tlm::TLM_BURST_ERROR_RESPONSE);
                          EXPECT_EQ(me.submit({1, 10, 0}), tlm::TLM_GENERIC_ERROR_RESPONSE);
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.central.jobs_arrived(), 0u);
}

TEST(submitted_need, is_no_part_of_a_job_where_none_is_declared) {
  scene s{{{1}, {{"node", 1, 4, 1.0}}}};
  foreign_thread driver{"driver", [](foreign_thread& me) {
                          EXPECT_EQ(me.submit({0, 10, 0}), tlm::TLM_BURST_ERROR_RESPONSE);
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
}

TEST(submitted_need, of_more_cores_than_there_are_is_refused_when_the_scheduler_is_built) {
  layout l = one_three_or_four();
  l.submitted.push_back({5});
  expect_report(
      "/muster/scheduler",
      "'scheduler': class 'need_1, need 3' needs 5 cores, but the servers that it may use have 4; expected at "
      "most that");
  EXPECT_THROW(scene{l}, sc_core::sc_report);
}

TEST(submitted_need, is_refused_for_a_policy_that_asks_for_the_need_of_a_class) {
  layout l = one_three_or_four();
  l.policy = "msfq";
  expect_report(
      "/muster/scheduler",
      "'scheduler': policy 'msfq' cannot run these classes: it takes the jobs of a class to need the same, but "
      "they bring needs of their own; expected one of conservative_backfill, easy_backfill, fcfs, first_fit, "
      "last_come_first_served, msf, slurm");
  EXPECT_THROW(scene{l}, sc_core::sc_report);
}

struct job_with_need {
  ticks arrival, size;
  unsigned need;
  std::uint64_t word;
};

/// When jobs are complete by a plain loop over a number of cores. Events are at instants of their own.
std::string served_plainly(const std::vector<job_with_need>& jobs, unsigned cores, const std::string& policy) {
  std::vector<ticks> left, completed(jobs.size());
  for (const job_with_need& j : jobs) left.push_back(j.size);
  std::vector<std::size_t> inside, running;
  ticks now = 0;
  const auto fits = [&](std::size_t one_more) {
    unsigned sum = jobs[one_more].need;
    for (const std::size_t j : running) sum += jobs[j].need;
    return sum <= cores;
  };
  const auto runs = [&](std::size_t j) { return std::find(running.begin(), running.end(), j) != running.end(); };
  const auto schedule = [&] {
    if (policy == "last_come_first_served") {
      running.clear();
      for (auto j = inside.rbegin(); j != inside.rend() && fits(*j); ++j) running.push_back(*j);
      return;
    }
    std::vector<std::size_t> order = inside;
    if (policy == "msf")
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return jobs[a].need > jobs[b].need; });
    for (const std::size_t j : order) {
      if (runs(j)) continue;
      if (fits(j))
        running.push_back(j);
      else if (policy == "fcfs")
        return;
    }
  };
  for (std::size_t next = 0; next < jobs.size() || !inside.empty();) {
    ticks until = next < jobs.size() ? jobs[next].arrival : ~ticks{0};
    for (const std::size_t j : running) until = std::min(until, now + left[j]);
    for (const std::size_t j : running) left[j] -= until - now;
    now = until;
    const auto ended = std::find_if(running.begin(), running.end(), [&](std::size_t j) { return left[j] == 0; });
    if (ended != running.end()) {
      completed[*ended] = now;
      inside.erase(std::find(inside.begin(), inside.end(), *ended));
      running.erase(ended);
    } else {
      inside.push_back(next++);
    }
    schedule();
  }
  std::string text;
  for (const ticks t : completed) text += std::to_string(t) + ' ';
  return text;
}

std::string served_by_muster(const std::vector<job_with_need>& jobs, const layout& l) {
  scene s{l};
  foreign_initiator foreign{"foreign", foreign_initiator::manner::completes};
  foreign.socket.bind(s.central.submissions);
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          for (const job_with_need& j : jobs) {
                            me.wait_until(j.arrival);
                            foreign.submit({0, j.size, j.word});
                          }
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
  std::vector<ticks> completed(jobs.size());
  for (const auto& r : foreign.responses) completed.at(r.job) = r.at;
  std::string text;
  for (const ticks t : completed) text += std::to_string(t) + ' ';
  return text;
}

TEST(submitted_need, of_each_job_is_served_as_by_a_plain_loop_to_the_last_tick) {
  constexpr std::array policies{"fcfs", "first_fit", "msf", "last_come_first_served"};
  std::mt19937_64 random{5};
  for (unsigned round = 0; round < 40; ++round) {
    layout l;
    l.policy = policies[round % policies.size()];
    const unsigned cores = 2 + static_cast<unsigned>(random() % 9);
    l.groups = {{"a", 1, cores, 1.0}};
    if (round % 3 == 0) l.groups = {{"a", 1, 1, 1.0}, {"b", cores - 1, 1, 1.0}};
    std::vector<unsigned> needs{1};
    while (needs.size() < 2 + round % 5) needs.push_back(1 + static_cast<unsigned>(random() % cores));
    for (std::size_t n = 1; n < needs.size(); ++n) l.submitted.push_back({needs[n]});
    std::vector<job_with_need> jobs;
    for (ticks at = 1; jobs.size() < 80;) {
      const std::uint64_t word = random() % needs.size();
      jobs.push_back({at += 1 + random() % 1'000'000, 1 + random() % 3'000'000, needs[word], word});
    }
    ASSERT_EQ(in_child([&] { return served_by_muster(jobs, l); }), served_plainly(jobs, cores, l.policy))
        << l.policy << ", round " << round;
  }
}

}  // namespace
}  // namespace muster
