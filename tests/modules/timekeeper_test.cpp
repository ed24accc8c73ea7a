#include "muster/modules/kernel/timekeeper.h"

#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "muster/modules/kernel/kernel_time.h"
#include "tests/modules/child.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

namespace muster {
namespace {

/// Writes down what expires.
struct diary final : timer_observer {
  explicit diary(timekeeper& t) : time(t) {}
  void expired(ticks now, std::uint32_t cookie) override {
    EXPECT_EQ(now, time.now());
    EXPECT_EQ(now, (sc_core::sc_time_stamp() + time.lead()).value());
    entries.emplace_back(now, cookie);
    if (then) then(cookie);
  }
  timekeeper& time;
  std::vector<std::pair<ticks, std::uint32_t>> entries;
  std::function<void(std::uint32_t)> then;
};
using entries = std::vector<std::pair<ticks, std::uint32_t>>;

TEST(kernel_time, set_from_ticks_is_the_one_that_the_kernel_makes_of_them) {
  for (const ticks value :
       {ticks{0}, ticks{1}, ticks{123'456'789'012}, end_of_clock, std::numeric_limits<ticks>::max()}) {
    sc_core::sc_time time;
    set_ticks(time, value);
    EXPECT_EQ(time, sc_core::sc_time::from_value(value));
    EXPECT_EQ(time.value(), value);
  }
}

TEST(timekeeper, expires_timers_of_one_instant_by_rank) {
  timekeeper time{"time"};
  diary d{time};
  time.arm(10, timer_rank::arrival, d, 4);
  time.arm(10, 7, d, 2);
  time.arm(10, timer_rank::travel, d, 3);
  time.arm(10, 3, d, 1);
  time.arm(10, timer_rank::observation, d, 5);
  time.arm(9, timer_rank::observation, d, 0);
  sc_core::sc_start();
  EXPECT_EQ(d.entries, (entries{{9, 0}, {10, 1}, {10, 2}, {10, 3}, {10, 4}, {10, 5}}));
  EXPECT_EQ(time.expirations(), 6u);
}

TEST(timekeeper, lets_travellers_of_one_instant_arrive_in_the_order_in_which_they_set_out) {
  timekeeper time{"time"};
  diary d{time};
  for (std::uint32_t n = 0; n < 20; ++n) time.arm(10, time.travel_rank(), d, n);
  sc_core::sc_start();
  for (std::uint32_t n = 0; n < 20; ++n) EXPECT_EQ(d.entries[n].second, n);
}

TEST(timekeeper, forgets_a_cancelled_timer_before_and_during_an_expiration) {
  timekeeper time{"time"};
  diary d{time};
  const auto first = time.arm(5, 0, d, 0);
  const auto last = time.arm(30, 0, d, 3);
  time.arm(10, 0, d, 1);
  time.cancel(first);
  d.then = [&](std::uint32_t cookie) {
    if (cookie != 1) return;
    time.cancel(last);
    time.arm(20, 0, d, 2);
  };
  sc_core::sc_start();
  EXPECT_EQ(d.entries, (entries{{10, 1}, {20, 2}}));
}

TEST(timekeeper, stops_at_the_local_time_and_expires_nothing_after_it) {
  tlm::tlm_global_quantum::instance().set(to_sc_time(1000));
  timekeeper time{"time"};
  diary d{time};
  for (std::uint32_t n = 1; n < 10; ++n) time.arm(10 * n, 0, d, n);
  d.then = [&](std::uint32_t cookie) {
    if (cookie == 3) time.stop();
  };
  sc_core::sc_start();
  EXPECT_TRUE(time.stopped());
  EXPECT_EQ(time.now(), 30u);
  EXPECT_EQ(d.entries.size(), 3u);
}

TEST(timekeeper, completes_the_instant_at_which_it_is_stopped) {
  tlm::tlm_global_quantum::instance().set(to_sc_time(1000));
  timekeeper time{"time"};
  diary d{time};
  for (std::uint32_t n = 1; n < 5; ++n) time.arm(30, n, d, n);
  const auto recurring = time.add_recurring(9, d, 5);
  time.set(recurring, 30);
  time.arm(31, 0, d, 6);
  d.then = [&](std::uint32_t cookie) {
    if (cookie == 2) time.stop();
    if (cookie == 5) time.arm(30, 10, d, 7);
  };
  sc_core::sc_start();
  EXPECT_EQ(d.entries, (entries{{30, 1}, {30, 2}, {30, 3}, {30, 4}, {30, 5}, {30, 7}}));
  EXPECT_EQ(time.now(), 30u);
}

TEST(timekeeper, completes_the_instant_after_other_processes_of_it) {
  timekeeper time{"time"};
  diary d{time};
  time.arm(20, 0, d, 1);
  time.arm(20, 1, d, 2);
  time.arm(30, 0, d, 3);
  server unused{"unused", time, {1, 1}};
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          me.wait_until(20);
                          for (int delta = 0; delta < 3; ++delta) sc_core::wait(sc_core::SC_ZERO_TIME);
                          EXPECT_TRUE(d.entries.empty());
                          time.stop();
                          sc_core::wait(sc_core::SC_ZERO_TIME);
                          time.arm(20, 2, d, 4);
                        }};
  driver.socket.bind(unused.dispatch);
  sc_core::sc_start();
  EXPECT_EQ(d.entries, (entries{{20, 1}, {20, 2}, {20, 4}}));
}

TEST(timekeeper, that_is_stopped_while_nothing_is_due_ends_the_simulation) {
  timekeeper time{"time"};
  diary d{time};
  time.arm(100, 0, d, 1);
  server unused{"unused", time, {1, 1}};
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          me.wait_until(20);
                          time.stop();
                          me.wait_until(50);
                          ADD_FAILURE() << "it goes on";
                        }};
  driver.socket.bind(unused.dispatch);
  sc_core::sc_start();
  EXPECT_TRUE(d.entries.empty());
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 20u);
}

TEST(timekeeper, runs_ahead_within_the_quantum_without_a_kernel_event_for_each_timer) {
  tlm::tlm_global_quantum::instance().set(to_sc_time(std::numeric_limits<ticks>::max()));
  timekeeper time{"time"};
  diary d{time};
  for (std::uint32_t n = 1; n <= 1000; ++n) time.arm(10 * n, 0, d, n);
  sc_core::sc_start();
  EXPECT_EQ(d.entries.size(), 1000u);
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 10u) << "the kernel saw the first timer only";
}

TEST(timekeeper, can_be_armed_from_outside_for_an_earlier_time_than_all_that_wait) {
  timekeeper time{"time"};
  diary d{time};
  time.arm(100, 0, d, 1);
  server unused{"unused", time, {1, 1}};
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          me.wait_until(20);
                          EXPECT_EQ(time.now(), 20u);
                          const auto soon = time.arm(30, 0, d, 2);
                          time.arm(40, 0, d, 3);
                          time.arm(20, 0, d, 4);
                          time.cancel(soon);
                        }};
  driver.socket.bind(unused.dispatch);
  sc_core::sc_start();
  EXPECT_EQ(d.entries, (entries{{20, 4}, {40, 3}, {100, 1}}));
}

TEST(timekeeper, lets_the_kernel_finish_an_instant_before_the_timers_of_that_instant_expire) {
  timekeeper time{"time"};
  diary d{time};
  server unused{"unused", time, {1, 1}};
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          for (std::uint32_t n = 1; n <= 5; ++n) {
                            me.wait_until(10 * n);
                            for (int delta = 0; delta < 3; ++delta) sc_core::wait(sc_core::SC_ZERO_TIME);
                            d.entries.emplace_back(10 * n, 100 + n);
                          }
                        }};
  driver.socket.bind(unused.dispatch);
  for (std::uint32_t n = 1; n <= 5; ++n) time.arm(10 * n, 0, d, n);
  sc_core::sc_start();
  ASSERT_EQ(d.entries.size(), 10u);
  for (std::uint32_t n = 1; n <= 5; ++n) {
    EXPECT_EQ(d.entries[2 * n - 2].second, 100 + n);
    EXPECT_EQ(d.entries[2 * n - 1].second, n);
  }
}

TEST(timekeeper, shares_the_kernel_with_another_at_the_same_instants) {
  timekeeper one{"one"}, two{"two"};
  diary a{one}, b{two};
  for (std::uint32_t n = 1; n < 10; ++n) {
    one.arm(10 * n, 0, a, n);
    two.arm(10 * n, 0, b, n);
  }
  sc_core::sc_start();
  EXPECT_EQ(a.entries.size(), 9u);
  EXPECT_EQ(b.entries, a.entries);
}

constexpr ticks quanta[] = {0, 1, 37, 5000, std::numeric_limits<ticks>::max()};
const layout gangs_behind_links{{5, 2, 1}, {{"left", 3, 2, 1.0}, {"right", 1, 3, 2.0}}, "first_fit", {2, 1}, 4};

TEST(results, do_not_depend_on_the_quantum_nor_on_owning_the_kernel) {
  std::optional<std::string> first;
  for (const ticks quantum : quanta)
    for (const bool own : {false, true}) {
      const std::string text = in_child([&] {
        tlm::tlm_global_quantum::instance().set(to_sc_time(quantum));
        scene s{gangs_behind_links, random_jobs(1000, 3, 12, 30)};
        if (own) s.time.assume_exclusive_kernel();
        s.run();
        return s.log.text();
      });
      EXPECT_NE(text, "failed");
      EXPECT_NE(text, "");
      if (!first) first = text;
      EXPECT_TRUE(text == *first) << "quantum " << quantum << ", own " << own;
    }
}

TEST(results, do_not_depend_on_the_quantum_beside_foreign_modules_with_clocks_of_their_own) {
  std::optional<std::string> first;
  for (const ticks quantum : quanta) {
    const std::string text = in_child([&] {
      tlm::tlm_global_quantum::instance().set(to_sc_time(quantum));
      scene s{gangs_behind_links, random_jobs(600, 3, 12, 30)};
      std::ostringstream seen;
      foreign_initiator foreign{"foreign", foreign_initiator::manner::ends_later, 2};
      foreign.socket.bind(s.central.submissions);
      foreign_thread clock{"clock", [&](foreign_thread& me) {
                             for (ticks n = 1; n <= 900; ++n) {
                               me.wait_until(10 * n);
                               if (n % 9 == 0) foreign.submit(n % 3, 1 + n % 30, n % 4);
                               seen << me.read(scheduler_register::jobs_waiting) << ' ';
                               seen << me.read(scheduler_register::jobs_in_service, n % 3) << '\n';
                             }
                           }};
      clock.socket.bind(s.central.submissions);
      foreign_thread blocking{"blocking", [&](foreign_thread& me) {
                                for (ticks n = 1; n <= 50; ++n) seen << me.submit(n % 3, 1 + n, n % 5) << '\n';
                              }};
      blocking.socket.bind(s.central.submissions);
      s.run();
      for (const auto& r : foreign.responses) seen << r.job << ' ' << r.at << '\n';
      return s.log.text() + seen.str();
    });
    EXPECT_NE(text, "failed");
    EXPECT_NE(text, "");
    if (!first) first = text;
    EXPECT_TRUE(text == *first) << "quantum " << quantum;
  }
}

// All times are multiples of 10: arrivals from outside share their instants with completions and with each other.
TEST(results, do_not_depend_on_how_far_foreign_threads_run_ahead) {
  std::optional<std::string> first;
  for (const ticks quantum : quanta) {
    const std::string text = in_child([&] {
      tlm::tlm_global_quantum::instance().set(to_sc_time(quantum));
      scene s{{{2, 1}, {{"node", 1, 2, 1.0}}, "msf"}};
      std::array<std::ostringstream, 6> seen;
      std::vector<std::unique_ptr<foreign_thread>> threads;
      for (ticks t = 1; t <= 6; ++t) {
        threads.push_back(std::make_unique<foreign_thread>(sc_core::sc_gen_unique_name("thread"), [&, t](auto& me) {
          ticks ahead = 0;
          for (ticks n = 1; n <= 40; ++n) {
            for (ticks step = 0; step < 4; ++step) {
              ahead += 10 * (1 + (n * t + step) % 3);
              if (ahead < quantum) continue;
              sc_core::wait(to_sc_time(ahead));
              ahead = 0;
            }
            seen[t - 1] << me.submit((n + t) % 2, 10 * (1 + n % 5), std::exchange(ahead, 0)) << ' ';
          }
        }));
        threads.back()->socket.bind(s.central.submissions);
      }
      s.run();
      std::string all;
      for (const auto& times : seen) all += times.str() + '\n';
      return all;
    });
    EXPECT_NE(text, "failed");
    EXPECT_NE(text, "");
    if (!first) first = text;
    EXPECT_TRUE(text == *first) << "quantum " << quantum;
  }
}

TEST(timekeeper, expires_recurring_and_other_timers_of_one_instant_by_rank) {
  timekeeper time{"time"};
  diary d{time};
  const auto slot = time.add_recurring(timer_rank::slot, d, 5);
  const auto arrival = time.add_recurring(timer_rank::arrival, d, 3);
  time.arm(10, timer_rank::observation, d, 6);
  time.arm(10, timer_rank::deadline, d, 2);
  time.arm(10, timer_rank::outside_arrival(0, 0), d, 4);
  time.arm(10, 7, d, 1);
  time.set(slot, 10);
  time.set(arrival, 10);
  sc_core::sc_start();
  EXPECT_EQ(d.entries, (entries{{10, 1}, {10, 2}, {10, 3}, {10, 4}, {10, 5}, {10, 6}}));
}

TEST(timekeeper, expires_the_earlier_of_a_recurring_and_another_timer_whatever_their_ranks) {
  timekeeper time{"time"};
  diary d{time};
  const auto first = time.add_recurring(timer_rank::observation, d, 1);
  const auto last = time.add_recurring(0, d, 3);
  time.arm(10, 5, d, 2);
  time.set(first, 9);
  time.set(last, 11);
  sc_core::sc_start();
  EXPECT_EQ(d.entries, (entries{{9, 1}, {10, 2}, {11, 3}}));
}

// Of the same rank too the order is certain: those that are not recurring first, then the others as they were added.
TEST(timekeeper, expires_timers_of_one_instant_and_rank_in_an_order_of_their_own) {
  timekeeper time{"time"};
  diary d{time};
  const auto one = time.add_recurring(timer_rank::slot, d, 2);
  const auto two = time.add_recurring(timer_rank::slot, d, 3);
  time.set(two, 10);
  time.set(one, 10);
  time.arm(10, timer_rank::slot, d, 1);
  sc_core::sc_start();
  EXPECT_EQ(d.entries, (entries{{10, 1}, {10, 2}, {10, 3}}));
}

TEST(timekeeper, expires_a_recurring_timer_once_for_each_time_that_it_is_set) {
  timekeeper time{"time"};
  diary d{time};
  const auto again = time.add_recurring(timer_rank::arrival, d, 0);
  time.set(again, 20);
  time.set(again, 10);
  d.then = [&](std::uint32_t) {
    if (time.now() < 30) time.set(again, time.now() + 10);
  };
  sc_core::sc_start();
  EXPECT_EQ(d.entries, (entries{{10, 0}, {20, 0}, {30, 0}}));
}

// Local time runs ahead of the kernel within the quantum; a picosecond is a tick.
TEST(timekeeper, reports_an_error_with_the_time_of_the_event_and_not_the_kernels) {
  tlm::tlm_global_quantum::instance().set(to_sc_time(100));
  timekeeper time{"time"};
  diary d{time};
  time.arm(10, 0, d, 0);
  time.arm(25, 0, d, 1);
  d.then = [&](std::uint32_t cookie) {
    if (cookie == 1) time.report_error("/muster/diary", "something is wrong");
  };
  expect_report("/muster/diary", "something is wrong (at 25 ps)");
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 10u) << "the kernel saw only the first timer";
  EXPECT_EQ(time.now(), 25u);
}

}  // namespace
}  // namespace muster
