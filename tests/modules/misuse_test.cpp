#include <cmath>

#include "tests/modules/child.h"
#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

// An invalid cluster is refused before time 0, with a message that says what was expected.

namespace muster {
namespace {

using class_list = std::vector<job_class>;
using group_list = std::vector<server_group>;

const group_list one_node{{"node", 2, 4, 1.0}};
const class_list one_class{{"small", 1, {group_id{0}}}};

table<class_id, job_class> classes_in(const class_list& list) {
  table<class_id, job_class> classes;
  for (const job_class& type : list) classes.push_back(type);
  return classes;
}

table<group_id, server_group> groups_in(const group_list& list) {
  table<group_id, server_group> groups;
  for (const server_group& g : list) groups.push_back(g);
  return groups;
}

scheduler_settings settings_of(const class_list& classes, const group_list& groups, const char* policy = "fcfs") {
  return {classes_in(classes), groups_in(groups), find_policy(policy)};
}

/// What a scheduler of these classes and groups is refused for when it is built; its module is 'outer.scheduler'.
struct declaration {
  const char* behaviour;
  class_list classes;
  group_list groups;
  const char* refusal;
  const char* policy = "fcfs";
  std::optional<ticks> slot{};
};

void PrintTo(const declaration& d, std::ostream* out) { *out << d.behaviour; }

class declaration_that_cannot_be : public testing::TestWithParam<declaration> {};

struct outer final : sc_core::sc_module {
  outer(const sc_core::sc_module_name& name, const declaration& d) : sc_module(name) {
    scheduler_settings given = settings_of(d.classes, d.groups, d.policy);
    given.slot = d.slot;
    scheduler central{"scheduler", time, given};
  }
  timekeeper time{"time"};
};

TEST_P(declaration_that_cannot_be, is_refused_when_the_scheduler_is_built) {
  expect_report("/muster/scheduler", std::string{"'outer.scheduler': "} + GetParam().refusal);
  EXPECT_THROW((outer{"outer", GetParam()}), sc_core::sc_report);
}

const group_id first{0}, second{1};
const declaration declarations[] = {
    {"no_class", {}, one_node, "no class of jobs is declared; expected at least one"},
    {"no_servers", one_class, {{"node", 0, 4, 1.0}}, "group 'node' has no servers; expected at least 1"},
    {"no_cores",
     one_class,
     {{"node", 2, 0, 1.0}},
     "the servers of group 'node' have no cores; expected at least 1 each"},
    {"no_capacity",
     one_class,
     {{"node", 2, 4, 0.0}},
     "the cores of group 'node' have a capacity of 0; expected a number > 0"},
    {"capacity_that_is_no_number",
     one_class,
     {{"node", 2, 4, std::nan("")}},
     "the cores of group 'node' have a capacity of nan; expected a number > 0"},
    {"more_cores_than_can_be_counted",
     one_class,
     {{"node", 1u << 16, 1u << 16, 1.0}},
     "group 'node' has 65536 servers of 65536 cores each; expected at most 4294967295 cores in all"},
    {"more_cores_in_all_than_can_be_counted",
     one_class,
     {{"a", 1, 4'000'000'000, 1.0}, {"b", 1, 4'000'000'000, 1.0}},
     "all groups of servers together have 8000000000 cores; expected at most 4294967295"},
    {"need_above_all_cores",
     {{"wide", 9, {first}}},
     one_node,
     "class 'wide' needs 9 cores, but the servers that it may use have 8; expected at most that"},
    {"need_of_nothing", {{"none", 0, {first}}}, one_node, "class 'none' needs 0 cores; expected at least 1"},
    {"group_that_does_not_exist",
     {{"lost", 1, {first, second}}},
     one_node,
     "class 'lost' may use group 1 of servers, which does not exist; expected one of the 1 groups, counted from 0"},
    {"group_listed_twice",
     {{"twice", 9, {first, first}}},
     one_node,
     "class 'twice' lists group 0 of servers twice; expected each group once"},
    {"no_group", {{"lost", 1, {}}}, one_node, "class 'lost' may use no servers; expected at least one group"},
    {"classes_in_ascending_order",
     {{"narrow", 1, {first}}, {"wide", 2, {first}}},
     one_node,
     "class 'wide' needs 2 cores and stands behind class 'narrow', which needs 1; expected classes in descending order "
     "of need"},
    {"name_of_an_earlier_class",
     {{"small", 1, {first}}, {"small", 1, {first}}},
     one_node,
     "class 'small' has the name of an earlier class; expected a name of its own"},
    {"name_that_is_none",
     {{"very small", 1, {first}}},
     one_node,
     "class 'very small' has an invalid name; expected a name of letters, digits, '_', '-' and '.'"},
    {"more_draws_than_groups",
     {{"drawn", 1, {first}, 2}},
     one_node,
     "class 'drawn' draws 2 groups of servers for each job, but may use 1; expected at most that"},
    {"policy_that_the_catalogue_has_not", one_class, one_node,
     "no policy is set; expected the entry of one, such as find_policy(\"fcfs\"), which is null where the catalogue "
     "has no policy of that name",
     "fcsf"},
    {"policy_of_slotted_jobs_without_slots", one_class, one_node,
     "the jobs of policy 'ispeed' are slotted, but slots have no length; expected one", "ispeed"},
    {"slots_with_a_policy_of_rigid_jobs", one_class, one_node,
     "slots have a length, but the jobs of policy 'fcfs' are rigid; expected a policy of slotted jobs", "fcfs", 10},
    {"slots_of_no_length", one_class, one_node,
     "a slot lasts 0 ticks; expected at least 1, and less than 4611686018427387904", "ispeed", 0},
    {"slots_beyond_the_clock", one_class, one_node,
     "a slot lasts 4611686018427387904 ticks; expected at least 1, and less than 4611686018427387904", "ispeed",
     end_of_clock},
    {"capacity_of_cores_where_jobs_are_slotted",
     one_class,
     {{"node", 2, 4, 0.5}},
     "the cores of group 'node' have a capacity of 0.5, but jobs are slotted, and a core does one unit in a slot; "
     "expected 1",
     "fifo",
     10},
    {"need_of_several_cores_where_jobs_are_pooled",
     {{"wide", 2, {first}}},
     one_node,
     "class 'wide' needs 2 cores, but the jobs of policy 'fcfs_pooled' are pooled; expected need 1, as they take whole "
     "servers",
     "fcfs_pooled"},
    {"need_of_several_cores_where_jobs_are_slotted",
     {{"wide", 2, {first}}},
     one_node,
     "class 'wide' needs 2 cores, but the jobs of policy 'fifo' are slotted; expected need 1, as they take any number "
     "of cores",
     "fifo",
     10},
    {"draws_where_jobs_are_rigid",
     {{"drawn", 1, {first}, 1}},
     one_node,
     "class 'drawn' draws its servers for each job, but the jobs of policy 'fcfs' are rigid; expected a policy of "
     "pooled jobs"},
    {"draws_where_a_group_has_several_servers",
     {{"drawn", 1, {first}, 1}},
     one_node,
     "class 'drawn' draws its servers for each job, but group 'node' has 2 servers; expected groups of one server each",
     "fcfs_pooled"},
    {"some_servers_only_where_jobs_are_slotted",
     one_class,
     {{"node", 2, 4, 1.0}, {"other", 1, 4, 1.0}},
     "class 'small' may use 1 of 2 groups of servers, but the jobs of policy 'fifo' are slotted; expected all groups, "
     "as they share all cores",
     "fifo",
     10},
    {"utility_where_jobs_are_rigid",
     {{"worthy", 1, {first}, 0, 0, std::make_shared<utility>(std::vector<double>{1.0})}},
     one_node,
     "class 'worthy' has a utility of its units, but the jobs of policy 'fcfs' are rigid; expected a policy of slotted "
     "jobs"}};

INSTANTIATE_TEST_SUITE_P(with, declaration_that_cannot_be, testing::ValuesIn(declarations),
                         [](const auto& given) { return given.param.behaviour; });

class seeded_numbers final : public random_numbers {
 public:
  double uniform() override { return std::uniform_real_distribution<>()(bits_); }

 private:
  std::mt19937_64 bits_{1};
};

/// A scheduler with a bank of servers for each group, and a source; what they are is up to the test.
struct small_cluster {
  small_cluster(const class_list& classes, const group_list& groups, const char* policy = "fcfs")
      : central("scheduler", time, with_numbers(settings_of(classes, groups, policy))) {
    source.submissions.bind(central.submissions);
  }
  void add_bank(const char* name, std::uint32_t count, std::uint32_t cores, fault_clock* faults = nullptr) {
    server_settings bank{count, cores};
    bank.faults = faults;
    servers.push_back(std::make_unique<server>(name, time, bank));
    central.dispatches.bind(servers.back()->dispatch);
  }
  void refused(const std::string& why) {
    expect_report("/muster/scheduler", "'scheduler': " + why);
    EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
  }

  scheduler_settings with_numbers(scheduler_settings given) {
    given.random = &numbers;
    return given;
  }

  seeded_numbers numbers;
  timekeeper time{"time"};
  scheduler central;
  job_list jobs;
  job_log log;
  job_source source{"source", time, jobs, log};
  std::vector<std::unique_ptr<server>> servers;
};

scheduler_settings settings_with(const policy_entry& own) {
  scheduler_settings given = settings_of(one_class, one_node);
  given.policy = &own;
  return given;
}

TEST(policy_entry_that_cannot_be, is_refused_when_the_scheduler_is_built) {
  policy_entry makes_none;
  makes_none.name = "makes_none";
  timekeeper time{"time"};
  expect_report("/muster/scheduler", "'scheduler': policy 'makes_none': its entry has no function that makes it");
  EXPECT_THROW((scheduler{"scheduler", time, settings_with(makes_none)}), sc_core::sc_report);
}

TEST(planned_outage_that_cannot_be, is_refused_when_the_scheduler_is_built) {
  constexpr group_id node{0}, other{1};
  timekeeper time{"time"};
  const auto expect_refusal = [&](const char* name, const planned_outage& outage, bool fails, const char* refusal) {
    scheduler_settings given = settings_of(one_class, one_node);
    given.groups[node].fails = fails;
    given.planned_outages = {outage};
    expect_report("/muster/scheduler", std::string{"'"} + name + "': " + refusal);
    EXPECT_THROW((scheduler{name, time, given}), sc_core::sc_report);
  };
  expect_refusal("of_no_group", {{other, 0}, 5, 9}, true,
                 "an outage is planned of a server of group 1; expected one of 1 groups");
  expect_refusal("of_no_server", {{node, 2}, 5, 9}, true,
                 "an outage is planned of server 2 of group 'node', which has 2");
  expect_refusal("of_servers_that_never_fail", {{node, 1}, 5, 9}, false,
                 "an outage is planned of a server of group 'node', which does not declare that its servers may fail; "
                 "expected fails = true");
  expect_refusal("of_no_time", {{node, 1}, 5, 5}, true,
                 "an outage of a server of group 'node' is planned from 5 to 5 ticks; expected an end after the "
                 "beginning, at most 4611686018427387904");
}

TEST(policy_parameter_that_cannot_be, is_refused_when_the_scheduler_is_built) {
  timekeeper time{"time"};
  scheduler_settings given = settings_of({{"all", 8, {first}}, {"one", 1, {first}}}, one_node, "msfq");
  given.parameters.set("threshold", std::int64_t{8});
  expect_report("/muster/scheduler", "'scheduler': policy 'msfq', threshold: expected an integer from 0 to 7, found 8");
  EXPECT_THROW((scheduler{"scheduler", time, given}), sc_core::sc_report);
}

TEST(policy_that_cannot_run_the_classes, is_refused_when_the_scheduler_is_built) {
  timekeeper time{"time"};
  expect_report("/muster/scheduler",
                "'scheduler': policy 'msfq' cannot run these classes: it is defined for one-or-all workloads: two "
                "classes, one that needs 1 core and one that needs them all");
  EXPECT_THROW((scheduler{"scheduler", time, settings_of(one_class, one_node, "msfq")}), sc_core::sc_report);
}

TEST(policy_that_throws_in_its_constructor, is_reported_as_in_its_other_functions) {
  policy_entry throws;
  throws.name = "throws";
  throws.construct = [](const cluster_view&, const settings&, random_numbers&) -> std::unique_ptr<rigid_policy> {
    throw 43;
  };
  timekeeper time{"time"};
  expect_report("/muster/scheduler", "the policy's constructor ended with an exception, int 43");
  EXPECT_THROW((scheduler{"scheduler", time, settings_with(throws)}), sc_core::sc_report);
}

class fcfs_with_no_time_between_interruptions final : public pooled_policy {
  double work_between_interruptions() const override { return std::nan(""); }
};

TEST(policy_whose_work_between_interruptions_is_no_number, is_refused_when_the_scheduler_is_built) {
  const policy_entry entry = entry_of_test<fcfs_with_no_time_between_interruptions>("no_number");
  timekeeper time{"time"};
  expect_report("/muster/scheduler",
                "'scheduler': policy 'no_number': its work_between_interruptions() is nan; expected a number >= 0, or "
                "infinity");
  EXPECT_THROW((scheduler{"scheduler", time, settings_with(entry)}), sc_core::sc_report);
}

class fcfs_whose_phases_throw final : public rigid_policy {
  unsigned phases() const override { throw 44; }
};

TEST(policy_that_throws_in_phases, is_reported_with_the_function) {
  const policy_entry entry = entry_of_test<fcfs_whose_phases_throw>("throws");
  timekeeper time{"time"};
  expect_report("/muster/scheduler", "the policy's phases() ended with an exception, int 44");
  EXPECT_THROW((scheduler{"scheduler", time, settings_with(entry)}), sc_core::sc_report);
}

TEST(policy_entry_whose_function_throws, is_reported_with_policy_and_function) {
  policy_entry entry = entry_of_test<fcfs_whose_phases_throw>("throws");
  entry.check_classes = [](const cluster_view&) -> std::optional<std::string> { throw std::out_of_range("none"); };
  timekeeper time{"time"};
  expect_report("/muster/scheduler",
                "'scheduler': policy 'throws': its check_classes() ended with an exception, std::out_of_range: none");
  EXPECT_THROW((scheduler{"scheduler", time, settings_with(entry)}), sc_core::sc_report);
}

TEST(kind_of_jobs, comes_from_the_entry_of_the_policy) {
  small_cluster c{one_class, one_node, "fcfs_pooled"};
  c.add_bank("node", 2, 4);
  c.jobs.jobs = {{0, class_id{0}, 80}};
  sc_core::sc_start();
  ASSERT_EQ(c.log.records.size(), 1u);
  EXPECT_EQ(c.log.records[0].completed, 10u) << "all 8 cores work on it";
}

TEST(scheduler_with_fewer_banks_bound_than_declared, is_refused) {
  small_cluster c{one_class, {{"one", 1, 1, 1.0}, {"two", 1, 1, 1.0}}};
  c.add_bank("one", 1, 1);
  c.refused(
      "2 banks of servers are declared, 1 are bound; expected each bank's target to be bound to dispatches, in the "
      "order of the groups");
}

TEST(bank_of_fewer_servers_than_its_group_declares, is_refused) {
  small_cluster c{one_class, {{"node", 3, 4, 1.0}}};
  c.add_bank("node", 2, 4);
  c.refused(
      "group 'node' declares 3 servers up to number 2 of their bank, which has none of that number; expected as many "
      "as "
      "the bank has");
}

TEST(bank_of_more_servers_than_its_groups_declare, is_refused) {
  small_cluster c{one_class, {{"node", 2, 4, 1.0}, {"same", 1, 4, 1.0, true}}};
  c.add_bank("node", 4, 4);
  c.refused("the bank of group 'same' has more servers than the 3 that are declared; expected as many");
}

TEST(bank_of_servers_with_other_cores_than_declared, is_refused) {
  small_cluster c{one_class, {{"node", 2, 4, 1.0}, {"same", 1, 8, 1.0, true}}};
  c.add_bank("node", 3, 4);
  c.refused("group 'same' declares servers of 8 cores, but number 2 of their bank has 4; expected the same");
}

TEST(bank_of_servers_that_fail, is_refused_where_its_group_does_not_declare_it) {
  struct never final : fault_clock {
    ticks to_failure(std::uint32_t) override { return end_of_clock; }
    ticks to_repair(std::uint32_t) override { return 1; }
  } faults;
  small_cluster c{one_class, one_node};
  c.add_bank("node", 2, 4, &faults);
  c.refused("the servers of group 'node' may fail, but the group does not declare it; expected fails = true");
}

network_graph road_to_one_server() {
  network_graph graph;
  add_vertex({network_vertex::kind::scheduler, 0, "scheduler"}, graph);
  add_vertex({network_vertex::kind::server, 0, "node"}, graph);
  add_link(graph, 0, 1, 5, 0.0);
  return graph;
}

TEST(network_that_cannot_be, is_refused_when_it_is_built) {
  timekeeper time{"time"};
  const auto refused = [&](const network_graph& graph, const char* why) {
    expect_report("/muster/network", std::string{"invalid network: "} + why);
    EXPECT_THROW((network{time, {graph}}), sc_core::sc_report);
  };
  refused({}, "0 schedulers; expected one");
  network_graph graph = road_to_one_server();
  add_vertex({network_vertex::kind::scheduler, 0, "another"}, graph);
  refused(graph, "2 schedulers; expected one");
  graph = road_to_one_server();
  add_vertex({network_vertex::kind::server, 1, "far"}, graph);
  refused(graph, "server 'far' is not joined to the scheduler; expected a path");
  add_link(graph, 1, 2, 5, -1.0);
  refused(graph, "between 'node' and 'far' a byte takes -1 ticks; expected a number >= 0");
  graph = road_to_one_server();
  add_vertex({network_vertex::kind::server, 0, ""}, graph);
  add_link(graph, 0, 2, 5, 0.0);
  refused(graph, "server vertex 2 has the place 0 of an earlier one; expected a place of its own");
  graph[2].server = 2;
  refused(graph, "2 servers have places up to 2; expected each place from 0 to 1 once");
}

TEST(link_to_servers_that_its_network_has_not, is_refused_when_it_is_built) {
  timekeeper time{"time"};
  network roads{time, {road_to_one_server()}};
  expect_report("/muster/link", "'way': servers 0 to 1 of a network that has 1; expected servers of it");
  EXPECT_THROW((link{"way", roads, 0, 2}), sc_core::sc_report);
}

TEST(servers_bound_in_another_order_than_declared, are_refused_behind_a_link_and_a_checker_too) {
  small_cluster c{one_class, {{"large", 1, 8, 1.0}, {"small", 1, 2, 1.0}}};
  server small{"small", c.time, {1, 2}};
  link way{"way", c.time, 5};
  protocol_checker checker{"checker"};
  c.central.dispatches.bind(checker.in);
  checker.out.bind(way.in);
  way.out.bind(small.dispatch);
  c.add_bank("large", 1, 8);
  c.refused("group 'large' declares servers of 8 cores, but number 0 of their bank has 2; expected the same");
}

TEST(bank_that_cannot_be, is_refused_when_it_is_built) {
  timekeeper time{"time"};
  const auto refused = [&](const server_settings& given, const char* why) {
    expect_report("/muster/server", std::string{"'bank': "} + why);
    EXPECT_THROW((server{"bank", time, given}), sc_core::sc_report);
  };
  refused({0, 1}, "a bank has 0 servers; expected at least 1");
  refused({1, 0}, "servers have 0 cores; expected at least 1 each");
  refused({1u << 16, 1u << 15}, "65536 servers of 32768 cores each; expected less than 2147483648 cores in all");
  server_costs costs;
  costs.ticks_per_byte = -1.0;
  refused({1, 1, costs}, "a byte of state takes -1 ticks; expected a number >= 0");
  network roads{time, {road_to_one_server()}};
  server_settings two{2, 1};
  two.fetch_over = &roads;
  refused(two, "servers 0 to 1 of a network that has 1; expected servers of it");
}

// As modules/docs/cluster.md has it: parameters left out are the policy's defaults.
TEST(every_policy_of_rigid_jobs, runs_with_its_defaults) {
  for (const policy_entry* entry : policy_catalogue()) {
    if (entry->jobs() != job_kind::rigid || entry->name == "nmsr") continue;  // the chain of nmsr has no end
    if (entry->uses_estimates) continue;                                      // the jobs have none
    EXPECT_EQ(in_child([&] {
                job_class all{"all", 8, {first}}, one{"one", 1, {first}};
                for (job_class* type : {&all, &one}) type->mean_size = type->arrival_rate = 0.1;  // some need them
                small_cluster c{{all, one}, one_node, std::string{entry->name}.c_str()};
                c.add_bank("node", 2, 4);
                c.jobs.jobs = random_jobs(200, 2, 10, 20);
                sc_core::sc_start();
                return std::to_string(c.log.records.size());
              }),
              "200")
        << entry->name;
  }
}

}  // namespace
}  // namespace muster
