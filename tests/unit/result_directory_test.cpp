#include "platform/store/result_directory.h"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/content_of.h"
#include "tests/refusal.h"

namespace muster {
namespace {

namespace fs = std::filesystem;
using named_files = std::map<std::string, std::string>;

class result_directory_test : public testing::Test {
 protected:
  ~result_directory_test() override { fs::remove_all(path_); }

  void open(const std::string& resolved, const named_files& files, bool force = false) const {
    study s;
    s.resolved = resolved;
    s.files = files;
    result_directory(path_, s, force);
  }
  std::string refusal(const std::string& resolved, const named_files& files) const {
    return muster::refusal<output_error>([&] { open(resolved, files); });
  }
  std::string content(const std::string& name) const { return content_of(path_ / name); }

  const fs::path path_ = fs::path{testing::TempDir()} / ("muster_results_" + std::to_string(::getpid()));
  const named_files ring_{{"graphs/ring.txt", "x a\n"}};
};

TEST_F(result_directory_test, holds_the_scenario_and_the_files_that_it_names) {
  open("name = \"a\"\n", ring_);
  EXPECT_EQ(content("scenario.toml"), "name = \"a\"\n");
  EXPECT_EQ(content("graphs/ring.txt"), "x a\n");
}

TEST_F(result_directory_test, is_taken_over_by_the_same_study) {
  open("a", ring_);
  EXPECT_EQ(refusal("a", ring_), "");
}

TEST_F(result_directory_test, is_not_taken_over_by_another_study_unless_forced) {
  const std::string message =
      path_.string() +
      ": holds results of another scenario; choose another directory with --out, or overwrite with --force";
  open("a", ring_);
  EXPECT_EQ(refusal("b", ring_), message);
  EXPECT_EQ(refusal("a", {{"graphs/ring.txt", "x b\n"}}), message);
  open("b", {{"graphs/ring.txt", "x b\n"}}, true);
  EXPECT_EQ(content("scenario.toml"), "b");
  EXPECT_EQ(content("graphs/ring.txt"), "x b\n");
}

TEST_F(result_directory_test, keeps_files_that_are_not_the_scenarios) {
  fs::create_directories(path_ / "graphs");
  std::ofstream{path_ / "graphs/ring.txt"} << "mine\n";
  EXPECT_EQ(refusal("a", ring_),
            (path_ / "graphs/ring.txt").string() +
                ": differs from the scenario's file of that name; choose another directory with --out, or overwrite "
                "with --force");
  EXPECT_EQ(content("graphs/ring.txt"), "mine\n");
}

TEST_F(result_directory_test, leaves_the_names_of_results_to_results) {
  for (const char* name : {"results.csv", "./scenario.toml", "manifest.json/ring.txt"})
    EXPECT_EQ(refusal("a", {{name, "x a\n"}}),
              (path_ / name).string() + ": the scenario has a file of that name, where results go; rename it");
}

}  // namespace
}  // namespace muster
