#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <boost/algorithm/string/replace.hpp>

#include "muster/modules/kernel/kernel_time.h"
#include "platform/model/shown_variables.h"
#include "platform/model/synthetic_workload.h"
#include "platform/simulation/cluster_fmus.h"
#include "platform/simulation/replication.h"
#include "tests/made_fmu.h"
#include "tests/modules/child.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/slotted_sample.h"
#include "tests/scenario/timed_list_sample.h"
#include "tests/simulation/foreign_modules.h"
#include "tests/simulation/scenes.h"

// An FMU beside a cluster.

namespace muster {
namespace {

struct planned_job {
  double arrival, size;
};

/// A scenario of one core, which draws 50 W idle and 200 W active at full speed, beside the FMU `room.fmu`.
const std::string room_sample = R"(name = "room"
policy = "fcfs"
classes = [{ name = "job" }]
arrivals = { process = "list", file = "jobs.csv" }
[platform]
servers = [{ name = "node", power = { idle = 50.0, active = 200.0 } }]
[[fmu]]
name = "room"
file = "room.fmu"
every = 1
inputs = { heat = "power" }
outputs = { speed = "speed.node" }
start = { setpoint = 34.5 }
)";

/// When jobs are complete, in seconds, on a core whose speed the room sets each second: a plain loop over instants.
std::vector<double> by_a_plain_loop(const std::vector<planned_job>& jobs, double setpoint) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::vector<double> complete;
  std::deque<double> queue;
  double now = 0.0, left = 0.0, speed = 1.0, temperature = 20.0, heat = 0.0, exchange = 0.0;
  bool busy = false;
  for (std::size_t arrived = 0; complete.size() < jobs.size();) {
    const double end = busy ? now + left / speed : infinite;
    const double arrival = arrived < jobs.size() ? jobs[arrived].arrival : infinite;
    const double next = std::min({end, exchange, arrival});
    if (busy) left -= (next - now) * speed;
    now = next;
    if (now == end) {
      complete.push_back(now);
      busy = !queue.empty();
      if (busy) left = queue.front(), queue.pop_front();
    } else if (now == exchange) {
      const double rest = 20.0 + heat / 10.0;
      if (now > 0.0) temperature = rest + (temperature - rest) * std::exp(-10.0 * 1.0 / 200.0);
      heat = busy ? 50.0 + 150.0 * speed : 50.0;  // the speed changes behind the exchange
      speed = temperature < setpoint ? 1.0 : 0.5;
      ++exchange;
    } else {
      if (busy) queue.push_back(jobs[arrived].size);
      if (!busy) left = jobs[arrived].size;
      busy = true;
      ++arrived;
    }
  }
  return complete;
}

class fmu_beside_a_cluster : public graph_folder {
 protected:
  scenario room(int fmi, const std::vector<planned_job>& jobs, const std::vector<std::string>& overrides = {}) const {
    make_cooling_fmu(folder_ / "room.fmu", fmi);
    std::string list = "id,arrival,size\n";
    for (std::size_t n = 0; n < jobs.size(); ++n) list += fmt::format("{},{},{}\n", n, jobs[n].arrival, jobs[n].size);
    write("jobs.csv", list);
    return read_here(room_sample, overrides).points.front().model;
  }

  /// When jobs are complete in the simulator, in seconds; what went wrong, if something did.
  static std::string in_the_simulator(const scenario& model) {
    struct recorder final : job_observer {
      void job_arrives(ticks, const job_extension&) override {}
      void job_completes(ticks now, const job_extension&) override { complete.push_back(now); }
      std::vector<ticks> complete;
    };
    return in_child([&]() -> std::string {
      sc_core::sc_set_time_resolution(1.0, sc_core::SC_NS);
      try {
        const auto jobs = make_workload(model, 0);
        recorder seen;
        module_of<cluster_hardware> whole("cluster", model, 0, *jobs, seen);
        const cluster_fmus fmus(model, whole);
        sc_core::sc_start();
        whole.audit(whole.time.now());
        return fmt::format("{}", fmt::join(seen.complete, " "));
      } catch (const std::exception& fault) {
        return fault.what();
      }
    });
  }
};

std::vector<planned_job> some_jobs() {
  std::vector<planned_job> jobs;
  for (int n = 0; n < 300; ++n) jobs.push_back({15.0 * n + n % 7, 1.0 + 7 * n % 13 + 0.5 * (n % 2)});
  return jobs;
}

std::string in_ticks(const std::vector<double>& seconds) {
  std::vector<long long> all;
  for (const double s : seconds) all.push_back(std::llround(s * 1e9));
  return fmt::format("{}", fmt::join(all, " "));
}

TEST_F(fmu_beside_a_cluster, completes_jobs_at_the_ticks_of_a_plain_loop_of_the_same_room) {
  const std::vector<planned_job> jobs = some_jobs();
  const std::string expected = in_ticks(by_a_plain_loop(jobs, 34.5));
  EXPECT_NE(expected, in_ticks(by_a_plain_loop(jobs, 1000.0)));  // a room that is never too warm
  EXPECT_EQ(in_the_simulator(room(2, jobs)), expected);
  EXPECT_EQ(in_the_simulator(room(3, jobs)), expected);
}

// Of whole replications all that is measured is the same under both versions of FMI, and with every hop checked.
TEST_F(fmu_beside_a_cluster, gives_the_same_results_by_either_version_of_fmi) {
  const std::vector<planned_job> jobs = some_jobs();
  const auto results = [&](int fmi, const std::vector<std::string>& overrides, bool checked) {
    const scenario model = room(fmi, jobs, overrides);
    watching watch;
    watch.check_protocol = checked;
    return in_child([&] { return whole_text(run_replication(model, 0, watch)); });
  };
  const std::string by_2 = results(2, {}, false);
  EXPECT_EQ(by_2, results(3, {}, false));
  EXPECT_EQ(by_2, results(3, {}, true));
  EXPECT_NE(by_2, results(3, {"fmu.room.start.setpoint=1000.0"}, false));
}

// An input of whole numbers and an output of truths: no server is in service while more than 2 jobs wait. The first of
// three jobs that come together at 0.5 is in service at once, and 2 wait at 1; a fourth comes at 1.5, so that 3 wait at
// 2 and the servers are drained. At 10.5 the first is complete, and nothing starts: 3 wait for ever.
TEST_F(fmu_beside_a_cluster, counts_jobs_and_takes_servers_out_of_service) {
  const std::vector<planned_job> jobs{{0.5, 10.0}, {0.5, 1.0}, {0.5, 1.0}, {1.5, 1.0}};
  const std::vector<std::string> overrides{"fmu.room.inputs={ heat = \"power\", queue = \"waiting.job\" }",
                                           "fmu.room.outputs={ open = \"in_service.node\" }"};
  auto more = overrides;
  more.emplace_back("fmu.room.start={ most_queued = 3 }");
  EXPECT_EQ(in_the_simulator(room(3, jobs, more)), in_ticks({10.5, 11.5, 12.5, 13.5}));
  more.back() = "fmu.room.start={ most_queued = 2, fail_at = 100.0 }";
  for (const int fmi : {2, 3}) {
    const std::string fault = in_the_simulator(room(fmi, jobs, more));
    EXPECT_NE(fault.find("the fan has failed at 100 s"), std::string::npos) << fault;
  }
}

TEST_F(fmu_beside_a_cluster, that_fails_ends_the_replication_with_its_name_the_time_the_status_and_its_message) {
  const auto fault = [&](int fmi, const std::string& start) {
    const scenario model = room(fmi, {{0, 10}, {20, 1}}, {"fmu.room.start=" + start});
    return in_child([&]() -> std::string {
      try {
        replication_result result = run_replication(model, 0);
        result.notes.clear();
        return whole_text(std::move(result));
      } catch (const std::exception& e) {
        return e.what();
      }
    });
  };
  EXPECT_EQ(fault(3, "{ fail_at = 5.0 }"),
            "/muster/fmu: FMU 'room': fmi3DoStep ended with the status Error: 'the fan has failed at 5 s' (at 6 s)");
  EXPECT_EQ(fault(2, "{ fail_at = 5.0, fail_status = 2 }"),
            "/muster/fmu: FMU 'room': fmi2DoStep ended with the status Discard: 'the fan has failed at 5 s' (at 6 s)");
  EXPECT_EQ(fault(3, "{ fail_at = 0.0, fail_status = 4, quiet = true }"),
            "/muster/fmu: FMU 'room': fmi3DoStep ended with the status Fatal, and no message (at 1 s)");
  EXPECT_EQ(fault(2, "{ fail_at = 5.0, fail_status = 1 }"), fault(2, "{ }"));  // a warning
}

// A message that comes with each step, at another time, is one note.
TEST_F(fmu_beside_a_cluster, that_logs_while_it_goes_on_leaves_notes) {
  const auto notes = [&](int fmi, const std::string& start) {
    const scenario model = room(fmi, {{0, 10}, {20, 1}}, {"fmu.room.start=" + start});
    return in_child([&]() -> std::string {
      std::string all;
      for (const remark& r : run_replication(model, 0).notes) all += r.in_words() + "\n";
      return all;
    });
  };
  for (const int fmi : {2, 3}) {
    EXPECT_EQ(notes(fmi, "{ fail_at = 5.0, fail_status = 1 }"), "FMU 'room' warns: 'the fan has failed at # s'\n");
    EXPECT_EQ(notes(fmi, "{ fail_at = 5.0, fail_status = 1, quiet = true }"), "");
  }
}

TEST_F(fmu_beside_a_cluster, that_makes_no_instance_is_told_with_what_it_may_have_refused) {
  write("jobs.csv", "id,arrival,size\n0,0,10\n");
  for (const auto& [fmi, function] : {std::pair{2, "fmi2Instantiate"}, {3, "fmi3InstantiateCoSimulation"}}) {
    make_cooling_fmu(folder_ / "room.fmu", fmi,
                     boost::replace_first_copy(cooling_description(fmi), "{cooling}", "{heating}"));
    EXPECT_EQ(in_the_simulator(read_here(room_sample).points.front().model),
              fmt::format("FMU 'room' ({}) made no instance; it may have refused its token or not found its resources "
                          "({}, and no message)",
                          (folder_ / "room.fmu").string(), function));
  }
}

// The variables that a scenario is checked against are those that its cluster has.
TEST_F(fmu_beside_a_cluster, is_checked_against_the_variables_that_the_cluster_will_have) {
  const std::string endless = one_class("cores = 2, power = { idle = 1.0, active = 2.0 }", "", 1.0, exponential, "");
  write("jobs.csv", "id,arrival,size,class\n1,0,1,job\n");
  write("tasks.csv", "id,arrival,size,class\n1,0,1,plain\n2,0,1,train\n");
  const std::string of_tasks = boost::replace_all_copy(task_list_sample, "jobs.csv", "tasks.csv");
  const std::string two_entries = boost::replace_first_copy(
      endless, "servers = [", "servers = [{ name = \"other\", cores = 2, power = { idle = 1.0, active = 2.0 } }, ");
  const auto under = [&](const std::string& policy) { return replaced(endless, "name = \"fcfs\"", policy); };
  const std::string timers = "time_unit = \"ms\"\n" + under("name = \"randomized_timers\"");
  const std::string restarting = under("name = \"kill_restart\""), backfilling = under("name = \"easy_backfill\"");
  for (const std::string& text :
       {endless, two_entries, timed_list_sample, slotted_sample, of_tasks, timers, restarting, backfilling}) {
    scenario model = read_here(text).points.front().model;
    model.controlled = true;
    std::string expected;
    for (const shown_variable& v : shown_variables(model))
      expected += fmt::format("{} {} {} {}\n", v.name, v.unit, v.is_input, v.whole);
    const std::string found = in_child([&] {
      sc_core::sc_set_time_resolution(1.0, sc_core::SC_NS);
      struct nobody final : job_observer {
        void job_arrives(ticks, const job_extension&) override {}
        void job_completes(ticks, const job_extension&) override {}
      } observer;
      const auto jobs = make_workload(model, 0);
      module_of<cluster_hardware> whole("cluster", model, 0, *jobs, observer);
      std::string all;
      const cluster_variables variables(model, whole);
      for (const cluster_variable& v : variables.all())
        all += fmt::format("{} {} {} {}\n", v.name, v.unit, v.use == cluster_variable::role::input, v.whole);
      return all;
    });
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace muster
