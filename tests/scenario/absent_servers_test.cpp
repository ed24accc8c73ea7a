#include <gtest/gtest.h>

#include "platform/model/class_table.h"
#include "tests/scenario/sample.h"

// Entries of servers with count 0, as a search over numbers of servers tries them.

namespace muster {
namespace {

const char *const entry = "cores = 32 }", *const absent = "cores = 32 }, { name = \"spare\", count = 0, cores = 64 }";

TEST(absent_servers, leave_the_scenario_as_it_is_without_their_entry) {
  const scenario model = first_point(with(entry, absent));
  ASSERT_EQ(model.servers.size(), 1u);
  EXPECT_EQ(model.servers[0].name, "node");
  for (const class_spec& c : model.classes) EXPECT_EQ(c.servers, std::vector<std::string>{"node"}) << c.name;
}

TEST(absent_servers, may_be_named_by_classes_and_have_a_price) {
  std::string text = with(entry, absent) + "\n[price]\nservers = { node = 3.0, spare = 5.0 }\n";
  const std::size_t name = text.find("name = \"light\"");
  text.insert(name, "servers = [\"spare\", \"node\"]\n");
  const scenario model = first_point(text);
  EXPECT_EQ(model.classes[0].servers, std::vector<std::string>{"node"});
  EXPECT_EQ(price_of_hardware(model), 3.0);
}

TEST(absent_servers, are_no_servers_of_a_class) {
  std::string text = with(entry, absent);
  text.insert(text.find("name = \"light\""), "servers = [\"spare\"]\n");
  const std::string message = complaints(text);
  EXPECT_NE(message.find("classes.light.need: need 1 is more than the 0 cores of its compatible servers"),
            std::string::npos)
      << message;
}

TEST(absent_servers, stay_in_the_resolved_study) {
  EXPECT_NE(read(with(entry, absent)).resolved.find("count = 0"), std::string::npos);
}

}  // namespace
}  // namespace muster
