#include <functional>
#include <map>
#include <queue>

#include "muster/modules/server/input_cache.h"
#include "muster/modules/server/job_data.h"
#include "tests/modules/child.h"
#include "tests/modules/scene.h"

// Input and output of jobs over the network and from disks, traced by hand and held against a loop of their own.

namespace muster {
namespace {

using kind = network_vertex::kind;

/// Data by the number of the job; of those that are not named, those of all.
struct data_of_test final : job_data_source {
  job_data all;
  std::map<std::uint64_t, job_data> own{};

  explicit data_of_test(job_data data = {}) : all(data) {}
  job_data of(class_id, std::uint64_t job) override {
    const auto found = own.find(job);
    return found == own.end() ? all : found->second;
  }
};

job_data reads(std::uint64_t input, std::uint64_t output = 0) {
  job_data d;
  d.input = input;
  d.output = output;
  return d;
}

job_data reads_set(std::uint64_t set, std::uint64_t input) {
  job_data d = reads(input);
  d.set = set;
  return d;
}

job_data overlapped(job_data d) {
  d.overlap = true;
  return d;
}

/// The scheduler in the middle, the storage and the servers around it.
network_graph around_the_scheduler(std::uint32_t servers, network_edge to_storage, network_edge to_server = {0, 0.0}) {
  network_graph graph;
  const std::size_t root = add_vertex(network_vertex{kind::scheduler, 0, ""}, graph);
  add_link(graph, root, add_vertex(network_vertex{kind::storage, 0, ""}, graph), to_storage.latency,
           to_storage.ticks_per_byte);
  for (std::uint32_t n = 0; n < servers; ++n)
    add_link(graph, root, add_vertex(network_vertex{kind::server, n, ""}, graph), to_server.latency,
             to_server.ticks_per_byte);
  return graph;
}

/// Servers of a core each; a byte takes the storage a tick, and nothing else takes time.
struct data_layout : layout {
  network_graph graph;
  data_of_test data;

  data_layout(std::uint32_t servers, job_data of_jobs, network_edge to_storage = {0, 1.0}, network_edge to_server = {})
      : graph(around_the_scheduler(servers, to_storage, to_server)), data(of_jobs) {
    groups = {{"node", servers, 1, 1.0}};
    roads = &graph;
    dispatch_bytes = message_bytes = 0;
    layout::data = &data;
    monitored = true;
  }
  data_layout(const data_layout&) = delete;
};

moved_data all_moved(const scene& s) {
  moved_data sum;
  for (const auto& bank : s.servers) sum += bank->moved(s.time.now());
  return sum;
}

std::vector<job_request> jobs_at_0(std::size_t count, ticks size) {
  return std::vector<job_request>(count, job_request{0, class_id{0}, size});
}

// The dispatch is there at 5, the request at the storage at 13. The 50 bytes leave the storage's edge at 113, come to
// the root at 116, leave it at 166 and come at 171. The work ends at 271. The 20 bytes come to the root at 296 and to
// the storage at 339, and the word of it, a byte, to the scheduler at 345.
TEST(data, come_before_the_work_and_leave_after_it_to_the_tick) {
  data_layout l{1, reads(50, 20), {3, 2.0}, {5, 1.0}};
  l.message_bytes = 1;
  scene s{l, jobs_at_0(1, 100)};
  s.run();
  EXPECT_EQ(s.log.completions(), std::vector<ticks>{345});
  EXPECT_EQ(s.all_cores().running, 100u);
  EXPECT_EQ(s.all_cores().overhead, 171u - 5 + 339 - 271);
  EXPECT_EQ(all_moved(s).waited, 171u - 5 + 339 - 271);
  EXPECT_EQ(all_moved(s).bytes, 70u);
  EXPECT_EQ(all_moved(s).fetches, 1u);
  EXPECT_EQ(all_moved(s).hits, 0u);
}

// Input from 0 to 100 and to 200, work until 150 and 250, output until 180 and 280.
TEST(data, of_two_jobs_share_a_link_first_come_first_served) {
  data_layout l{2, reads(100, 30)};
  scene s{l, jobs_at_0(2, 50)};
  s.run();
  EXPECT_EQ(s.log.completions(), (std::vector<ticks>{180, 280}));
}

// Two inputs of 100 share the link until 200, two outputs of 30 from 250 until 310.
TEST(data, of_two_jobs_share_a_link_evenly_where_the_network_shares_edges) {
  data_layout l{2, reads(100, 30)};
  l.sharing = sharing_rule::max_min;
  scene s{l, jobs_at_0(2, 50)};
  s.run();
  EXPECT_EQ(s.log.completions(), (std::vector<ticks>{310, 310}));
  EXPECT_EQ(all_moved(s).bytes, 260u);
}

TEST(data, of_a_job_may_be_output_alone_or_input_alone_or_none) {
  data_layout l{1, reads(0, 0)};
  l.data.own = {{0, reads(0, 30)}, {1, reads(40, 0)}};
  scene s{l, jobs_at_0(3, 50)};
  s.run();
  EXPECT_EQ(s.log.completions(), (std::vector<ticks>{80, 170, 220}));
  EXPECT_EQ(all_moved(s).fetches, 1u);
}

// Each of two slices reads 50: until 50 and 100; works until 90 and 140; writes 16, half of 31 rounded up.
TEST(data, of_a_gang_are_shared_among_its_slices) {
  data_layout l{2, reads(100, 31)};
  l.needs = {2};
  scene s{l, jobs_at_0(1, 40)};
  s.run();
  EXPECT_EQ(s.log.completions(), std::vector<ticks>{156});
  EXPECT_EQ(all_moved(s).bytes, 132u);
}

TEST(data, that_are_broadcast_come_whole_to_each_slice) {
  data_layout l{2, reads(100, 31)};
  l.needs = {2};
  l.data.all.broadcast = true;
  scene s{l, jobs_at_0(1, 40)};
  s.run();
  EXPECT_EQ(s.log.completions(), std::vector<ticks>{256});
  EXPECT_EQ(all_moved(s).bytes, 232u);
}

TEST(data, that_overlap_with_work_delay_its_end_only) {
  data_layout l{1, overlapped(reads(100, 20))};
  scene s{l, {{0, class_id{0}, 150}, {1000, class_id{0}, 40}}};
  s.run();
  EXPECT_EQ(s.log.completions(), (std::vector<ticks>{170, 1120}));
  EXPECT_EQ(all_moved(s).waited, 20u + 60 + 20);
}

// The disk holds two sets of three. Seven jobs of 10 read 0 0 1 2 0 2 1: at a miss 100 ticks, at a hit 50. Set 0
// makes room for 2, set 1 for 0, and 0 for 1, as 2 has been used since.
TEST(data, on_a_disk_are_read_there_and_the_least_recently_used_leave_first) {
  data_layout l{1, {}};
  l.disk = server_disk{0.5, 250};
  const std::vector<std::uint64_t> sets{0, 0, 1, 2, 0, 2, 1};
  for (std::size_t n = 0; n < sets.size(); ++n) l.data.own[n] = reads_set(sets[n], 100);
  scene s{l, jobs_at_0(sets.size(), 10)};
  s.run();
  EXPECT_EQ(s.log.completions(), (std::vector<ticks>{110, 170, 280, 390, 500, 560, 670}));
  EXPECT_EQ(all_moved(s).fetches, 7u);
  EXPECT_EQ(all_moved(s).hits, 2u);
  EXPECT_EQ(all_moved(s).bytes, 500u);
}

// Two cores of one server: what the first one reads is there for the third and the fourth job, which read it from the
// disk one after the other. The second one's read began before it was there.
TEST(data, on_a_disk_are_read_by_one_slice_at_a_time) {
  data_layout l{1, reads_set(7, 100)};
  l.groups = {{"node", 1, 2, 1.0}};
  l.disk = server_disk{0.5, 250};
  scene s{l, {{0, class_id{0}, 10}, {0, class_id{0}, 10}, {500, class_id{0}, 10}, {500, class_id{0}, 10}}};
  s.run();
  EXPECT_EQ(s.log.completions(), (std::vector<ticks>{110, 210, 560, 610}));
  EXPECT_EQ(all_moved(s).hits, 2u);
}

TEST(data, that_are_parts_of_an_input_are_not_kept_on_a_disk) {
  data_layout l{2, reads_set(7, 100)};
  l.needs = {2};
  l.disk = server_disk{0.5, 250};
  scene s{l, jobs_at_0(2, 40)};
  s.run();
  EXPECT_EQ(all_moved(s).hits, 0u);
}

std::string refusal_of(const std::function<void()>& check_it) {
  try {
    check_it();
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

TEST(data, need_a_network_with_one_storage_that_is_joined) {
  timekeeper time{"time"};
  data_of_test data;
  server_settings bank;
  bank.data = &data;
  const std::string none = "jobs have data, and there is no storage; expected a network with a vertex of storage";
  EXPECT_EQ(refusal_of([&] { check(bank); }), none);
  network_graph graph = around_the_scheduler(1, {});
  add_vertex(network_vertex{kind::storage, 0, "two"}, graph);
  EXPECT_EQ(refusal_of([&] { check(network_settings{graph}); }), "2 vertices of storage; expected at most one");
  network_graph apart;
  add_vertex(network_vertex{kind::scheduler, 0, ""}, apart);
  add_vertex(network_vertex{kind::storage, 0, "disks"}, apart);
  EXPECT_EQ(refusal_of([&] { check(network_settings{apart}); }),
            "storage 'disks' is not joined to the scheduler; expected a path");
}

TEST(input_cache, never_holds_more_than_its_capacity_nor_what_is_larger) {
  input_cache disk{100};
  disk.keep(1, 101);
  EXPECT_FALSE(disk.use(1));
  disk.keep(2, 60);
  disk.keep(3, 40);
  EXPECT_TRUE(disk.use(2));
  disk.keep(4, 1);
  EXPECT_FALSE(disk.use(3));
  EXPECT_TRUE(disk.use(2));
  EXPECT_EQ(disk.used(), 61u);
}

/// Starts jobs in their order while they fit, and takes the cores of job 0 at a given time.
class preempts_job_0 final : public rigid_policy {
 public:
  inline static ticks at;

  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    if (j.id == 0) decide.wake_at(at, 0);
    if (j.id == 0) first_ = &j;
    schedule(cluster, decide);
  }
  void completed(const job&, rigid_view cluster, rigid_decisions& decide) override { schedule(cluster, decide); }
  void interrupted(const job&, rigid_view cluster, rigid_decisions& decide) override { schedule(cluster, decide); }
  void preempted(const job&, rigid_view cluster, rigid_decisions& decide) override { schedule(cluster, decide); }
  void woken(std::uint32_t, rigid_view, rigid_decisions& decide) override {
    decide.preempt(*first_, queue_place::by_arrival);
  }

 private:
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    for (const job* next; (next = cluster.earliest()) && cluster.fits(*next);) decide.start(*next);
  }
  const job* first_ = nullptr;
};

ticks completion_if_preempted_at(ticks at, bool overlap) {
  preempts_job_0::at = at;
  data_layout l{1, reads(100, 30)};
  l.data.all.overlap = overlap;
  l.own_policy = &preemptive_policy<preempts_job_0>();
  scene s{l, jobs_at_0(1, 50)};
  s.run();
  return s.log.completions().front();
}

// The first input occupies the storage's edge until 100 all the same.
TEST(data, that_are_on_their_way_to_a_job_that_is_preempted_come_anew) {
  EXPECT_EQ(completion_if_preempted_at(40, false), 200u + 50 + 30);
}
TEST(data, that_a_job_has_read_which_is_preempted_come_anew) {
  EXPECT_EQ(completion_if_preempted_at(120, false), 120u + 100 + 30 + 30);
}
TEST(data, that_a_job_writes_keep_it_from_being_preempted) { EXPECT_EQ(completion_if_preempted_at(160, false), 180u); }
// The job has worked for 40 of 50. The rest of its work ends long before the second input, at 200.
TEST(data, that_overlap_with_work_come_anew_to_a_job_that_is_preempted) {
  EXPECT_EQ(completion_if_preempted_at(40, true), 200u + 30);
}
TEST(data, that_a_job_waits_for_whose_work_is_done_keep_it_from_being_preempted) {
  EXPECT_EQ(completion_if_preempted_at(70, true), 100u + 30);
}

ticks completion_if_failed_at(ticks at) {
  script faults{{{0, {{at, 20}}}}};
  data_layout l{1, reads(100, 30)};
  l.faults = &faults;
  scene s{l, jobs_at_0(1, 50)};
  s.run_until(1000);
  return s.log.completions().front();
}

TEST(data, on_their_way_to_a_server_that_fails_come_anew) { EXPECT_EQ(completion_if_failed_at(40), 200u + 50 + 30); }
TEST(data, that_a_server_writes_which_fails_are_lost) { EXPECT_EQ(completion_if_failed_at(160), 180u + 100 + 50 + 30); }

// The input comes until 100, and 30 of the work are kept when the server fails at 135. From 155 on the state comes from
// the storage, then the input, and 20 of the work are left. Without bytes of state nothing is fetched but the input.
TEST(data, of_a_checkpoint_come_from_the_storage_to_a_job_whose_server_has_failed) {
  for (const std::uint64_t state : {0u, 40u}) {
    const std::string completed = in_child([&] {
      script faults{{{0, {{135, 20}}}}};
      data_layout l{1, reads(100)};
      l.faults = &faults;
      l.checkpoint = 10;
      l.state = state;
      scene s{l, jobs_at_0(1, 50)};
      s.run_until(1000);
      return std::to_string(s.log.completions().front());
    });
    EXPECT_EQ(completed, std::to_string(155 + state + 100 + 20));
  }
}

// The gang's slices work from 50 and from 100 on. Server 1 fails at 95, as server 0 has written its output of 10 from
// 90 to 100: it is not stopped. The gang begins anew at 115.
TEST(data, of_a_gang_that_loses_a_server_come_anew_to_all_its_servers) {
  script faults{{{1, {{95, 20}}}}};
  data_layout l{2, reads(100, 20)};
  l.needs = {2};
  l.faults = &faults;
  scene s{l, jobs_at_0(1, 40)};
  s.run_until(1000);
  EXPECT_EQ(s.log.completions().front(), 115u + 100 + 40 + 10);
  EXPECT_EQ(s.log.records.front().failures, 1u);
}

// The speed halves at 120: of the work of 50 from 100 on, 30 are left, which take 60.
TEST(data, follow_work_whose_speed_changes) {
  data_layout l{1, reads(100, 30)};
  l.speeds = {{120, 0, 0.5}};
  scene s{l, jobs_at_0(1, 50)};
  s.run();
  EXPECT_EQ(s.log.completions(), std::vector<ticks>{120 + 60 + 30});
}

TEST(data, count_as_overhead_of_the_job) {
  data_layout l{1, reads(100, 30)};
  l.accounts_times = true;
  scene s{l, jobs_at_0(1, 50)};
  s.run();
  const by_time_part<ticks>& spent = s.log.records.front().spent;
  EXPECT_EQ(spent[static_cast<std::size_t>(time_part::overhead)], 130u);
  EXPECT_EQ(spent[static_cast<std::size_t>(time_part::running)], 50u);
}

/// First come, first served on `servers` cores; input and output pass one link, each way by itself.
std::vector<ticks> naive_completions(const std::vector<job_request>& jobs, const data_of_test& data,
                                     std::uint32_t servers) {
  enum step { arrives, has_input, has_worked, has_written };
  std::vector<ticks> completed(jobs.size());
  std::queue<std::size_t> waiting;
  ticks in_busy = 0, out_busy = 0;
  std::multimap<ticks, std::pair<step, std::size_t>> due;
  for (std::size_t n = 0; n < jobs.size(); ++n) due.emplace(jobs[n].arrival, std::pair{arrives, n});
  while (!due.empty()) {
    const auto [now, what] = *due.begin();
    const auto [done, n] = what;
    due.erase(due.begin());
    switch (done) {
      case arrives: waiting.push(n); break;
      case has_input: due.emplace(now + jobs[n].size, std::pair{has_worked, n}); break;
      case has_worked:
        out_busy = std::max(out_busy, now) + data.own.at(n).output;
        due.emplace(out_busy, std::pair{has_written, n});
        break;
      case has_written:
        completed[n] = now;
        ++servers;
        break;
    }
    for (; servers > 0 && !waiting.empty(); waiting.pop(), --servers) {
      const std::size_t next = waiting.front();
      in_busy = std::max(in_busy, now) + data.own.at(next).input;
      due.emplace(in_busy, std::pair{has_input, next});
    }
  }
  return completed;
}

/// Sums the bytes on each arc.
struct byte_count final : network_observer {
  std::map<network_arc, std::uint64_t> bytes;
  void edge_occupied(network_arc arc, ticks, ticks, std::uint64_t count) override { bytes[arc] += count; }
};

class data_of_schedules : public testing::TestWithParam<std::uint32_t> {};

// Fifty schedules, each of its own load, one after the other; the gap between two lets the cluster empty.
TEST_P(data_of_schedules, are_moved_as_a_loop_has_it_and_bytes_are_conserved_on_every_edge) {
  constexpr std::uint64_t jobs_of_schedule = 40;
  constexpr ticks longest_gap = 4'000'000, empty = 1'000'000'000;
  const std::uint32_t servers = GetParam();
  std::mt19937_64 random{servers};
  std::vector<job_request> requests;
  data_layout l{servers, {}};
  std::uint64_t read = 0, written = 0;
  ticks at = 0, gap = longest_gap;
  for (std::uint64_t n = 0; n < 50 * jobs_of_schedule; ++n) {
    if (n % jobs_of_schedule == 0) {
      at += empty;
      gap = 1 + random() % longest_gap;
    }
    at += random() % gap;
    requests.push_back({at, class_id{0}, 1 + random() % 3'000'000});
    l.data.own[n] = reads(1 + random() % 1'500'000, 1 + random() % 1'000'000);
    read += l.data.own[n].input;
    written += l.data.own[n].output;
  }
  const std::vector<ticks> expected = naive_completions(requests, l.data, servers);
  scene s{l, requests};
  byte_count count;
  s.roads->observe(count);
  s.run();
  for (std::size_t n = 0; n < requests.size(); ++n) ASSERT_EQ(s.log.of(n).completed, expected[n]) << "job " << n;
  EXPECT_EQ(all_moved(s).bytes, read + written);
  const network_edge to_storage{0, 1.0, 0};
  EXPECT_EQ(count.bytes[backwards(arc_of(to_storage, 0, 1))], read);
  EXPECT_EQ(count.bytes[arc_of(to_storage, 0, 1)], written);
}

INSTANTIATE_TEST_SUITE_P(on_one_link, data_of_schedules, testing::Values(1, 2, 3, 5));

// Gangs of two classes whose servers fail, with a checker on every hop.
TEST(data, obey_the_base_protocol_where_servers_fail_and_inputs_are_cached) {
  script faults = random_faults(5, 6);
  data_layout l{6, {}, {3, 0.5}, {2, 0.25}};
  l.needs = {4, 1};
  l.policy = "first_fit";
  l.faults = &faults;
  l.disk = server_disk{0.01, 200};
  for (std::uint64_t n = 0; n < 300; ++n) {
    job_data& d = l.data.own[n] = reads_set(n % 5, 10 * (n % 7));
    d.output = n % 3 * 20;
    d.broadcast = n % 2 == 0;
    d.overlap = n % 4 == 0;
  }
  scene s{l, random_jobs(300, 2, 40, 60)};
  s.run_until(60'000);
  EXPECT_EQ(s.log.records.size(), 300u);
  EXPECT_GT(all_moved(s).hits, 10u);
}

// A policy that preempts at every arrival and completion.
TEST(data, obey_the_base_protocol_where_jobs_are_preempted) {
  data_layout l{4, {}, {3, 0.5}, {2, 0.25}};
  l.needs = {4, 2, 1};
  l.policy = "server_filling";
  l.costs.save = 5;
  l.costs.restore = 7;
  for (std::uint64_t n = 0; n < 400; ++n) {
    job_data& d = l.data.own[n] = reads(10 * (n % 7), n % 3 * 20);
    d.overlap = n % 4 == 0;
  }
  scene s{l, random_jobs(400, 3, 60, 60)};
  s.run();
  unsigned preemptions = 0;
  for (const job_record& r : s.log.records) preemptions += r.preemptions;
  EXPECT_GT(preemptions, 50u);
}

}  // namespace
}  // namespace muster
