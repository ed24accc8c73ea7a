#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

// The policy's own timers, and the clock that it sees.

namespace muster {
namespace {

using calls = std::vector<std::string>;

const layout one_core;

calls noted;
std::vector<ticks> times_to_wake;

/// Notes each of its calls, with the time of the view. When the first job arrives it asks to be woken at the times to
/// wake, each with its place as cookie.
template <class Kind>
class notes_calls : public Kind {
 protected:
  using view = typename Kind::view;
  using orders = typename Kind::orders;

  void arrived(const job& j, view cluster, orders& decide) override {
    note("arrived", cluster);
    if (j.id == 0)
      for (std::uint32_t n = 0; n < times_to_wake.size(); ++n) decide.wake_at(times_to_wake[n], n);
    serve(cluster, decide);
  }
  void completed(const job&, view cluster, orders& decide) override {
    note("completed", cluster);
    serve(cluster, decide);
  }
  void woken(std::uint32_t cookie, view cluster, orders& decide) override {
    note("woken " + std::to_string(cookie), cluster);
    wakes(cluster, decide);
  }
  virtual void serve(view, orders&) {}
  virtual void wakes(view, orders&) {}
  static void note(const std::string& what, const cluster_view& cluster) {
    noted.push_back(what + " at " + std::to_string(cluster.now()));
  }
};

/// Starts jobs in the order of arrival, but not when it is woken.
class notes_calls_of_rigid_jobs final : public notes_calls<rigid_policy> {
  void serve(rigid_view cluster, rigid_decisions& decide) override {
    while (const job* next = cluster.earliest_fitting()) decide.start(*next);
  }
};

/// One job is served at a time.
class notes_calls_of_slotted_jobs final : public notes_calls<slotted_policy> {
  void slot_begins(slotted_view cluster, slotted_decisions& decide) override {
    note("slot", cluster);
    if (const job* j = cluster.running(class_id{0}); j && j->where == job::place::in_service) decide.serve(*j);
    for (const job* j = cluster.first(class_id{0}); j && cluster.in_service() == 0; j = nullptr) decide.serve(*j);
  }
  void expired(const job&, slotted_view cluster, slotted_decisions&) override { note("expired", cluster); }
};

/// Lets the server join when it is woken.
class notes_calls_of_pooled_jobs final : public notes_calls<pooled_policy> {
  void wakes(pooled_view cluster, pooled_decisions& decide) override {
    decide.join(*cluster.first(group_id{0}), group_id{0});
  }
};

template <class Policy>
layout under(layout l) {
  l.own_policy = &own_policy<Policy>();
  return l;
}

template <class Policy>
calls noted_under(const layout& l, std::vector<job_request> jobs, std::vector<ticks> wake_at) {
  times_to_wake = std::move(wake_at);
  const layout own = under<Policy>(l);
  scene s{own, std::move(jobs)};
  s.run();
  return noted;
}

calls noted_by(const layout& l, std::vector<job_request> jobs, std::vector<ticks> wake_at) {
  return noted_under<notes_calls_of_rigid_jobs>(l, std::move(jobs), std::move(wake_at));
}

TEST(policy, is_woken_when_it_has_asked_for_it_with_the_cookie_that_it_gave) {
  EXPECT_EQ(noted_by({}, {{10, class_id{0}, 100}}, {60, 30}),
            (calls{"arrived at 10", "woken 1 at 30", "woken 0 at 60", "completed at 110"}));
}

TEST(policy, is_woken_behind_completions_and_arrivals_of_the_instant) {
  EXPECT_EQ(noted_by({}, {{0, class_id{0}, 100}, {100, class_id{0}, 50}}, {100}),
            (calls{"arrived at 0", "completed at 100", "arrived at 100", "woken 0 at 100", "completed at 150"}));
}

TEST(policy, is_woken_before_the_slot_that_begins_and_behind_deadlines) {
  layout l;
  l.policy = "fifo";
  const utility worth{std::vector<double>{1.0, 1.0}};
  EXPECT_EQ(noted_under<notes_calls_of_slotted_jobs>(
                l, {{0, class_id{0}, 200, {}, 0, &worth}, {0, class_id{0}, 200, {}, 1, &worth}}, {100}),
            (calls{"arrived at 0", "arrived at 0", "slot at 0", "expired at 100", "woken 0 at 100", "slot at 100",
                   "completed at 200"}));
}

TEST(policy, is_woken_in_the_order_in_which_it_has_asked_for_one_instant) {
  EXPECT_EQ(noted_by({}, {{0, class_id{0}, 100}}, {50, 50, 50}),
            (calls{"arrived at 0", "woken 0 at 50", "woken 1 at 50", "woken 2 at 50", "completed at 100"}));
}

TEST(policy, is_woken_at_the_same_instant_if_it_asks_for_that) {
  EXPECT_EQ(noted_by({}, {{5, class_id{0}, 100}, {5, class_id{0}, 100}}, {5}),
            (calls{"arrived at 5", "arrived at 5", "woken 0 at 5", "completed at 105", "completed at 205"}));
}

TEST(policy, is_woken_where_jobs_are_pooled) {
  layout l;
  l.policy = "fcfs_pooled";
  EXPECT_EQ(noted_under<notes_calls_of_pooled_jobs>(l, {{0, class_id{0}, 100}}, {40}),
            (calls{"arrived at 0", "woken 0 at 40", "completed at 140"}));
}

TEST(policy, is_woken_when_its_turn_comes_where_decisions_take_time) {
  layout l;
  l.decision = 10;
  // The scheduler is at the arrival until 10; at the first timer until 25 and at the second one until 35. The end of
  // the job, at 30, waits for that.
  EXPECT_EQ(noted_by(l, {{0, class_id{0}, 20}}, {15, 18}),
            (calls{"arrived at 0", "woken 0 at 15", "woken 1 at 25", "completed at 35"}));
}

TEST(policy, starts_jobs_when_it_is_woken_by_default_as_at_any_event) {
  class holds_back final : public rigid_policy {
    void arrived(const job&, rigid_view cluster, rigid_decisions& decide) override {
      decide.wake_at(cluster.now() + 30, 0);
    }
    void schedule(rigid_view cluster, rigid_decisions& decide) override {
      while (const job* next = cluster.earliest_fitting()) decide.start(*next);
    }
  };
  scene s{under<holds_back>(one_core), {{10, class_id{0}, 100}}};
  s.run();
  EXPECT_EQ(s.log.records, (std::vector<job_record>{{0, 0, 10, 40, 140}}));
}

class wakes_in_the_past final : public rigid_policy {
  void arrived(const job&, rigid_view, rigid_decisions& decide) override { decide.wake_at(4, 0); }
};

class wakes_after_all_time final : public rigid_policy {
  void arrived(const job&, rigid_view, rigid_decisions& decide) override { decide.wake_at(end_of_clock, 0); }
};

class wakes_without_end final : public rigid_policy {
  void arrived(const job&, rigid_view cluster, rigid_decisions& decide) override { decide.wake_at(cluster.now(), 0); }
  void woken(std::uint32_t, rigid_view cluster, rigid_decisions& decide) override { decide.wake_at(cluster.now(), 0); }
};

template <class Policy>
void ends_with(const char* type, const std::string& fault) {
  expect_report(type, fault);
  const layout own = under<Policy>(one_core);
  scene s{own, {{5, class_id{0}, 10}}};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

TEST(policy_that_breaks_the_rules, asks_to_be_woken_in_the_past) {
  ends_with<wakes_in_the_past>("/muster/scheduler",
                               "the policy asked to be woken at 4 ticks, when 5 had passed; expected no earlier time");
}

TEST(policy_that_breaks_the_rules, asks_to_be_woken_beyond_the_clock) {
  ends_with<wakes_after_all_time>("/muster/timekeeper",
                                  "simulated time leaves the range of the clock; take fewer jobs or a coarser "
                                  "time_unit (a time at which the policy is to be woken)");
}

TEST(policy_that_breaks_the_rules, lets_no_time_pass) {
  ends_with<wakes_without_end>("/muster/scheduler",
                               "the policy has been woken 100000 times at one instant, each time at its own request");
}

/// Notes the size of each job that it sees.
class notes_sizes final : public rigid_policy {
 public:
  static inline std::vector<ticks> noted;

  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    noted.push_back(j.size);
    schedule(cluster, decide);
  }
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    while (const job* next = cluster.earliest_fitting()) decide.start(*next);
  }
};

const policy_entry sees_sizes = [] {
  policy_entry entry = entry_of_test<notes_sizes>("sees_sizes");
  entry.sees_sizes = true;
  return entry;
}();

TEST(size_of_a_job, is_seen_by_a_policy_whose_entry_says_so) {
  layout l = one_core;
  l.own_policy = &sees_sizes;
  scene s{l, {{0, class_id{0}, 30}, {10, class_id{0}, 70}}};
  s.run();
  EXPECT_EQ(notes_sizes::noted, (std::vector<ticks>{30, 70}));
}

TEST(size_of_a_job, is_hidden_from_any_other_policy) {
  scene s{under<notes_sizes>(one_core), {{0, class_id{0}, 30}, {10, class_id{0}, 70}}};
  s.run();
  EXPECT_EQ(notes_sizes::noted, (std::vector<ticks>{0, 0}));
}

TEST(view_of_a_scheduler, tells_the_ticks_of_a_unit_that_it_was_given) {
  timekeeper time{"time"};
  scheduler_settings s = scheduler_of({});
  s.ticks_per_unit = 1000;
  const scheduler given{"given", time, s};
  EXPECT_EQ(given.view().ticks_per_unit(), 1000u);
  EXPECT_EQ(given.view().now(), 0u);
}

}  // namespace
}  // namespace muster
