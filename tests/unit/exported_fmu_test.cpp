#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <pugixml.hpp>

#include "platform/exported_fmu/exported_fmu.h"
#include "platform/exported_fmu/model_description.h"
#include "platform/exported_fmu/zip_file.h"
#include "platform/scenario/scenario_file.h"
#include "tests/content_of.h"

namespace muster {
namespace {

namespace fs = std::filesystem;
using role = cluster_variable::role;

const exported_model two_of_each{"<a> & \"b\"",
                                 "a line\nand \x01 more",
                                 "token",
                                 1500.0,
                                 {{"waiting.a<b", "", "jobs & more", role::output, true},
                                  {"power", "W", "", role::output},
                                  {"speed.n", "", "speed", role::input, false, 1.0, 0.001, 10.0},
                                  {"servers.n", "", "servers", role::input, true, 4.0, 0.0, 4.0}}};

pugi::xml_document parsed(const std::string& text) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(text.c_str())) << text;
  return document;
}

std::string names(const pugi::xml_node& of) {
  std::string all;
  for (const pugi::xml_node& child : of.children()) all += std::string(child.name()) + " ";
  return all;
}

TEST(model_description, has_its_elements_in_the_order_of_the_standard) {
  const auto document = parsed(model_description(two_of_each));
  EXPECT_EQ(names(document.child("fmiModelDescription")),
            "CoSimulation UnitDefinitions LogCategories DefaultExperiment ModelVariables ModelStructure ");
  EXPECT_EQ(names(document.first_child().child("ModelVariables")), "Float64 Int64 Float64 Float64 Int64 ");
  EXPECT_EQ(names(document.first_child().child("ModelStructure")), "Output Output InitialUnknown InitialUnknown ");
}

TEST(model_description, keeps_names_that_xml_must_escape) {
  const auto document = parsed(model_description(two_of_each));
  const auto root = document.child("fmiModelDescription");
  EXPECT_STREQ(root.attribute("modelName").value(), "<a> & \"b\"");
  EXPECT_STREQ(root.attribute("description").value(), "a line and   more");
  EXPECT_STREQ(root.child("CoSimulation").attribute("modelIdentifier").value(), "_a_____b_");
  EXPECT_STREQ(root.child("ModelVariables").child("Int64").attribute("name").value(), "waiting.a<b");
}

TEST(model_description, tells_of_an_input_its_bounds_and_its_start_and_of_an_output_neither) {
  const std::string text = model_description(two_of_each);
  for (const char* line :
       {R"(<Float64 name="time" valueReference="0" description="Simulated time" causality="independent" )"
        R"(variability="continuous" unit="s" />)",
        R"(<Float64 name="power" valueReference="2" causality="output" variability="continuous" )"
        R"(initial="calculated" unit="W" />)",
        R"(<Float64 name="speed.n" valueReference="3" description="speed" causality="input" )"
        R"(variability="continuous" initial="exact" min="0.001" max="10" start="1" />)",
        R"(<Int64 name="servers.n" valueReference="4" description="servers" causality="input" )"
        R"(variability="discrete" initial="exact" min="0" max="4" start="4" />)",
        R"(<BaseUnit kg="1" m="2" s="-3" />)"})
    EXPECT_NE(text.find(line), std::string::npos) << text;
}

TEST(model_identifier, is_a_name_of_c) {
  EXPECT_EQ(model_identifier("my-cluster.2"), "my_cluster_2");
  EXPECT_EQ(model_identifier("2_cores"), "m_2_cores");
}

class exported_fmu : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / (std::string("muster_") + test->name() + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::string content(const std::string& name) const { return content_of(folder_ / name); }

  fs::path folder_;
};

TEST_F(exported_fmu, has_the_same_bytes_for_the_same_parts) {
  const std::string log = written("two.csv", "arrival,size,cores\n0,5,1\n3,5,1\n");
  const std::string scenario = written("log.toml",
                                       "name = \"log\"\n[arrivals]\nprocess = \"log\"\nfile = \"two.csv\"\n"
                                       "[platform]\nservers = [{ name = \"node\", cores = 2 }]\n"
                                       "[policy]\nname = \"fcfs\"\n");
  const fmu_parts parts{read_study(scenario, {}), {}, log, "build", log};
  write_fmu(folder_ / "a.fmu", parts);
  write_fmu(folder_ / "b.fmu", parts);
  EXPECT_EQ(content("a.fmu"), content("b.fmu"));
  fmu_parts other = parts;
  other.build = "another build";
  write_fmu(folder_ / "b.fmu", other);
  EXPECT_NE(content("a.fmu"), content("b.fmu"));
  for (const char* name : {"binaries/", "resources/scenario/scenario.toml", "resources/scenario/logs/arrivals/two.csv"})
    EXPECT_NE(content("a.fmu").find(name), std::string::npos) << name;
}

TEST_F(exported_fmu, is_written_whole_or_not_at_all) {
  const fs::path archive = folder_ / "a.zip";
  EXPECT_THROW(write_zip(archive, {{"a", "1"}, {"b", "", folder_ / "missing"}}), std::runtime_error);
  EXPECT_THROW(write_zip(archive, {{"a", "1"}, {"a", "2"}}), std::runtime_error);
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace muster
