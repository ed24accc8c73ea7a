#include <functional>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/policies/policy_scene.h"

// What holds for every policy, whatever happens.

namespace muster {
namespace {

struct candidate {
  std::string label, policy;
  policy_scene::changes changed;
  bool waits_for_next_event = false;  // it may pass the turn in an empty cluster and start nobody before an arrival
};

// GoogleTest would list a candidate as bytes, which differ from run to run.
void PrintTo(const candidate& c, std::ostream* out) { *out << c.label; }

std::vector<candidate> candidates() {
  std::vector<candidate> all{{"fcfs", "fcfs", {}},
                             {"first_fit", "first_fit", {}},
                             {"msf", "msf", {}},
                             {"adaptive_quickswap", "adaptive_quickswap", {}}};
  for (const char* drain : {"always", "if_heavy_waits"})
    all.push_back({std::string{"msfq_"} + drain, "msfq", {{"drain", drain}}});
  for (const char* drain : {"if_other_waits", "always"})
    for (const char* hand_over : {"after_drain", "while_draining"})
      all.push_back({std::string{"static_quickswap_"} + drain + "_" + hand_over,
                     "static_quickswap",
                     {{"drain", drain}, {"hand_over", hand_over}}});
  all.push_back({"static_quickswap_published", "static_quickswap", {{"hand_over", "published"}}, true});
  return all;
}

class every_policy : public testing::TestWithParam<candidate> {
 protected:
  using look = std::function<void(policy_scene&)>;

  void check(const std::function<void()>& property) {
    // The scene throws where a policy starts a job that does not wait, does not fit or overtakes within its class.
    rc::detail::checkGTest([&] { property(); });
  }

  /// A cluster of random size and random classes, and a random threshold, that suits the policy.
  policy_scene some_scene() const {
    const auto cores = *rc::gen::inRange(2u, 13u);
    std::vector<unsigned> needs{cores, 1};
    policy_scene::changes changed = GetParam().changed;
    if (GetParam().policy != "msfq") {
      needs = *rc::gen::nonEmpty(rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(1u, cores + 1)));
      if (needs.size() > 6) needs.resize(6);
      std::sort(needs.rbegin(), needs.rend());
    }
    if (GetParam().policy == "static_quickswap") {
      std::vector<class_id> order;
      for (unsigned i = 0; i < needs.size(); ++i) order.push_back(class_id{i});
      const auto turns = *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(needs.size()));
      std::rotate(order.begin(), order.begin() + turns, order.end());
      if (*rc::gen::arbitrary<bool>()) std::reverse(order.begin(), order.end());
      changed.push_back({"order", order});
    }
    if ((GetParam().policy == "static_quickswap" && !GetParam().waits_for_next_event) || GetParam().policy == "msfq")
      changed.push_back({"threshold", std::int64_t{*rc::gen::inRange(0u, cores)}});
    return {cores, needs, GetParam().policy, changed};
  }

  static void run(policy_scene& scene, const look& after_each_event) {
    const auto events = *rc::gen::scale(3.0, rc::gen::arbitrary<std::vector<std::uint16_t>>());
    // Some runs have many arrivals for each completion, some few.
    const auto arrivals_of_8 = *rc::gen::inRange(2u, 7u);
    for (const unsigned event : events) {
      const job_numbers serving = scene.serving();
      if (event % 8 < arrivals_of_8 || serving.empty())
        scene.arrive(event / 8 % static_cast<unsigned>(scene.view().class_count()));
      else
        scene.complete(serving[event / 8 % serving.size()]);
      after_each_event(scene);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(policies, every_policy, testing::ValuesIn(candidates()),
                         [](const auto& c) { return c.param.label; });

TEST_P(every_policy, never_gives_away_more_cores_than_there_are) {
  check([this] {
    policy_scene scene = some_scene();
    run(scene, [](policy_scene& s) {
      unsigned held = 0;
      for (const std::uint64_t number : s.serving()) held += s.view().need(s.at(number).type);
      RC_ASSERT(held + s.view().free_cores(class_id{0}) == s.view().usable_cores(class_id{0}));
    });
  });
}

TEST_P(every_policy, starts_the_jobs_of_a_class_in_order_of_arrival) {
  check([this] {
    policy_scene scene = some_scene();
    run(scene, [](policy_scene&) {});
    std::map<class_id, std::uint64_t> latest;
    for (const std::uint64_t number : scene.started()) {
      const auto known = latest.find(scene.at(number).type);
      if (known != latest.end()) RC_ASSERT(known->second < number);
      latest[scene.at(number).type] = number;
    }
  });
}

TEST_P(every_policy, never_leaves_the_cluster_empty_while_jobs_wait) {
  check([this] {
    policy_scene scene = some_scene();
    bool empty = true;
    std::size_t known = 0;
    run(scene, [&](policy_scene& s) {
      const bool stalled = s.serving().empty() && !s.waiting().empty();
      const std::size_t jobs = s.serving().size() + s.waiting().size();
      // Where it may wait for the next event, an arrival to the empty cluster must start somebody.
      if (GetParam().waits_for_next_event)
        RC_ASSERT(!(stalled && empty && jobs > known));
      else
        RC_ASSERT(!stalled);
      empty = s.serving().empty();
      known = jobs;
    });
  });
}

TEST_P(every_policy, serves_everybody_once_arrivals_have_ceased) {
  check([this] {
    policy_scene scene = some_scene();
    run(scene, [](policy_scene&) {});
    for (;;) {
      const job_numbers serving = scene.serving();
      if (!serving.empty())
        scene.complete(serving[scene.started().size() % serving.size()]);
      else if (scene.waiting().empty())
        break;
      else {
        RC_ASSERT(GetParam().waits_for_next_event);
        const std::size_t before = scene.started().size();
        scene.arrive(0);
        RC_ASSERT(scene.started().size() > before);
        // One such arrival shows it; if every stall brought another job, this might go on for long.
        break;
      }
    }
  });
}

TEST_P(every_policy, counts_a_phase_each_time_that_it_changes_it) {
  check([this] {
    policy_scene scene = some_scene();
    unsigned phase = scene.phase();
    std::uint64_t begun = scene.phases_begun();
    run(scene, [&](policy_scene& s) {
      RC_ASSERT(s.phase() <= s.phases());
      RC_ASSERT(s.phases_begun() >= begun);
      if (s.phase() != phase) RC_ASSERT(s.phases_begun() > begun);
      phase = s.phase();
      begun = s.phases_begun();
    });
  });
}

TEST(policy_catalogue, finds_every_policy_by_its_name_and_no_other) {
  for (const char* name : {"fcfs", "msf", "static_quickswap", "server_filling", "balanced_fair", "ispeed"})
    EXPECT_NE(find_policy(name), nullptr) << name;
  for (const policy_entry* entry : policy_catalogue()) EXPECT_EQ(find_policy(entry->name), entry);
  EXPECT_EQ(find_policy("msf "), nullptr);
  EXPECT_EQ(find_policy(""), nullptr);
}

}  // namespace
}  // namespace muster
