#include "tests/modules/child.h"
#include "tests/modules/faulty_hop.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/scene.h"

// Interconnects that rewrite addresses between the scheduler and its servers (14.7): what comes back is known by the
// transaction, not by its address.

namespace muster {
namespace {

/// Each server fails after every 300, and is down for 40.
class regular_faults final : public fault_clock {
 public:
  ticks to_failure(std::uint32_t) override { return 300; }
  ticks to_repair(std::uint32_t) override { return 40; }
};

enum class faults { none, regular };

// Jobs end as they do without an interconnect, whatever it makes of their addresses: those of a stop, of a release, of
// another server's doorbell, of the other watch, of nothing.
void same_as_untranslated(layout l, const std::vector<job_request>& jobs, faults f = faults::none) {
  const auto log_of = [&](std::optional<std::uint64_t> map, std::uint32_t shift) {
    return in_child([&] {
      regular_faults clock;
      layout one = l;
      if (f == faults::regular) one.faults = &clock;
      one.translated = map;
      one.shift = shift;
      scene s{one, jobs};
      if (f == faults::regular)
        s.run_until(100'000);
      else
        s.run();
      EXPECT_EQ(s.log.records.size(), jobs.size());
      return s.log.text();
    });
  };
  const std::string untranslated = log_of({}, 0);
  ASSERT_NE(untranslated, "failed");
  for (const std::uint64_t map : {server_register::stop, server_register::release, server_register::stride,
                                  server_register::until_repaired - server_register::until_failed, 0x1'0020ul}) {
    EXPECT_EQ(log_of(map, 0), untranslated) << "map " << map;
    if (!l.roads) {
      EXPECT_EQ(log_of(map, 2), untranslated) << "map " << map << ", other servers of the bank";
    }
  }
}

layout two_groups(const std::string& policy) {
  layout l;
  l.groups = {{"left", 2, 1, 1.0}, {"right", 1, 2, 2.0}};
  l.policy = policy;
  return l;
}

layout interrupted() {
  layout l = two_groups("fcfs_pooled");
  l.interrupt_every = {25, 35};
  l.costs.save = 3;
  return l;
}

layout in_slots() {
  layout l = two_groups("ispeed");
  l.groups[1].capacity = 1.0;
  l.slot = 10;
  l.worth = std::make_shared<const utility>(std::vector<double>{3, 2, 1});
  return l;
}

std::vector<job_request> slotted_jobs() {
  std::vector<job_request> jobs;
  for (ticks n = 0; n < 40; ++n) {
    jobs.push_back({7 * n, class_id{0}, 30});
    jobs.back().deadline = n + 3;
  }
  return jobs;
}

TEST(translated_addresses, do_not_matter_to_rigid_jobs) {
  layout l = two_groups("first_fit");
  l.needs = {3, 1};
  same_as_untranslated(l, random_jobs(100, 2, 10, 30));
}

TEST(translated_addresses, do_not_matter_behind_a_link) {
  layout l = two_groups("first_fit");
  l.needs = {3, 1};
  l.latency = 5;
  same_as_untranslated(l, random_jobs(100, 2, 15, 30));
}

TEST(translated_addresses, do_not_matter_to_pooled_jobs_that_are_stopped) {
  same_as_untranslated(interrupted(), random_jobs(100, 1, 20, 60));
}

TEST(translated_addresses, do_not_matter_to_slotted_jobs_that_are_released) {
  same_as_untranslated(in_slots(), slotted_jobs());
}

TEST(translated_addresses, do_not_matter_to_the_watches_of_servers_that_fail) {
  layout l = two_groups("first_fit");
  l.needs = {3, 1};
  same_as_untranslated(l, random_jobs(60, 2, 20, 30), faults::regular);
}

TEST(translated_addresses, do_not_matter_to_pooled_jobs_on_servers_that_fail) {
  same_as_untranslated(interrupted(), random_jobs(60, 1, 30, 60), faults::regular);
}

// The scheduler and three servers; each message takes the bandwidth of its server's edge.
network_graph star() {
  network_graph g;
  const auto centre = add_vertex({network_vertex::kind::scheduler, 0, "scheduler"}, g);
  for (std::uint32_t n = 0; n < 3; ++n)
    add_link(g, centre, add_vertex({network_vertex::kind::server, n, "node"}, g), 3 + n, 0.125 * (n + 1));
  return g;
}

TEST(translated_addresses, do_not_matter_to_the_responses_that_a_link_sends_over_a_network) {
  const network_graph graph = star();
  layout l = interrupted();
  l.roads = &graph;
  l.state = 100;
  same_as_untranslated(l, random_jobs(60, 1, 60, 60));
}

TEST(translated_addresses, of_a_request_that_takes_effect_later_are_read_when_it_comes) {
  timekeeper time{"time"};
  faulty_initiator initiator{"initiator"};
  translator between{"between", 0, server_register::stop};
  server node{"node", time, {1, 1}};
  initiator.socket.bind(between.in);
  between.out.bind(node.dispatch);
  slice_descriptor work{1, 1, 30};
  initiator.does = [&](faulty_initiator& me) {
    prepare(me.first, tlm::TLM_WRITE_COMMAND, server_register::doorbell, &work, sizeof work);
    EXPECT_EQ(me.send(me.first, tlm::BEGIN_REQ, 5), tlm::TLM_UPDATED);
  };
  ticks ended = 0;
  initiator.answers = [&](payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
    ended = (sc_core::sc_time_stamp() + delay).value();
    return tlm::TLM_COMPLETED;
  };
  sc_core::sc_start();
  EXPECT_EQ(ended, 5u + 30);
}

}  // namespace
}  // namespace muster
