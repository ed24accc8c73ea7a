#include "platform/tables/writers.h"

#include <gtest/gtest.h>

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

TEST(csv_rows, are_lines_of_fields_of_which_each_is_quoted_by_itself) {
  EXPECT_EQ(csv_line({"a", "b,c", "", "say \"so\"", "two\nlines"}), "a,\"b,c\",,\"say \"\"so\"\"\",\"two\nlines\"\n");
}

}  // namespace
}  // namespace muster
