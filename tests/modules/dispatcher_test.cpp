#include "muster/modules/front/dispatcher.h"

#include "tests/modules/child.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/plain_dispatching.h"
#include "tests/modules/reports.h"
#include "tests/modules/several_schedulers.h"

// Several schedulers behind a dispatcher, each with servers of its own.

namespace muster {
namespace {

constexpr std::uint32_t schedulers = 4;

layout ten_servers_of_two_cores() {
  layout l;
  l.needs = {2, 1};
  l.groups = {{"node", 10, 2, 1.0}};
  return l;
}

// Two servers more than the others have the first two schedulers.
const std::vector<unsigned> cores_of_ten{6, 6, 4, 4};

std::vector<ticks> completions_by_number(const job_log& log) {
  std::vector<ticks> ends(log.records.size());
  for (const job_record& r : log.records) ends[r.id] = r.completed;
  return ends;
}

class each_rule : public testing::TestWithParam<const char*> {};

TEST_P(each_rule, sends_every_job_where_a_loop_over_the_arrivals_does_and_it_leaves_when_it_does_there) {
  for (const ticks delay : {0, 1, 25, 400})
    for (const bool monitored : {false, true})
      EXPECT_EQ(in_child([&] {
                  const auto requests = random_jobs(4'000, 2, 3, 40, 11);
                  scene_of_schedulers s{ten_servers_of_two_cores(), schedulers, GetParam(), delay, requests, monitored};
                  s.run();
                  numbers_of_a_test numbers{7};
                  EXPECT_EQ(completions_by_number(s.log),
                            plain::completions_of_split(requests, {2, 1}, cores_of_ten, GetParam(), delay, numbers))
                      << "information delay " << delay;
                  return std::string{"done"};
                }),
                "done");
}

INSTANTIATE_TEST_SUITE_P(dispatcher, each_rule,
                         testing::Values("random", "round_robin", "shortest_queue", "power_of_d", "by_class"));

TEST(dispatcher, of_two_schedulers_by_hand_the_shorter_queue_gets_each_job_unless_the_numbers_are_old) {
  layout l;
  l.groups = {{"node", 2, 1, 1.0}};
  // The second job goes beside the first, whichever that is, and the third waits for the job of 10, not for that of 90.
  const std::vector<job_request> requests{
      {0, class_id{0}, 90}, {1, class_id{0}, 10}, {20, class_id{0}, 5}, {22, class_id{0}, 5}, {23, class_id{0}, 5}};
  EXPECT_EQ(in_child([&] {
              scene_of_schedulers s{l, 2, "shortest_queue", 0, requests};
              s.run();
              const auto ends = completions_by_number(s.log);
              EXPECT_EQ(ends[0], 90u);
              EXPECT_EQ(ends[1], 11u);
              EXPECT_EQ(ends[2], 25u);
              EXPECT_TRUE((ends[3] == 95 && ends[4] == 30) || (ends[3] == 30 && (ends[4] == 95 || ends[4] == 35)));
              return std::string{"done"};
            }),
            "done");
  EXPECT_EQ(in_child([&] {
              scene_of_schedulers s{l, 2, "shortest_queue", 1'000, requests};
              s.run();
              EXPECT_EQ(s.front.jobs_dispatched(0) + s.front.jobs_dispatched(1), 5u);
              return std::string{"done"};
            }),
            "done");
}

TEST(dispatcher, jobs_of_several_schedulers_have_numbers_of_their_own_in_the_order_of_arrival) {
  const auto requests = random_jobs(500, 2, 3, 40, 5);
  scene_of_schedulers s{ten_servers_of_two_cores(), schedulers, "random", 0, requests};
  s.run();
  std::vector<ticks> arrivals(requests.size(), ticks{1} << 40);
  for (const job_record& r : s.log.records) arrivals[r.id] = r.arrival;
  for (std::size_t n = 0; n < requests.size(); ++n) EXPECT_EQ(arrivals[n], requests[n].arrival) << "job " << n;
}

TEST(dispatcher, one_scheduler_behind_it_does_what_it_does_alone) {
  const auto requests = random_jobs(3'000, 2, 3, 40, 3);
  const layout l = ten_servers_of_two_cores();
  const auto behind = in_child([&] {
    scene_of_schedulers s{l, 1, "shortest_queue", 0, requests};
    s.run();
    return s.log.text();
  });
  const auto alone = in_child([&] {
    scene s{l, requests};
    s.run();
    return s.log.text();
  });
  EXPECT_EQ(behind, alone);
}

TEST(dispatcher, reads_of_its_registers_are_sums_over_the_schedulers) {
  layout l;
  l.groups = {{"node", 2, 1, 1.0}};
  scene_of_schedulers s{l, 2, "round_robin", 0, std::vector<job_request>(7, {0, class_id{0}, 100})};
  sc_core::sc_start(sc_core::sc_time::from_value(50));
  const auto read = [&](std::uint64_t address) {
    std::uint64_t value = 0;
    tlm::tlm_generic_payload p;
    p.set_command(tlm::TLM_READ_COMMAND);
    p.set_address(address);
    p.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    p.set_data_length(sizeof value);
    EXPECT_EQ(s.source.submissions->transport_dbg(p), sizeof value);
    return value;
  };
  EXPECT_EQ(read(scheduler_register::jobs_waiting), 5u);
  EXPECT_EQ(read(scheduler_register::jobs_in_service), 2u);
}

// Four jobs of 10 ticks on two schedulers of one core, two of them announced 5 ticks ahead, and one of no class.
TEST(dispatcher, foreign_submitters_are_answered_whatever_their_manner_and_a_job_is_dealt_out_when_it_arrives) {
  using manner = foreign_initiator::manner;
  for (const manner m : {manner::completes, manner::updates, manner::ends_later, manner::ends_within_the_call})
    EXPECT_EQ(in_child([&] {
                layout l;
                l.groups = {{"node", 2, 1, 1.0}};
                scene_of_schedulers s{l, 2, "round_robin", 0, {}, true};
                foreign_initiator foreign{"foreign", m, 3};
                foreign.socket.bind(s.front.in);
                sc_core::sc_spawn([&] {
                  foreign.submit(0, 10, 5);
                  foreign.submit(0, 10);
                  foreign.submit(0, 10);
                  foreign.submit(0, 10, 5);
                  foreign.submit(9, 10);
                });
                sc_core::sc_start();
                std::string text;
                std::sort(foreign.responses.begin(), foreign.responses.end(),
                          [](const auto& a, const auto& b) { return a.job < b.job; });
                for (const auto& r : foreign.responses)
                  text += std::to_string(r.at) + (r.status == tlm::TLM_OK_RESPONSE ? " " : "! ");
                return text + "left " + std::to_string(foreign.outstanding() + s.front.open_transactions());
              }),
              // An END_RESP that comes 3 ticks later holds the next response back.
              m == manner::ends_later ? "20 10 13 23 0! left 0" : "20 10 10 20 0! left 0");
}

TEST(dispatcher, a_blocking_call_returns_when_its_job_is_complete) {
  layout l;
  l.groups = {{"node", 2, 1, 1.0}};
  scene_of_schedulers s{l, 2, "shortest_queue", 0, {}};
  foreign_initiator foreign{"foreign", foreign_initiator::manner::completes};
  foreign.socket.bind(s.front.in);
  std::vector<ticks> returned;
  for (int n = 0; n < 4; ++n)
    sc_core::sc_spawn([&] {
      job_descriptor work{0, 10};
      tlm::tlm_generic_payload p;
      prepare(p, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, &work, sizeof work);
      sc_core::sc_time delay;
      foreign.socket->b_transport(p, delay);
      EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
      returned.push_back(sc_core::sc_time_stamp().value());
    });
  sc_core::sc_start();
  EXPECT_EQ(returned, (std::vector<ticks>{10, 10, 20, 20}));
  EXPECT_EQ(s.front.jobs_in_system(0) + s.front.jobs_in_system(1), 0u);
}

TEST(dispatcher, more_choices_than_schedulers_are_a_fault_that_says_how_many_there_may_be) {
  timekeeper time{"time"};
  numbers_of_a_test numbers;
  expect_report("/muster/dispatcher", "'dispatcher': 3 choices of 2 schedulers; expected 1 to 2");
  EXPECT_ANY_THROW((dispatcher{"dispatcher", time, {find_dispatching("power_of_d"), 2, 3, 0, &numbers}}));
}

TEST(dispatcher, every_rule_has_a_name_of_its_own_and_random_is_the_default) {
  EXPECT_EQ(dispatching_catalogue().front(), find_dispatching("random"));
  for (const dispatching_entry* e : dispatching_catalogue()) EXPECT_EQ(find_dispatching(e->name), e);
  EXPECT_EQ(find_dispatching("fastest"), nullptr);
}

}  // namespace
}  // namespace muster
