#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "muster/policies/catalogue.h"
#include "platform/theory/stability/stability.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/slotted_sample.h"
#include "tests/scenario/timed_list_sample.h"

// Servers that leave and return at given times.

namespace muster {
namespace {

class server_events : public graph_folder {
 protected:
  server_events() { write("jobs.csv", "id,arrival,size\n1,0,1\n"); }
};

/// An event of the entry `node`. @param more further keys
std::string event(const std::string& at, const std::string& action, const std::string& more = "") {
  return "[[events]]\nat = " + at + "\nservers = \"node\"\naction = \"" + action + "\"\n" + more;
}

using outage = std::tuple<std::uint32_t, double, double, bool>;

std::vector<outage> outages_of(const scenario& model) {
  std::vector<outage> all;
  for (const server_outage& o : model.servers[0].outages) all.emplace_back(o.server, o.from, o.until, o.drains);
  return all;
}

TEST_F(server_events, take_the_first_servers_that_are_in_service_and_bring_back_the_first_that_are_out) {
  const std::string events = event("\"2 min\"", "return", "count = 2\n") + event("10", "fail", "count = 1\n") +
                             event("20", "drain") + event("200", "return") + event("300", "drain", "count = 1\n");
  const std::string four = replaced(timed_list_sample, "count = 2", "count = 4");
  EXPECT_EQ(outages_of(read_here(four + events).points[0].model), (std::vector<outage>{{0, 10.0, 120.0, false},
                                                                                       {1, 20.0, 120.0, true},
                                                                                       {2, 20.0, 200.0, true},
                                                                                       {3, 20.0, 200.0, true},
                                                                                       {0, 300.0, INFINITY, true}}));
}

TEST_F(server_events, are_read_again_as_they_were_resolved) {
  const study once = read_here(timed_list_sample + event("\"2 min\"", "fail", "count = 1\n"));
  EXPECT_TRUE(once.points[0].model.servers_fail());
  EXPECT_EQ(outages_of(read_here(once.resolved).points[0].model), outages_of(once.points[0].model));
}

TEST_F(server_events, are_known_beforehand_where_they_say_so_until_the_return) {
  const std::string known = "known = true\n";
  const study once = read_here(timed_list_sample + event("10", "drain", "count = 1\n" + known) + event("20", "fail") +
                               event("30", "return"));
  for (const study& s : {once, read_here(once.resolved)}) {
    const auto& all = s.points[0].model.servers[0].outages;
    ASSERT_EQ(all.size(), 2u);
    EXPECT_TRUE(all[0].known);
    EXPECT_FALSE(all[1].known);
  }
  EXPECT_EQ(complaints_here(timed_list_sample + event("1", "fail") + event("2", "return", known)),
            "f.toml:19:9: events[1].known: has no effect on a return, which is known where the servers' leaving is");
}

TEST_F(server_events, of_an_entry_without_servers_are_left_out) {
  const std::string two = replaced(timed_list_sample, "servers = [ {", "servers = [ { name = \"big\", cores = 8 }, {");
  const study none = read_here(replaced(two, "count = 2", "count = 0") + event("1", "fail", "count = 1\n"));
  EXPECT_FALSE(none.points[0].model.servers_fail());
}

TEST_F(server_events, that_cannot_be_are_reported) {
  const auto said_of = [&](const std::string& events) { return complaints_here(timed_list_sample + events); };
  EXPECT_EQ(
      said_of(event("1", "fail", "count = 3\n")),
      "f.toml:15:9: events[0].count: expected at most 2, as many servers of 'node' as are in service then, found 3");
  EXPECT_EQ(said_of(event("1", "return")),
            "f.toml:14:10: events[0].action: no server of 'node' is out of service then");
  EXPECT_EQ(said_of(event("5", "fail") + event("2", "drain") + event("1", "drain", "count = 1\n")),
            "f.toml:14:10: events[0].action: no server of 'node' is in service then");
  EXPECT_EQ(
      said_of("[[events]]\nat = 0\nservers = \"nod\"\naction = \"stop\"\nlast = 1\n"),
      "f.toml:12:6: events[0].at: expected a number > 0, found 0\n"
      "f.toml:14:10: events[0].action: unknown action 'stop'; expected one of: drain, fail, return\n"
      "f.toml:15:1: events[0].last: unknown key; expected one of: at, servers, count, action, speed, known, rate, "
      "power_cap, frequency, rack, parameter, value");
  EXPECT_EQ(said_of("[[events]]\nat = 1\nservers = \"nod\"\naction = \"fail\"\n"),
            "f.toml:13:11: events[0].servers: unknown entry of servers 'nod'; did you mean 'node'?");
  EXPECT_EQ(complaints(with("cores = 32", "cores = 32, faults = { to_failure = 9, to_repair = 1 }") +
                       event("1", "fail") + event("2", "return")),
            "f.toml:22:11: events[0].servers: 'node' has faults of its own; expected an entry without faults\n"
            "f.toml:26:11: events[1].servers: 'node' has faults of its own; expected an entry without faults");
  EXPECT_EQ(complaints(sample + event("1", "fail")),
            "f.toml:22:11: events[0].servers: 1 of the servers of 'node' will not return, but the arrivals never end; "
            "expected a return of all");
  EXPECT_EQ(complaints(sample + event("1", "fail") + event("2", "return")), "");
}

/// A change of the speed of the entry `node`. @param more further keys
std::string speed_event_of(const std::string& at, const std::string& speed, const std::string& more = "") {
  return "[[events]]\nat = " + at + "\nservers = \"node\"\nspeed = " + speed + "\n" + more;
}

TEST_F(server_events, change_the_speed_of_the_first_servers_of_an_entry) {
  const study once = read_here(timed_list_sample + speed_event_of("\"2 min\"", "1") +
                               speed_event_of("10", "0.5", "count = 1\n") + event("10", "fail", "count = 1\n"));
  for (const study& s : {once, read_here(once.resolved)}) {
    const scenario& model = s.points[0].model;
    EXPECT_TRUE(model.speeds_change());
    EXPECT_EQ(outages_of(model).size(), 1u);
    std::vector<std::tuple<std::uint32_t, double, double>> speeds;
    for (const speed_event& e : model.servers[0].speeds) speeds.emplace_back(e.server, e.at, e.speed);
    EXPECT_EQ(speeds, (std::vector<std::tuple<std::uint32_t, double, double>>{
                          {0, 10.0, 0.5}, {0, 120.0, 1.0}, {1, 120.0, 1.0}}));
  }
}

TEST_F(server_events, of_speeds_alone_let_no_server_fail_and_may_be_of_servers_with_faults) {
  EXPECT_FALSE(read_here(timed_list_sample + speed_event_of("1", "0.5")).points[0].model.servers_fail());
  EXPECT_EQ(complaints(with("cores = 32", "cores = 32, faults = { to_failure = 9, to_repair = 1 }") +
                       speed_event_of("1", "0.5")),
            "");
}

TEST_F(server_events, of_speeds_that_cannot_be_are_reported) {
  const auto said_of = [&](const std::string& events) { return complaints_here(timed_list_sample + events); };
  EXPECT_EQ(said_of(speed_event_of("1", "0")),
            "f.toml:14:9: events[0].speed: expected a number from 0.001 to 10, found 0");
  EXPECT_EQ(said_of(speed_event_of("1", "11")),
            "f.toml:14:9: events[0].speed: expected a number from 0.001 to 10, found 11");
  EXPECT_EQ(said_of(speed_event_of("1", "0.5", "count = 3\n")),
            "f.toml:15:9: events[0].count: expected at most 2, as many servers as 'node' has, found 3");
  EXPECT_EQ(said_of(event("1", "fail", "speed = 0.5\n")),
            "f.toml:15:9: events[0].speed: expected no speed beside an action; expected two events");
  EXPECT_EQ(said_of("[[events]]\nat = 1\nservers = \"node\"\n"),
            "f.toml:11:1: events[0].action: missing; expected an action, a speed, a frequency, a power_cap, a rate or "
            "a parameter");
  EXPECT_EQ(said_of(speed_event_of("1", "0.5", "known = true\n")),
            "f.toml:15:9: events[0].known: has no effect on a speed, which no policy knows beforehand");
}

TEST_F(server_events, change_the_speed_of_servers_of_slotted_jobs) {
  EXPECT_EQ(complaints(slotted_sample + replaced(speed_event_of("1", "0.5"), "node", "machine")), "");
}

/// An event that caps power. @param more further keys
std::string cap_event(const std::string& cap, const std::string& more = "") {
  return "[[events]]\nat = 10\npower_cap = " + cap + "\n" + more;
}

const std::string with_power = replaced(timed_list_sample, "count = 2", "count = 2, power = { active = 90 }");

TEST_F(server_events, cap_the_power_of_all_servers_or_of_the_first_of_an_entry) {
  const study once = read_here(with_power + replaced(cap_event("\"none\"", "servers = \"node\"\n"), "10", "20") +
                               cap_event("\"5 kW\"") + cap_event("70", "servers = \"node\"\ncount = 1\n"));
  for (const study& s : {once, read_here(once.resolved)}) {
    const auto& caps = s.points[0].model.power_caps;
    ASSERT_EQ(caps.size(), 3u);
    EXPECT_EQ(caps[0].servers, "");
    EXPECT_EQ(caps[0].watts, 5000.0);
    EXPECT_EQ(caps[1].servers, "node");
    EXPECT_EQ(caps[1].count, 1u);
    EXPECT_EQ(caps[1].watts, 70.0);
    EXPECT_EQ(caps[2].at, 20.0);
    EXPECT_EQ(caps[2].count, 2u);
    EXPECT_FALSE(caps[2].watts);
  }
}

TEST_F(server_events, of_caps_that_cannot_be_are_reported) {
  const auto said_of = [&](const std::string& events) { return complaints_here(with_power + events); };
  EXPECT_EQ(said_of(cap_event("0")), "f.toml:13:13: events[0].power_cap: expected a number > 0, found 0");
  EXPECT_EQ(said_of(cap_event("9", "speed = 2.0\n")),
            "f.toml:14:9: events[0].speed: has no effect on a power_cap; expected two events");
  EXPECT_EQ(said_of(cap_event("9", "count = 2\n")),
            "f.toml:14:9: events[0].count: has no effect without servers; expected the name of their entry, too");
  EXPECT_EQ(said_of(cap_event("9", "servers = \"node\"\ncount = 3\n")),
            "f.toml:15:9: events[0].count: expected at most 2, as many servers as 'node' has, found 3");
  EXPECT_EQ(said_of(cap_event("9", "servers = \"nod\"\n")),
            "f.toml:14:11: events[0].servers: unknown entry of servers 'nod'; did you mean 'node'?");
  EXPECT_EQ(complaints_here(timed_list_sample + cap_event("9")),
            "f.toml:13:13: events[0].power_cap: has no effect without power; expected servers with power");
}

TEST_F(server_events, say_how_a_cap_is_written) {
  EXPECT_EQ(read_here(with_power + cap_event("\"0.005 MW\"")).points[0].model.power_caps[0].watts, 5000.0);
  const auto said_of = [&](const std::string& cap) { return complaints_here(with_power + cap_event(cap)); };
  EXPECT_EQ(said_of("\"off\""),
            "f.toml:13:13: events[0].power_cap: expected 'none', or a power such as '5 kW', found 'off'");
  EXPECT_EQ(said_of("\"5 mW\""), "f.toml:13:13: events[0].power_cap: unknown unit 'mW' of W; did you mean 'W'?");
  EXPECT_EQ(said_of("true"), "f.toml:13:13: events[0].power_cap: expected a number, found a boolean");
}

TEST_F(server_events, with_keys_that_have_no_effect_say_whether_to_leave_them_out_or_to_write_another_event) {
  const auto said_of = [&](const std::string& keys) {
    return complaints_here(with_power + "[[events]]\nat = 10\n" + keys);
  };
  EXPECT_EQ(said_of("power_cap = 9\nknown = true\n"),
            "f.toml:14:9: events[0].known: has no effect on a power_cap; expected no known");
  EXPECT_EQ(said_of("power_cap = 9\nservers = \"node\"\naction = \"drain\"\nknown = true\n"),
            "f.toml:15:10: events[0].action: has no effect on a power_cap; expected two events");
  EXPECT_EQ(complaints(sample + "[[events]]\nat = 1\nrate = 2\ncount = 2\nknown = true\n"),
            "f.toml:23:9: events[0].count: has no effect on a rate, which is of all arrivals; expected no count\n"
            "f.toml:24:9: events[0].known: has no effect on a rate, which is of all arrivals; expected no known");
  EXPECT_EQ(said_of("value = 4\n"),
            "f.toml:13:9: events[0].value: has no effect without a parameter; expected its name, too");
}

/// A policy of which one of two parameters is given, and the other one cannot take its place while it runs.
class either_parameter final : public rigid_policy {
  bool can_replace(std::string_view) const override { return true; }
};

const policy_entry either = [] {
  policy_entry entry;
  entry.name = "either";
  entry.about = "of a test";
  entry.construct = without_settings<either_parameter>;
  entry.parameters = {{"soon", number_parameter{"a number > 0", 0.0, true, {}}, ""},
                      {"late", number_parameter{"a number > 0", 0.0, true, {}}, "", "soon"}};
  return entry;
}();

TEST_F(server_events, are_refused_where_the_policy_cannot_have_the_parameter_beside_its_others) {
  if (!find_policy("either")) add_policy(either);
  const std::string soon = replaced(timed_list_sample, "name = \"fcfs\"", "name = \"either\"\nsoon = 1");
  const std::string change = "[[events]]\nat = 7\nparameter = \"late\"\nvalue = 4\n";
  EXPECT_EQ(complaints_here(soon + replaced(change, "late", "soon")), "");
  EXPECT_EQ(complaints_here(soon + change),
            "f.toml:15:9: events[0].value: policy 'either', late: found soon and late; expected one of them");
}

TEST_F(server_events, replace_parameters_of_the_policy) {
  const std::string backfill = replaced(timed_list_sample, "name = \"fcfs\"", "name = \"easy_backfill\"");
  const std::string change = "[[events]]\nat = 7\nparameter = \"reservations\"\nvalue = 4\n";
  const study once = read_here(backfill + change);
  for (const study& s : {once, read_here(once.resolved)}) {
    const auto& changes = s.points[0].model.parameter_changes;
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].at, 7.0);
    EXPECT_EQ(changes[0].parameter, "reservations");
    EXPECT_EQ(std::get<std::int64_t>(changes[0].value), 4);
  }
  const auto said_of = [&](const std::string& from, const std::string& to) {
    return complaints_here(backfill + replaced(change, from, to));
  };
  EXPECT_EQ(said_of("reservations", "reservation"),
            "f.toml:13:13: events[0].parameter: policy 'easy_backfill' has no parameter 'reservation'; did you mean "
            "'reservations'?");
  EXPECT_EQ(said_of("= 4", "= 0"), "f.toml:14:9: events[0].value: expected an integer from 1 to 1000000, found 0");
  EXPECT_EQ(said_of("reservations\"\nvalue = 4", "order\"\nvalue = \"arrival\""),
            "f.toml:13:13: events[0].parameter: 'order' of policy 'easy_backfill' cannot be replaced while it runs");
  EXPECT_EQ(said_of("value = 4\n", ""), "f.toml:11:1: events[0].value: missing; expected an integer from 1 to 1000000");
  EXPECT_EQ(said_of("parameter = \"reservations\"", "servers = \"node\"\nspeed = 2"),
            "f.toml:15:9: events[0].value: has no effect without a parameter; expected its name, too");
}

TEST_F(server_events, are_refused_where_the_other_parameters_leave_nothing_to_replace) {
  const std::string published =
      replaced(timed_list_sample, "name = \"fcfs\"", "name = \"static_quickswap\"\nhand_over = \"published\"");
  EXPECT_EQ(complaints_here(published + "[[events]]\nat = 7\nparameter = \"threshold\"\nvalue = 4\n"),
            "f.toml:14:13: events[0].parameter: 'threshold' of policy 'static_quickswap' cannot be replaced while it "
            "runs");
}

TEST_F(server_events, that_change_speeds_leave_finite_slotted_jobs_stable) {
  write("jobs.csv", "id,arrival,deadline,units,marginals\n1,1,2,4,8 4 2 1\n2,1,,3,1 1 1\n");
  const study s = read_here(R"(name = "slots"
policy = "edf"
classes = [{ name = "job" }]
arrivals = { process = "list", file = "jobs.csv" }
events = [{ at = 1, servers = "node", speed = 0.75 }]
[platform]
servers = [{ name = "node", count = 2 }]
slot = 1.0
)");
  EXPECT_EQ(examine_stability(s.points[0].model).answer, stability::verdict::stable);
}

TEST_F(server_events, change_the_rate_of_all_arrivals) {
  const std::string changes = "[[events]]\nat = \"2 min\"\nrate = 0.5\n[[events]]\nat = 10\nrate = 2\n";
  const study once = read(sample + changes);
  for (const study& s : {once, read(once.resolved)}) {
    const scenario& model = s.points[0].model;
    EXPECT_TRUE(model.rate_changes());
    EXPECT_FALSE(model.servers_fail());
    ASSERT_EQ(model.arrivals.changes.size(), 2u);
    EXPECT_EQ(model.arrivals.changes[0].at, 10.0);
    EXPECT_EQ(model.arrivals.changes[0].factor, 2.0);
    EXPECT_EQ(model.arrivals.changes[1].at, 120.0);
    EXPECT_EQ(model.arrivals.changes[1].factor, 0.5);
  }
}

TEST_F(server_events, of_rates_that_cannot_be_are_reported) {
  const std::string change = "[[events]]\nat = 1\nrate = 2\n";
  EXPECT_EQ(complaints_here(timed_list_sample + change),
            "f.toml:13:8: events[0].rate: jobs of process 'list' arrive at given times; expected no rate");
  EXPECT_EQ(complaints(sample + replaced(change, "rate = 2", "rate = 20\nservers = \"node\"")),
            "f.toml:22:8: events[0].rate: expected a number from 0.001 to 10, found 20\n"
            "f.toml:23:11: events[0].servers: has no effect on a rate, which is of all arrivals; expected no servers");
}

}  // namespace
}  // namespace muster
