#include <gtest/gtest.h>

#include "platform/toml/quantity.h"
#include "tests/scenario/mistake.h"
#include "tests/scenario/sample.h"

namespace muster {
namespace {

TEST(units, of_times_are_read_exactly_in_each_time_unit) {
  const auto mean = [](const std::string& unit, const std::string& written) {
    return first_point("time_unit = \"" + unit + "\"\n" + with("rate = 7.0", "load = 0.5"),
                       {"classes.light.size.mean=" + written, "classes.heavy.size.mean=" + written})
        .classes.front()
        .size.mean();
  };
  EXPECT_EQ(mean("s", "20 min"), 1200.0);
  EXPECT_EQ(mean("s", "\"20min\""), 1200.0);
  EXPECT_EQ(mean("min", "2 s"), 2.0 / 60.0);
  EXPECT_EQ(mean("ms", "0.3 s"), 300.0);
  EXPECT_EQ(mean("s", "0.0007 h"), 2.52) << "rounded once";
  EXPECT_EQ(mean("h", "36 s"), 0.01);
  EXPECT_EQ(mean("d", "1.5 d"), 1.5);
  EXPECT_EQ(mean("ns", "1e-3 us"), 1.0);
}

TEST(units, are_read_at_every_key_that_has_one) {
  const scenario model = first_point(
      sample, {"platform.costs.set_up=20 ms", "platform.costs.bandwidth=10 GB/s", "classes.light.state=64 GiB",
               "platform.link.message_bytes=1.5 kB", "platform.link.latency=5 us", "arrivals.rate=420/min",
               "platform.servers.node.power.active=0.25 kW"});
  EXPECT_EQ(model.costs.set_up, 0.02);
  EXPECT_EQ(model.costs.bandwidth, 1e10);
  EXPECT_EQ(model.classes.front().state, 64.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(model.network.message_bytes, 1500u);
  EXPECT_EQ(model.network.link.latency, 5e-6);
  EXPECT_EQ(model.arrivals.rate, 7.0);
  EXPECT_EQ(model.servers.front().power.active, 250.0);
  const scenario in_minutes =
      first_point("time_unit = \"min\"\n" + sample, {"platform.costs.bandwidth=10 GB/s", "arrivals.rate=7/min"});
  EXPECT_EQ(in_minutes.costs.bandwidth, 6e11) << "bytes per minute";
  EXPECT_EQ(in_minutes.arrivals.rate, 7.0);
}

TEST(units, of_lists_and_of_parameters_of_distributions_are_read) {
  const scenario model =
      first_point(sample, {"classes.light.size={distribution=\"uniform\",low=\"10 ms\",high=\"2 s\"}"});
  EXPECT_DOUBLE_EQ(model.classes.front().size.mean(), 1.005);
  EXPECT_EQ(first_point(sample, {"classes.light.size={distribution=\"coxian\",means=[\"20 ms\",\"1 s\"],onward=[1.0]}"})
                .classes.front()
                .size.mean(),
            1.02);
  EXPECT_EQ(complaints(sample, {"classes.light.size={distribution=\"lognormal\",mean=\"1 s\",scv=\"2 s\"}"}),
            "--set classes.light.size={distribution=\"lognormal\",mean=\"1 s\",scv=\"2 s\"}:1:61: "
            "classes.light.size.scv: has no unit; expected a number alone, found '2 s'");
}

TEST(units, leave_plain_numbers_in_the_resolved_scenario_and_in_its_sweep) {
  const std::string text = with("rate = 7.0", "rate = \"420/min\"");
  const study s = read(text, {"sweep.\"platform.costs.set_up\"=[\"20 ms\", \"1 s\", 2]"});
  EXPECT_EQ(s.resolved.find("420"), std::string::npos) << s.resolved;
  EXPECT_EQ(s.resolved.find("ms\""), std::string::npos) << s.resolved;
  ASSERT_EQ(s.points.size(), 3u);
  EXPECT_EQ(s.points[0].values, std::vector<std::string>{"0.02"});
  EXPECT_EQ(s.points[1].values, std::vector<std::string>{"1"});
  const study again = read(s.resolved);
  EXPECT_EQ(again.resolved, s.resolved);
  EXPECT_EQ(again.points[0].values, s.points[0].values);
  EXPECT_EQ(read(text).model_text, read(with("rate = 7.0", "rate = 7")).model_text) << "they are the same study";
}

TEST(units, that_are_none_or_stand_where_none_belongs_are_refused) {
  const mistake mistakes[] = {
      {"mean = 1.0", "mean = \"1 mins\"",
       "f.toml:8:47: classes.light.size.mean: unknown unit 'mins' of time; did you mean 'min'?"},
      {"mean = 1.0", "mean = \"1 GB\"",
       "f.toml:8:47: classes.light.size.mean: unknown unit 'GB' of time; expected one of: ns, us, ms, s, min, h, d"},
      {"rate = 7.0", "load = \"0.5 s\"",
       "f.toml:15:8: arrivals.load: has no unit; expected a number alone, found '0.5 s'"},
      {"share = 0.9", "share = 0.9\nstate = \"64 Gb\"",
       "f.toml:8:9: classes.light.state: unknown unit 'Gb' of bytes; expected bytes, of 8 bits each, such as '8 GB'"},
      {"jobs = 1000", "jobs = \"1000 s\"",
       "f.toml:19:8: run.jobs: has no unit; expected a number alone, found '1000 s'"},
      {"mean = 1.0", "mean = \"-1 s\"", "f.toml:8:8: classes.light.size: mean: expected a number > 0, found -1"},
      {"mean = 1.0", "mean = \"1.0\"", "f.toml:8:47: classes.light.size.mean: expected a number, found a string"},
  };
  for (const mistake& m : mistakes) EXPECT_EQ(complaints(with(m.from, m.to)), m.message) << m.to;
  EXPECT_EQ(complaints(sample, {"platform.link.message_bytes=0.5 B"}),
            "--set platform.link.message_bytes=0.5 B:1:29: platform.link.message_bytes: expected an integer from 0 to "
            "1000000000, found '0.5 B' (0.5)");
}

TEST(units, of_bits_are_told_in_bytes) {
  const auto message = [](const std::string& bandwidth) {
    const std::string setting = "platform.costs.bandwidth=" + bandwidth, all = complaints(sample, {setting});
    return all.substr(std::min(all.size(), all.find("unknown")));
  };
  EXPECT_EQ(message("10 Gb/s"),
            "unknown unit 'Gb/s' of bytes/time; expected bytes, of 8 bits each, such as '1.25 GB/s'");
  EXPECT_EQ(message("100 Mbit/s"),
            "unknown unit 'Mbit/s' of bytes/time; expected bytes, of 8 bits each, such as '12.5 MB/s'");
  EXPECT_EQ(message("10 Gbps"),
            "unknown unit 'Gbps' of bytes/time; expected bytes, of 8 bits each, such as '1.25 GB/s'");
  EXPECT_EQ(message("10 GB"), "unknown unit 'GB' of bytes/time; did you mean 'GB/s'?");
}

TEST(units, are_read_in_bounds_and_converted_to_the_unit_of_the_metric) {
  const auto bound = [](const std::string& unit, const std::string& text) {
    return first_point("time_unit = \"" + unit + "\"\n" + sample, {"report.where=[\"" + text + "\"]"})
        .report.where.at(0);
  };
  EXPECT_EQ(bound("s", "response_time <= 20 ms").bound, 0.02);
  EXPECT_EQ(bound("min", "response_time_p99[heavy] <= 90 s"),
            (metric_bound{{"response_time_p99", "heavy"}, true, 1.5}));
  EXPECT_EQ(bound("min", "throughput >= 3/s"), (metric_bound{{"throughput"}, false, 180.0}));
  EXPECT_EQ(bound("min", "response_time <= 20").bound, 20.0);
}

TEST(units, of_bounds_are_refused_where_the_metric_has_another_or_none) {
  const auto message = [](const std::string& text) {
    const std::string all = complaints(sample, {"report.where=[\"" + text + "\"]"});
    return all.substr(std::min(all.size(), all.find("report.where: ") + 14));
  };
  EXPECT_EQ(message("response_time <= 20 mins"), "unknown unit 'mins' of time; did you mean 'min'?");
  EXPECT_EQ(message("jobs_in_system <= 3 s"), "jobs_in_system has no unit; expected a number alone, found '3 s'");
  EXPECT_EQ(message("response_time <= 1e9999 s"), "expected a number behind <=, found '1e9999 s'");
}

TEST(units, stand_behind_a_number) {
  for (const char* text : {"", "min", "20", "inf s", "nan s", "0x10 s", "s 20", "1.0.0", "20%", "- s", "1e5"})
    EXPECT_FALSE(quantity_in(text)) << text;
  const auto given = quantity_in("+1.5e3  GB / s");
  ASSERT_TRUE(given);
  EXPECT_EQ(given->number, 1500.0L);
  EXPECT_EQ(given->unit, "GB/s");
}

}  // namespace
}  // namespace muster
