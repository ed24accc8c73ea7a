#include <gtest/gtest.h>

#include <sstream>

#include "platform/command_line/key_text.h"
#include "platform/tables/writers.h"

namespace muster {
namespace {

TEST(key_rows, has_a_line_for_each_key_within_128_columns) {
  std::istringstream in(to_terminal(key_table()));
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line); ++lines) EXPECT_LE(line.size(), 128u) << line;
  EXPECT_GT(lines, 80u);
  EXPECT_NE(to_terminal(key_table())
                .find("\nplatform.link.dispatch_bytes                integer  40              bytes       size of a "
                      "dispatch\n"),
            std::string::npos)
      << to_terminal(key_table());
}

TEST(key_help, has_all_about_a_key) {
  EXPECT_EQ(key_help("platform.costs.save"), R"(platform.costs.save
    cost of storing a job that loses its cores

    value    a number >= 0, in units of time
    default  0.0
    example  --set platform.costs.save=2.0
)");
  EXPECT_EQ(key_help("platform.link.racks"), R"(platform.link.racks
    number of racks

    value    an integer from 1 to 1000000
    default  required
    only     with topology = "racks"
    example  --set platform.link.racks=3
)");
  EXPECT_EQ(key_help("arrivals.rates"), R"(arrivals.rates
    relative, by part of the period or by state

    value    a list of 1 to 10000 such as `[1.0, 3.0]`, each a number from 0 to 1000000
    default  required
    only     with process = "profile" or "modulated"
    example  --set 'arrivals.rates=[1.0, 3.0]'
)");
}

TEST(key_help, takes_the_end_of_a_path_and_the_name_of_an_element) {
  EXPECT_EQ(key_help("save"), key_help("platform.costs.save"));
  EXPECT_EQ(key_help("costs.save"), key_help("platform.costs.save"));
  for (const char* key : {"classes.need", "classes.light.need", "classes.*.need", "need"})
    EXPECT_EQ(key_help(key).value_or("").substr(0, 15), "classes.*.need\n") << key;
}

TEST(key_help, has_every_key_of_a_name_that_several_have_but_the_one_of_the_whole_path_alone) {
  const std::string rates = key_help("rate").value_or("");
  for (const char* key : {"events.*.rate\n", "\nclasses.*.rate\n", "\narrivals.rate\n"})
    EXPECT_NE(rates.find(key), std::string::npos) << key;
  EXPECT_EQ(key_help("name").value_or("").substr(0, 10), "name\n    n");
  EXPECT_EQ(key_help("name").value_or("").find("policy.name"), std::string::npos);
}

TEST(key_help, lists_the_keys_of_a_table) {
  const std::string costs = key_help("platform.costs").value_or("");
  EXPECT_EQ(costs.substr(0, 4), "key ");
  EXPECT_NE(costs.find("\nplatform.costs.epsilon "), std::string::npos);
  EXPECT_EQ(costs.find("classes"), std::string::npos);
}

TEST(key_help, is_nothing_for_what_is_no_key) {
  for (const char* key : {"", ".", "saves", "costs.rate", "classes.light", "sav"})
    EXPECT_EQ(key_help(key), std::nullopt) << key;
}

}  // namespace
}  // namespace muster
