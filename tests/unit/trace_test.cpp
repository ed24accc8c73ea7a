#include <fstream>
#include <functional>

#include <gtest/gtest.h>
#include <unistd.h>
#include <protozero/pbf_writer.hpp>

#include "muster/modules/server/server_observer.h"
#include "platform/metrics/instrument.h"
#include "platform/model/study.h"
#include "platform/trace/trace_file.h"
#include "platform/trace/trace_kind.h"
#include "tests/command_line/perfetto_reader.h"
#include "tests/content_of.h"
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
  s.files = {{"jobs.csv", ""}, {"lists/trace.pftrace", ""}};
  EXPECT_EQ(trace_file_name(*find_trace_kind("jobs"), 0, s), "recorded_jobs.csv");
  EXPECT_EQ(trace_file_name(*find_trace_kind("perfetto"), 0, s), "trace.pftrace");
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
  EXPECT_EQ(trace_file_name(*find_trace_kind("perfetto"), 12, s), "trace_12.pftrace");
  for (const char* name : {"jobs.csv", "jobs_3.csv", "recorded_jobs.csv", "recorded_trace_3.vcd", "trace.pftrace",
                           "trace_12.pftrace", "trace.vcd", "trace_0.vcd"})
    EXPECT_TRUE(is_trace_file_name(name)) << name;
  for (const char* name : {"jobs_.csv", "recorded_", "recorded_results.csv", "jobs_a.csv", "jobs_1.json", "trace.json",
                           "jobs3.csv", "my_jobs.csv", "trace", "trace.csv", "jobs_in_system.csv", "jobs_1.csv.gz", ""})
    EXPECT_FALSE(is_trace_file_name(name)) << name;
}

class mend_trace_test : public testing::Test {
 protected:
  ~mend_trace_test() override { std::filesystem::remove(path_); }
  std::string mended(const char* kind, const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    mend_trace({find_trace_kind(kind), path_});
    return content_of(path_);
  }
  const std::filesystem::path path_ =
      std::filesystem::path{testing::TempDir()} / ("muster_mended_" + std::to_string(::getpid()));
};

TEST_F(mend_trace_test, half_a_line_is_cut) {
  EXPECT_EQ(mended("jobs", "id,class\n1,x\n2"), "id,class\n1,x\n");
  EXPECT_EQ(mended("vcd", "$end\n#12\nb1 !\n#1"), "$end\n#12\nb1 !\n");
  const std::string much(trace_file::most / 2, 'x');
  EXPECT_EQ(mended("jobs", much + '\n' + much + "\n1\n2"), much + '\n' + much + "\n1\n");
}

// A packet of field 1, with content of a length.
std::string packet(std::size_t length) {
  std::string text(1, '\x0a');
  protozero::add_varint_to_buffer(&text, length);
  return text + std::string(length, 'x');
}

TEST_F(mend_trace_test, half_a_packet_is_cut_wherever_it_ends) {
  const std::string whole = packet(3) + packet(200), last = packet(300);
  for (std::size_t length = 1; length < last.size(); ++length)
    EXPECT_EQ(mended("perfetto", whole + last.substr(0, length)), whole) << length;
  EXPECT_EQ(mended("perfetto", whole + last), whole + last);
}

TEST_F(mend_trace_test, what_is_complete_stays) {
  EXPECT_EQ(mended("jobs", "id\n1\n"), "id\n1\n");
  mend_trace({find_trace_kind("vcd"), path_ / "none"});
  mend_trace({find_trace_kind("perfetto"), path_ / "none"});
}

TEST_F(mend_trace_test, what_has_not_begun_goes) {
  for (const char* text : {"", "\x0a\x05x"}) {
    EXPECT_EQ(mended("perfetto", text), "");
    EXPECT_FALSE(std::filesystem::exists(path_));
  }
  EXPECT_EQ(mended("jobs", "id"), "");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

using why = slice_extension::end;

// What a reader finds in the trace of what `happens`.
perfetto_events written(const std::string& scenario, const std::function<void(instrument&)>& happens) {
  const std::filesystem::path path =
      std::filesystem::path{testing::TempDir()} / ("muster_events_" + std::to_string(::getpid()));
  {
    instrument_list instruments;
    const trace_kind* const kind = find_trace_kind("perfetto");
    kind->add_to(instruments, first_point(scenario), {kind, path});
    happens(*instruments.all.front());
  }
  const std::string text = content_of(path);
  std::filesystem::remove(path);
  return perfetto_events(text);
}

// Such as "core 0   overhead 5 to 7": a slice, or an instant, with nanoseconds.
std::vector<std::string> shown(const perfetto_events& found) {
  std::vector<std::string> all;
  for (const perfetto_events::slice& s : found.slices) {
    all.push_back(found.tracks.at(s.on).name + std::string(1 + 2 * static_cast<std::size_t>(s.depth), ' ') + s.name);
    all.back() += (s.instant ? " at " : " ") + std::to_string(s.from);
    if (!s.instant) all.back() += s.ended ? " to " + std::to_string(s.to) : " on";
  }
  return all;
}

/// A slice on two cores, of a job that need not be known to the trace otherwise.
struct two_cores {
  core_ledger ledger{1, 32};
  job_extension holder;
  slice_view slice;

  explicit two_cores(ticks begun, ticks productive, std::uint64_t job = 7) {
    holder.id = slice.job = job;
    holder.arrival = begun;
    slice.holder = &holder;
    slice.held = {begun, productive, core_ledger::tenure::never};
    slice.ledger = &ledger;
    slice.cores = ledger.take(0, 2, 0);
  }
};

// The instants of a slice that works from 1 to 5 us and, if it saves, ends at 7 us: such as "interruption at 5000".
std::vector<std::string> instants_of(why reason, bool saves, job::place where = job::place::in_service,
                                     bool fails_while_saving = false) {
  const perfetto_events found = written(sample, [&](instrument& trace) {
    two_cores on(0, core_ledger::tenure::never);
    on.holder.where = where;
    trace.slice_begins(0, on.slice);
    on.slice.held.productive = 1000;
    trace.slice_works(1000, on.slice);
    on.slice.why = reason;
    if (saves) {
      on.slice.held.ceased = 5000;
      trace.slice_saves(5000, on.slice);
      if (fails_while_saving) on.slice.why = why::failed;
    }
    trace.slice_ends(saves ? 7000 : 5000, on.slice);
  });
  std::vector<std::string> instants;
  for (const perfetto_events::slice& s : found.slices) {
    if (!s.instant) continue;
    EXPECT_EQ(found.tracks.at(s.on).name, "core 0");
    EXPECT_EQ(s.arguments.at("job"), "7");
    instants.push_back(s.name + " at " + std::to_string(s.from));
  }
  return instants;
}

TEST(perfetto_trace, marks_once_why_a_job_loses_its_cores_when_they_cease_to_work) {
  using marks = std::vector<std::string>;
  for (const bool saves : {false, true}) {
    EXPECT_EQ(instants_of(why::interrupted, saves), marks{"interruption at 5000"}) << saves;
    EXPECT_EQ(instants_of(why::stopped, saves), marks{"preemption at 5000"}) << saves;
    EXPECT_EQ(instants_of(why::stopped, saves, job::place::leaving), marks{}) << saves;
  }
  EXPECT_EQ(instants_of(why::failed, false), marks{"failure at 5000"});
  EXPECT_EQ(instants_of(why::interrupted, true, job::place::in_service, true),
            (marks{"interruption at 5000", "failure at 7000"}));
  EXPECT_EQ(instants_of(why::completed, false), marks{});
}

using lines = std::vector<std::string>;

TEST(perfetto_trace, nests_overhead_and_saving_within_their_slice_even_if_they_last_no_time) {
  const auto slice_of = [](ticks works, ticks ceases, ticks ends) {
    return shown(written(sample, [&](instrument& trace) {
      two_cores on(5, works == 5 ? 5 : core_ledger::tenure::never);
      on.slice.holder = nullptr;
      trace.slice_begins(5, on.slice);
      if (on.slice.held.productive != works) {
        on.slice.held.productive = works;
        trace.slice_works(works, on.slice);
      }
      on.slice.why = why::completed;
      if (ceases > 0) {
        on.slice.held.ceased = ceases;
        trace.slice_saves(ceases, on.slice);
      }
      trace.slice_ends(ends, on.slice);
    }));
  };
  EXPECT_EQ(slice_of(5, 0, 9), (lines{"core 0 job 7 5 to 9", "core 1 job 7 5 to 9"}));
  EXPECT_EQ(slice_of(5, 0, 5), (lines{"core 0 job 7 5 to 5", "core 1 job 7 5 to 5"}));
  EXPECT_EQ(slice_of(6, 8, 9), (lines{"core 0 job 7 5 to 9", "core 1 job 7 5 to 9", "core 0   overhead 5 to 6",
                                      "core 1   overhead 5 to 6", "core 0   saving 8 to 9", "core 1   saving 8 to 9"}));
  EXPECT_EQ(slice_of(6, 6, 6), (lines{"core 0 job 7 5 to 6", "core 1 job 7 5 to 6", "core 0   overhead 5 to 6",
                                      "core 1   overhead 5 to 6", "core 0   saving 6 to 6", "core 1   saving 6 to 6"}));
}

TEST(perfetto_trace, keeps_a_slice_in_overhead_that_never_worked_though_it_saves) {
  EXPECT_EQ(
      shown(written(sample,
                    [](instrument& trace) {
                      two_cores on(5, core_ledger::tenure::never);
                      on.slice.holder = nullptr;
                      trace.slice_begins(5, on.slice);
                      on.slice.why = why::completed;
                      on.slice.held.ceased = 7;
                      trace.slice_saves(7, on.slice);
                      trace.slice_ends(9, on.slice);
                    })),
      (lines{"core 0 job 7 5 to 9", "core 1 job 7 5 to 9", "core 0   overhead 5 to 9", "core 1   overhead 5 to 9"}));
}

// With time_unit = "ms" a tick is a picosecond.
TEST(perfetto_trace, rounds_down_to_nanoseconds_and_keeps_the_order) {
  const std::string finer = replaced(sample, "[platform]", "time_unit = \"ms\"\n[platform]");
  const perfetto_events found = written(finer, [](instrument& trace) {
    two_cores first(1999, 1999, 0);
    trace.slice_begins(1999, first.slice);
    first.slice.why = why::completed;
    trace.slice_ends(2000, first.slice);
    two_cores second(2001, core_ledger::tenure::never, 1);
    trace.slice_begins(2001, second.slice);
    second.slice.held.productive = 2500;
    trace.slice_works(2500, second.slice);
    second.slice.why = why::interrupted;
    trace.slice_ends(2999, second.slice);
    first.holder.arrival = 1000;
    trace.job_completes(4000, first.holder);
  });
  EXPECT_EQ(shown(found),
            (lines{"heavy heavy 1 to 4", "core 0 heavy 0 1 to 2", "core 1 heavy 0 1 to 2", "heavy heavy 2 on",
                   "core 0 heavy 1 2 to 2", "core 1 heavy 1 2 to 2", "core 0   overhead 2 to 2",
                   "core 1   overhead 2 to 2", "core 0   interruption at 2", "heavy   completed at 4"}));
}

TEST(perfetto_trace, puts_a_job_on_the_track_of_one_that_has_departed) {
  const perfetto_events found = written(sample, [](instrument& trace) {
    job_extension first, second;
    const auto arrives = [&](job_extension& job, std::uint64_t id, ticks now) {
      job.id = id;
      job.arrival = now;
      trace.job_arrives(now, job);
    };
    arrives(first, 0, 1000);
    arrives(second, 1, 2000);
    trace.job_completes(4000, first);
    arrives(first, 2, 4000);
    trace.job_completes(4000, first);
    trace.job_completes(5000, second);
    arrives(second, 3, 6000);
    trace.job_completes(7000, second);
  });
  std::map<std::string, std::uint64_t> on;
  for (const auto& s : found.slices)
    if (found.of_job(s)) on[s.arguments.at("job")] = s.on;
  EXPECT_EQ(on.at("0"), on.at("2"));
  EXPECT_EQ(on.at("1"), on.at("3"));
  EXPECT_NE(on.at("0"), on.at("1"));
}

TEST(perfetto_trace, has_long_names_of_classes_by_their_number_and_long_names_of_servers_as_they_are) {
  const std::string name(200, 'n');
  const perfetto_events found =
      written(replaced(replaced(sample, "\"light\"", "\"" + name + "\""), "\"node\"", "\"" + name + "\""),
              [](instrument& trace) {
                two_cores on(0, 0, ~std::uint64_t{0} >> 1);
                on.holder.type = class_id{1};
                on.holder.descriptor.type = 1;
                trace.slice_begins(0, on.slice);
                on.slice.why = why::interrupted;
                trace.slice_ends(9, on.slice);
              });
  EXPECT_EQ(shown(found).front().substr(0, 7), "class 0");
  EXPECT_EQ(found.slices[1].name, "class 0 9223372036854775807");
  EXPECT_EQ(found.name_of(found.slices[1].on), name + "/core 0");
}

using arguments = std::map<std::string, std::string>;

// What the trace says of a job when it has departed.
arguments end_of_job(unsigned interruptions, unsigned migrations) {
  const perfetto_events found = written(sample, [&](instrument& trace) {
    job_extension job;
    job.interruptions = interruptions;
    job.migrations = migrations;
    trace.job_arrives(0, job);
    trace.job_completes(5000, job);
  });
  EXPECT_EQ(shown(found), (lines{"heavy heavy 0 to 5000", "heavy   completed at 5000"}));
  return found.slices.front().arguments;
}

TEST(perfetto_trace, tells_at_the_end_of_a_job_that_it_was_interrupted_or_has_moved) {
  const auto told = [](const char* interruptions, const char* migrations) {
    return arguments{
        {"job", "0"}, {"outcome", "completed"}, {"interruptions", interruptions}, {"migrations", migrations}};
  };
  EXPECT_EQ(end_of_job(0, 0), (arguments{{"job", "0"}}));
  EXPECT_EQ(end_of_job(1, 0), told("1", "0"));
  EXPECT_EQ(end_of_job(0, 2), told("0", "2"));
  EXPECT_EQ(end_of_job(3, 2), told("3", "2"));
}

}  // namespace
}  // namespace muster
