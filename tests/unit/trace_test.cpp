#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "platform/model/scenario.h"
#include "platform/trace/decimal_time.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/trace_kind.h"
#include "platform/trace/trace_writer.h"
#include "tests/scenario/sample.h"

namespace muster {
namespace {

std::string printed(const decimal_time& unit, ticks t) {
  char text[decimal_time::longest];
  return {text, unit.print(text, t)};
}

TEST(decimal_time, prints_every_digit_and_no_trailing_zero) {
  const decimal_time micro(3);
  EXPECT_EQ(printed(micro, 0), "0");
  EXPECT_EQ(printed(micro, 7), "0.007");
  EXPECT_EQ(printed(micro, 1230), "1.23");
  EXPECT_EQ(printed(micro, 45000), "45");
  EXPECT_EQ(printed(micro, end_of_clock - 1), "4611686018427387.903");
  EXPECT_EQ(printed(decimal_time(0), 12), "12");
}

TEST(decimal_time, reads_back_as_the_nearest_double) {
  const decimal_time seconds = *decimal_time::of_unit(1'000'000'000);
  for (ticks t = 1; t < end_of_clock / 7; t = t * 7 + 3)
    EXPECT_EQ(std::stod(printed(seconds, t)), static_cast<double>(static_cast<long double>(t) / 1e9L)) << t;
}

TEST(decimal_time, knows_units_that_hold_no_power_of_ten) {
  EXPECT_TRUE(decimal_time::of_unit(1));
  EXPECT_TRUE(decimal_time::of_unit(1'000'000));
  EXPECT_FALSE(decimal_time::of_unit(60'000'000'000));
}

TEST(trace_kind, file_names_leave_those_of_the_scenarios_files_alone) {
  study s;
  s.points.resize(1);
  s.files = {{"jobs.csv", ""}, {"lists/trace.json", ""}};
  EXPECT_EQ(trace_file_name(*find_trace_kind("jobs"), 0, s), "recorded_jobs.csv");
  EXPECT_EQ(trace_file_name(*find_trace_kind("perfetto"), 0, s), "trace.json");
  s.points.resize(2);
  s.files = {{"./trace_7.vcd", ""}, {"jobs_in_system.csv", ""}};
  EXPECT_EQ(trace_file_name(*find_trace_kind("vcd"), 1, s), "recorded_trace_1.vcd");
  EXPECT_EQ(trace_file_name(*find_trace_kind("jobs"), 1, s), "jobs_1.csv");
}

TEST(trace_kind, file_names_are_recognised_and_others_are_not) {
  study s;
  s.points.resize(1);
  EXPECT_EQ(trace_file_name(*find_trace_kind("jobs"), 0, s), "jobs.csv");
  s.points.resize(13);
  EXPECT_EQ(trace_file_name(*find_trace_kind("perfetto"), 12, s), "trace_12.json");
  for (const char* name : {"jobs.csv", "jobs_3.csv", "recorded_jobs.csv", "recorded_trace_3.vcd", "trace.json",
                           "trace_12.json", "trace.vcd", "trace_0.vcd"})
    EXPECT_TRUE(is_trace_file_name(name)) << name;
  for (const char* name : {"jobs_.csv", "recorded_", "recorded_results.csv", "jobs_a.csv", "jobs_1.json", "jobs3.csv",
                           "my_jobs.csv", "trace", "trace.csv", "jobs_in_system.csv", "jobs_1.csv.gz", ""})
    EXPECT_FALSE(is_trace_file_name(name)) << name;
}

class mend_trace_test : public testing::Test {
 protected:
  ~mend_trace_test() override { std::filesystem::remove(path_); }
  std::string mended(const char* kind, const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    mend_trace(path_, find_trace_kind(kind)->last_line);
    std::ostringstream found;
    found << std::ifstream(path_, std::ios::binary).rdbuf();
    return found.str();
  }
  const std::filesystem::path path_ =
      std::filesystem::path{testing::TempDir()} / ("muster_mended_" + std::to_string(::getpid()));
};

TEST_F(mend_trace_test, half_a_line_is_cut_and_the_document_ended) {
  EXPECT_EQ(mended("perfetto", "[{\"a\":1}\n,{\"b\":2}\n,{\"c"), "[{\"a\":1}\n,{\"b\":2}\n]\n");
  EXPECT_EQ(mended("perfetto", "[{\"a\":1}\n"), "[{\"a\":1}\n]\n");
  EXPECT_EQ(mended("jobs", "id,class\n1,x\n2"), "id,class\n1,x\n");
  EXPECT_EQ(mended("vcd", "$end\n#12\nb1 !\n#1"), "$end\n#12\nb1 !\n");
  const std::string much(trace_file::most / 2, 'x');
  EXPECT_EQ(mended("jobs", much + '\n' + much + "\n1\n2"), much + '\n' + much + "\n1\n");
}

TEST_F(mend_trace_test, what_is_complete_stays) {
  for (const char* text : {"[{\"a\":1}\n]\n"}) EXPECT_EQ(mended("perfetto", text), text);
  EXPECT_EQ(mended("jobs", "id\n1\n"), "id\n1\n");
  mend_trace(path_ / "none", "");
}

TEST_F(mend_trace_test, what_has_not_begun_goes) {
  EXPECT_EQ(mended("perfetto", "[{\"a\""), "");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

using why = slice_extension::end;

// The instants of a slice that works from 1 to 5 us and, if it saves, ends at 7 us: such as "interruption at 5".
std::vector<std::string> instants_of(why reason, bool saves, job::place where = job::place::in_service,
                                     bool fails_while_saving = false) {
  const std::filesystem::path path =
      std::filesystem::path{testing::TempDir()} / ("muster_instants_" + std::to_string(::getpid()));
  {
    core_ledger ledger(1, 32);
    job_extension holder;
    holder.where = where;
    slice_view slice;
    slice.holder = &holder;
    slice.held = {0, 1000, core_ledger::tenure::never};
    slice.ledger = &ledger;
    slice.cores = ledger.take(0, 2, 0);
    const auto trace = make_perfetto_trace(read(sample).points[0].what, {find_trace_kind("perfetto"), path});
    trace->slice_begins(0, slice);
    trace->slice_works(1000, slice);
    slice.why = reason;
    if (saves) {
      slice.held.ceased = 5000;
      trace->slice_saves(5000, slice);
      if (fails_while_saving) slice.why = why::failed;
    }
    trace->slice_ends(saves ? 7000 : 5000, slice);
  }
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::filesystem::remove(path);
  const std::string written = text.str();
  const std::regex instant(R"~("ph":"i".*"ts":([0-9.]+),"name":"([a-z]+)")~");
  std::vector<std::string> found;
  for (std::sregex_iterator at(written.begin(), written.end(), instant), end; at != end; ++at)
    found.push_back((*at)[2].str() + " at " + (*at)[1].str());
  return found;
}

TEST(perfetto_trace, marks_once_why_a_job_loses_its_cores_when_they_cease_to_work) {
  using marks = std::vector<std::string>;
  for (const bool saves : {false, true}) {
    EXPECT_EQ(instants_of(why::interrupted, saves), marks{"interruption at 5"}) << saves;
    EXPECT_EQ(instants_of(why::stopped, saves), marks{"preemption at 5"}) << saves;
    EXPECT_EQ(instants_of(why::stopped, saves, job::place::leaving), marks{}) << saves;
  }
  EXPECT_EQ(instants_of(why::failed, false), marks{"failure at 5"});
  EXPECT_EQ(instants_of(why::interrupted, true, job::place::in_service, true),
            (marks{"interruption at 5", "failure at 7"}));
  EXPECT_EQ(instants_of(why::completed, false), marks{});
}

// What the trace says at the end of a job: such as {"outcome":"completed","interruptions":1,"migrations":0}.
std::string end_of_job(unsigned interruptions, unsigned migrations) {
  const std::filesystem::path path =
      std::filesystem::path{testing::TempDir()} / ("muster_jobs_end_" + std::to_string(::getpid()));
  {
    job_extension job;
    job.type = class_id{0};
    job.descriptor.type = 0;
    job.interruptions = interruptions;
    job.migrations = migrations;
    const auto trace = make_perfetto_trace(read(sample).points[0].what, {find_trace_kind("perfetto"), path});
    trace->job_arrives(0, job);
    trace->job_completes(5000, job);
  }
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::filesystem::remove(path);
  const std::string written = text.str();
  const std::regex end(R"~("ph":"e".*"name":"[a-z]+"(,"args":(.*))?\}\n)~");
  std::smatch found;
  return std::regex_search(written, found, end) ? found[2].str() : "no end in " + written;
}

TEST(perfetto_trace, tells_at_the_end_of_a_job_that_it_was_interrupted_or_has_moved) {
  EXPECT_EQ(end_of_job(0, 0), "");
  EXPECT_EQ(end_of_job(1, 0), R"({"outcome":"completed","interruptions":1,"migrations":0})");
  EXPECT_EQ(end_of_job(0, 2), R"({"outcome":"completed","interruptions":0,"migrations":2})");
  EXPECT_EQ(end_of_job(3, 2), R"({"outcome":"completed","interruptions":3,"migrations":2})");
}

}  // namespace
}  // namespace muster
