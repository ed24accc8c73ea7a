#include <cstring>
#include <memory>
#include <stdexcept>

#include <tlm_utils/simple_initiator_socket.h>

#include "muster/modules/control/cluster_control.h"
#include "muster/modules/control/control_registers.h"
#include "tests/modules/scene.h"

// Clusters that are controlled while they run: results by hand, and by a loop over all ticks.

namespace muster {
namespace {

using control_action = control_request::action;

/// Servers of one core each, each a group of its own, whose speeds may change and that may leave service.
layout controllable(const std::vector<double>& capacities, fault_clock& clock) {
  layout l;
  l.groups.clear();
  for (const double capacity : capacities)
    l.groups.push_back({"node_" + std::to_string(l.groups.size()), 1, 1, capacity});
  l.speeds = {{0, 0, 1.0}};
  l.faults = &clock;
  l.monitored = true;
  return l;
}

void take_control(cluster_control& control, scene& s) {
  for (const auto& bank : s.servers) control.add(*bank);
  control.add(*s.source);
  control.use(s.central);
  if (s.speeds) control.use(*s.speeds);
  if (s.power) control.use(*s.power);
}

/// A scene with requests that are made before the simulation.
struct controlled_scene {
  struct order {
    ticks at;
    control_request what;
  };
  controlled_scene(const layout& l, const std::vector<job_request>& jobs, const std::vector<order>& orders)
      : inner(l, jobs), control(inner.time) {
    take_control(control, inner);
    for (const order& o : orders) control.request_at(o.at, o.what);
  }
  ticks end_of(std::uint64_t job) const { return inner.log.of(job).completed; }

  scene inner;
  cluster_control control;
};

using control_orders = std::vector<controlled_scene::order>;

TEST(control, halves_the_speed_of_a_rigid_job_in_the_middle) {
  no_faults clock;
  layout l = controllable({1.0}, clock);
  l.accounts_times = true;
  controlled_scene s{l, {{0, class_id{0}, 100}}, {{40, {control_action::speed, {0, 1}, 0.5}}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 160u);
  EXPECT_EQ(s.inner.all_cores().running, 160u);
  EXPECT_EQ(s.control.speed(0), 0.5);
}

TEST(control, slows_a_gang_to_its_slowest_server) {
  no_faults clock;
  layout l = controllable({1.0, 1.0}, clock);
  l.needs = {2};
  controlled_scene s{l, {{0, class_id{0}, 100}}, {{10, {control_action::speed, {1, 1}, 0.5}}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 190u);
}

TEST(control, slows_one_of_the_servers_of_a_pooled_job) {
  no_faults clock;
  layout l = controllable({1.0, 2.0}, clock);
  l.policy = "fcfs_pooled";
  controlled_scene s{l, {{0, class_id{0}, 300}}, {{50, {control_action::speed, {1, 1}, 0.5}}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 125u);  // 50 * 3 + 75 * 2
}

TEST(control, lets_a_drained_server_end_its_job_and_take_no_other_until_it_is_restored) {
  no_faults clock;
  const layout l = controllable({1.0}, clock);
  controlled_scene s{l,
                     {{0, class_id{0}, 100}, {10, class_id{0}, 5}},
                     {{20, {control_action::drain, {0, 1}}}, {150, {control_action::restore, {0, 1}}}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 100u);
  EXPECT_EQ(s.end_of(1), 155u);
  EXPECT_FALSE(s.control.is_withdrawn(0));
}

TEST(control, takes_a_removed_server_from_its_job_which_begins_anew) {
  no_faults clock;
  const layout l = controllable({1.0}, clock);
  controlled_scene s{
      l, {{0, class_id{0}, 100}}, {{40, {control_action::remove, {0, 1}}}, {60, {control_action::restore, {0, 1}}}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 160u);
  EXPECT_EQ(s.inner.log.of(0).failures, 1u);
  EXPECT_EQ(s.inner.servers[0]->down_time(0, 160), 20u);
}

TEST(control, removes_a_server_that_drains) {
  no_faults clock;
  const layout l = controllable({1.0}, clock);
  controlled_scene s{l,
                     {{0, class_id{0}, 100}},
                     {{30, {control_action::drain, {0, 1}}},
                      {40, {control_action::remove, {0, 1}}},
                      {60, {control_action::restore, {0, 1}}}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 160u);
}

TEST(control, does_not_restore_a_server_that_has_failed_by_itself) {
  script clock{{{0, {{50, 20}}}}};
  const layout l = controllable({1.0}, clock);
  controlled_scene s{l,
                     {{0, class_id{0}, 40}, {10, class_id{0}, 5}},
                     {{30, {control_action::drain, {0, 1}}}, {60, {control_action::restore, {0, 1}}}}};
  s.inner.run_until(1000);
  EXPECT_EQ(s.end_of(0), 40u);
  EXPECT_EQ(s.end_of(1), 75u);
}

TEST(control, keeps_a_server_out_that_has_been_repaired_meanwhile) {
  script clock{{{0, {{50, 20}}}}};
  const layout l = controllable({1.0}, clock);
  controlled_scene s{l,
                     {{0, class_id{0}, 40}, {10, class_id{0}, 5}},
                     {{30, {control_action::drain, {0, 1}}}, {90, {control_action::restore, {0, 1}}}}};
  s.inner.run_until(1000);
  EXPECT_EQ(s.end_of(1), 95u);
}

TEST(control, replaces_a_threshold_from_the_next_event_on) {
  layout l;
  l.groups = {{"node", 1, 2, 1.0}};
  l.policy = "msfq";
  l.needs = {2, 1};
  l.parameters = {{"threshold", std::int64_t{0}}};
  control_request threshold{control_action::parameter};
  threshold.name = "threshold";
  threshold.setting = std::int64_t{1};
  controlled_scene s{
      l, {{0, class_id{1}, 10}, {0, class_id{1}, 100}, {1, class_id{0}, 5}, {11, class_id{1}, 10}}, {{5, threshold}}};
  s.inner.run();
  // With one light job left at 10 no other is admitted: the heavy one is from 100 to 105. At the threshold 0 the last
  // light job would end at 21.
  EXPECT_EQ(s.inner.log.completions(), (std::vector<ticks>{10, 100, 105, 115}));
}

/// Jobs of size 1 that arrive every 10 ticks, whose rate may be changed.
class regular_jobs final : public workload {
 public:
  bool next(job_request& job) override {
    if (at_ == 70) return false;
    job.arrival = at_ += 10;
    return true;
  }
  std::string_view fixes_arrivals() const override { return ""; }

 private:
  ticks at_ = 0;
};

TEST(control, rescales_the_time_between_arrivals_from_now_on) {
  timekeeper time{"time"};
  regular_jobs jobs;
  job_log log;
  job_source source{"source", time, jobs, log};
  layout l;
  scheduler central{"scheduler", time, scheduler_of(l)};
  server node{"node", time, {1, 1}};
  source.submissions.bind(central.submissions);
  central.dispatches.bind(node.dispatch);
  cluster_control control{time};
  control.add(source);
  control.request_at(25, {control_action::arrival_rate, {}, 2.0});
  control.request_at(40, {control_action::arrival_rate, {}, 0.5});
  sc_core::sc_start();
  std::vector<ticks> arrivals;
  for (const job_record& r : log.records) arrivals.push_back(r.arrival);
  // At 25 the third job has 5 to go, at 40 the sixth: 5 / 2, 15 / 2, 25 / 2 behind 25, halves upwards, then 5 / 0.5.
  EXPECT_EQ(arrivals, (std::vector<ticks>{10, 20, 28, 33, 38, 50, 70}));
  EXPECT_EQ(control.arrival_rate(), 0.5);
}

/// What a request is refused with; empty: it is not.
std::string refusal_of(cluster_control& control, const control_request& wanted, ticks at = 0) {
  try {
    control.request_at(at, wanted);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(control, refuses_what_cannot_be_and_changes_nothing) {
  layout l;
  l.policy = "easy_backfill";
  scene s{l, {{0, class_id{0}, 100}}};
  cluster_control control{s.time};
  EXPECT_EQ(refusal_of(control, {control_action::arrival_rate, {}, 2.0}),
            "no source of jobs is controlled; expected at least one");
  take_control(control, s);
  EXPECT_EQ(refusal_of(control, {control_action::drain, {0, 1}}),
            "the servers of 'node' cannot leave service; expected a fault clock in their settings, such as no_faults, "
            "and `fails` in their group");
  EXPECT_EQ(refusal_of(control, {control_action::restore, {0, 2}}),
            "servers 0 to 1 of a cluster of 1; expected servers of it");
  EXPECT_EQ(refusal_of(control, {control_action::drain, {0, 0}}), "a request is for 0 servers; expected at least 1");
  EXPECT_EQ(refusal_of(control, {control_action::speed, {0, 1}, 0.5}),
            "the speeds of servers cannot change; expected server_speeds in the settings of all");
  EXPECT_EQ(refusal_of(control, {control_action::arrival_rate, {}, 20.0}),
            "the rate of arrivals is multiplied by 20; expected a number from 0.001 to 10");
  EXPECT_EQ(refusal_of(control, {control_action::arrival_rate, {}, 2.0}),
            "the rate of arrivals of 'source' cannot be changed, as its jobs arrive at given times");
  control_request order{control_action::parameter};
  order.name = "order";
  order.setting = std::string{"shortest"};
  EXPECT_EQ(refusal_of(control, order), "policy 'easy_backfill', order: cannot be replaced while the simulation runs");
  EXPECT_THROW(control.bank("nod"), std::invalid_argument);
  EXPECT_EQ(control.bank("node").count, 1u);
  s.run();
  EXPECT_EQ(s.log.of(0).completed, 100u);
  EXPECT_EQ(refusal_of(control, {control_action::restore, {0, 1}}, 99).substr(0, 28), "the servers of 'node' cannot");
}

TEST(control, of_slotted_jobs_takes_servers_out_and_changes_speeds) {
  no_faults clock;
  layout l;
  l.policy = "fifo";
  l.faults = &clock;
  l.worth = std::make_shared<const utility>(std::vector<double>{1.0, 1.0});
  l.speeds = {{0, 0, 1.0}};
  controlled_scene s{l,
                     {{0, class_id{0}, 200, {}, 0}},
                     {{150, {control_action::remove, {0, 1}}},
                      {250, {control_action::restore, {0, 1}}},
                      {340, {control_action::speed, {0, 1}, 0.5}}}};
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 460u);  // a unit in the first slot; of the other one 40 by 340, and the rest at half the speed
}

/// An initiator that knows nothing of muster: writes registers at given times, and reads one at the end.
struct register_writer : sc_core::sc_module {
  struct write {
    ticks at;
    std::uint64_t address, value;
  };
  tlm_utils::simple_initiator_socket<register_writer> out{"out"};
  std::vector<write> writes;
  std::vector<tlm::tlm_response_status> answers;
  std::uint64_t service_at_end = ~std::uint64_t{0};

  register_writer(const sc_core::sc_module_name& name, std::vector<write> all)
      : sc_module(name), writes(std::move(all)) {
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = register_writer;
    SC_THREAD(run);
  }
  void run() {
    for (write& w : writes) {
      wait(to_sc_time(w.at) - sc_core::sc_time_stamp());
      answers.push_back(access(tlm::TLM_WRITE_COMMAND, w.address, w.value));
    }
    wait(to_sc_time(1));
    access(tlm::TLM_READ_COMMAND, control_register::stride + control_register::service, service_at_end);
  }
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, std::uint64_t& value) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    p.set_data_length(sizeof value);
    p.set_streaming_width(sizeof value);
    sc_core::sc_time delay;
    out->b_transport(p, delay);
    return p.get_response_status();
  }
};

std::uint64_t bits_of_double(double number) {
  std::uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

TEST(control, by_registers_of_a_foreign_initiator_does_the_same) {
  constexpr std::uint64_t node = control_register::stride;
  no_faults clock;
  const layout l = controllable({1.0}, clock);
  controlled_scene s{l, {{0, class_id{0}, 100}, {10, class_id{0}, 5}}, {}};
  control_registers front{"front", s.control};
  register_writer foreign{"foreign",
                          {{40, node + control_register::speed, bits_of_double(0.5)},
                           {50, node + control_register::service, control_register::draining},
                           {60, node + control_register::speed, bits_of_double(0.0)},
                           {61, node + control_register::service, 3},
                           {62, 2 * node, 0},
                           {63, control_register::arrival_rate, bits_of_double(2.0)},
                           {200, node + control_register::service, control_register::in_service}}};
  foreign.out.bind(front.registers);
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 160u);
  EXPECT_EQ(s.end_of(1), 210u);
  EXPECT_EQ(foreign.answers, (std::vector<tlm::tlm_response_status>{
                                 tlm::TLM_OK_RESPONSE, tlm::TLM_OK_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE,
                                 tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                                 tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE}));
  EXPECT_EQ(foreign.service_at_end, control_register::in_service);
}

TEST(control, by_registers_of_a_foreign_initiator_caps_power) {
  constexpr std::uint64_t node = control_register::stride;
  no_faults clock;
  layout l = controllable({1.0}, clock);
  l.watts = {{1, 1, {20.0, 30.0, 100.0}}};
  controlled_scene s{l, {{0, class_id{0}, 100}}, {}};
  control_registers front{"front", s.control};
  register_writer foreign{"foreign",
                          {{40, node + control_register::power_cap, bits_of_double(60.0)},
                           {80, control_register::power_cap_of_all, bits_of_double(40.0)},
                           {90, control_register::power_cap_of_all, bits_of_double(-1.0)},
                           {120, control_register::power_cap_of_all, bits_of_double(control_request::no_cap)}}};
  foreign.out.bind(front.registers);
  s.inner.run();
  EXPECT_EQ(s.end_of(0), 150u);  // 40 by 40, 20 by 80, 10 by 120: all servers are this one, and share its cap
  EXPECT_EQ(foreign.answers,
            (std::vector<tlm::tlm_response_status>{tlm::TLM_OK_RESPONSE, tlm::TLM_OK_RESPONSE,
                                                   tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE}));
  EXPECT_EQ(s.control.power_cap({0, 1}), control_request::no_cap);
}

constexpr std::uint64_t parts_of_work = 64;  // of work of a tick at speed 1

/// Jobs of one core in the order of arrival, each on the first server that is idle and in service, tick by tick.
struct plain_servers {
  struct node {
    std::uint64_t speed = parts_of_work, left = 0;
    std::size_t job = 0;
    bool busy = false, in_service = true;
  };
  std::vector<node> nodes;
  std::vector<job_request> jobs;
  control_orders changes;

  std::vector<ticks> run() {
    std::vector<ticks> ends(jobs.size());
    std::size_t ended = 0, arrived = 0, started = 0;
    const auto start = [&] {
      for (node& n : nodes) {
        if (started == arrived) return;
        if (n.busy || !n.in_service) continue;
        n.left = jobs[started].size * parts_of_work;
        n.job = started++;
        n.busy = true;
      }
    };
    const auto complete = [&](ticks now) {
      bool any = true;
      while (any) {
        any = false;
        node* first = nullptr;  // jobs of an instant end in the order of their numbers
        for (node& n : nodes)
          if (n.busy && 2 * n.left < n.speed && (!first || n.job < first->job)) first = &n;
        if (!first) continue;
        ends[first->job] = now;
        first->busy = false;
        ++ended;
        any = true;
        start();
      }
    };
    for (ticks now = 0; ended < jobs.size(); ++now) {
      complete(now);
      for (const auto& c : changes) {
        if (c.at != now) continue;
        node& n = nodes[c.what.servers.first];
        if (c.what.what == control_action::speed)
          n.speed = static_cast<std::uint64_t>(c.what.value * parts_of_work);
        else
          n.in_service = c.what.what == control_action::restore;
        if (n.in_service) start();
      }
      complete(now);
      for (; arrived < jobs.size() && jobs[arrived].arrival == now;) {
        ++arrived;
        start();
      }
      for (node& n : nodes)
        if (n.busy) n.left -= std::min(n.left, n.speed);
    }
    return ends;
  }
};

/// A scene of several in one simulation.
struct one_of_several : sc_core::sc_module {
  one_of_several(const sc_core::sc_module_name& name, const layout& l, const std::vector<job_request>& jobs,
                 const control_orders& changes)
      : sc_module(name), inner(l, jobs, changes) {}
  controlled_scene inner;
};

TEST(control, of_40_random_schedules_brings_jobs_to_their_ends_as_a_loop_over_all_ticks) {
  no_faults clock;
  std::vector<std::unique_ptr<one_of_several>> scenes;
  std::vector<std::vector<ticks>> expected;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937_64 random{seed};
    plain_servers plain;
    plain.nodes.resize(3);
    plain.jobs = random_jobs(20, 1, 15, 40, seed);
    for (ticks at = random() % 20; at < 600; at += 1 + random() % 20) {
      const server_range where{static_cast<std::uint32_t>(random() % 3), 1};
      const std::uint64_t choice = random() % 4;
      const double speed = static_cast<double>(16 + random() % 100) / parts_of_work;
      const control_action what = choice < 2    ? control_action::speed
                                  : choice == 2 ? control_action::drain
                                                : control_action::restore;
      plain.changes.push_back({at, {what, where, speed}});
    }
    for (std::uint32_t n = 0; n < 3; ++n) plain.changes.push_back({601, {control_action::restore, {n, 1}}});
    scenes.push_back(std::make_unique<one_of_several>(sc_core::sc_gen_unique_name("schedule"),
                                                      controllable({1.0, 1.0, 1.0}, clock), plain.jobs, plain.changes));
    expected.push_back(plain.run());
  }
  sc_core::sc_start();
  for (std::size_t n = 0; n < scenes.size(); ++n) {
    const controlled_scene& s = scenes[n]->inner;
    s.inner.check();
    std::vector<ticks> ends;
    for (std::size_t id = 0; id < expected[n].size(); ++id) ends.push_back(s.end_of(id));
    EXPECT_EQ(ends, expected[n]) << "schedule " << n;
  }
}

}  // namespace
}  // namespace muster
