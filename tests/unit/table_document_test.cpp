#include "platform/tables/table_document.h"

#include <gtest/gtest.h>

#include "platform/metrics/estimate_cell.h"
#include "platform/tables/table_layout.h"
#include "platform/tables/writers.h"

namespace muster {
namespace {

struct row {
  int point;
  std::string policy;
  cell time;
  std::string limit;
};

table_layout<row> layout() {
  table_layout<row> made("points");
  made.whole("point", &row::point)
      .text("the policy", &row::policy)
      .estimate("time", &row::time)
      .setting("limit", &row::limit);
  return made;
}

table_document two_tables() {
  const estimate found{"all", "response_time", 1.23456789, 1.0, 1.5, 3, 40, caution::biased};
  table_document output("points");
  output.say("title\n");
  output.add(layout().table(std::vector<row>{{0, "msf", estimate_cell(found), "0.50"}, {1, "a,b|c", {}, ">= 2"}}));
  output.add_sentences("sentences", {"first", "second"});
  return output;
}

TEST(table_document, of_a_terminal_has_lines_and_tables_as_they_come) {
  EXPECT_EQ(two_tables().in(output_format::table),
            "title\n"
            "point  the policy                   time  limit\n"
            "    0  msf         1.23 (1.00 .. 1.50) b  0.50\n"
            "    1  a,b|c                           -  >= 2\n");
}

TEST(table_document, of_csv_is_the_main_table_with_all_digits) {
  EXPECT_EQ(two_tables().in(output_format::csv),
            "point,the_policy,time,time_ci_low,time_ci_high,time_note,limit\n"
            "0,msf,1.23456789,1,1.5,biased,0.5\n"
            "1,\"a,b|c\",,,,,>= 2\n");
}

TEST(table_document, of_json_is_one_document_of_all_tables) {
  EXPECT_EQ(two_tables().in(output_format::json), R"({
  "points": [
    {
      "point": 0,
      "the_policy": "msf",
      "time": 1.23456789,
      "time_ci_low": 1,
      "time_ci_high": 1.5,
      "time_note": "biased",
      "limit": 0.5
    },
    {
      "point": 1,
      "the_policy": "a,b|c",
      "time": null,
      "time_ci_low": null,
      "time_ci_high": null,
      "time_note": "",
      "limit": ">= 2"
    }
  ],
  "sentences": [
    "first",
    "second"
  ]
}
)");
}

TEST(table_document, of_markdown_has_a_heading_for_each_table) {
  EXPECT_EQ(two_tables().in(output_format::markdown),
            "## points\n\n"
            "| point | the policy | time | limit |\n"
            "| --- | --- | --- | --- |\n"
            "| 0 | msf | 1.23 (1.00 .. 1.50) b | 0.50 |\n"
            "| 1 | a,b\\|c | - | >= 2 |\n"
            "\n## sentences\n\n"
            "- first\n- second\n");
}

TEST(table_document, joins_tables_of_one_name_and_leaves_what_a_terminal_says_above_out_of_its_table) {
  table_layout<int> of_point("values");
  of_point.whole(column("point").said_above(), [](int point) { return point; }).text("k", [](int) { return "x"; });
  table_document all("values");
  for (const int point : {0, 1}) {
    table_document part("values");
    part.add(of_point.table(std::vector<int>{point}));
    all.append(part);
  }
  EXPECT_EQ(all.in(output_format::table), "k\nx\nk\nx\n");
  EXPECT_EQ(all.in(output_format::csv), "point,k\n0,x\n1,x\n");
}

TEST(table_document, leaves_out_columns_without_a_name_for_programs) {
  table_layout<int> both("points");
  both.text("", [](int) { return "x"; }).text(column("").named("verdict"), [](int) { return "differs"; });
  table_document output("points");
  output.add_data(both.table(std::vector<int>{0}));
  EXPECT_EQ(output.in(output_format::csv), "verdict\ndiffers\n");
}

TEST(table_document, without_rows_has_the_heads_in_csv_and_an_empty_list_in_json) {
  table_document output("points");
  output.add_data(layout().table(std::vector<row>{}));
  EXPECT_EQ(output.in(output_format::csv), "point,the_policy,time,time_ci_low,time_ci_high,time_note,limit\n");
  EXPECT_EQ(output.in(output_format::json), "{\n  \"points\": []\n}\n");
  EXPECT_EQ(output.in(output_format::markdown), "");
}

TEST(table_layout, takes_all_columns_of_another) {
  struct pair {
    row first;
    int other;
  };
  table_layout<pair> both("pairs");
  both.all_of(layout(), &pair::first).number(column("other").formatted("{:.2f}"), [](const pair& p) {
    return 0.5 * p.other;
  });
  const data_table table = both.table(std::vector<pair>{{{0, "msf", 7.25, "-"}, 3}});
  EXPECT_EQ(to_terminal(table), "point  the policy  time  limit  other\n    0  msf         7.25      -   1.50\n");
  EXPECT_EQ(to_csv(table),
            "point,the_policy,time,time_ci_low,time_ci_high,time_note,limit,other\n0,msf,7.25,,,,,1.5\n");
}

}  // namespace
}  // namespace muster
