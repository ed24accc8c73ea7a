#include <filesystem>

#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

/// A source tree with the launcher, whose program only says where it was built and whose only test always passes.
class launcher_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    fs::create_directory(tree());
    fs::copy(MUSTER_SOURCE "/muster", tree());
    for (const char* storey : {"platform", "modules", "policies"}) fs::create_directory(tree() / storey);
    std::ofstream(tree() / "CMakeLists.txt") << R"(cmake_minimum_required(VERSION 3.25)
project(muster LANGUAGES NONE)
option(MUSTER_TESTS "Build the tests" ON)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/muster CONTENT "#!/bin/sh\necho built in ${PROJECT_BINARY_DIR}\nprintf '%s\\n' \"$@\" >${PROJECT_BINARY_DIR}/words\n"
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
add_custom_target(muster)
if(MUSTER_TESTS)
  enable_testing()
  add_test(NAME passes COMMAND ${CMAKE_COMMAND} -E true)
endif()
)";
  }
  fs::path tree() const { return folder_ / "tree"; }
  static bool has_tests(const fs::path& build) {
    return content_of(build / "CMakeCache.txt").find("MUSTER_TESTS:BOOL=ON") != std::string::npos;
  }
};

TEST_F(launcher_test, help_of_test_and_demo_neither_installs_nor_builds) {
  // With these two alone nothing can be installed or built.
  ASSERT_EQ(shell("mkdir " + at("bin") + " && ln -s $(command -v dirname) $(command -v cat) " + at("bin")).status, 0);
  for (const char* words : {"test --help", "test -h", "test -R name --help", "demo --help"}) {
    const auto help = shell("cd " + tree().string() + " && PATH=" + at("bin") + " /bin/bash ./muster " + words);
    EXPECT_EQ(help.status, 0) << words << '\n' << help.output;
    EXPECT_EQ(help.output.rfind("Usage: ./muster ", 0), 0u) << help.output;
  }
}

TEST_F(launcher_test, tree_that_was_copied_with_its_build_builds_again) {
  ASSERT_EQ(shell(tree().string() + "/muster list policies").output.rfind("muster: building in ", 0), 0u);
  const fs::path copy = folder_ / "copy";
  fs::copy(tree(), copy, fs::copy_options::recursive);
  std::ofstream(copy / "policies" / "changed.cpp") << "";
  const auto again = shell("touch -d tomorrow " + (copy / "policies/changed.cpp").string() + "; " + copy.string() +
                           "/muster list policies");
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.output, "muster: " + copy.string() +
                              "/build was made for another folder, it is made anew\nbuilt in " + copy.string() +
                              "/build\n");
}

TEST_F(launcher_test, tests_leave_a_build_without_them_as_it_is_and_have_their_own) {
  const std::string launcher = tree().string() + "/muster";
  ASSERT_EQ(shell(launcher + " list policies").status, 0);
  ASSERT_FALSE(has_tests(tree() / "build"));
  const auto tested = shell(launcher + " test");
  EXPECT_EQ(tested.status, 0) << tested.output;
  EXPECT_NE(tested.output.find("100% tests passed, 0 tests failed out of 1"), std::string::npos) << tested.output;
  EXPECT_FALSE(has_tests(tree() / "build"));
  EXPECT_TRUE(has_tests(tree() / "build-tests"));
}

TEST_F(launcher_test, build_that_begins_with_the_tests_keeps_them) {
  const std::string launcher = tree().string() + "/muster";
  const auto tested = shell(launcher + " test -N");
  EXPECT_EQ(tested.status, 0) << tested.output;
  std::ofstream(tree() / "policies" / "changed.cpp") << "";
  ASSERT_EQ(shell(launcher + " list policies").status, 0);
  ASSERT_EQ(shell(launcher + " demo").status, 0);
  EXPECT_TRUE(has_tests(tree() / "build"));
  EXPECT_FALSE(fs::exists(tree() / "build-tests"));
}

TEST_F(launcher_test, build_that_was_configured_by_cmake_alone_is_renewed_and_stays_configured_so) {
  const std::string build = (tree() / "build").string(), launcher = tree().string() + "/muster";
  ASSERT_EQ(shell("cmake -G Ninja -DMUSTER_TESTS=OFF -S " + tree().string() + " -B " + build).status, 0);
  fs::permissions(tree() / "build/muster", fs::perms::owner_all);
  const auto as_it_is = shell("touch " + build + "/muster; " + launcher + " list policies");
  EXPECT_EQ(as_it_is.output, "built in " + build + "\n");
  EXPECT_FALSE(fs::exists(tree() / "build/.built"));
  std::ofstream(tree() / "policies" / "changed.cpp") << "";
  const auto renewed =
      shell("touch -d tomorrow " + (tree() / "policies/changed.cpp").string() + "; " + launcher + " list policies");
  EXPECT_EQ(renewed.output, "built in " + build + "\n");
  EXPECT_TRUE(fs::exists(tree() / "build/.built"));
  EXPECT_EQ(content_of(tree() / "build/CMakeCache.txt").find("CMAKE_UNITY_BUILD"), std::string::npos);
}

TEST_F(launcher_test, demo_shows_static_quickswap_as_the_papers_figures_do_and_says_so) {
  const auto demo = shell(tree().string() + "/muster demo");
  ASSERT_EQ(demo.status, 0);
  EXPECT_NE(demo.output.find("hand_over = \"published\""), std::string::npos) << demo.output;
  const std::string words = content_of(tree() / "build/words");
  EXPECT_NE(words.find("{ name = \"static_quickswap\", hand_over = \"published\" }"), std::string::npos) << words;
  EXPECT_EQ(words.find("{ name = \"static_quickswap\" }"), std::string::npos) << words;
}

}  // namespace
}  // namespace muster
