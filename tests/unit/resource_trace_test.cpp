#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "muster/modules/server/server_observer.h"
#include "platform/metrics/instrument.h"
#include "platform/trace/trace_kind.h"
#include "tests/command_line/perfetto_reader.h"
#include "tests/content_of.h"
#include "tests/scenario/resource_sample.h"

// Traces of devices and amounts, of slices that are made by hand.

namespace muster {
namespace {

// The trace of a kind of what `happens` in a scenario.
std::string traced(const char* kind_name, const std::string& scenario_text,
                   const std::function<void(instrument&)>& happens) {
  const std::filesystem::path path =
      std::filesystem::path{testing::TempDir()} / ("muster_resources_" + std::to_string(::getpid()));
  {
    instrument_list instruments;
    const trace_kind* const kind = find_trace_kind(kind_name);
    kind->add_to(instruments, first_point(scenario_text), {kind, path});
    happens(*instruments.all.front());
  }
  const std::string text = content_of(path);
  std::filesystem::remove(path);
  return text;
}

/// A slice on one core of server 1 of the first entry, of a job of the first class (train), which holds two licences of
/// the cluster.
struct held_slice_of {
  core_ledger ledger{2, 64};
  job_extension holder;
  std::vector<std::uint64_t> resources;  // four devices, memory
  slice_view slice;

  held_slice_of(ticks begun, std::uint64_t job, std::vector<std::uint64_t> held) : resources(std::move(held)) {
    holder.id = slice.job = job;
    holder.arrival = begun;
    holder.type = class_id{0};
    holder.own.of_cluster = std::make_unique<cluster_holding>(cluster_holding{{2}});
    slice.server = 1;
    slice.holder = &holder;
    slice.held = {begun, begun, core_ledger::tenure::never};
    slice.ledger = &ledger;
    slice.cores = ledger.take(1, 1, 0);
    slice.resources = resources.data();
    slice.why = slice_extension::end::completed;
  }
};

// A job that runs from 1000 to 5000, and another one from 2000 to 6000; then a third arrives.
void two_jobs_run(instrument& trace, held_slice_of& first, held_slice_of& second) {
  trace.job_arrives(1000, first.holder);
  trace.slice_begins(1000, first.slice);
  trace.job_arrives(2000, second.holder);
  trace.slice_begins(2000, second.slice);
  trace.slice_ends(5000, first.slice);
  trace.job_completes(5000, first.holder);
  trace.slice_ends(6000, second.slice);
  trace.job_completes(6000, second.holder);
  trace.job_arrives(7000, first.holder);
}

// Two jobs that share device 1, of which the first has device 0 as well, for itself.
void two_jobs_share_a_device(instrument& trace) {
  held_slice_of first(1000, 7, {1000, 250, 0, 0, 64}), second(2000, 8, {0, 500, 0, 0, 36});
  two_jobs_run(trace, first, second);
}

TEST(perfetto_trace, has_a_thread_for_each_device_and_a_track_below_it_for_a_job_that_shares_it) {
  const perfetto_events found(traced("perfetto", resource_sample, two_jobs_share_a_device));
  std::vector<std::string> on_devices;
  for (const auto& s : found.slices)
    if (found.name_of(s.on).find("gpu") != std::string::npos)
      on_devices.push_back(found.name_of(s.on) + ": " + s.name + ' ' + std::to_string(s.from) + " to " +
                           std::to_string(s.to));
  EXPECT_EQ(on_devices, (std::vector<std::string>{"node/server 1 gpu 0: train 7 1000 to 5000",
                                                  "node/server 1 gpu 1: train 7 1000 to 5000",
                                                  "server 1 gpu 1/gpu 1: train 8 2000 to 6000"}));
  std::size_t devices = 0;
  for (const std::string& name : found.names_of_threads("node")) devices += name.find("gpu") != std::string::npos;
  EXPECT_EQ(devices, 8u);
  EXPECT_EQ(found.names_of_threads("big").size(), 32u) << "an entry without devices has its cores";
}

TEST(perfetto_trace, counts_what_is_held_of_each_amount_of_servers_and_of_the_cluster) {
  const perfetto_events found(traced("perfetto", resource_sample, two_jobs_share_a_device));
  const auto counter = [&](const char* name) {
    std::vector<std::pair<std::int64_t, std::int64_t>> changes;
    for (const auto& [time, value] : found.counters.at(name)) changes.emplace_back(time, value);
    return changes;
  };
  using changes = std::vector<std::pair<std::int64_t, std::int64_t>>;
  const changes memory{{0, 0}, {1000, 64}, {2000, 100}, {5000, 36}, {6000, 0}};
  EXPECT_EQ(counter("server 1 memory"), memory);
  EXPECT_EQ(counter("server 0 memory"), (changes{{0, 0}}));
  EXPECT_EQ(counter("licence"), (changes{{0, 0}, {1000, 2}, {2000, 4}, {5000, 2}, {6000, 0}}));
  std::map<std::string, int> of_cluster;
  for (const auto& [uuid, t] : found.tracks)
    if (t.is_counter && found.tracks.at(t.parent).name == "cluster") ++of_cluster[t.name];
  EXPECT_EQ(of_cluster, (std::map<std::string, int>{{"busy", 1}, {"licence", 1}, {"memory", 1}, {"waiting", 1}}));
}

// The sample with two devices of four parts of the cluster behind its licences.
const std::string with_fpgas = with_resources(
    "amount = 10 }", "amount = 10 }\nfpga = { kind = \"devices\", of = \"cluster\", amount = 2, shares = 4 }");

// Two jobs that share the first device of the cluster.
void two_jobs_share_a_device_of_the_cluster(instrument& trace) {
  held_slice_of first(1000, 7, {0, 0, 0, 0, 64}), second(2000, 8, {0, 0, 0, 0, 36});
  first.holder.own.of_cluster->held = {2, 3, 0};
  second.holder.own.of_cluster->held = {1, 1, 4};
  two_jobs_run(trace, first, second);
}

TEST(perfetto_trace, has_a_thread_of_the_cluster_for_each_of_its_devices) {
  const perfetto_events found(traced("perfetto", with_fpgas, two_jobs_share_a_device_of_the_cluster));
  std::set<std::string> on_devices;
  for (const auto& s : found.slices)
    if (found.name_of(s.on).find("fpga") != std::string::npos)
      on_devices.insert(found.name_of(s.on) + ": " + s.name + ' ' + std::to_string(s.from) + " to " +
                        std::to_string(s.to));
  EXPECT_EQ(on_devices,
            (std::set<std::string>{"cluster/fpga 0: train 7 1000 to 5000", "cluster/fpga 1: train 8 2000 to 6000",
                                   "fpga 0/fpga 0: train 8 2000 to 6000"}));
  std::vector<std::pair<std::int64_t, std::int64_t>> licences;
  for (const auto& [time, value] : found.counters.at("licence")) licences.emplace_back(time, value);
  EXPECT_EQ(licences,
            (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 0}, {1000, 2}, {2000, 3}, {5000, 1}, {6000, 0}}));
}

// The changes of each variable of a dump, such as "0:0 1000:250", by its scopes and name.
std::map<std::string, std::string> waves_of(const std::string& dump) {
  std::map<std::string, std::string> names, changes;
  std::vector<std::string> scopes;
  std::istringstream words(dump);
  std::string now, word;
  while (words >> word) {
    std::string name, bits, code;
    if (word == "$scope" && words >> word >> name) {
      scopes.push_back(name);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var" && words >> word >> bits >> code >> name) {
      for (const std::string& scope : scopes) names[code] += scope + '.';
      names[code] += name + ' ' + bits;
    } else if (word[0] == '#') {
      now = word.substr(1);
    } else if (word[0] == 'b' && !now.empty() && words >> code) {
      changes[names.at(code)] += now + ':' + std::to_string(std::stoull(word.substr(1), nullptr, 2)) + ' ';
    }
  }
  return changes;
}

TEST(vcd_trace, has_a_variable_for_each_device_and_amount) {
  const auto waves = waves_of(traced("vcd", resource_sample, two_jobs_share_a_device));
  EXPECT_EQ(waves.at("cluster.servers.node_1.gpu_0 10"), "0:0 1000:1000 5000:0 ");
  EXPECT_EQ(waves.at("cluster.servers.node_1.gpu_1 10"), "0:0 1000:250 2000:750 5000:500 6000:0 ");
  EXPECT_EQ(waves.at("cluster.servers.node_1.memory 38"), "0:0 1000:64 2000:100 5000:36 6000:0 ");
  EXPECT_EQ(waves.at("cluster.servers.node_0.gpu_3 10"), "0:0 ");
  EXPECT_EQ(waves.at("cluster.resources.licence 4"), "0:0 1000:2 2000:4 5000:2 6000:0 ");
  EXPECT_EQ(waves.count("cluster.servers.big.memory 40"), 1u);
}

TEST(vcd_trace, has_a_variable_for_each_device_of_the_cluster) {
  const auto waves = waves_of(traced("vcd", with_fpgas, two_jobs_share_a_device_of_the_cluster));
  EXPECT_EQ(waves.at("cluster.resources.fpga_0 3"), "0:0 1000:3 2000:4 5000:1 6000:0 ");
  EXPECT_EQ(waves.at("cluster.resources.fpga_1 3"), "0:0 2000:4 6000:0 ");
  EXPECT_EQ(waves.at("cluster.resources.licence 4"), "0:0 1000:2 2000:3 5000:1 6000:0 ");
}

TEST(vcd_trace, shows_the_resources_of_many_servers_together) {
  const auto waves = waves_of(traced("vcd", with_resources("count = 2", "count = 300"), two_jobs_share_a_device));
  EXPECT_EQ(waves.at("cluster.servers.node.gpu 21"), "0:0 1000:1250 2000:1750 5000:500 6000:0 ");
  EXPECT_EQ(waves.at("cluster.servers.node.memory 47"), "0:0 1000:64 2000:100 5000:36 6000:0 ");
}

TEST(traces, have_no_resources_where_no_job_needs_any) {
  const std::string plain =
      replaced(with_resources("tasks = 3\nper_task = { cores = 16, memory = \"64 GB\", gpu = 2 }\n", "need = 3\n"),
               "per_job = { licence = 2 }\n", "");
  const auto nothing = [](instrument&) {};
  for (const auto& [name, changes] : waves_of(traced("vcd", plain, nothing)))
    for (const char* resource : {"gpu", "memory", "licence"}) EXPECT_EQ(name.find(resource), std::string::npos) << name;
  const perfetto_events found(traced("perfetto", plain, nothing));
  for (const auto& [uuid, t] : found.tracks) EXPECT_EQ(t.name.find("gpu"), std::string::npos) << t.name;
}

}  // namespace
}  // namespace muster
