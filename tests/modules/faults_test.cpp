#include <map>
#include <random>

#include "tests/modules/child.h"
#include "tests/modules/scene.h"

// Servers that fail and are repaired: what becomes of the jobs that were there.

namespace muster {
namespace {

/// Each server fails at given times and is down for given times; afterwards never again.
class script final : public fault_clock {
 public:
  struct fault {
    ticks at, down;
  };
  explicit script(std::map<std::uint32_t, std::vector<fault>> faults) : faults_(std::move(faults)) {}

  ticks to_failure(std::uint32_t server) override {
    ticks& repaired = repaired_[server];
    const auto& all = faults_[server];
    const std::size_t n = next_[server];
    return n < all.size() ? all[n].at - repaired : end_of_clock / 2;
  }
  ticks to_repair(std::uint32_t server) override {
    const fault& f = faults_[server][next_[server]++];
    repaired_[server] = f.at + f.down;
    return f.down;
  }

 private:
  std::map<std::uint32_t, std::vector<fault>> faults_;
  std::map<std::uint32_t, std::size_t> next_;
  std::map<std::uint32_t, ticks> repaired_;
};

layout nodes(std::uint32_t count, script& faults) {
  layout l;
  l.groups = {{"node", count, 1, 1.0}};
  l.faults = &faults;
  l.monitored = true;
  return l;
}

ticks down(const scene& s) {
  ticks sum = 0;
  for (const auto& bank : s.servers)
    for (std::uint32_t core = 0; core < bank->core_count(); ++core) sum += bank->down_time(core, s.time.now());
  return sum;
}

TEST(faults, a_job_begins_anew_when_its_server_has_been_repaired) {
  script faults{{{0, {{40, 20}}}}};
  scene s{nodes(1, faults), {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 160u);
  EXPECT_EQ(s.log.records[0].started, 0u);
  EXPECT_EQ(s.log.records[0].failures, 1u);
  EXPECT_EQ(s.all_cores().running, 140u);
  EXPECT_EQ(down(s), 20u);
}

TEST(faults, progress_is_kept_where_it_is_always_kept) {
  script faults{{{0, {{40, 20}, {70, 5}}}}};
  layout l = nodes(1, faults);
  l.checkpoint = 0;
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 125u);
  EXPECT_EQ(s.log.records[0].failures, 2u);
}

TEST(faults, progress_is_lost_back_to_the_latest_checkpoint) {
  script faults{{{0, {{40, 20}, {70, 5}}}}};
  layout l = nodes(1, faults);
  l.checkpoint = 30;
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 75u + 70u);  // the second failure comes 10 after the first checkpoint
}

TEST(faults, of_a_slow_server_cost_as_much_time_as_it_takes_to_do_the_work_again) {
  script faults{{{0, {{100, 20}}}}};
  layout l = nodes(1, faults);
  l.groups = {{"node", 1, 1, 0.5}};
  l.checkpoint = 30;
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 120u + 140u);  // of the work of 50, 30 are kept
}

TEST(faults, a_gang_loses_all_its_slices_by_one_failure) {
  script faults{{{0, {{40, 20}}}}};
  layout l = nodes(2, faults);
  l.needs = {2};
  scene s{l, {{0, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 160u);
  EXPECT_EQ(s.all_cores().running, 280u);
}

TEST(faults, a_job_that_lost_its_server_waits_where_its_arrival_puts_it) {
  script faults{{{0, {{40, 500}}}}};
  scene s{nodes(2, faults), {{0, class_id{0}, 100}, {10, class_id{0}, 100}, {20, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 110u);
  EXPECT_EQ(s.log.records[1].completed, 210u);
  EXPECT_EQ(s.log.records[1].id, 0u);
  EXPECT_EQ(s.log.records[2].completed, 310u);
}

TEST(faults, nothing_starts_on_a_server_that_is_down) {
  script faults{{{0, {{10, 100}}}, {1, {{10, 300}}}}};
  scene s{nodes(2, faults), {{50, class_id{0}, 100}, {60, class_id{0}, 100}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 210u);
  EXPECT_EQ(s.log.records[1].completed, 310u);
  EXPECT_EQ(s.log.records[0].failures, 0u);
  EXPECT_EQ(down(s), 400u);
}

TEST(faults, a_job_that_resumes_fetches_its_state_and_one_that_begins_anew_is_set_up_again) {
  script faults{{{0, {{40, 20}}}}};
  for (const bool kept : {true, false})
    EXPECT_EQ(in_child([&] {
                layout l = nodes(1, faults);
                l.costs.set_up = 10;
                l.costs.restore = 3;
                l.costs.migration = 4;
                if (kept) l.checkpoint = 0;
                scene s{l, {{0, class_id{0}, 100}}};
                s.run_until(1000);
                return std::to_string(s.log.records[0].completed);
              }),
              kept ? "137" : "170");
}

TEST(faults, a_failure_while_the_state_is_saved_loses_it) {
  script faults{{{0, {{55, 5}}}}};
  layout l = nodes(1, faults);
  l.policy = "balanced_fair";
  l.interrupt_every = {50};
  l.costs.save = 10;
  scene s{l, {{0, class_id{0}, 60}}};
  s.run_until(1000);
  // From 60 on anew: interrupted at 110, saved at 120, the rest until 130.
  EXPECT_EQ(s.log.records[0].completed, 130u);
  EXPECT_EQ(s.log.records[0].failures, 0u);
}

TEST(faults, of_one_of_a_pooled_jobs_servers_take_it_off_all) {
  for (const bool kept : {true, false})
    EXPECT_EQ(in_child([&] {
                script faults{{{0, {{20, 20}}}}};
                layout l = nodes(2, faults);
                l.policy = "fcfs_pooled";
                if (kept) l.checkpoint = 0;
                scene s{l, {{0, class_id{0}, 100}}};
                s.run_until(1000);
                return std::to_string(s.log.records[0].completed);
              }),
              kept ? "60" : "80");
}

TEST(faults, a_slotted_job_loses_what_the_core_did_in_the_slot) {
  script faults{{{0, {{150, 10}}}}};
  layout l = nodes(2, faults);
  l.policy = "fifo";
  l.worth = std::make_shared<utility>(std::vector<double>(4, 1.0));
  scene s{l, {{0, class_id{0}, 400, {}, 0, nullptr}}};
  s.run_until(1000);
  // Two units in the first slot, one in the second, and the one that was lost in the third.
  EXPECT_EQ(s.log.records[0].completed, 300u);
  EXPECT_EQ(s.log.records[0].earned, 4.0);
}

TEST(faults, a_slot_without_any_core_is_waited_out) {
  script faults{{{0, {{50, 200}}}}};
  layout l = nodes(1, faults);
  l.policy = "equal_partitioning";
  l.worth = std::make_shared<utility>(std::vector<double>(2, 1.0));
  scene s{l, {{0, class_id{0}, 200, {}, 0, nullptr}}};
  s.run_until(1000);
  EXPECT_EQ(s.log.records[0].completed, 500u);
}

/// Faults at random times.
script random_faults(unsigned seed, std::uint32_t servers) {
  std::mt19937_64 random{seed};
  std::map<std::uint32_t, std::vector<script::fault>> faults;
  for (std::uint32_t n = 0; n < servers; ++n)
    for (ticks at = 1 + random() % 200; at < 20'000; at += 1 + random() % 400) {
      const ticks down = 1 + random() % 100;
      faults[n].push_back({at, down});
      at += down;
    }
  return script{faults};
}

TEST(faults, lose_no_job_under_any_policy_with_and_without_links) {
  for (const std::string policy :
       {"fcfs", "first_fit", "msf", "msfq", "adaptive_quickswap", "fcfs_pooled", "balanced_fair"})
    for (const ticks latency : {0, 7})
      for (unsigned seed = 1; seed <= 3; ++seed) {
        const std::string left = in_child([&] {
          script faults = random_faults(seed, 4);
          layout l = nodes(4, faults);
          l.policy = policy;
          l.latency = latency;
          l.costs.save = 5;
          if (seed != 2) l.checkpoint = seed == 1 ? 0 : 20;
          const bool pooled = entry_of(policy).jobs == progress::pooled;
          if (policy == "balanced_fair") l.interrupt_every = {30};
          if (!pooled) l.needs = policy == "msfq" ? std::vector<unsigned>{4, 1} : std::vector<unsigned>{4, 2, 1};
          scene s{l, random_jobs(100, l.needs.size(), 60, 80, seed)};
          s.run_until(60'000);
          unsigned failures = 0;
          for (const job_record& r : s.log.records) failures += r.failures;
          EXPECT_GT(failures, 0u);
          return std::to_string(100 - s.log.records.size());
        });
        EXPECT_EQ(left, "0") << policy << " latency " << latency << " seed " << seed;
      }
}

}  // namespace
}  // namespace muster
