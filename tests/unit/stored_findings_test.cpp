#include "platform/store/study_estimates.h"

#include <filesystem>
#include <limits>

#include <gtest/gtest.h>
#include <unistd.h>

#include "platform/inference/judge.h"
#include "platform/inference/verdict_sentences.h"
#include "platform/store/result_store.h"

namespace muster {
namespace {

// Two policies at two rates; nothing is finished at the second rate.
class stored_findings_test : public testing::Test {
 protected:
  stored_findings_test() {
    study_.keys = {"policy", "arrivals.rate"};
    for (const char* rate : {"1", "2"})
      for (const char* policy : {"fcfs", "msf"}) {
        study_.points.emplace_back().values = {policy, rate};
        study_.points.back().model.report.metrics = {{"response_time"}, {"response_time"}};
        study_.points.back().model.report.where = {{{"slowdown"}, true, 9.0}};
      }
    all_.measured.resize(4);
    for (const std::size_t p : {0u, 1u}) {
      const double mean = p == 0 ? 2.0 : 1.0;
      all_.measured[p] = {{"all", "response_time", mean, mean - 0.1, mean + 0.1, 10, 100},
                          {"all", "slowdown", 3.0, 2.9, 3.1, 10, 100}};
    }
    all_.differences = {{0, 1, {{"all", "response_time", 1.0, 0.9, 1.1, 10, 100}}}};
    all_.best = judge(study_, all_);
    all_.known.resize(4);
    all_.stability = {{{"stable", 0.5, "-", 1.0, 2.0, 1.5, "limit", "1.5"},
                       {"not known", 0.5, "lower bound", 1.0, 2.0, 1.9, "known to be stable below", ">= 1.9"},
                       {"unstable", 1.0, "-", 2.0, 2.0, 1.5, "limit", "1.5"},
                       {"stable", 1.0, "exact", 2.0, 2.0, std::numeric_limits<double>::infinity(), "limit", "-"}},
                      {"fcfs: a condition", "msf: another one"}};
    all_.warnings = {"given before"};
    all_.notes = {"first", "second"};
    store_.set_estimates(all_);
    store_.commit();
  }
  ~stored_findings_test() override { std::filesystem::remove(path_); }

  void change(const std::string& sql) const { open_database(path_).exec(sql); }
  void expect_refusal(const std::string& message) {
    try {
      store_.estimates(study_);
      ADD_FAILURE() << message;
    } catch (const output_error& e) {
      EXPECT_EQ(e.what(), path_ + ": table " + message);
    }
  }

  const std::string path_ =
      (std::filesystem::path{testing::TempDir()} / ("muster_findings_" + std::to_string(::getpid()) + ".sqlite"))
          .string();
  study study_;
  study_estimates all_;
  result_store store_{path_, study_};
};

TEST_F(stored_findings_test, have_the_verdict_as_it_was_found) {
  const verdict &found = all_.best, stored = store_.estimates(study_).best;
  EXPECT_EQ(stored.key, "arrivals.rate");
  EXPECT_EQ(stored.values, found.values);
  EXPECT_EQ(stored.others, found.others);
  EXPECT_EQ(stored.where, found.where);
  EXPECT_EQ(stored.sentences, found.sentences);
  ASSERT_EQ(stored.metrics.size(), 2u) << "one for each in report.metrics";
  for (const std::size_t row : {0u, 1u}) {
    const contest &expected = found.metrics[1].by_others[0][row], &c = stored.metrics[1].by_others.at(0).at(row);
    EXPECT_EQ(sentence_of(c, stored.metrics[1].unit), sentence_of(expected, found.metrics[1].unit));
    ASSERT_EQ(c.ranked.size(), expected.ranked.size());
    for (std::size_t n = 0; n < c.ranked.size(); ++n) {
      EXPECT_EQ(c.ranked[n].rank, expected.ranked[n].rank);
      EXPECT_EQ(c.ranked[n].share_low, expected.ranked[n].share_low);
      EXPECT_EQ(c.ranked[n].measured.ci_high, expected.ranked[n].measured.ci_high);
    }
  }
  EXPECT_EQ(stored.metrics[0].by_others[0][0].best()->policy, "msf");
  EXPECT_TRUE(stored.metrics[0].by_others[0][1].ranked.empty());
}

TEST_F(stored_findings_test, have_the_stability_of_each_point_and_the_sentences_in_their_order) {
  const study_estimates stored = store_.estimates(study_);
  ASSERT_EQ(stored.stability.points.size(), 4u);
  EXPECT_EQ(stored.stability.points[1].answer, "not known");
  EXPECT_EQ(stored.stability.points[1].overhead, "lower bound");
  EXPECT_EQ(stored.stability.points[1].limit_rate, 1.9);
  EXPECT_EQ(stored.stability.points[1].limit, ">= 1.9");
  EXPECT_EQ(stored.stability.points[3].limit_rate, std::numeric_limits<double>::infinity());
  EXPECT_EQ(stored.stability.conditions, all_.stability.conditions);
  EXPECT_EQ(stored.warnings, all_.warnings);
  EXPECT_EQ(stored.notes, all_.notes);
}

TEST_F(stored_findings_test, are_replaced_by_those_of_the_next_run) {
  store_.set_estimates({all_.measured, all_.known, {}});
  const study_estimates stored = store_.estimates(study_);
  EXPECT_TRUE(stored.best.metrics.empty());
  EXPECT_TRUE(stored.best.sentences.empty());
  EXPECT_TRUE(stored.stability.points.empty());
  EXPECT_TRUE(stored.notes.empty());
}

TEST_F(stored_findings_test, that_are_damaged_are_refused) {
  change("DELETE FROM stability WHERE point = 3");
  expect_refusal("stability: expected a row for each point");
  change("DELETE FROM stability");
  change("UPDATE verdict SET place = 'first' WHERE rowid = 1");
  expect_refusal("verdict: expected places of policies");
  change("UPDATE verdict SET place = 'best', point = 4 WHERE rowid = 1");
  expect_refusal("verdict: expected points of scenario.toml");
}

}  // namespace
}  // namespace muster
