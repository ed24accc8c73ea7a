#include <filesystem>
#include <regex>

#include <gtest/gtest.h>

#include "platform/command_line/catalogue_text.h"
#include "tests/command_line/command.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

/// Words as a regular expression that matches them alone.
std::string quoted(const std::string& words) {
  return std::regex_replace(words, std::regex(R"([.^$|()\[\]{}*+?\\])"), R"(\$&)");
}

/// A source tree with the launcher, whose program only says where it was built and whose only test always passes.
class launcher_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    fs::create_directory(tree());
    for (const char* file : {"/muster", "/CMakePresets.json"}) fs::copy(MUSTER_SOURCE + std::string(file), tree());
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
  /// Whether the build folder is configured with this.
  bool configured(const std::string& entry) const {
    return content_of(tree() / "build/CMakeCache.txt").find(entry) != std::string::npos;
  }
  /// The launcher, with a program of the system replaced by lines of a shell script.
  std::string with_stand_in(const std::string& program, const std::string& lines) const {
    fs::create_directories(folder_ / "bin");
    std::ofstream(folder_ / "bin" / program) << "#!/bin/sh\n" << lines << '\n';
    fs::permissions(folder_ / "bin" / program, fs::perms::owner_all);
    return "PATH=" + at("bin") + ":$PATH " + tree().string() + "/muster";
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

TEST_F(launcher_test, help_lists_every_command_of_the_program_in_its_words) {
  const std::string help = shell(MUSTER_SOURCE "/muster --help").output,
                    of_program = shell(MUSTER_BINARY " --help").output;
  const std::regex entry("\n  ([a-z]+) {2,}([^\n]+)");
  const std::string commands = of_program.substr(of_program.find("Subcommands:"));
  std::string names;
  for (std::sregex_iterator m(commands.begin(), commands.end(), entry), end; m != end; ++m) {
    names += (*m)[1].str() + ' ';
    EXPECT_TRUE(std::regex_search(help, std::regex("\n  " + (*m)[1].str() + " +" + quoted((*m)[2]) + "\n"))) << help;
  }
  EXPECT_EQ(names.rfind("run check theory report gallery ", 0), 0u) << names;
}

TEST_F(launcher_test, help_names_all_that_can_be_listed) {
  const std::string help = shell(MUSTER_SOURCE "/muster --help").output;
  for (const list_subject& subject : list_subjects())
    EXPECT_NE(help.find(std::string(subject.name)), std::string::npos) << subject.name;
}

TEST_F(launcher_test, asks_for_installed_packages_once) {
  const std::string launcher =
      with_stand_in("dpkg-query", "echo asked >>" + at("asked") + "\nexec /usr/bin/dpkg-query \"$@\"");
  ASSERT_EQ(shell(launcher + " list policies").status, 0);
  EXPECT_EQ(content_of(folder_ / "asked"), "asked\n");
}

TEST_F(launcher_test, tests_go_on_without_optional_packages_and_say_so) {
  with_stand_in("apt-get", "echo no network; exit 100");
  const std::string launcher = with_stand_in("dpkg-query", "/usr/bin/dpkg-query \"$@\" | grep -v '^chromium '");
  const auto tested = shell(launcher + " test");
  EXPECT_EQ(tested.status, 0) << tested.output;
  EXPECT_NE(tested.output.find("going on without optional packages, what needs them is skipped: chromium"),
            std::string::npos)
      << tested.output;
}

TEST_F(launcher_test, ends_with_apts_words_where_a_package_is_missing_that_it_needs) {
  with_stand_in("apt-get", "echo no network; exit 100");
  const std::string launcher = with_stand_in("dpkg-query", "/usr/bin/dpkg-query \"$@\" | grep -v '^cmake '");
  const auto built = shell(launcher + " list policies");
  EXPECT_EQ(built.status, 2);
  EXPECT_NE(built.output.find("no network\nmuster: packages are missing: cmake\n"), std::string::npos) << built.output;
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

TEST_F(launcher_test, has_one_build_configured_as_the_release_preset_for_all_its_commands) {
  const std::string launcher = tree().string() + "/muster";
  ASSERT_EQ(shell(launcher + " list policies").status, 0);
  for (const char* entry : {"CMAKE_BUILD_TYPE:UNINITIALIZED=Release", "CMAKE_UNITY_BUILD:UNINITIALIZED=ON"})
    EXPECT_TRUE(configured(entry)) << entry;
  const auto tested = shell(launcher + " test");
  EXPECT_EQ(tested.status, 0) << tested.output;
  EXPECT_NE(tested.output.find("100% tests passed, 0 tests failed out of 1"), std::string::npos) << tested.output;
  ASSERT_EQ(shell(launcher + " demo").status, 0);
  EXPECT_TRUE(configured("CMAKE_UNITY_BUILD:UNINITIALIZED=ON"));
  for (const auto& entry : fs::directory_iterator(tree()))
    EXPECT_TRUE(entry.path().filename() == "build" || entry.path().filename().string().rfind("build", 0) != 0)
        << entry.path();
}

TEST_F(launcher_test, tests_are_built_where_the_build_was_configured_without_them) {
  const std::string build = (tree() / "build").string();
  ASSERT_EQ(shell("cmake -G Ninja -DMUSTER_TESTS=OFF -S " + tree().string() + " -B " + build).status, 0);
  const auto tested = shell(tree().string() + "/muster test");
  EXPECT_EQ(tested.status, 0) << tested.output;
  EXPECT_NE(tested.output.find("100% tests passed, 0 tests failed out of 1"), std::string::npos) << tested.output;
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
  EXPECT_FALSE(configured("CMAKE_UNITY_BUILD"));
  EXPECT_TRUE(configured("MUSTER_TESTS:BOOL=OFF"));
}

TEST_F(launcher_test, test_with_slurm_hands_words_and_program_to_the_comparison_with_a_real_slurm) {
  fs::create_directories(tree() / "tests/slurm");
  std::ofstream(tree() / "tests/slurm/slurm_test.py") << "import sys\nprint(sys.argv[1:])\nsys.exit(1)\n";
  const auto compared = shell(tree().string() + "/muster test --slurm --jobs 60");
  EXPECT_EQ(compared.status, 1);
  EXPECT_NE(compared.output.find("['--muster', '" + tree().string() + "/build/muster', '--jobs', '60']\n"),
            std::string::npos)
      << compared.output;
}

TEST_F(launcher_test, demo_shows_static_quickswap_as_the_papers_figures_do_and_says_so) {
  const auto demo = shell(tree().string() + "/muster demo");
  ASSERT_EQ(demo.status, 0);
  EXPECT_NE(demo.output.find("hand_over = \"published\""), std::string::npos) << demo.output;
  const std::string words = content_of(tree() / "build/words");
  EXPECT_NE(words.find("{ name = \"static_quickswap\", hand_over = \"published\" }"), std::string::npos) << words;
  EXPECT_EQ(words.find("{ name = \"static_quickswap\" }"), std::string::npos) << words;
}

TEST_F(launcher_test, demo_ends_by_saying_what_to_look_at_first) {
  const std::string output = shell(tree().string() + "/muster demo").output;
  const std::size_t last = output.rfind("muster: look first at results/demo/report.html");
  ASSERT_NE(last, std::string::npos) << output;
  EXPECT_EQ(output.find('\n', last), output.size() - 1) << output;
}

}  // namespace
}  // namespace muster
