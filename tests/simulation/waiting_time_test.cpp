#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/trace/trace_kind.h"
#include "tests/determinism/studies.h"
#include "tests/simulation/replicate.h"

// Waiting is all the time in which a job holds nothing, until it leaves: what the scheduler measures always, and the
// causes of waiting and the decisions that only explained runs know.

namespace muster {
namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t comma; (comma = line.find(',')) != line.npos; line.remove_prefix(comma + 1))
    fields.push_back(line.substr(0, comma));
  fields.push_back(line);
  return fields;
}

/// The numbers of jobs of a table and of those that have waited; or the first job whose waiting is not the sum of its
/// parts.
std::string checked(const scenario& model, const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  std::map<std::string, std::size_t, std::less<>> place_of;
  std::vector<std::size_t> parts;
  for (const std::string_view column : fields_of(line)) {
    if (column == "time_decision" || column.rfind("wait_", 0) == 0) parts.push_back(place_of.size());
    place_of.emplace(column, place_of.size());
  }
  const std::size_t id = place_of.at("id"), waiting = place_of.at("waiting"), response = place_of.at("response"),
                    started = place_of.at("started"), outcome = place_of.at("outcome");
  std::size_t jobs = 0, waited = 0;
  while (std::getline(lines, line)) {
    const std::vector<std::string_view> job = fields_of(line);
    if (job.size() != place_of.size()) return "fields are missing: " + line;
    const auto time = [&](std::size_t place) { return model.unit.to_ticks(std::stod(std::string{job[place]})); };
    ticks sum = 0;
    for (const std::size_t part : parts) sum += time(part);
    if (sum != time(waiting)) return fmt::format("job {}", job[id]);
    if (job[outcome] == "expired" && job[started].empty() && job[waiting] != job[response])
      return fmt::format("unserved job {}", job[id]);
    ++jobs;
    waited += sum > 0;
  }
  return fmt::format("{} {}", jobs, waited);
}

struct count {
  std::uint64_t jobs = 0, waited = 0;
};

/// Simulates a replication of each point with explanations.
/// @param all adds up its jobs, and those that have waited
void expect_parts_of_every_job(const study& s, count& all) {
  const auto folder = std::filesystem::temp_directory_path();
  worker_pool(2).run(
      s.points.size(),
      [&](std::size_t at) {
        scenario model = s.points[at].model;
        model.report.explain = true;
        const auto csv = folder / fmt::format("waiting_{}_{}_{}.csv", ::getpid(), s.name, at);
        run_replication(model, 0, {false, {{find_trace_kind("jobs"), csv}}});
        const std::string text = content_of(csv);
        std::filesystem::remove(csv);
        return checked(model, text);
      },
      [&](const task_outcome& ended) {
        std::istringstream found(ended.text);
        std::uint64_t jobs = 0, waited = 0;
        found >> jobs >> waited;
        EXPECT_TRUE(!ended.failed && jobs > 0) << s.name << ", " << s.label(ended.task) << ": " << ended.text;
        all.jobs += jobs;
        all.waited += waited;
        return true;
      },
      [] { return true; });
}

TEST(waiting_time, of_every_job_of_every_recorded_scenario_is_the_sum_of_its_parts) {
  count all;
  for (const auto& file : scenarios_in(MUSTER_SOURCE "/tests/determinism/recorded"))
    expect_parts_of_every_job(read_study(file.string(), std::vector<std::string>{}), all);
  for (const auto& file : scenarios_in(MUSTER_SOURCE "/scenarios"))
    expect_parts_of_every_job(read_study(file.string(), small_size(file)), all);
  EXPECT_GT(all.jobs, 100'000u);
  EXPECT_GT(all.waited, 30'000u);
}

// Without costs all that a rigid job does not wait is its size, however often it is preempted.
TEST(waiting_time, under_a_policy_that_preempts_goes_on_behind_the_first_core) {
  const std::string text = R"(name = "stack"
platform.servers = [{ name = "node", cores = 4 }]
classes = [
  { name = "wide", need = 4, rate = 0.1, size = { distribution = "deterministic", value = 1.0 } },
  { name = "narrow", need = 1, rate = 2.0, size = { distribution = "deterministic", value = 1.0 } },
]
policy = "last_come_first_served"
run = { jobs = 20000, warm_up = 0.0, replications = 1 }
)";
  const replication_result found = replicate(text).front();
  for (const std::string name : {"wide", "narrow"}) {
    const auto value = [&](const char* metric) { return found.find(name, metric)->value; };
    EXPECT_NEAR(value("waiting_time"), value("response_time") - 1.0, 1e-9) << name;
    EXPECT_LT(value("time_to_start"), value("waiting_time")) << name;
    EXPECT_LE(value("waiting_time_p50"), value("waiting_time_p95"));
    EXPECT_LE(value("waiting_time_p95"), value("waiting_time_p99"));
    EXPECT_LE(value("waiting_time_p99"), value("waiting_time_max") * 1.008);
  }
}

}  // namespace
}  // namespace muster
