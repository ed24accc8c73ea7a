#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "platform/log/log_format.h"
#include "platform/log/log_text.h"
#include "tests/scenario/graph_folder.h"

// Formats of logs, on hand-made texts.

namespace muster {
namespace {

using sentences = std::vector<std::string>;

TEST(log_text, reads_times_as_schedulers_write_them) {
  EXPECT_EQ(duration_of("01:02:03"), 3723.0);
  EXPECT_EQ(duration_of("2-00:00:10"), 172810.0);
  EXPECT_EQ(duration_of("02:03"), 123.0);
  EXPECT_EQ(duration_of("90"), 90.0);
  EXPECT_EQ(duration_of(" 2 h "), 7200.0);
  EXPECT_EQ(duration_of("1.5e3"), 1500.0);
  for (const char* wrong : {"", "UNLIMITED", "1:2:3:4", "a-01:00:00", "-1:00", "5 parsecs", "nan"})
    EXPECT_EQ(duration_of(wrong), std::nullopt) << wrong;
}

// The seconds are those of `date -u +%s -d DATE`.
TEST(log_text, reads_moments_as_numbers_and_as_dates) {
  EXPECT_EQ(moment_of("1706702400"), 1706702400.0);
  EXPECT_EQ(moment_of("2024-01-31T12:00:00"), 1706702400.0);
  EXPECT_EQ(moment_of("2024-01-31 12:00"), 1706702400.0);
  EXPECT_EQ(moment_of("2024-01-31T13:00:00+01:00"), 1706702400.0);
  EXPECT_EQ(moment_of("2024-01-31T12:00:00.25Z"), 1706702400.25);
  EXPECT_EQ(moment_of("2000-02-29"), 951782400.0);
  EXPECT_EQ(moment_of("1969-12-31"), -86400.0);
  for (const char* wrong : {"", "Unknown", "2024-13-01", "2024-01-31T", "31.01.2024", "2024-01-31T12",
                            "2024-01-31T24:01", "2023-02-29", "1900-02-29", "2024-04-31", "2024-01-00"})
    EXPECT_EQ(moment_of(wrong), std::nullopt) << wrong;
  EXPECT_EQ(moment_of("2024-01-30T24:00:00"), moment_of("2024-01-31"));
  EXPECT_EQ(impossible_date("2023-02-29T12:00"), "2023-02 has the days 01 to 28");
  EXPECT_EQ(impossible_date("2024-13-01"), "months are from 01 to 12");
  for (const char* possible : {"2024-02-29", "31.01.2024", "", "5"})
    EXPECT_EQ(impossible_date(possible), "") << possible;
}

TEST(log_text, reads_memory_with_units) {
  EXPECT_EQ(memory_of("4G"), 4294967296.0);
  EXPECT_EQ(memory_of("500M"), 524288000.0);
  EXPECT_EQ(memory_of("4 GB"), 4e9);
  EXPECT_EQ(memory_of("2 KiB"), 2048.0);
  EXPECT_EQ(memory_of("17"), 17.0);
  EXPECT_EQ(memory_of("4Q"), std::nullopt);
  EXPECT_EQ(value_in("billing=2,cpu=4,mem=16G", "mem"), "16G");
  EXPECT_EQ(value_in("gres/gpu=2", "cpu"), "");
}

class log_formats : public graph_folder {
 protected:
  /// The waits that a log tells; -1: none.
  std::vector<double> waits(const std::string& content) const {
    write("log", content);
    line_stream lines((folder_ / "log").string());
    const std::unique_ptr<log_reader> reader = format_of(lines.begin())->open(lines, {});
    std::vector<double> all;
    for (log_record r; reader->next(r);) all.push_back(r.waited);
    return all;
  }
  /// What a log tells of its jobs; what is wrong with it, if something is.
  sentences told(const std::string& content, const log_columns& columns = {}) const {
    write("log", content);
    sentences all;
    try {
      line_stream lines((folder_ / "log").string());
      const log_format_entry* format = format_of(lines.begin());
      if (!format) return {lines.bytes().flaw().empty() ? "no format" : std::string{lines.bytes().flaw()}};
      const std::unique_ptr<log_reader> reader = format->open(lines, columns);
      for (log_record r; reader->next(r);)
        all.push_back(r.left_out.empty() ? fmt::format("{}: {} runs {} of {} on {}/{} with {} B, {} {} {}", r.line,
                                                       r.submit, r.run, r.requested, r.requested_cores,
                                                       r.allocated_cores, r.memory, r.user, r.partition, r.queue)
                                         : fmt::format("{}: {}{}", r.line, r.left_out, r.damaged ? " (damaged)" : ""));
      if (!lines.bytes().flaw().empty()) all.emplace_back(lines.bytes().flaw());
    } catch (const log_error& error) {
      all.push_back(fmt::format("{}: {}", error.line, error.what()));
    }
    return all;
  }
};

TEST_F(log_formats, swf_has_eighteen_fields_and_perhaps_more) {
  EXPECT_EQ(told("; MaxProcs: 128\n; Queue: 3 normal jobs\n;Partition: 2 fat\n"
                 "  1  10 5 100 4 -1 -1 8 200 2048 1 7 1 -1 3 2 -1 -1 {1,1} q_1d\r\n\n"
                 "2 20 -1 100 4 -1 -1 -1 -1 -1 0 -1 1 -1 9 -1 -1 -1"),
            (sentences{"4: 10 runs 100 of 200 on 8/4 with 2097152 B, 7 fat normal",
                       "6: 20 runs 100 of -1 on -1/4 with -1 B,   9"}));
}

TEST_F(log_formats, swf_leaves_lines_out_by_reason) {
  EXPECT_EQ(told("1 0 0 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                 "2 0 0 -1 -1 -1 -1 1 -1 -1 5 1 1 1 1 1 -1 -1\n"
                 "3 0 0 -1 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                 "4 0 0 0 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                 "5 0 0 7 1 -1 -1 1 -1 -1 3 1 1 1 1 1 -1 -1\n"
                 "6 -1 0 7 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                 "7 0 0 7 1 -1 -1 1 -1 -1 1 1\n"
                 "8 0 0 x 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                 "9 0 0 1e300 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"),
            (sentences{"1: 0 runs 10 of -1 on 1/1 with -1 B, 1 1 1", "2: cancelled before they started",
                       "3: without a run time", "4: with a run time of 0", "5: that are parts of another line's job",
                       "6: without a time of arrival", "7: with fewer than 18 fields (damaged)",
                       "8: with a field that is no number (damaged)", "9: with a number beyond 2^53 (damaged)"}));
}

TEST_F(log_formats, swf_numbers_may_have_signs_fractions_and_exponents) {
  const std::string rest = " -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n";
  EXPECT_EQ(told("1 +5 0 1.5 1" + rest + "2 007 0 1e2 1" + rest + "3 -0 0 .25 1" + rest +
                 "4 123456789012345 0 1234567890123456 1" + rest + "5 5 0 9007199254740993 1" + rest +
                 "6 5 0 -- 1e300" + rest + "7 5 0 1e300 12a" + rest + "8 5 0 - 1" + rest + "9 5 0 x 1\n"),
            (sentences{"1: 5 runs 1.5 of -1 on 1/1 with -1 B, 1 1 1", "2: 7 runs 100 of -1 on 1/1 with -1 B, 1 1 1",
                       "3: -0 runs 0.25 of -1 on 1/1 with -1 B, 1 1 1",
                       "4: 123456789012345 runs 1234567890123456 of -1 on 1/1 with -1 B, 1 1 1",
                       "5: 5 runs 9007199254740992 of -1 on 1/1 with -1 B, 1 1 1",
                       "6: with a field that is no number (damaged)", "7: with a number beyond 2^53 (damaged)",
                       "8: with a field that is no number (damaged)", "9: with fewer than 18 fields (damaged)"}));
}

TEST_F(log_formats, sacct_has_columns_by_their_heads) {
  EXPECT_EQ(told("Partition|JobID|User|Submit|Elapsed|Timelimit|ReqCPUS|AllocCPUS|ReqMem|QOS|State\n"
                 "fat|1|ann|2024-01-31T12:00:00|01:00:00|1-00:00:00|4|8|16G|high|COMPLETED\n"
                 "fat|1.batch||2024-01-31T12:00:00|01:00:00||8|8|||COMPLETED\n"
                 "fat|2_7|bob|1706702410|60|UNLIMITED|4|4|2Gc||CANCELLED by 17\n"
                 "fat|3+1|bob|1706702410|00:00:00|10:00|4|0|1Gn||CANCELLED by 17\n"
                 "fat|4|bob|1706702410|00:00:00|10:00|4|0|1Gn||PENDING\n"
                 "fat|5|bob|1706702410|00:05:00|10:00|4|4|1Gn||RUNNING\n"),
            (sentences{"2: 1706702400 runs 3600 of 86400 on 4/8 with 2147483648 B, ann fat high",
                       "3: that are steps of jobs", "4: 1706702410 runs 60 of -1 on 4/4 with 2147483648 B, bob fat ",
                       "5: cancelled before they started", "6: not yet started", "7: that still run"}));
}

TEST_F(log_formats, sacct_reads_trackable_resources_and_the_times_of_start_and_end) {
  EXPECT_EQ(told("JobIDRaw|Submit|Start|End|TimelimitRaw|ReqTRES|AllocTRES|State|\n"
                 "1|100|200|350|10|billing=1,cpu=4,mem=8G,node=1|cpu=6,mem=8G,node=1|TIMEOUT|\n"
                 "2|100|None|None|10|cpu=4||FAILED|\n"),
            (sentences{"2: 100 runs 150 of 600 on 4/6 with 1431655765.3333333 B,   ", "3: without a run time"}));
}

TEST_F(log_formats, sacct_has_the_memory_of_what_a_job_had_where_the_request_does_not_tell_it) {
  EXPECT_EQ(
      told("JobID|Submit|Elapsed|ReqTRES|AllocTRES\n1|5|60|cpu=4|cpu=4,mem=8G\n2|5|60|cpu=4,mem=4G|cpu=4,mem=8G\n"),
      (sentences{"2: 5 runs 60 of -1 on 4/4 with 2147483648 B,   ",
                 "3: 5 runs 60 of -1 on 4/4 with 1073741824 B,   "}));
}

TEST_F(log_formats, sacct_and_swf_tell_which_jobs_were_to_wait_for_another) {
  const auto waits = [&](const std::string& content) {
    write("log", content);
    std::vector<bool> all;
    line_stream lines((folder_ / "log").string());
    const std::unique_ptr<log_reader> reader = format_of(lines.begin())->open(lines, {});
    for (log_record r; reader->next(r);) all.push_back(r.depends);
    return all;
  };
  EXPECT_EQ(waits("JobID|Submit|Elapsed|NCPUS|Dependency\n1|5|60|1|\n2|5|60|1|afterok:1,afterany:7\n3|5|60|1|(null)\n"),
            (std::vector<bool>{false, true, false}));
  EXPECT_EQ(waits("1 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n2 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 1 60\n"),
            (std::vector<bool>{false, true}));
}

/// The jobs for whose ends each job of a log was to wait, such as "2 after 1 4_3"; with ".." where it was to wait for
/// more.
sentences waits_in(const std::string& path) {
  sentences all;
  line_stream lines(path);
  const std::unique_ptr<log_reader> reader = format_of(lines.begin())->open(lines, {});
  const auto name = [](const job_number& n) {
    return n.task == job_number::whole ? fmt::format("{}", n.job) : fmt::format("{}_{}", n.job, n.task);
  };
  for (log_record r; reader->next(r);) {
    if (!r.preceding) continue;
    std::string& sentence = all.emplace_back(name(r.number) + " after");
    for (const job_number& n : *r.preceding) sentence += " " + name(n);
    if (r.waits_otherwise) sentence += " ..";
    if (r.think >= 0.0) sentence += fmt::format(" and {:g} s", r.think);
  }
  return all;
}

TEST_F(log_formats, tell_for_the_ends_of_which_jobs_others_were_to_wait) {
  const auto waits = [&](const std::string& log) {
    write("log", log);
    return waits_in((folder_ / "log").string());
  };
  EXPECT_EQ(waits("JobID|Submit|Elapsed|NCPUS|Dependency\n1|5|60|1|afterok:9\n2_3|5|60|1|aftercorr:7,afterany:8_*\n"
                  "4|5|60|1|AfterAny:1_2(failed):3+1\n5|5|60|1|afterok:1?afterok:2\n6|5|60|1|after:1+5,afterok:2\n"
                  "7|5|60|1|afterok:x,singleton\n8|5|60|1|singleton\n"),
            (sentences{"1 after 9", "2_3 after 7_3 8", "4 after 1_2 3_1", "5 after ..", "6 after 2 ..", "7 after .."}));
  EXPECT_EQ(waits("3 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 1 60\n4 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 2 -1\n"),
            (sentences{"3 after 1 and 60 s", "4 after 2"}));
  EXPECT_EQ(waits("arrival,size,job,after,think\n0,9,1,,\n0,9,2,1,2 min\n0,9,3,\"afterok:1,afterok:2\",\n"
                  "0,9,4,later,\n"),
            (sentences{"2 after 1 and 120 s", "3 after 1 2"}));
}

/// What a log tells of resources of each job.
std::vector<std::vector<double>> amounts_told(const std::string& path, const sentences& resources) {
  std::vector<std::vector<double>> all;
  line_stream lines(path);
  const std::unique_ptr<log_reader> reader = format_of(lines.begin())->open(lines, {});
  EXPECT_TRUE(reader->tell(resources));
  for (log_record r; reader->next(r);)
    if (r.left_out.empty()) all.emplace_back(r.amounts, r.amounts + resources.size());
  return all;
}

TEST_F(log_formats, sacct_tells_of_resources_by_their_names_or_as_the_sum_of_their_kinds) {
  write("log",
        "JobID|Submit|Elapsed|ReqTRES|AllocTRES\n"
        "1|5|60|billing=9,cpu=8,gres/gpu=2,node=1|billing=9,cpu=8,gres/gpu:a100=3,gres/gpu=3\n"
        "2|5|60|cpu=8|cpu=8,gres/gpu:a100=3,gres/gpu:v100=1,license/x=7\n"
        "3|5|60|cpu=8,gres/gpumem=4|\n");
  EXPECT_EQ(amounts_told((folder_ / "log").string(), {"gres/gpu", "license/x"}),
            (std::vector<std::vector<double>>{{2, -1}, {4, 7}, {-1, -1}}));
}

TEST_F(log_formats, csv_tells_of_resources_in_columns_of_their_own) {
  write("log", "arrival,size,cores,gpus,scratch\n1,5,2,4,2 GB\n2,5,2,,\n3,5,2,many,\n");
  EXPECT_EQ(amounts_told((folder_ / "log").string(), {"gpus", "scratch"}),
            (std::vector<std::vector<double>>{{4, 2e9}, {-1, -1}}));
}

TEST_F(log_formats, sacct_puts_names_with_bars_and_line_ends_together_again) {
  const std::string heads = "JobID|JobName|User|Submit|Elapsed|NCPUS|State";
  EXPECT_EQ(told(heads + "|\n1|a|b|c|ann|5|60|2|COMPLETED|\n2|two\nlines|bob|6|60|2|COMPLETED|\n"
                         "3|cut\n4|plain|eve|7|60|2|COMPLETED|\n"),
            (sentences{"2: 5 runs 60 of -1 on -1/2 with -1 B, ann  ", "3: 6 runs 60 of -1 on -1/2 with -1 B, bob  ",
                       "5: with fewer fields than heads (damaged)", "6: 7 runs 60 of -1 on -1/2 with -1 B, eve  "}));
  EXPECT_EQ(told(heads + "|Comment\n1|a|b|ann|5|60|2|COMPLETED|fine\n2|a|ann|5|60|2|COMPLETED|fine\n"),
            (sentences{"2: with more fields than heads (damaged)", "3: 5 runs 60 of -1 on -1/2 with -1 B, ann  "}));
}

TEST_F(log_formats, sacct_without_what_a_job_needs_is_refused) {
  EXPECT_EQ(told("JobID|User|State\n"), sentences{"1: expected a column Submit, as of sacct --parsable2 --format=.."});
  EXPECT_EQ(told("JobID|Submit|Start|State\n"),
            sentences{"1: expected a column Elapsed, or Start and End, as of sacct --parsable2 --format=.."});
  EXPECT_EQ(told("JobID|Submit|Elapsed|State\n"),
            sentences{"1: expected a column ReqCPUS, AllocCPUS, ReqTRES or AllocTRES, as of sacct --parsable2 "
                      "--format=.."});
}

// Memory is that of a node, in MiB without a unit; limits are in minutes without one.
TEST_F(log_formats, events_of_the_slurm_simulator_have_the_options_of_sbatch) {
  const std::string submit = " -e submit_batch_job | -sim-walltime ";
  EXPECT_EQ(told("# a week\n-dt 10.5" + submit +
                 "84.00 --uid=ann -J j1 -N 2 -n 32 -t 3-00:00:00 -q high -p fat --mem=16G --constraint=A,B pseudo.job\n"
                 "-dt 11" +
                 submit +
                 "-1 --uid=bob --ntasks=4 -c 2 --time=10 --mem-per-cpu=100 pseudo.job\n"
                 "-dt 12" +
                 submit + "0 -n 4 pseudo.job\n-dt 13 -e cancel_job | 7\n1 2 3\n"),
            (sentences{"2: 10.5 runs 84 of 259200 on 32/-1 with 1073741824 B, ann fat high",
                       "3: 11 runs 600 of 600 on 8/-1 with 104857600 B, bob  ", "4: with a run time of 0",
                       "5: that submit no job", "6: that are no events (damaged)"}));
}

TEST_F(log_formats, csv_has_columns_by_a_map) {
  const log_columns map{{"arrival", "submit"}, {"size", "elapsed"}, {"cores", "n"}, {"memory", "mem"}, {"user", "uid"}};
  EXPECT_EQ(
      told("\xef\xbb\xbfuid;submit;n;elapsed;mem\r\n\"a; \"\"b\"\"\";10;4;2 min;4 GB\r\nbob;x;1;5;\r\nbob;1;2;3\r\n"
           "eve;20;2;-5;\r\n",
           map),
      (sentences{"2: 10 runs 120 of -1 on 4/-1 with 1000000000 B, a; \"b\"  ", "3: whose arrival is no time (damaged)",
                 "4: with fewer fields than heads (damaged)", "5: without a run time"}));
}

TEST_F(log_formats, starts_of_csv_and_sacct_count_from_arrivals_or_from_eligible_times) {
  EXPECT_EQ(waits("size,arrival,start\n5,1,4\n5,2,\n5,3,2\n5,4,unknown\n"),
            (std::vector<double>{3.0, -1.0, -1.0, -1.0}));
  EXPECT_EQ(told("size,arrival,start\n5,1,soon\n5,1,1\n").front(), "2: whose start is no time (damaged)");
  const std::string sacct =
      "JobID|Submit|Eligible|Start|Elapsed|ReqCPUS|Dependency\n"
      "1|100|100|130|60|1|\n"
      "2|100|170|200|60|1|\n"
      "3|100|Unknown|200|60|1|\n"
      "4|100|250|200|60|1|\n"
      "5|100|170|200|60|1|afterok:1\n";
  EXPECT_EQ(waits(sacct), (std::vector<double>{30.0, 30.0, 100.0, 100.0, 100.0}));
  EXPECT_EQ(told(sacct)[1], "3: 170 runs 60 of -1 on 1/-1 with -1 B,   ");
}

TEST_F(log_formats, csv_without_a_map_has_columns_by_their_own_names) {
  EXPECT_EQ(told("size,arrival\n5,1\n"), sentences{"2: 1 runs 5 of -1 on 1/-1 with -1 B,   "});
  EXPECT_EQ(told("sizes,arrival\n5,1\n"),
            sentences{"1: expected a column 'size', the size of the jobs; did you mean 'sizes'?"});
  EXPECT_EQ(told("size,arrival\n5,1\n", {{"user", "uid"}}),
            sentences{"1: expected a column 'uid', the user of the jobs; found size, arrival; columns = { user = "
                      "\"..\" } tells which it is"});
}

// The bytes are those of gzip and zstd.
TEST_F(log_formats, are_known_by_their_content_compressed_or_not) {
  const auto bytes = [](const std::string& digits) {
    std::string all;
    for (std::size_t n = 0; n < digits.size(); n += 2)
      all += static_cast<char>(std::stoi(digits.substr(n, 2), nullptr, 16));
    return all;
  };
  const std::string gzip = bytes(
      "1f8b0800000000000203b356f04dac0828ca4f2eb652b0e032543050d035543034503002d14064a460041152305730843074"
      "a1880b008e0f4d953c000000");
  const std::string zstd = bytes(
      "28b52ffd0458c50100c4023b204d617850726f63733a20380a312030202d312031302032202d31202d31203220322037202d"
      "31202d310a0300280268de311be613cca2f061");
  const std::string job = "2: 0 runs 10 of 20 on 2/2 with -1 B, 7  1";
  EXPECT_EQ(told(gzip), sentences{job});
  EXPECT_EQ(told(gzip + gzip), (sentences{job, "4: 0 runs 10 of 20 on 2/2 with -1 B, 7  1"}));
  EXPECT_EQ(told(zstd), sentences{job});
  EXPECT_EQ(told(gzip.substr(0, gzip.size() - 9)).back(), "the compressed data end too early");
  EXPECT_EQ(told(zstd.substr(0, zstd.size() - 9)).back(), "the compressed data end too early");
  EXPECT_EQ(told(gzip + "garbage").back(), "the compressed data are damaged");
  EXPECT_EQ(told("a line of text\n"), sentences{"no format"});
}

// One line of each system, and an empty one; the numbers of lines are those of an editor.
TEST_F(log_formats, have_lines_that_end_as_those_of_any_system) {
  const std::string begin = "1 0 0 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1", job = "0 runs 10 of -1 on 1/1 with -1 B, 1 1 1";
  EXPECT_EQ(told("; MaxProcs: 4\r" + begin + " -1\n" + begin + " -1\r\n\r\n" + begin + " 1\r" + begin + " -1\r"),
            (sentences{"2: " + job, "3: " + job, "5: " + job, "6: " + job}));
  EXPECT_EQ(told("size,arrival\r5,0\r\r6,0"),
            (sentences{"2: 0 runs 5 of -1 on 1/-1 with -1 B,   ", "4: 0 runs 6 of -1 on 1/-1 with -1 B,   "}));
}

// A carriage return is the last byte of the first 64 KiB, which are read at once; its line feed comes later.
TEST_F(log_formats, have_a_line_end_that_is_read_in_two_parts) {
  const std::string job = "1 0 0 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1";
  EXPECT_EQ(told(job + std::string(65536 - 1 - job.size(), ' ') + "\r\n" + job + "\n"),
            (sentences{"1: 0 runs 10 of -1 on 1/1 with -1 B, 1 1 1", "2: 0 runs 10 of -1 on 1/1 with -1 B, 1 1 1"}));
}

TEST_F(log_formats, are_read_in_lines_of_any_length) {
  const std::string job = "1 0 0 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1";
  EXPECT_EQ(told(job + std::string(3'000'000, ' ') + "x\n" + job + "\n").size(), 2u);
  EXPECT_EQ(told(job + " " + std::string(200'000, 'x') + "\n" + job),
            (sentences{"1: 0 runs 10 of -1 on 1/1 with -1 B, 1 1 1", "2: 0 runs 10 of -1 on 1/1 with -1 B, 1 1 1"}));
}

}  // namespace
}  // namespace muster
