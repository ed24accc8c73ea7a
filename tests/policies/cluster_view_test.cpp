#include "muster/policies/cluster_state.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/refusal.h"

namespace muster {
namespace {

/// The view beside a plain list of jobs, in order of arrival.
struct view_and_list {
  view_and_list(std::vector<job_class> types, std::vector<unsigned> group_cores) {
    table<class_id, job_class> classes;
    for (auto& type : types) classes.push_back(std::move(type));
    table<group_id, unsigned> cores;
    for (const unsigned n : group_cores) cores.push_back(n);
    free = group_cores;
    state = std::make_unique<cluster_state>(classes, cores);
  }

  rigid_view view() const { return *state; }
  unsigned free_cores(class_id id) const {
    unsigned sum = 0;
    for (const group_id group : state->type(id).groups) sum += free[static_cast<std::size_t>(group)];
    return sum;
  }
  bool fits(const job& j) const { return state->need(j.type) <= free_cores(j.type); }

  /// The best of the waiting jobs that qualify; of equals the one that arrived first.
  template <class Qualifies, class Better>
  const job* best(Qualifies qualifies, Better better) const {
    const job* found = nullptr;
    for (const job& j : jobs)
      if (j.where == job::place::waiting && qualifies(j) && (!found || better(j, *found))) found = &j;
    return found;
  }

  void arrive(class_id type) {
    job j;
    j.id = jobs.size();
    j.type = type;
    jobs.push_back(j);
    state->join(jobs.back());
  }
  void start(job& j) {
    unsigned left = state->need(j.type);
    auto& held = holdings[j.id];
    for (const group_id group : state->type(j.type).groups) {
      const unsigned cores = std::min(left, free[static_cast<std::size_t>(group)]);
      state->take(group, cores);
      free[static_cast<std::size_t>(group)] -= cores;
      held.emplace_back(group, cores);
      left -= cores;
    }
    state->enter_service(j);
  }
  void complete(job& j) {
    for (const auto& [group, cores] : holdings[j.id]) {
      state->give_back(group, cores);
      free[static_cast<std::size_t>(group)] += cores;
    }
    state->leave(j);
  }

  job* pick(job::place where, std::size_t number) {
    std::vector<job*> all;
    for (job& j : jobs)
      if (j.where == where && (where != job::place::waiting || fits(j))) all.push_back(&j);
    return all.empty() ? nullptr : all[number % all.size()];
  }

  std::deque<job> jobs;
  std::vector<unsigned> free;
  std::map<std::uint64_t, std::vector<std::pair<group_id, unsigned>>> holdings;
  std::unique_ptr<cluster_state> state;
};

/// Classes over one to three groups; needs are drawn from few values, so that several classes need the same.
view_and_list some_cluster() {
  const auto group_cores =
      *rc::gen::container<std::vector<unsigned>>(*rc::gen::inRange<std::size_t>(1, 4), rc::gen::inRange(1u, 9u));
  std::vector<job_class> classes;
  const int count = *rc::gen::inRange(1, 7);
  for (int i = 0; i < count; ++i) {
    job_class type;
    // Each non-empty set of groups, in each rotation.
    const unsigned subset = *rc::gen::inRange(1u, 1u << group_cores.size());
    const unsigned shift = *rc::gen::inRange(0u, static_cast<unsigned>(group_cores.size()));
    unsigned cores = 0;
    for (unsigned g = 0; g < group_cores.size(); ++g) {
      const unsigned group = (g + shift) % static_cast<unsigned>(group_cores.size());
      if (!(subset >> group & 1u)) continue;
      type.groups.push_back(static_cast<group_id>(group));
      cores += group_cores[group];
    }
    type.need = std::min(cores, *rc::gen::element(1u, 2u, 2u, 4u, 8u));
    classes.push_back(type);
  }
  std::stable_sort(classes.begin(), classes.end(), [](const auto& a, const auto& b) { return a.need > b.need; });
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i].name = "class_" + std::to_string(i);
  return {classes, group_cores};
}

/// Runs random arrivals, starts (of any waiting job that fits, as a policy may choose) and completions.
template <class Check>
void after_each_event(view_and_list& cluster, Check check) {
  const auto events = *rc::gen::scale(2.0, rc::gen::arbitrary<std::vector<std::pair<std::uint8_t, std::uint16_t>>>());
  for (const auto& [model, number] : events) {
    if (model % 5 < 2)
      cluster.arrive(static_cast<class_id>(number % cluster.state->class_count()));
    else if (job* starting = model % 5 < 4 ? cluster.pick(job::place::waiting, number) : nullptr)
      cluster.start(*starting);
    else if (job* ending = cluster.pick(job::place::in_service, number))
      cluster.complete(*ending);
    check();
  }
}

const auto any_job = [](const job&) { return true; };
const auto no_better = [](const job&, const job&) { return false; };

RC_GTEST_PROP(cluster_view, earliest_is_the_job_that_has_waited_longest, ()) {
  view_and_list cluster = some_cluster();
  after_each_event(cluster, [&] { RC_ASSERT(cluster.state->earliest() == cluster.best(any_job, no_better)); });
}

RC_GTEST_PROP(cluster_view, earliest_fitting_is_the_job_that_has_waited_longest_of_those_that_fit, ()) {
  view_and_list cluster = some_cluster();
  const auto fits = [&](const job& j) { return cluster.fits(j); };
  after_each_event(cluster, [&] { RC_ASSERT(cluster.view().earliest_fitting() == cluster.best(fits, no_better)); });
}

RC_GTEST_PROP(cluster_view, no_waiting_class_before_the_first_that_may_fit_does, ()) {
  view_and_list cluster = some_cluster();
  after_each_event(cluster, [&] {
    const rigid_view view = cluster.view();
    const class_set& waiting = view.waiting_classes();
    const class_id first = view.first_that_may_fit();
    if (first != class_set::none) RC_ASSERT(waiting.contains(first));
    for (class_id id = waiting.first(); id != first; id = waiting.next(id)) RC_ASSERT_FALSE(view.fits(id));
  });
}

RC_GTEST_PROP(cluster_view, largest_is_the_job_of_largest_need_and_of_equals_the_one_that_has_waited_longest, ()) {
  view_and_list cluster = some_cluster();
  const auto needs_more = [&](const job& a, const job& b) {
    return cluster.state->need(a.type) > cluster.state->need(b.type);
  };
  after_each_event(cluster, [&] { RC_ASSERT(cluster.view().largest() == cluster.best(any_job, needs_more)); });
}

RC_GTEST_PROP(cluster_view, largest_fitting_is_the_like_of_largest_among_the_jobs_that_fit, ()) {
  view_and_list cluster = some_cluster();
  const auto fits = [&](const job& j) { return cluster.fits(j); };
  const auto needs_more = [&](const job& a, const job& b) {
    return cluster.state->need(a.type) > cluster.state->need(b.type);
  };
  after_each_event(cluster, [&] { RC_ASSERT(cluster.view().largest_fitting() == cluster.best(fits, needs_more)); });
}

RC_GTEST_PROP(cluster_view, counts_and_sets_of_classes_agree_with_the_list_of_jobs, ()) {
  view_and_list cluster = some_cluster();
  const rigid_view view = cluster.view();
  after_each_event(cluster, [&] {
    std::size_t everybody = 0;
    for (const class_id id : view.classes()) {
      const auto count = [&](job::place where) {
        return static_cast<std::size_t>(std::count_if(cluster.jobs.begin(), cluster.jobs.end(),
                                                      [&](const job& j) { return j.type == id && j.where == where; }));
      };
      const auto of_class = [&](const job& j) { return j.type == id; };
      RC_ASSERT(view.waiting(id) == count(job::place::waiting));
      RC_ASSERT(view.in_service(id) == count(job::place::in_service));
      RC_ASSERT(view.waiting_classes().contains(id) == (view.waiting(id) > 0));
      RC_ASSERT(view.served_classes().contains(id) == (view.in_service(id) > 0));
      RC_ASSERT(view.first(id) == cluster.best(of_class, no_better));
      RC_ASSERT(view.free_cores(id) == cluster.free_cores(id));
      RC_ASSERT(view.fits(id) == (view.need(id) <= cluster.free_cores(id)));
      everybody += view.in_service(id);
    }
    RC_ASSERT(view.in_service() == everybody);
    RC_ASSERT(view.anyone_waits() == (cluster.best(any_job, no_better) != nullptr));
  });
}

TEST(cluster_view, usable_cores_and_places_count_the_cores_of_compatible_groups_busy_or_not) {
  view_and_list cluster({{"both", 3, {group_id{0}, group_id{1}}}, {"second", 2, {group_id{1}}}}, {4, 5});
  EXPECT_EQ(cluster.state->usable_cores(class_id{0}), 9u);
  EXPECT_EQ(cluster.view().places(class_id{0}), 3u);
  EXPECT_EQ(cluster.state->usable_cores(class_id{1}), 5u);
  EXPECT_EQ(cluster.view().places(class_id{1}), 2u);
  cluster.arrive(class_id{0});
  cluster.start(cluster.jobs.front());
  EXPECT_EQ(cluster.state->usable_cores(class_id{0}), 9u);
  EXPECT_EQ(cluster.state->free_cores(class_id{0}), 6u);
  EXPECT_EQ(cluster.state->free_cores(class_id{1}), 5u);
}

/// Jobs of one class on as many cores.
view_and_list all_in_service(std::size_t jobs) {
  view_and_list cluster({{"job", 1, {group_id{0}}}}, {static_cast<unsigned>(jobs)});
  for (std::size_t n = 0; n < jobs; ++n) {
    cluster.arrive(class_id{0});
    cluster.start(cluster.jobs[n]);
  }
  return cluster;
}

std::vector<std::uint64_t> queue_of(const cluster_view& view) {
  std::vector<std::uint64_t> ids;
  const job* last = nullptr;
  for (const job* j = view.first(class_id{0}); j; j = j->behind) {
    EXPECT_EQ(j->ahead, last);
    EXPECT_EQ(j->where, job::place::waiting);
    ids.push_back(j->id);
    last = j;
  }
  return ids;
}

void requeue(cluster_state& state, job& j, queue_place where = queue_place::by_arrival) {
  state.begin_leaving(j);
  state.requeue(j, where);
}

TEST(cluster_state, puts_requeued_jobs_where_their_arrival_puts_them_in_whatever_order_they_come_back) {
  std::vector<std::size_t> back{0, 1, 2, 3};
  do {
    view_and_list cluster = all_in_service(4);
    cluster.arrive(class_id{0});
    for (const std::size_t id : back) {
      requeue(*cluster.state, cluster.jobs[id]);
      const std::vector<std::uint64_t> queue = queue_of(*cluster.state);
      EXPECT_TRUE(std::is_sorted(queue.begin(), queue.end()));
      EXPECT_EQ(cluster.state->earliest()->id, queue.front());
      EXPECT_EQ(cluster.state->waiting(class_id{0}), queue.size());
    }
    EXPECT_EQ(queue_of(*cluster.state), (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(cluster.state->in_service(), 0u);
    cluster.arrive(class_id{0});
    EXPECT_EQ(queue_of(*cluster.state).back(), 5u);
  } while (std::next_permutation(back.begin(), back.end()));
}

// The search for a job's place begins at the job that was ahead of the last requeued one, which may have left the
// queue.
TEST(cluster_state, puts_jobs_that_leave_the_midst_of_a_queue_back_where_they_were) {
  view_and_list cluster = all_in_service(1);
  for (int n = 0; n < 40; ++n) cluster.arrive(class_id{0});
  const std::vector<std::uint64_t> before = queue_of(*cluster.state);
  std::mt19937 random(3);
  std::vector<job*> taken;
  for (int step = 0; step < 2000; ++step) {
    job& j = cluster.jobs[1 + random() % 40];
    if (j.where == job::place::waiting) {
      cluster.state->enter_service_by_arrival(j);
      taken.push_back(&j);
    }
    if (taken.size() < 6) continue;
    const std::size_t back = random() % taken.size();
    requeue(*cluster.state, *taken[back]);
    taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(back));
    const std::vector<std::uint64_t> queue = queue_of(*cluster.state);
    EXPECT_TRUE(std::is_sorted(queue.begin(), queue.end()));
    EXPECT_EQ(queue.size() + taken.size(), before.size());
  }
  for (job* j : taken) requeue(*cluster.state, *j);
  EXPECT_EQ(queue_of(*cluster.state), before);
}

TEST(cluster_state, puts_a_requeued_job_at_the_end_of_a_queue_of_jobs_that_arrived_before_it) {
  view_and_list cluster = all_in_service(3);
  requeue(*cluster.state, cluster.jobs[0]);
  requeue(*cluster.state, cluster.jobs[2]);
  EXPECT_EQ(queue_of(*cluster.state), (std::vector<std::uint64_t>{0, 2}));
  cluster.arrive(class_id{0});
  EXPECT_EQ(queue_of(*cluster.state), (std::vector<std::uint64_t>{0, 2, 3}));
}

TEST(cluster_state, puts_a_requeued_job_at_the_tail_where_that_is_asked_for) {
  view_and_list cluster = all_in_service(2);
  cluster.arrive(class_id{0});
  requeue(*cluster.state, cluster.jobs[0], queue_place::at_tail);
  EXPECT_EQ(queue_of(*cluster.state), (std::vector<std::uint64_t>{2, 0}));
}

TEST(cluster_state, looks_for_the_place_of_a_requeued_job_from_the_head_where_jobs_went_to_the_tail_before) {
  view_and_list cluster = all_in_service(3);
  cluster.arrive(class_id{0});
  cluster.arrive(class_id{0});
  requeue(*cluster.state, cluster.jobs[0], queue_place::at_tail);
  requeue(*cluster.state, cluster.jobs[1]);
  EXPECT_EQ(queue_of(*cluster.state), (std::vector<std::uint64_t>{1, 3, 4, 0}));
  requeue(*cluster.state, cluster.jobs[2]);
  EXPECT_EQ(queue_of(*cluster.state), (std::vector<std::uint64_t>{1, 2, 3, 4, 0}));
}

TEST(cluster_state, counts_jobs_that_are_leaving_among_those_in_service) {
  view_and_list cluster = all_in_service(3);
  cluster.state->begin_leaving(cluster.jobs[1]);
  EXPECT_EQ(cluster.state->in_service(class_id{0}), 3u);
  EXPECT_EQ(cluster.view().leaving(class_id{0}), 1u);
  cluster.state->end_leaving(cluster.jobs[1]);
  EXPECT_EQ(cluster.view().leaving(class_id{0}), 0u);
}

TEST(cluster_state, lists_running_rigid_jobs_latest_arrivals_first_in_whatever_order_they_start) {
  std::vector<std::size_t> order{0, 1, 2, 3};
  do {
    view_and_list cluster({{"a", 1, {group_id{0}}}}, {4});
    for (std::size_t n = 0; n < order.size(); ++n) cluster.arrive(class_id{0});
    for (const std::size_t id : order) cluster.state->enter_service_by_arrival(cluster.jobs[id]);
    std::vector<std::uint64_t> running;
    for (const job* j = cluster.state->running(class_id{0}); j; j = j->behind) running.push_back(j->id);
    EXPECT_EQ(running, (std::vector<std::uint64_t>{3, 2, 1, 0}));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(cluster_state, puts_a_slotted_job_that_loses_its_cores_behind_all_of_its_class) {
  view_and_list cluster = all_in_service(2);
  cluster.arrive(class_id{0});
  cluster.state->preempt_to_tail(cluster.jobs[0]);
  EXPECT_EQ(queue_of(*cluster.state), (std::vector<std::uint64_t>{2, 0}));
  EXPECT_EQ(cluster.state->in_service(), 1u);
}

TEST(cluster_state, shows_a_requeued_job_before_those_of_other_classes_that_arrived_after_it) {
  view_and_list cluster({{"a", 1, {group_id{0}}}, {"b", 1, {group_id{0}}}}, {1});
  cluster.arrive(class_id{0});
  cluster.start(cluster.jobs[0]);
  cluster.arrive(class_id{1});
  cluster.arrive(class_id{0});
  EXPECT_EQ(cluster.state->earliest()->id, 1u);
  requeue(*cluster.state, cluster.jobs[0]);
  EXPECT_EQ(cluster.state->earliest()->id, 0u);
  EXPECT_EQ(cluster.view().largest()->id, 0u);
}

/// A class on the only group.
job_class declared(const char* name, std::optional<double> rate, std::optional<double> share = {}) {
  return {name, 1, {group_id{0}}, 0, 0, nullptr, 2.5, rate, share};
}

cluster_state of_classes(const std::vector<job_class>& types, const simulated_clock* clock = nullptr,
                         ticks ticks_per_unit = 1) {
  table<class_id, job_class> classes;
  for (const job_class& type : types) classes.push_back(type);
  return {std::move(classes), table<group_id, unsigned>(1, 4), clock, ticks_per_unit};
}

TEST(cluster_view, tells_what_is_declared_of_a_class_and_nothing_where_it_is_not_known) {
  const cluster_state known = of_classes({declared("a", 1.0), declared("b", 3.0)});
  EXPECT_EQ(known.mean_size(class_id{0}), 2.5);
  EXPECT_EQ(known.arrival_rate(class_id{1}), 3.0);
  EXPECT_EQ(known.arrival_share(class_id{1}), 0.75) << "it follows from the rates";
  const cluster_state unknown = of_classes({declared("a", 1.0), declared("b", std::nullopt)});
  EXPECT_EQ(unknown.arrival_rate(class_id{1}), std::nullopt);
  EXPECT_EQ(unknown.arrival_share(class_id{0}), std::nullopt);
  EXPECT_EQ(of_classes({declared("a", std::nullopt, 1.0)}).arrival_share(class_id{0}), 1.0);
  const cluster_state both = of_classes({declared("a", 1.0, 0.5), declared("b", 3.0, 0.5)});
  EXPECT_EQ(both.arrival_share(class_id{1}), 0.5) << "as it is declared";
}

TEST(cluster_view, is_not_made_where_what_is_declared_cannot_be) {
  const auto refusal_of = [](const job_class& type) {
    return refusal<std::invalid_argument>([&] { of_classes({type}); });
  };
  EXPECT_EQ(refusal_of(declared("a", 0.0)), "class 'a' declares an arrival rate of 0.000000; expected a number > 0");
  EXPECT_EQ(refusal_of(declared("a", 1.0, -0.5)),
            "class 'a' declares a share of arrivals of -0.500000; expected a number > 0");
}

TEST(cluster_view, asks_the_clock_for_the_time) {
  struct : simulated_clock {
    ticks time = 7;
    ticks now() const override { return time; }
  } clock;
  const cluster_state timed = of_classes({declared("a", 1.0)}, &clock, 1000);
  EXPECT_EQ(timed.now(), 7u);
  clock.time = 9;
  EXPECT_EQ(timed.now(), 9u);
  EXPECT_EQ(timed.ticks_per_unit(), 1000u);
  EXPECT_EQ(of_classes({declared("a", 1.0)}).now(), 0u);
}

TEST(cluster_view, counts_the_jobs_that_it_hands_out) {
  cluster_state cluster = of_classes({declared("a", 1.0)});
  EXPECT_EQ(cluster.earliest(), nullptr);
  EXPECT_EQ(cluster.first(class_id{0}), nullptr);
  EXPECT_EQ(cluster.jobs_handed_out(), 0u);
  std::deque<job> jobs(3);
  for (job& j : jobs) cluster.join(j);
  EXPECT_EQ(cluster.earliest(), &jobs[0]);
  EXPECT_EQ(rigid_view{cluster}.largest_fitting(), &jobs[0]);
  EXPECT_EQ(cluster.first(class_id{0}), &jobs[0]);
  EXPECT_EQ(cluster.jobs_handed_out(), 3u);
  cluster.enter_service(jobs[0]);
  cluster.enter_service(jobs[1]);
  EXPECT_EQ(cluster.running(class_id{0}), &jobs[1]);
  EXPECT_EQ(cluster.jobs_handed_out(), 5u) << "with the first running job all of them";
}

}  // namespace
}  // namespace muster
