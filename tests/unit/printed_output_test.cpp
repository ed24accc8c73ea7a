#include "platform/command_line/printed_output.h"

#include <gtest/gtest.h>

#include "platform/command_line/text_table.h"

namespace muster {
namespace {

estimate an_estimate(const cautions& marks) { return {"all", "response_time", 1.23456789, 1.0, 1.5, 3, 40, marks}; }

printed_output two_tables() {
  printed_output output("points");
  output.say("title\n");
  output.add("points", {{"point", "the policy", head_of_estimates("time"), "limit"},
                        row_of(0, "msf", estimate_field(an_estimate(caution::biased)), number_field(0.5)),
                        row_of(1, "a,b|c", "-", setting_field(">= 2"))});
  output.add_sentences("sentences", {"first", "second"});
  return output;
}

TEST(printed_output, of_a_terminal_has_lines_and_tables_as_they_come) {
  EXPECT_EQ(two_tables().in(output_format::table),
            "title\n"
            "point  the policy            time  limit\n"
            "    0  msf         1.23 +- 0.23 b  0.5\n"
            "    1  a,b|c                    -  >= 2\n");
}

TEST(printed_output, of_csv_is_the_main_table_with_all_digits) {
  EXPECT_EQ(two_tables().in(output_format::csv),
            "point,the_policy,time,time_ci_low,time_ci_high,time_note,limit\n"
            "0,msf,1.23456789,1,1.5,biased,0.5\n"
            "1,\"a,b|c\",,,,,>= 2\n");
}

TEST(printed_output, of_json_is_one_document_of_all_tables) {
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

TEST(printed_output, of_markdown_has_a_heading_for_each_table) {
  EXPECT_EQ(two_tables().in(output_format::markdown),
            "## points\n\n"
            "| point | the policy | time | limit |\n"
            "| --- | --- | --- | --- |\n"
            "| 0 | msf | 1.23 +- 0.23 b | 0.5 |\n"
            "| 1 | a,b\\|c | - | >= 2 |\n"
            "\n## sentences\n\n"
            "- first\n- second\n");
}

TEST(printed_output, joins_tables_of_one_name_and_tells_their_points) {
  study s;
  s.keys = {"arrivals.rate"};
  s.points.resize(2);
  s.points[0].values = {"1.5"};
  s.points[1].values = {"two"};
  printed_output all("values");
  for (const std::size_t point : {0, 1}) {
    printed_output of_point("values");
    of_point.add("values", {{"k"}, {"x"}}, table_context::of_point(s, point));
    all.append(of_point);
  }
  EXPECT_EQ(all.in(output_format::table), "k\nx\nk\nx\n");
  EXPECT_EQ(all.in(output_format::csv), "point,arrivals.rate,k\n0,1.5,x\n1,two,x\n");
}

TEST(printed_output, leaves_out_columns_without_a_name_for_programs) {
  printed_output output("points");
  output.add_data("points", {{"", head_of("", "verdict")}, {"x", "differs"}});
  EXPECT_EQ(output.in(output_format::csv), "verdict\ndiffers\n");
}

TEST(printed_output, without_rows_has_the_heads_in_csv_and_an_empty_list_in_json) {
  printed_output output("points");
  output.add_data("points", {{"point", "policy"}});
  EXPECT_EQ(output.in(output_format::csv), "point,policy\n");
  EXPECT_EQ(output.in(output_format::json), "{\n  \"points\": []\n}\n");
  EXPECT_EQ(output.in(output_format::markdown), "");
}

}  // namespace
}  // namespace muster
