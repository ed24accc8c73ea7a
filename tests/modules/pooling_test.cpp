#include "tests/modules/child.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/scene.h"

// Pooled jobs, interruptions and what they cost, traced by hand.

namespace muster {
namespace {

constexpr ticks never = 1'000'000'000;

layout one_server(const std::string& policy = "balanced_fair") {
  layout l;
  l.policy = policy;
  return l;
}

std::vector<ticks> completions(const scene& s) {
  std::vector<ticks> times(s.log.records.size());
  for (const job_record& r : s.log.records) times[r.id] = r.completed;
  return times;
}

TEST(pooling, adds_the_capacities_of_all_servers_up) {
  layout l = one_server("fcfs_pooled");
  l.groups = {{"slow", 1, 1, 0.5}, {"wide", 1, 2, 1.0}, {"pair", 2, 1, 0.25}};
  scene s{l, {{10, class_id{0}, 300}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{10 + 100})) << "0.5 + 2 * 1 + 2 * 0.25 = 3 a tick";
}

TEST(pooling, rounds_the_end_of_the_work_to_the_nearest_tick) {
  layout l = one_server("fcfs_pooled");
  l.groups = {{"node", 3, 1, 1.0}};
  scene s{l, {{0, class_id{0}, 100}, {200, class_id{0}, 101}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{33, 234}));
}

TEST(pooling, takes_servers_into_a_running_job_and_keeps_what_has_been_done) {
  layout l = one_server("fcfs_pooled");
  l.groups = {{"a"}, {"b"}, {"c"}};
  l.drawn = 2;
  // The second job starts on c alone; b comes when the first job has ended, at 100.
  scene s{l, {{0, class_id{0}, 200, {0, 1}}, {10, class_id{0}, 200, {1, 2}}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{100, 100 + 55}));
  EXPECT_EQ(s.log.records[1].started, 10u);
}

TEST(interruption, sends_the_job_to_the_end_of_the_queue_and_keeps_what_has_been_done) {
  layout l = one_server();
  l.interrupt_every = {30};
  scene s{l, {{0, class_id{0}, 50}, {10, class_id{0}, 20}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{70, 50}));
  EXPECT_EQ(s.log.records[1].interruptions, 1u);
  EXPECT_EQ(s.log.records[1].migrations, 0u);
  EXPECT_EQ(s.log.records[0].interruptions, 0u) << "it was done in 20";
}

TEST(interruption, does_not_happen_at_the_instant_of_completion) {
  layout l = one_server();
  l.interrupt_every = {30};
  scene s{l, {{0, class_id{0}, 30}}};
  s.run();
  EXPECT_EQ(s.log.records[0].interruptions, 0u);
  EXPECT_EQ(completions(s), (std::vector<ticks>{30}));
}

TEST(interruption, by_one_server_frees_all_the_others) {
  layout l = one_server();
  l.groups = {{"a"}, {"b"}};
  l.interrupt_every = {never, 30};
  scene s{l, {{0, class_id{0}, 100}, {10, class_id{0}, 20}}};
  s.run();
  // At 30 the first job has 40 left; both servers do the second job until 40, then the first until 60.
  EXPECT_EQ(completions(s), (std::vector<ticks>{60, 40}));
}

TEST(interruption_costs, are_paid_by_the_cores_in_their_time) {
  layout l = one_server();
  l.interrupt_every = {30};
  l.costs.dispatch_latency = 2;
  l.costs.set_up = 4;
  l.costs.save = 5;
  l.costs.restore = 3;
  l.costs.migration = 1000;
  l.state = 1;
  l.costs.ticks_per_byte = 1000;
  scene s{l, {{0, class_id{0}, 50}, {10, class_id{0}, 20}}};
  s.run();
  // First job: set up until 6, works until 36, is saved until 41. Second: set up until 47, works until 67. First again:
  // restored until 72, works until 92. The state never moved.
  EXPECT_EQ(completions(s), (std::vector<ticks>{92, 67}));
  EXPECT_EQ(s.all_cores().overhead, 6u + 5 + 6 + 5);
  EXPECT_EQ(s.all_cores().running, 50u + 20);
}

TEST(interruption_costs, run_the_timer_only_while_the_server_works) {
  layout l = one_server();
  l.interrupt_every = {30};
  l.costs.set_up = 1000;
  scene s{l, {{0, class_id{0}, 25}}};
  s.run();
  EXPECT_EQ(s.log.records[0].interruptions, 0u);
}

// The first job is on b and c from 40 to 140. b is known to be free at 170, and comes to the second job at 200, whose
// work a has done at 190: it is answered when b has said so, at 230.
TEST(pooling, sets_up_no_server_that_comes_when_the_work_is_done) {
  layout l = one_server("fcfs_pooled");
  l.groups = {{"a"}, {"b"}, {"c"}};
  l.drawn = 2;
  l.latency = 30;
  l.costs.set_up = 10;
  scene s{l, {{0, class_id{0}, 200, {1, 2}}, {0, class_id{0}, 150, {0, 1}}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{170, 230}));
  EXPECT_EQ(s.all_cores().overhead, 3 * 10u);
}

TEST(migration, is_paid_where_a_server_comes_that_does_not_hold_the_job_s_state) {
  layout l = one_server();
  l.groups = {{"a"}, {"b"}, {"c"}};
  l.drawn = 2;
  l.interrupt_every = {never, never, 40};
  l.costs.migration = 7;
  l.costs.ticks_per_byte = 0.5;
  l.state = 6;
  // The second job works on c from 10 and is interrupted at 50 and 90; b comes at 100 and fetches the state until 110.
  // At 130 both hold it: c has done 120 and b 20, and they do the rest, 60, together.
  scene s{l, {{0, class_id{0}, 200, {0, 1}}, {10, class_id{0}, 200, {1, 2}}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{100, 130 + 30}));
  EXPECT_EQ(s.log.records[1].interruptions, 3u);
  EXPECT_EQ(s.log.records[1].migrations, 1u);
  EXPECT_EQ(s.all_cores().overhead, 7u + 3);
}

// The first job keeps c and d busy until 200, so that the others have a or b alone, but for the third, which may use
// both. That one works on a until 30 and waits for b, which it gets at 32, and fetches its state until 37. It has done
// 70 when b interrupts it at 77, and goes on there. By then a has served the fourth and the fifth job, and serves the
// last until 100. What a saved at 30 is old now: it fetches the state from b until 105, when 20 are left of 118.
TEST(migration, is_paid_again_by_a_server_whose_state_is_that_of_an_earlier_interruption) {
  layout l = one_server();
  l.groups = {{"a"}, {"b"}, {"c"}, {"d"}};
  l.drawn = 2;
  l.interrupt_every = {30, 40, never, never};
  l.costs.migration = 5;
  scene s{l,
          {{0, class_id{0}, 400, {2, 3}},
           {0, class_id{0}, 32, {1, 2}},
           {0, class_id{0}, 118, {0, 1}},
           {0, class_id{0}, 20, {0, 2}},
           {0, class_id{0}, 25, {0, 2}},
           {0, class_id{0}, 25, {0, 2}}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{200, 32, 115, 50, 75, 100}));
  EXPECT_EQ(s.log.of(2).interruptions, 2u);
  EXPECT_EQ(s.log.of(2).migrations, 2u);
  EXPECT_EQ(s.all_cores().overhead, 5u + 5);
}

TEST(interruption, finds_a_server_that_is_still_setting_up_and_has_nothing_to_save) {
  layout l = one_server();
  l.groups = {{"a"}, {"b"}, {"c"}};
  l.drawn = 2;
  l.interrupt_every = {never, never, 40};
  l.costs.set_up = 20;
  l.costs.save = 5;
  // The second job is set up on c until 30; b joins at 60 and is setting up when c interrupts at 70: it goes idle at
  // once, c saves until 75. Then the job resumes: on c where its state is, and on b, which must fetch it (for nothing).
  scene s{l, {{0, class_id{0}, 80, {0, 1}}, {10, class_id{0}, 100, {1, 2}}}};
  s.run();
  EXPECT_EQ(completions(s), (std::vector<ticks>{60, 75 + 30}));
  EXPECT_EQ(s.log.records[1].migrations, 1u);
  EXPECT_EQ(s.servers[1]->times(0, s.time.now()).overhead, 20u + 10);
  EXPECT_EQ(s.servers[2]->times(0, s.time.now()).overhead, 20u + 5);
}

std::string run_at_random(const layout& l, unsigned seed) {
  return in_child([&] {
    std::vector<job_request> requests = random_jobs(1500, l.needs.size(), 20, 60, seed);
    std::mt19937_64 random{seed};
    for (job_request& r : requests) {
      if (l.drawn == 0) continue;
      r.servers = {random() % l.groups.size()};
      while (r.servers.size() < l.drawn)
        if (const auto next = random() % l.groups.size();
            std::find(r.servers.begin(), r.servers.end(), next) == r.servers.end())
          r.servers.push_back(next);
    }
    scene s{l, requests};
    s.run();
    return s.log.text();
  });
}

TEST(interruption, keeps_the_base_protocol_on_every_hop_with_costs_and_links) {
  layout l = one_server();
  l.monitored = true;
  l.needs = {1};
  l.groups = {{"a", 1, 1, 1.0}, {"b", 1, 2, 1.0}, {"c", 1, 1, 1.5}, {"d", 1, 1, 0.5}};
  l.interrupt_every = {11, 13, 17, 19};
  l.drawn = 2;
  for (const ticks latency : {0, 3})
    for (const ticks save : {0, 2}) {
      l.latency = latency;
      l.costs.save = save;
      l.costs.set_up = save;
      l.costs.restore = save;
      l.costs.migration = save;
      const std::string log = run_at_random(l, 5);
      EXPECT_NE(log, "failed") << "latency " << latency << ", costs " << save;
      EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1500) << "latency " << latency << ", costs " << save;
    }
}

TEST(interruption, does_not_depend_on_how_servers_are_grouped_into_banks) {
  layout apart = one_server();
  apart.groups = {{"a"}, {"b"}, {"c"}, {"d"}};
  apart.interrupt_every = {11, 11, 11, 11};
  layout together = apart;
  together.groups = {{"node", 4, 1, 1.0}};
  together.interrupt_every = {11};
  const std::string log = run_at_random(apart, 6);
  EXPECT_NE(log, "failed");
  EXPECT_EQ(log, run_at_random(together, 6));
}

/// Notes what each job says of the next one.
class hint_log final : public job_observer {
 public:
  using hint = std::array<std::uint64_t, 2>;
  std::vector<hint> hints;

  void job_arrives(ticks, const job_extension& j) override { hints.push_back(j.drawn_next); }
  void job_completes(ticks, const job_extension&) override {}
};

TEST(pooling, lets_a_job_say_which_servers_the_next_one_has_drawn) {
  layout l = one_server("fcfs_pooled");
  l.groups = {{"a"}, {"b"}, {"c"}};
  l.drawn = 2;
  scene s{l};
  job_list jobs{{{10, class_id{0}, 20, {0, 2}}, {15, class_id{0}, 20, {2, 1}}, {15, class_id{0}, 20, {1, 0}}}};
  hint_log log;
  job_source source{"source", s.time, jobs, log};
  source.submissions.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.central.jobs_completed(), 3u);
  const hint_log::hint none{job_extension::no_server, job_extension::no_server};
  EXPECT_EQ(log.hints, (std::vector<hint_log::hint>{{2, 1}, {1, 0}, none}));
}

TEST(pooling, tells_a_plain_submission_that_its_drawn_servers_make_no_sense) {
  layout l = one_server("fcfs_pooled");
  l.groups = {{"a"}, {"b"}, {"c"}};
  l.drawn = 2;
  scene s{l, {{10, class_id{0}, 20, {0, 2}}}};
  struct {
    std::vector<std::uint64_t> words;
    tlm::tlm_response_status expected;
  } const cases[] = {
      {{0, 5, 1, 2}, tlm::TLM_OK_RESPONSE},
      {{0, 5}, tlm::TLM_BURST_ERROR_RESPONSE},
      {{0, 5, 1}, tlm::TLM_BURST_ERROR_RESPONSE},
      {{0, 5, 1, 2, 0}, tlm::TLM_BURST_ERROR_RESPONSE},
      {{0, 5, 1, 1}, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {{0, 5, 1, 3}, tlm::TLM_GENERIC_ERROR_RESPONSE},
  };
  foreign_thread client{"client", [&](foreign_thread& me) {
                          for (const auto& c : cases) {
                            EXPECT_EQ(me.submit(c.words), c.expected) << c.words.size();
                          }
                        }};
  client.socket.bind(s.central.submissions);
  sc_core::sc_start();
  EXPECT_EQ(s.central.jobs_completed(), 2u);
}

}  // namespace
}  // namespace muster
