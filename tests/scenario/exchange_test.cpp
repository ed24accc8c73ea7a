#include "platform/scenario/study_warnings.h"
#include "tests/scenario/mistake.h"

// Data that tasks exchange while they work: what is read of it, and what is said of mistakes.

namespace muster {
namespace {

// The sample with a network of shared edges, and with an exchange of the heavy jobs.
std::string exchanging(const std::string& exchange,
                       const std::string& link = "sharing = \"max_min\", bandwidth = 1e9") {
  return replaced(with("[[classes]]", "link = { " + link + " }\n[[classes]]"), "need = 32",
                  "need = 32\nexchange = { " + exchange + " }");
}

TEST(exchange_of_classes, is_read_with_its_units) {
  const std::string text = exchanging("pattern = \"neighbours\", bytes = \"2 MB\", every = \"50 ms\"");
  const scenario model = read(text).points.front().model;
  ASSERT_TRUE(model.classes[1].exchange);
  EXPECT_FALSE(model.classes[0].exchange);
  EXPECT_TRUE(model.exchanges_data());
  EXPECT_EQ(model.classes[1].exchange->pattern, exchange_pattern::neighbours);
  EXPECT_EQ(model.classes[1].exchange->bytes, 2e6);
  EXPECT_EQ(model.classes[1].exchange->every, 0.05);
}

TEST(exchange_of_classes, is_written_into_the_resolved_study) {
  const study once = read(exchanging("pattern = \"root\", bytes = 10, every = 2"));
  EXPECT_EQ(read(once.resolved).resolved, once.resolved);
  EXPECT_TRUE(read(once.resolved).points.front().model.exchanges_data());
}

TEST(exchange_of_classes, has_no_effect_without_an_edge_of_finite_bandwidth) {
  const std::string text =
      exchanging("pattern = \"ring\", bytes = 1, every = 1", "sharing = \"max_min\", latency = 1.0");
  EXPECT_EQ(study_warnings(read(text)),
            std::vector<std::string>{"exchange of classes has no effect: no edge of platform.link has a bandwidth"});
  EXPECT_EQ(study_warnings(read(exchanging("pattern = \"ring\", bytes = 1, every = 1"))), std::vector<std::string>{});
}

// Sweeps may begin at no bytes, or at one task.
TEST(exchange_of_classes, of_no_bytes_or_of_one_task_is_none) {
  const std::string text = exchanging("pattern = \"ring\", bytes = 1, every = 1");
  EXPECT_FALSE(first_point(replaced(text, "bytes = 1", "bytes = 0")).exchanges_data());
  EXPECT_FALSE(first_point(replaced(replaced(text, "need = 32", "need = 1"), "msfq", "fcfs")).exchanges_data());
  EXPECT_TRUE(first_point(text).exchanges_data());
}

class mistakes_in_exchange : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_in_exchange, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(replaced(exchanging("pattern = \"ring\", bytes = 1, every = 1"), m.from, m.to)), m.message);
}

const mistake all_mistakes[] = {
    {"\"ring\"", "\"star\"",
     "f.toml:13:24: classes.heavy.exchange.pattern: unknown pattern 'star'; expected one of: all_to_all, ring, "
     "neighbours, root"},
    {"\"ring\"", "\"rings\"",
     "f.toml:13:24: classes.heavy.exchange.pattern: unknown pattern 'rings'; did you mean 'ring'?"},
    {"pattern = \"ring\", ", "",
     "f.toml:13:12: classes.heavy.exchange.pattern: missing; expected one of: all_to_all, ring, neighbours, root"},
    {"bytes = 1", "bytes = -1", "f.toml:13:40: classes.heavy.exchange.bytes: expected a number >= 0, found -1"},
    {"every = 1", "every = -1", "f.toml:13:51: classes.heavy.exchange.every: expected a number > 0, found -1"},
    {", every = 1", "", "f.toml:13:12: classes.heavy.exchange.every: missing; expected a number > 0"},
    {"every = 1", "evry = 1",
     "f.toml:13:12: classes.heavy.exchange.every: missing; expected a number > 0\n"
     "f.toml:13:43: classes.heavy.exchange.evry: unknown key; did you mean 'every'?"},
    {"exchange = {", "exchange = 5 #", "f.toml:13:12: classes.heavy.exchange: expected a table, found an integer"},
    {"sharing = \"max_min\", ", "",
     "f.toml:13:12: classes.heavy.exchange: tasks send at the same time; expected sharing = \"max_min\" in "
     "platform.link"}};

INSTANTIATE_TEST_SUITE_P(exchange, mistakes_in_exchange, testing::ValuesIn(all_mistakes));

// 10^20 bytes at 10^9 a second for each second of work: on two servers an edge has them, on one nothing is sent.
TEST(mistakes_in_exchange_of_many_bytes, say_that_a_job_would_outlast_the_clock) {
  const std::string text = exchanging("pattern = \"ring\", bytes = 1e20, every = 1");
  EXPECT_EQ(complaints(text), "");
  EXPECT_EQ(
      complaints(replaced(text, "cores = 32", "count = 2, cores = 16")),
      "f.toml:13:12: classes.heavy.exchange: takes a job at least 1e+11 s on average; expected less than 4.61e+09 s, "
      "the range of the clock");
}

TEST(mistakes_in_exchange_of_other_jobs, say_that_these_have_no_tasks) {
  const std::string exchange = "exchange = { pattern = \"ring\", bytes = 1, every = 1 }\n";
  EXPECT_EQ(complaints(replaced(pooled_sample, "need = 1\n", "need = 1\n" + exchange)),
            "f.toml:7:12: classes.x.exchange: expected no exchange here, because policy 'balanced_fair' serves pooled "
            "jobs, which have no tasks");
}

}  // namespace
}  // namespace muster
