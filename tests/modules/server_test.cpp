#include "muster/modules/server/server.h"

#include "tests/modules/fault_script.h"
#include "tests/modules/faulty_hop.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/scene.h"

namespace muster {
namespace {

using state = server::core_state;

// Looks from a thread of the test, at the test's instants, while a source keeps the cluster busy.
void look(scene& s, std::function<void(foreign_thread&)> what) {
  foreign_thread eye{"eye", std::move(what)};
  eye.socket.bind(s.central.submissions);
  s.run();
}

TEST(server, shows_each_core_s_state_holder_and_since) {
  scene s{{{2, 1}, {{"node", 1, 3, 1.0}}, "fcfs", {4, 6}}, {{10, class_id{0}, 20}}};
  look(s, [&](foreign_thread& eye) {
    const server& node = *s.servers[0];
    const auto held = [&](state expected, ticks since) {
      unsigned cores = 0;
      for (std::uint32_t c = 0; c < 3; ++c) {
        const server::core_view view = node.core(c);
        if (view.state == state::idle) continue;
        ++cores;
        EXPECT_EQ(view.state, expected);
        EXPECT_EQ(view.since, since);
        ASSERT_NE(view.holder, nullptr);
        EXPECT_EQ(view.holder->id, 0u);
      }
      EXPECT_EQ(cores, 2u);
    };
    eye.wait_until(9);
    for (std::uint32_t c = 0; c < 3; ++c) EXPECT_EQ(node.core(c).state, state::idle);
    eye.wait_until(15);
    held(state::overhead, 10);
    EXPECT_EQ(node.holders().size(), 1u);
    eye.wait_until(25);
    held(state::running, 20);
    s.check_cores();
    eye.wait_until(41);
    EXPECT_TRUE(node.holders().empty());
    EXPECT_EQ(node.core(0).state, state::idle);
    EXPECT_EQ(node.core(0).since, 40u);
  });
  EXPECT_EQ(s.all_cores().overhead, 2u * 10);
  EXPECT_EQ(s.all_cores().running, 2u * 20);
}

TEST(server, accounts_for_every_core_at_every_instant) {
  scene s{{{5, 2, 1}, {{"large", 2, 3, 1.0}, {"small", 4, 1, 2.0}}, "first_fit", {2, 3}, 4},
          random_jobs(300, 3, 15, 40)};
  look(s, [&](foreign_thread& eye) {
    for (ticks t = 1; t < 4000; t += 7) {
      eye.wait_until(t);
      s.check_cores();
    }
  });
}

TEST(server, spends_no_overhead_and_no_phase_without_costs) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}, "fcfs", {}, 0, 0, true}, {{10, class_id{0}, 20}}};
  s.run();
  EXPECT_EQ(s.monitors.back()->count(slice_productive), 0u);
  EXPECT_EQ(s.all_cores().overhead, 0u);
}

/// Slices and stops over one socket, with payloads that outlive them.
class slices_by_hand : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<slices_by_hand> socket{"socket"};
  struct end {
    std::uint64_t job;
    ticks at;
    tlm::tlm_response_status status;
    bool operator==(const end& o) const { return job == o.job && at == o.at && status == o.status; }
  };
  std::vector<end> ends;
  unsigned freed = 0;

  explicit slices_by_hand(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &slices_by_hand::backward);
  }

  tlm::tlm_sync_enum start(std::uint64_t at_server, const slice_descriptor& work, ticks delay = 0) {
    auto* p = new tlm::tlm_generic_payload{this};
    p->acquire();
    auto* copy = new slice_descriptor{work};
    prepare(*p, tlm::TLM_WRITE_COMMAND, at_server * server_register::stride, copy, sizeof *copy);
    return send(*p, delay);
  }

  tlm::tlm_response_status stop(std::uint64_t at_server, std::uint64_t job) {
    std::uint64_t value = job;
    tlm::tlm_generic_payload p;
    prepare(p, tlm::TLM_WRITE_COMMAND, at_server * server_register::stride + server_register::stop, &value,
            sizeof value);
    sc_core::sc_time t;
    socket->b_transport(p, t);
    return p.get_response_status();
  }

 private:
  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& p, ticks delay) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time t = to_sc_time(delay);
    const tlm::tlm_sync_enum answer = socket->nb_transport_fw(p, phase, t);
    if (answer == tlm::TLM_COMPLETED) finish(p);
    return answer;
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    finish(p);
    return tlm::TLM_COMPLETED;
  }
  void finish(tlm::tlm_generic_payload& p) {
    const auto* work = reinterpret_cast<const slice_descriptor*>(p.get_data_ptr());
    ends.push_back({work->job, sc_core::sc_time_stamp().value(), p.get_response_status()});
    p.release();
  }
  void free(tlm::tlm_generic_payload* p) override {
    ++freed;
    delete reinterpret_cast<slice_descriptor*>(p->get_data_ptr());
    delete p;
  }
};

/// A bank of 2 servers with 2 cores each, and a thread of the test that starts and stops slices.
void by_hand(const server_costs& costs, std::function<void(foreign_thread&, slices_by_hand&, server&)> what,
             const std::vector<slices_by_hand::end>& expected, const core_times& all) {
  timekeeper time{"time"};
  server bank{"bank", time, {2, 2, costs}};
  protocol_checker hop{"hop"};
  slices_by_hand hand{"hand"};
  hand.socket.bind(hop.in);
  hop.out.bind(bank.dispatch);
  server unused{"unused", time, {1, 1}};
  foreign_thread driver{"driver", [&](foreign_thread& me) { what(me, hand, bank); }};
  driver.socket.bind(unused.dispatch);
  sc_core::sc_start();
  EXPECT_TRUE(hand.ends == expected);
  EXPECT_EQ(hand.freed, expected.size());
  EXPECT_EQ(hop.open_transactions(), 0u);
  core_times sum;
  for (std::uint32_t c = 0; c < 4; ++c) {
    const core_times t = bank.times(c, time.now());
    EXPECT_EQ(t.total(), time.now());
    sum.overhead += t.overhead;
    sum.running += t.running;
  }
  EXPECT_EQ(sum.overhead, all.overhead);
  EXPECT_EQ(sum.running, all.running);
}

TEST(server, stops_a_running_slice_through_its_register) {
  by_hand({},
          [](foreign_thread& me, slices_by_hand& hand, server& bank) {
            hand.start(0, {1, 2, 50});
            hand.start(1, {2, 1, 50});
            me.wait_until(20);
            EXPECT_EQ(hand.stop(1, 1), tlm::TLM_GENERIC_ERROR_RESPONSE) << "it runs on the other server";
            EXPECT_EQ(hand.stop(0, 1), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(hand.stop(0, 1), tlm::TLM_GENERIC_ERROR_RESPONSE) << "it is gone";
            EXPECT_EQ(bank.core(0).state, state::idle);
            EXPECT_EQ(hand.start(0, {3, 2, 5}), tlm::TLM_UPDATED) << "the cores are free at once";
          },
          {{1, 20, tlm::TLM_OK_RESPONSE}, {3, 25, tlm::TLM_OK_RESPONSE}, {2, 50, tlm::TLM_OK_RESPONSE}},
          {0, 0, 2 * 20 + 2 * 5 + 50});
}

TEST(server, stops_a_slice_that_is_still_in_overhead) {
  by_hand({10, 20},
          [](foreign_thread& me, slices_by_hand& hand, server& bank) {
            hand.start(0, {1, 2, 50});
            hand.start(1, {2, 1, 50});
            me.wait_until(12);
            EXPECT_EQ(bank.core(0).state, state::overhead);
            EXPECT_EQ(hand.stop(0, 1), tlm::TLM_OK_RESPONSE);
          },
          {{1, 12, tlm::TLM_OK_RESPONSE}, {2, 80, tlm::TLM_OK_RESPONSE}}, {0, 2 * 12 + 30, 50});
}

TEST(server, begins_a_slice_when_its_delay_argument_says_so) {
  by_hand({},
          [](foreign_thread& me, slices_by_hand& hand, server& bank) {
            hand.start(0, {1, 2, 50}, 30);
            hand.start(0, {2, 2, 10});
            EXPECT_EQ(hand.stop(0, 1), tlm::TLM_GENERIC_ERROR_RESPONSE) << "it has not begun";
            me.wait_until(20);
            EXPECT_EQ(bank.core(0).state, state::idle);
            EXPECT_EQ(bank.times(0, 20).idle, 10u);
            hand.start(0, {3, 3, 50}, 10);  // more cores than there are: known when it begins
          },
          {{2, 10, tlm::TLM_OK_RESPONSE}, {3, 30, tlm::TLM_GENERIC_ERROR_RESPONSE}, {1, 80, tlm::TLM_OK_RESPONSE}},
          {0, 0, 2 * 10 + 2 * 50});
}

TEST(server, tells_idle_and_running_cores_in_its_registers) {
  timekeeper time{"time"};
  server bank{"bank", time, {2, 2, {10, 0}}};
  slices_by_hand hand{"hand"};
  hand.socket.bind(bank.dispatch);
  server unused{"unused", time, {1, 1}};
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          const auto read = [&](std::uint64_t address, ticks delay = 0) {
                            std::uint64_t value = 99;
                            tlm::tlm_generic_payload p;
                            prepare(p, tlm::TLM_READ_COMMAND, server_register::stride + address, &value, sizeof value);
                            sc_core::sc_time t = to_sc_time(delay);
                            hand.socket->b_transport(p, t);
                            std::uint64_t seen = 98;
                            p.set_data_ptr(reinterpret_cast<unsigned char*>(&seen));
                            EXPECT_EQ(hand.socket->transport_dbg(p), sizeof seen);
                            EXPECT_EQ(seen, value);
                            return value;
                          };
                          hand.start(1, {1, 1, 50});
                          EXPECT_EQ(read(server_register::idle_cores), 1u);
                          EXPECT_EQ(read(server_register::running_cores), 0u);
                          EXPECT_EQ(read(server_register::running_cores, 20), 1u);
                          me.wait_until(70);
                          EXPECT_EQ(read(server_register::idle_cores), 2u);
                          EXPECT_EQ(read(server_register::running_cores), 0u);
                        }};
  driver.socket.bind(unused.dispatch);
  sc_core::sc_start();
}

/// A server of one core, which is down from 50 to 70, and who asks it.
struct failing_server : testing::Test {
  script faults{{{0, {{50, 20}}}}};
  timekeeper time{"time"};
  server node{"node", time, [this] {
                server_settings s{1, 1};
                s.faults = &faults;
                return s;
              }()};
  faulty_initiator initiator{"initiator"};
  std::vector<std::pair<ticks, tlm::tlm_response_status>> responses;

  void run(std::function<void(faulty_initiator&)> what) {
    initiator.socket.bind(node.dispatch);
    initiator.does = std::move(what);
    initiator.answers = [this](payload& p, tlm::tlm_phase&, sc_core::sc_time& delay) {
      responses.emplace_back(time.effective(delay), p.get_response_status());
      return tlm::TLM_COMPLETED;
    };
    sc_core::sc_start(to_sc_time(1000));
  }
};

TEST_F(failing_server, tells_of_a_lost_slice_by_an_error_where_nothing_else_can_tell_it) {
  slice_descriptor work{1, 1, 100};
  run([&](faulty_initiator& me) {
    prepare(me.first, tlm::TLM_WRITE_COMMAND, server_register::doorbell, &work, sizeof work);
    EXPECT_EQ(me.send(me.first), tlm::TLM_UPDATED);
  });
  EXPECT_EQ(responses, (decltype(responses){{50, tlm::TLM_GENERIC_ERROR_RESPONSE}}));
}

TEST_F(failing_server, tells_one_initiator_alone_when_it_fails) {
  std::uint64_t failures[2] = {};
  run([&](faulty_initiator& me) {
    prepare(me.first, tlm::TLM_READ_COMMAND, server_register::until_failed, &failures[0], sizeof failures[0]);
    prepare(me.second, tlm::TLM_READ_COMMAND, server_register::until_failed, &failures[1], sizeof failures[1]);
    EXPECT_EQ(me.send(me.first), tlm::TLM_UPDATED);
    EXPECT_EQ(me.send(me.second), tlm::TLM_COMPLETED);
    EXPECT_EQ(me.second.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
  EXPECT_EQ(responses, (decltype(responses){{50, tlm::TLM_OK_RESPONSE}}));
  EXPECT_EQ(failures[0], 1u);
}

}  // namespace
}  // namespace muster
