#include "muster/modules/network/network.h"

#include <map>
#include <tuple>

#include "tests/modules/faulty_hop.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/scene.h"

// Messages over edges of latency and bandwidth, traced by hand.

namespace muster {
namespace {

using kind = network_vertex::kind;

std::size_t add(network_graph& graph, kind is, std::uint32_t server = 0) {
  return add_vertex(network_vertex{is, server, ""}, graph);
}

/// The scheduler, a switch, and servers behind it.
network_graph behind_a_switch(unsigned servers, network_edge uplink, network_edge link) {
  network_graph graph;
  const std::size_t root = add(graph, kind::scheduler), middle = add(graph, kind::middle);
  add_link(graph, root, middle, uplink.latency, uplink.ticks_per_byte);
  for (std::uint32_t n = 0; n < servers; ++n)
    add_link(graph, middle, add(graph, kind::server, n), link.latency, link.ticks_per_byte);
  return graph;
}

/// The scheduler in the middle, an edge of its own latency to each server.
network_graph star(const std::vector<ticks>& latencies, double ticks_per_byte = 0.0) {
  network_graph graph;
  const std::size_t root = add(graph, kind::scheduler);
  for (std::uint32_t n = 0; n < latencies.size(); ++n)
    add_link(graph, root, add(graph, kind::server, n), latencies[n], ticks_per_byte);
  return graph;
}

/// Notes when what comes.
struct letter_box final : timer_observer {
  std::map<std::uint32_t, ticks> came;
  void expired(ticks now, std::uint32_t cookie) override { came[cookie] = now; }
};

/// What passes over which edge.
struct road_watch final : network_observer {
  struct passage {
    network_arc arc;
    ticks begins, ends;
    bool operator==(const passage& o) const { return std::tie(arc, begins, ends) == std::tie(o.arc, o.begins, o.ends); }
  };
  std::vector<passage> seen;
  void edge_occupied(network_arc arc, ticks begins, ticks ends, std::uint64_t) override {
    seen.push_back({arc, begins, ends});
  }
};

constexpr auto to_server = network::towards::server;
constexpr auto to_scheduler = network::towards::scheduler;

TEST(network, takes_the_sum_of_the_latencies_where_no_bandwidth_is_finite) {
  timekeeper time{"time"};
  network roads{time, {behind_a_switch(2, {7, 0.0}, {5, 0.0})}};
  letter_box box;
  roads.send(100, 0, to_server, 1'000'000, box, 0);
  roads.send(100, 1, to_server, 1'000'000, box, 1);
  roads.send(103, 1, to_scheduler, 1'000'000, box, 2);
  sc_core::sc_start();
  EXPECT_EQ(roads.latency(0), 12u);
  EXPECT_EQ(box.came, (std::map<std::uint32_t, ticks>{{0, 112}, {1, 112}, {2, 115}}));
  EXPECT_EQ(time.expirations(), 3u) << "one timer for each message";
}

TEST(network, lets_messages_queue_first_come_first_served_where_bandwidth_is_finite) {
  timekeeper time{"time"};
  network roads{time, {star({5, 5}, 2.0)}};
  letter_box box;
  roads.send(0, 0, to_server, 10, box, 0);  // occupies 0 to 20
  roads.send(4, 0, to_server, 3, box, 1);   // 20 to 26
  roads.send(4, 0, to_server, 1, box, 2);   // 26 to 28
  roads.send(4, 1, to_server, 1, box, 3);   // another edge: 4 to 6
  roads.send(40, 0, to_server, 1, box, 4);  // free again: 40 to 42
  roads.send(41, 0, to_server, 0, box, 5);  // nothing to send, but not before the one ahead
  sc_core::sc_start();
  EXPECT_EQ(box.came, (std::map<std::uint32_t, ticks>{{0, 25}, {1, 31}, {2, 33}, {3, 11}, {4, 47}, {5, 47}}));
}

TEST(network, does_not_let_the_two_ways_of_an_edge_hinder_each_other) {
  timekeeper time{"time"};
  network roads{time, {star({5}, 1.0)}};
  letter_box box;
  roads.send(0, 0, to_server, 100, box, 0);
  roads.send(10, 0, to_scheduler, 3, box, 1);
  roads.send(11, 0, to_scheduler, 3, box, 2);
  sc_core::sc_start();
  EXPECT_EQ(box.came, (std::map<std::uint32_t, ticks>{{0, 105}, {1, 18}, {2, 21}}));
}

TEST(network, passes_a_message_on_when_it_has_come_whole) {
  timekeeper time{"time"};
  network roads{time, {behind_a_switch(2, {10, 3.0}, {100, 2.0})}};
  letter_box box;
  road_watch watch;
  roads.observe(watch);
  // The uplink: 0 to 12 and 12 to 24, then 10 more; the links are two, and stand empty.
  roads.send(0, 0, to_server, 4, box, 0);
  roads.send(1, 1, to_server, 4, box, 1);
  // Back: the link 0 to 2, 102 at the switch, the uplink 102 to 105.
  roads.send(0, 1, to_scheduler, 1, box, 2);
  sc_core::sc_start();
  EXPECT_EQ(box.came, (std::map<std::uint32_t, ticks>{{0, 22 + 8 + 100}, {1, 34 + 8 + 100}, {2, 105 + 10}}));
  EXPECT_EQ(watch.seen, (std::vector<road_watch::passage>{
                            {0, 0, 12}, {5, 0, 2}, {0, 12, 24}, {2, 22, 30}, {4, 34, 42}, {1, 102, 105}}));
}

TEST(network, lets_messages_queue_at_a_server_behind_a_switch_that_is_reached_without_limit) {
  timekeeper time{"time"};
  network roads{time, {behind_a_switch(1, {10, 0.0}, {5, 2.0})}};
  letter_box box;
  roads.send(0, 0, to_server, 3, box, 0);     // at the switch at 10: 10 to 16, then 5 more
  roads.send(1, 0, to_server, 3, box, 1);     // at 11: 16 to 22
  roads.send(0, 0, to_scheduler, 3, box, 2);  // 0 to 6, then 15
  roads.send(1, 0, to_scheduler, 3, box, 3);  // 6 to 12
  sc_core::sc_start();
  EXPECT_EQ(box.came, (std::map<std::uint32_t, ticks>{{0, 21}, {1, 27}, {2, 21}, {3, 27}}));
}

TEST(network, serves_those_first_who_reach_an_edge_first_whoever_set_out_first) {
  network_graph graph;
  const std::size_t root = add(graph, kind::scheduler), middle = add(graph, kind::middle);
  add_link(graph, root, middle, 0, 10.0);
  add_link(graph, middle, add(graph, kind::server, 0), 50, 0.0);
  add_link(graph, middle, add(graph, kind::server, 1), 3, 0.0);
  timekeeper time{"time"};
  network roads{time, {graph}};
  letter_box box;
  roads.send(0, 0, to_scheduler, 1, box, 0);   // at the switch at 50
  roads.send(40, 1, to_scheduler, 1, box, 1);  // at 43: 43 to 53
  sc_core::sc_start();
  EXPECT_EQ(box.came, (std::map<std::uint32_t, ticks>{{0, 63}, {1, 53}}));
}

TEST(network, asks_for_state_and_brings_it_over_the_path_between_the_servers) {
  timekeeper time{"time"};
  network roads{time, {behind_a_switch(2, {1000, 1000.0}, {5, 2.0}), 40, 8}};
  letter_box box;
  roads.fetch(0, 1, 100, box, 7);
  sc_core::sc_start();
  // The request: twice 8 bytes and a latency; then the state likewise. The uplink is not on the way.
  EXPECT_EQ(box.came.at(7), 2u * (16 + 5) + 2 * (200 + 5));
}

TEST(network, tells_nobody_of_state_that_is_forgotten_but_carries_it) {
  timekeeper time{"time"};
  network roads{time, {star({5, 5}, 1.0), 40, 8}};
  letter_box box;
  roads.forget(roads.fetch(0, 1, 100, box, 7));
  roads.send(30, 1, to_server, 10, box, 8);
  sc_core::sc_start();
  // The request is with server 0 at 26, its state leaves the edge of server 0 at 126 and is with the scheduler at 131.
  EXPECT_EQ(box.came, (std::map<std::uint32_t, ticks>{{8, 45}}));
  EXPECT_EQ(time.now(), 131u + 100 + 5);
}

TEST(networked_cluster, has_servers_of_one_bank_at_different_distances) {
  const network_graph roads = star({10, 200});
  layout l;
  l.groups = {{"node", 2, 1, 1.0}};
  l.roads = &roads;
  scene s{l, {{0, class_id{0}, 50}, {0, class_id{0}, 50}}};
  s.run();
  ASSERT_EQ(s.log.records.size(), 2u);
  EXPECT_EQ(s.log.records[0], (job_record{0, 0, 0, 0, 10 + 50 + 10}));
  EXPECT_EQ(s.log.records[1], (job_record{1, 0, 0, 0, 200 + 50 + 200}));
}

// Beyond the bank there is another one's server, which is farther away.
TEST(networked_cluster, refuses_what_goes_beyond_a_bank_at_its_last_server) {
  timekeeper time{"time"};
  network roads{time, {star({5, 100})}};
  link between{"between", roads, 0, 1};
  server node{"node", time, {1, 1}};
  faulty_initiator initiator{"initiator"};
  initiator.socket.bind(between.in);
  between.out.bind(node.dispatch);
  initiator.does = [](faulty_initiator& me) {
    std::uint64_t value = 0;
    prepare(me.first, tlm::TLM_READ_COMMAND, 7 * server_register::stride + server_register::idle_cores, &value,
            sizeof value);
    sc_core::sc_time t;
    me.socket->b_transport(me.first, t);
    EXPECT_EQ(me.first.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ((sc_core::sc_time_stamp() + t).value(), 10u);
  };
  sc_core::sc_start();
}

TEST(networked_cluster, is_told_the_bytes_of_its_messages) {
  const network_graph roads = star({1}, 1.0);
  layout l;
  l.roads = &roads;
  l.dispatch_bytes = 30;
  l.message_bytes = 4;
  scene s{l, {{0, class_id{0}, 50}}};
  s.run();
  EXPECT_EQ(s.log.records.front().completed, 30u + 1 + 50 + 4 + 1);
}

// A link is a queue: all dispatches pass one uplink. Lindley's recursion, written anew.
TEST(networked_cluster, delays_each_job_as_lindleys_recursion_has_it) {
  constexpr unsigned servers = 200;
  constexpr ticks size = 1000, uplink = 70, latency = 13;
  const network_graph roads = behind_a_switch(servers, {latency, static_cast<double>(uplink)}, {latency, 0.0});
  layout l;
  l.groups = {{"node", servers, 1, 1.0}};
  l.roads = &roads;
  l.dispatch_bytes = 1;
  l.message_bytes = 0;
  std::mt19937_64 random{3};
  std::vector<job_request> requests;
  ticks at = 0;
  for (int n = 0; n < 5000; ++n) {
    at += random() % 160;
    requests.push_back({at, class_id{0}, size});
  }
  const std::vector<job_request> jobs = requests;
  scene s{l, std::move(requests)};
  s.run();
  ASSERT_EQ(s.log.records.size(), jobs.size());
  ticks waits = 0;
  unsigned delayed = 0;
  for (std::size_t n = 0; n < jobs.size(); ++n) {
    if (n > 0) {
      const ticks gap = jobs[n].arrival - jobs[n - 1].arrival;
      waits = waits + uplink > gap ? waits + uplink - gap : 0;
    }
    delayed += waits > 0;
    const job_record& r = s.log.records[n];
    ASSERT_EQ(r.completed - r.arrival, waits + uplink + 2 * latency + size + 2 * latency) << "job " << n;
  }
  EXPECT_GT(delayed, jobs.size() / 2);
}

/// Job 1 is interrupted on server a while job 2 works on b; job 3 takes a, and job 1 migrates to b.
struct migration {
  network_graph roads = star({5, 5, 5, 5}, 1.0);
  layout l;
  std::vector<job_request> jobs;

  migration(std::uint64_t state, ticks size) {
    l.policy = "balanced_fair";
    l.groups = {{"a"}, {"b"}, {"c"}, {"d"}};
    l.drawn = 2;
    l.roads = &roads;
    l.dispatch_bytes = 0;
    l.message_bytes = 0;
    l.state = state;
    l.costs.migration = 40;
    l.costs.restore = 100;
    l.interrupt_every = {100, 100'000, 100'000, 100'000};
    // On b and c from 5 to 155, known at 160; on d until much later; on a from 15 until 115, known at 120; and on a
    // from 125 until 215.
    jobs = {{0, class_id{0}, 300, {1, 2}},
            {0, class_id{0}, 1000, {3, 2}},
            {10, class_id{0}, size, {0, 1}},
            {20, class_id{0}, 90, {0, 3}}};
  }
};

TEST(networked_cluster, fetches_state_from_who_has_saved_it_before_all_other_preparations) {
  const migration m{30, 220};
  scene s{m.l, m.jobs};
  s.run();
  // The dispatch is at b at 165, the request at a at 175, the state has left a at 205, b's edge at 240, and comes at
  // 245: b works from 245 + 40 + 100 on. The job before on a is known to have ended at 220, so that a works from
  // 225 + 100 on, and both do the rest: 60 until 385, 60 until 415.
  EXPECT_EQ(s.log.of(2), (job_record{2, 0, 10, 10, 420, 1, 1}));
}

// Server b, idle from 155 to 165 and then in wait of the state until 245, has not slept. Nobody has been idle for
// longer than the 15 before the first job on a.
TEST(networked_cluster, wakes_no_core_for_the_time_that_it_has_waited_for_state) {
  migration m{30, 220};
  m.l.costs.sleep_after = 50;
  m.l.costs.wake = 20;
  scene s{m.l, m.jobs};
  s.run();
  EXPECT_EQ(s.log.of(2), (job_record{2, 0, 10, 10, 420, 1, 1}));
  EXPECT_EQ(s.all_cores().overhead, 80u + 40 + 100 + 100);
}

// As before, but a wakes from 15 to 35 and works until 135, so that job 3 comes to it at 145 and, once it is awake,
// works from 165 to 255; job 1 comes back at 265 and works from 285 + 100 on. Server b has slept from 164 to 165: it
// works from 245 + 20 + 40 + 100 on. Of the 120 that are left 20 are done by then, and both do the rest until 455.
TEST(networked_cluster, wakes_a_core_that_has_slept_when_the_state_has_come) {
  migration m{30, 220};
  m.l.costs.sleep_after = 9;
  m.l.costs.wake = 20;
  scene s{m.l, m.jobs};
  s.run();
  EXPECT_EQ(s.log.of(2), (job_record{2, 0, 10, 10, 460, 1, 1}));
}

TEST(networked_cluster, does_without_state_that_comes_too_late_and_queues_behind_it) {
  const migration m{300, 160};
  scene s{m.l, m.jobs};
  s.run();
  // State leaves a from 175 to 475: only then the word that the job before has ended, which is there at 480. From 585
  // to 645 server a does the rest; b, for which the state would come at 785, is told.
  EXPECT_EQ(s.log.of(2), (job_record{2, 0, 10, 10, 650, 1, 1}));
}

// Random jobs of every kind over slow edges, with a monitor on every hop.
void run_monitored(layout l, std::vector<job_request> jobs) {
  l.monitored = true;
  const std::size_t count = jobs.size();
  scene s{l, std::move(jobs)};
  s.run();
  EXPECT_EQ(s.log.records.size(), count);
  EXPECT_EQ(s.monitors.size(), 1 + 2 * l.groups.size());
}

TEST(networked_cluster, obeys_the_base_protocol_with_gangs) {
  const network_graph roads = behind_a_switch(7, {3, 0.25}, {2, 0.5});
  layout l;
  l.needs = {5, 2, 1};
  l.groups = {{"node", 4, 2, 1.0}, {"other", 3, 1, 2.0}};
  l.policy = "first_fit";
  l.roads = &roads;
  run_monitored(l, random_jobs(3000, 3, 30, 40));
}

TEST(networked_cluster, obeys_the_base_protocol_with_pooled_jobs_that_migrate) {
  const network_graph roads = behind_a_switch(4, {3, 0.25}, {2, 0.5});
  layout l;
  l.policy = "balanced_fair";
  l.groups = {{"a"}, {"b"}, {"c"}, {"d"}};
  l.drawn = 2;
  l.roads = &roads;
  l.state = 20;
  l.costs.save = 3;
  l.costs.restore = 2;
  l.interrupt_every = {17, 30, 23, 41};
  std::mt19937_64 random{5};
  std::vector<job_request> jobs = random_jobs(2000, 1, 90, 60);
  for (job_request& j : jobs) {
    const std::uint64_t first = random() % 4;
    j.servers = {first, (first + 1 + random() % 3) % 4};
  }
  run_monitored(l, std::move(jobs));
}

// Job 1 is on a, 10 away, and b, 100 away, until a interrupts it at 310, known at 320: the stop is at b at 420, known
// at 520, so that b has saved last. It resumes on a at 530 and on b at 620. Server c, where the scheduler is, comes
// free at 600 and fetches the state from b until 800. Its work: 300 on a and 320 on b before, then 90, 2 * 180, and 3
// * 25.
TEST(networked_cluster, fetches_state_from_the_latest_of_the_servers_that_have_saved_it) {
  const network_graph roads = star({10, 100, 0, 0, 0});
  layout l;
  l.policy = "balanced_fair";
  l.groups = {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}};
  l.drawn = 3;
  l.roads = &roads;
  l.state = 1;
  l.interrupt_every = {300, 100'000, 100'000, 100'000, 100'000};
  scene s{l, {{0, class_id{0}, 1800, {2, 3, 4}}, {0, class_id{0}, 300 + 320 + 90 + 360 + 75, {0, 1, 2}}}};
  s.run();
  ASSERT_EQ(s.log.records.size(), 2u);
  EXPECT_EQ(s.log.records[1], (job_record{1, 0, 0, 0, 825 + 100, 1, 1})) << "b has done its part at 825";
}

}  // namespace
}  // namespace muster
