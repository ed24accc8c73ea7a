#include "platform/metrics/caution.h"

#include <gtest/gtest.h>

#include "platform/command_line/run_text.h"
#include "platform/experiment/simulation_task.h"
#include "platform/inference/paired_differences.h"
#include "platform/store/results_csv.h"

namespace muster {
namespace {

cautions both() {
  cautions marks = caution::unstable;
  marks.add(caution::biased);
  return marks;
}

TEST(cautions, are_words_in_the_order_of_the_catalogue_and_read_back) {
  EXPECT_EQ(cautions{}.words(), "");
  EXPECT_EQ(both().words(), "biased; unstable");
  EXPECT_EQ(both().letters(), "bu");
  for (const cautions& marks : {cautions{}, cautions{caution::biased}, cautions{caution::unstable}, both()})
    EXPECT_EQ(cautions::of_words(marks.words()), marks);
  EXPECT_EQ(cautions::of_words("of a later version; biased"), cautions{caution::biased});
}

TEST(cautions, survive_the_way_from_a_worker_with_their_remarks) {
  replication_result found;
  found.measurements = {{"all", "response_time", true, 1.0, 10, {}, both()}, {"all", "throughput", true, 2.0, 10}};
  found.notes = {{"too few", "light"}, {"too many"}};
  const replication_result again = replication_from_text(to_text(found));
  EXPECT_EQ(again.measurements[0].marks, both());
  EXPECT_FALSE(again.measurements[1].marks.any());
  ASSERT_EQ(again.notes.size(), 2u);
  EXPECT_EQ(again.notes[0].in_words(), "class 'light': too few");
  EXPECT_EQ(again.notes[1].in_words(), "too many");
}

replication_result with(double value, const cautions& marks) {
  replication_result r;
  r.measurements = {{"all", "response_time", true, value, 10, {}, marks}, {"all", "throughput", true, value, 10}};
  return r;
}

TEST(cautions, of_one_replication_mark_the_estimate_and_the_difference) {
  const std::vector<replication_result> a{with(1.0, {}), with(2.0, caution::biased)}, b{with(3.0, {}), with(5.0, {})};
  const measured_point in_a(a), in_b(b);
  EXPECT_EQ(in_a.estimates()[0].marks.words(), "biased");
  EXPECT_EQ(in_a.estimates()[1].marks.words(), "");
  EXPECT_EQ(differences(in_a, in_b)[0].marks.words(), "biased");
  EXPECT_EQ(differences(in_b, in_a)[0].marks.words(), "biased");
  EXPECT_EQ(differences(in_a, in_b)[1].marks.words(), "");
}

study one_point() {
  study s;
  s.name = "s";
  s.points.resize(1);
  s.points[0].model.classes.resize(1);
  return s;
}

TEST(cautions, stand_in_the_last_column_of_results) {
  const std::string header =
      "scenario,point,class,metric,unit,estimate,ci_low,ci_high,replications,jobs,note\ns,0,all,slowdown,,";
  EXPECT_EQ(results_csv(one_point(), {{{"all", "slowdown", 1.5, 1.0, 2.0, 3, 40, both()}}}),
            header + "1.5,1,2,3,40,biased; unstable\n");
  EXPECT_EQ(results_csv(one_point(), {{{"all", "slowdown", 1.5, 1.0, 2.0, 3, 40}}}), header + "1.5,1,2,3,40,\n");
}

TEST(cautions, stand_behind_the_number_in_a_table_and_below_it_in_words) {
  const std::string table = run_text(one_point(),
                                     {{{"all", "response_time", 1.5, 1.0, 2.0, 3, 40, caution::biased},
                                       {"all", "utilization", 0.5, {}, {}, 3, 40}}},
                                     {{}})
                                .text();
  EXPECT_NE(table.find(" 1.50 +- 0.50 b "), std::string::npos) << table;
  EXPECT_NE(table.find("          0.5             3\n"), std::string::npos) << table;
  EXPECT_NE(table.find("\nb  biased: more than a tenth of the jobs"), std::string::npos) << table;
  EXPECT_EQ(table.find("unstable"), std::string::npos) << table;
}

}  // namespace
}  // namespace muster
