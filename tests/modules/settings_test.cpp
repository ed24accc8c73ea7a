#include <sstream>

#include "tests/modules/reports.h"
#include "tests/modules/scene.h"
#include "tests/refusal.h"

// What a module is configured by, as it prints it.

namespace muster {
namespace {

template <class Settings>
std::string text(const Settings& s) {
  std::ostringstream out;
  out << s;
  return out.str();
}

scheduler_settings slotted_jobs() {
  const group_id fast{0}, slow{1};
  scheduler_settings s;
  s.groups.push_back({"fast", 1, 8, 1.0});
  s.groups.push_back({"slow", 3, 4, 1.0, true, true});
  s.classes.push_back({"short", 1, {fast, slow}, 0, 4096, std::make_shared<utility>(std::vector<double>{1, 0.5})});
  s.classes.push_back({"long", 1, {slow, fast}});
  job_class& declared = s.classes[class_id{0}];
  declared.mean_size = 2.5;
  declared.arrival_rate = 0.125;
  declared.arrival_share = 0.25;
  s.ticks_per_unit = 1000;
  s.policy = find_policy("ispeed");
  s.parameters.set("gain", std::string{"literal"});
  s.slot = 100;
  s.decision_time = {3, 1, 2};
  s.checkpoint = 0;
  s.planned_outages = {{{slow, 2}, 5, 9}};
  return s;
}

TEST(settings_of_a_scheduler, are_printed_one_on_a_line_with_their_units) {
  scheduler_settings s = slotted_jobs();
  s.classes[class_id{0}].parameters.set("weight", 2.0);
  EXPECT_EQ(text(s), R"(classes.short.need = 1 cores
classes.short.groups = fast, slow
classes.short.drawn = all
classes.short.tasks = none
classes.short.submitted = none
classes.short.state = 4096 bytes
classes.short.worth = 1, 0.5
classes.short.mean_size = 2.5 units of time
classes.short.arrival_rate = 0.125 per unit of time
classes.short.arrival_share = 0.25
classes.short.parameters.weight = 2
classes.long.need = 1 cores
classes.long.groups = slow, fast
classes.long.drawn = all
classes.long.tasks = none
classes.long.submitted = none
classes.long.state = 0 bytes
classes.long.worth = none
classes.long.mean_size = none
classes.long.arrival_rate = none
classes.long.arrival_share = none
groups.fast.count = 1 servers
groups.fast.cores = 8 cores
groups.fast.capacity = 1 per unit of time
groups.fast.same_bank = no
groups.fast.fails = no
groups.fast.resources = none
groups.slow.count = 3 servers
groups.slow.cores = 4 cores
groups.slow.capacity = 1 per unit of time
groups.slow.same_bank = yes
groups.slow.fails = yes
groups.slow.resources = none
policy = ispeed
parameters.gain = literal
slot = 100 ticks
decision_time.fixed = 3 ticks
decision_time.per_job = 1 ticks
decision_time.per_dispatch = 2 ticks
checkpoint = 0 ticks
accounts_times = no
ticks_per_unit = 1000 ticks
random = no
placement = first
placement_random = no
resources = cores
estimates.from = size
estimates.users = 0
estimates.qos = 0
planned_outages = slow[2] from 5 to 9 ticks
named_places = none
slices_end_apart = no
racks = none
)");
}

TEST(settings_of_a_scheduler, are_printed_where_they_are_left_out_or_cannot_be) {
  const class_id wide{0}, narrow{1}, missing{2};
  scheduler_settings s;
  s.classes.push_back({"wide", 2, {group_id{0}}, 1});
  s.classes.push_back({"narrow", 1, {}});
  s.parameters.set("order", std::vector<class_id>{narrow, wide, missing});
  s.parameters.set("theta", 0.25);
  s.parameters.set("threshold", std::int64_t{31});
  s.parameters.set("schedules", std::vector<schedule>{{2, 0}, {1, 3}, {0, 0}});
  s.parameters.set("rates", std::vector<std::vector<double>>{{0.0, 0.5}, {2.0, 0.0}});
  EXPECT_EQ(text(s), R"(classes.wide.need = 2 cores
classes.wide.groups = group 0
classes.wide.drawn = 1 groups
classes.wide.tasks = none
classes.wide.submitted = none
classes.wide.state = 0 bytes
classes.wide.worth = none
classes.wide.mean_size = none
classes.wide.arrival_rate = none
classes.wide.arrival_share = none
classes.narrow.need = 1 cores
classes.narrow.groups = none
classes.narrow.drawn = all
classes.narrow.tasks = none
classes.narrow.submitted = none
classes.narrow.state = 0 bytes
classes.narrow.worth = none
classes.narrow.mean_size = none
classes.narrow.arrival_rate = none
classes.narrow.arrival_share = none
policy = none
parameters.order = narrow, wide, class 2
parameters.rates = [0, 0.5], [2, 0]
parameters.schedules = { wide = 2 }, { wide = 1, narrow = 3 }, { none }
parameters.theta = 0.25
parameters.threshold = 31
slot = none
decision_time = none
checkpoint = none
accounts_times = no
ticks_per_unit = 1 ticks
random = no
placement = first
placement_random = no
resources = cores
estimates.from = size
estimates.users = 0
estimates.qos = 0
planned_outages = none
named_places = none
slices_end_apart = no
racks = none
)");
}

struct first_instant final : simulated_clock {
  ticks now() const override { return 0; }
};

TEST(settings_of_a_scheduler, are_refused_where_a_placement_needs_racks_and_that_of_a_server_is_not_known) {
  scheduler_settings s;
  s.classes.push_back({"wide", 2, {group_id{0}}});
  s.groups.push_back({"node", 3, 4});
  s.policy = find_policy("fcfs");
  s.placement = find_placement("fewest_racks");
  const auto refused = [&] { return refusal<std::invalid_argument>([&] { initial_state(s, first_instant{}); }); };
  const std::string expected =
      "jobs are placed by 'fewest_racks', which needs racks; expected the rack of each server, below their number, ";
  EXPECT_EQ(refused(), expected + "0");
  s.racks.count = 2;
  s.racks.of_servers.push_back({0, 1});
  EXPECT_EQ(refused(), expected + "2");
  s.racks.of_servers[group_id{0}] = {0, 1, 2};
  EXPECT_EQ(refused(), expected + "2");
  s.racks.of_servers[group_id{0}] = {0, 1, 1};
  EXPECT_EQ(refused(), "");
}

// The places of job 1, which needs two cores, are `places`; those of job 0 are not named.
std::string refusal_of_places(const job_places& places, const char* policy = "fcfs") {
  scheduler_settings s;
  s.classes.push_back({"wide", 2, {group_id{0}}});
  s.groups.push_back({"node", 3, 4});
  s.policy = find_policy(policy);
  s.named_places = {{}, places};
  try {
    initial_state(s, first_instant{});
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "none";
}

TEST(settings_of_a_scheduler, are_refused_where_places_of_a_job_are_none_of_a_server_or_do_not_ascend) {
  const group_id node{0}, missing{1};
  EXPECT_EQ(refusal_of_places({{node, 2, 2}}), "none");
  EXPECT_EQ(refusal_of_places({{node, 3, 2}}),
            "job 1 is to hold 2 cores of server 3 of group 0; expected at least one, and a server that there is");
  EXPECT_EQ(refusal_of_places({{missing, 0, 2}}),
            "job 1 is to hold 2 cores of server 0 of group 1; expected at least one, and a server that there is");
  EXPECT_EQ(refusal_of_places({{node, 0, 0}}),
            "job 1 is to hold 0 cores of server 0 of group 0; expected at least one, and a server that there is");
  EXPECT_EQ(refusal_of_places({{node, 1, 1}, {node, 0, 1}}),
            "the servers named for job 1 do not ascend; expected each once, in order");
  EXPECT_EQ(refusal_of_places({{node, 1, 1}, {node, 1, 1}}),
            "the servers named for job 1 do not ascend; expected each once, in order");
  EXPECT_EQ(refusal_of_places({{node, 0, 2}}, "balanced_fair"),
            "places are named for jobs of policy 'balanced_fair', which are pooled; expected rigid jobs");
}

TEST(settings_of_a_scheduler, can_be_read_from_the_module) {
  timekeeper time{"time"};
  const scheduler central{"scheduler", time, slotted_jobs()};
  EXPECT_EQ(text(central.settings()), text(slotted_jobs()));
}

class idle_policy final : public rigid_policy {};

TEST(settings_of_a_scheduler, are_completed_with_the_parameters_that_the_policy_has_of_each_class) {
  policy_entry weighted = entry_of_test<idle_policy>("weighted");
  weighted.class_parameters = {{"weight", number_parameter{"a number > 0", 0.0, true, 1.0}, ""}};
  timekeeper time{"time"};
  scheduler_settings s = scheduler_of({});
  s.policy = &weighted;
  const scheduler central{"scheduler", time, s};
  EXPECT_EQ(central.view().parameters(class_id{0}).number("weight"), 1.0);

  s.classes[class_id{0}].parameters.set("weight", 0.0);
  expect_report("/muster/scheduler",
                "'refusing': policy 'weighted', class 'need_1', weight: expected a number > 0, found 0");
  EXPECT_THROW((scheduler{"refusing", time, s}), sc_core::sc_report);
}

TEST(settings_of_a_server, are_printed_one_on_a_line_with_their_units) {
  timekeeper time{"time"};
  const server bank{"bank", time, {4, 2, {1, 2, 3, 4, 0.5, 5, 6, 7, 8}}};
  EXPECT_EQ(text(bank.settings()), R"(count = 4 servers
cores = 2 cores
costs.dispatch_latency = 1 ticks
costs.set_up = 2 ticks
costs.restore = 3 ticks
costs.migration = 4 ticks
costs.ticks_per_byte = 0.5 ticks
costs.save = 5 ticks
costs.sleep_after = 6 ticks
costs.wake = 7 ticks
costs.checkpoint = 8 ticks
interruptions = none
faults = none
speeds = always 1
fetch_over = none
)");
}

network_graph two_edges() {
  network_graph graph;
  add_vertex({network_vertex::kind::scheduler, 0, "scheduler"}, graph);
  add_vertex({network_vertex::kind::server, 0, "node"}, graph);
  add_vertex({}, graph);
  add_link(graph, 0, 1, 5, 0.0);
  add_link(graph, 0, 2, 7, 0.5);
  return graph;
}

TEST(settings_of_a_network, are_printed_one_on_a_line_with_their_units) {
  timekeeper time{"time"};
  const network roads{time, {two_edges(), 30, 4}};
  EXPECT_EQ(text(roads.settings()), R"(edges.0 = 'scheduler' to 'node'
edges.0.latency = 5 ticks
edges.0.ticks_per_byte = 0 ticks
edges.1 = 'scheduler' to vertex 2
edges.1.latency = 7 ticks
edges.1.ticks_per_byte = 0.5 ticks
dispatch_bytes = 30 bytes
message_bytes = 4 bytes
sharing = fifo
)");
}

TEST(settings_of_a_server, tell_which_modules_it_works_with) {
  struct never final : fault_clock {
    ticks to_failure(std::uint32_t) override { return end_of_clock; }
    ticks to_repair(std::uint32_t) override { return 1; }
  } faults;
  steady_timer timer{10};
  timekeeper time{"time"};
  network roads{time, {two_edges()}};
  server_settings s;
  s.interruptions = &timer;
  s.faults = &faults;
  s.fetch_over = &roads;
  server_speeds speeds{std::vector<double>{1.0}};
  s.speeds = &speeds;
  EXPECT_EQ(text(s), R"(count = 1 servers
cores = 1 cores
costs.dispatch_latency = 0 ticks
costs.set_up = 0 ticks
costs.restore = 0 ticks
costs.migration = 0 ticks
costs.ticks_per_byte = 0 ticks
costs.save = 0 ticks
costs.sleep_after = never
costs.wake = 0 ticks
costs.checkpoint = 0 ticks
interruptions = by timers
faults = by a clock
speeds = may change
fetch_over = a network
first_in_network = server 0
)");
}

}  // namespace
}  // namespace muster
