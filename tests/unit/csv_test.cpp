#include "platform/metrics/csv_field.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/report/csv_table.h"
#include "platform/results/output_error.h"

namespace muster {
namespace {

TEST(csv_field, is_quoted_where_rfc_4180_asks_for_it_and_only_there) {
  for (const char* plain : {"", "a", "two words", "a;b", "'a'", "a\tb", "\xc3\xa9"}) EXPECT_EQ(csv_field(plain), plain);
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field("a\rb"), "\"a\rb\"");
  EXPECT_EQ(csv_field("a\r\nb"), "\"a\r\nb\"");
  EXPECT_EQ(csv_field("say \"so\""), "\"say \"\"so\"\"\"");
  EXPECT_EQ(csv_field("\""), "\"\"\"\"");
}

TEST(csv_field, is_read_back_as_it_was_wherever_it_stands_in_its_line) {
  for (const std::string text : {"a", "a,b", "a\nb", "a\rb", "\r", "\n", "a\r\nb", "a\r", "\"", ",\"\r\n,"}) {
    const std::string field = csv_field(text);
    for (const char* end : {"\n", "\r\n"}) {
      const csv_table read = read_csv(fmt::format("x,y,z{0}{1},{1},{1}{0}", end, field), "t.csv");
      EXPECT_EQ(read.columns, (std::vector<std::string>{"x", "y", "z"}));
      EXPECT_EQ(read.rows, (std::vector<std::vector<std::string>>{{text, text, text}})) << field;
    }
  }
}

TEST(csv_table, lines_may_end_with_crlf) {
  const csv_table read = read_csv("a,b\r\n1,2\r\n\"3\",\"4\"\r\n5,", "t.csv");
  EXPECT_EQ(read.columns, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read.rows, (std::vector<std::vector<std::string>>{{"1", "2"}, {"3", "4"}, {"5", ""}}));
  EXPECT_EQ(read.lines, (std::vector<std::size_t>{2, 3, 4}));
}

TEST(csv_table, nothing_may_follow_the_end_of_a_quoted_field) {
  try {
    read_csv("a,b\n1,\"2\"3\n", "t.csv");
    FAIL();
  } catch (const output_error& e) {
    EXPECT_STREQ(e.what(), "t.csv: line 2: expected a comma or the end of the line after a quoted field");
  }
}

}  // namespace
}  // namespace muster
