#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tests/documents/document.h"

namespace muster {

struct command_result {
  int status;
  std::string output;  ///< standard output and standard error together
};

/// A folder in which the commands of a document run as a reader types them, beside the scenarios. `muster`, `./muster`
/// and `build/muster` are the program under test, at a small size: `run`, `tune` and `crossover` get further options
/// behind those of the command. Commands that need what a test does not have (a cluster, a debugger) find a stand-in on
/// the path, which does the same here.
///
/// The test's own block is `block()`.
class sandbox : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("muster_" + name() + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "bin");
    fs::create_symlink(tree / "scenarios", folder_ / "scenarios");
    fs::create_directory(folder_ / "build");
    for (const char* program : {"bin/muster", "muster", "build/muster"}) stand_in(program, small_muster());
    stand_in("bin/sqlite3",
             "exec /usr/bin/python3 -c 'import sqlite3, sys\n"
             "for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep=\"|\")' \"$@\"");
    stand_in("bin/man", "shift; exec groff -man -Tascii \"$@\"");  // man -l FILE
    stand_in("bin/gdb", "shift; exec \"$@\"");                     // gdb --args COMMAND
    stand_in("bin/mpirun",
             "while case $1 in -n | --hostfile) ;; *) false ;; esac; do shift 2; done\n"
             "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n"
             "exec $(PATH=${PATH#*:}; command -v mpirun) --oversubscribe -n 2 \"$@\"");
    stand_in("bin/srun", "shift; exec mpirun \"$@\"");  // srun --mpi=pmix COMMAND
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string name() { return testing::UnitTest::GetInstance()->current_test_info()->name(); }
  static std::string block() { return block_of(name()); }

  /// Further options of a command that simulates. The seed stays.
  std::string small_run = "--set run.jobs=500 --replications 2 --quiet";

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  std::string read(const std::string& file) const { return content_of(folder_ / file); }

  /// The launcher as `./muster`, in a tree with a build that makes nothing but the program above, and one test that
  /// passes.
  void put_launcher() const {
    fs::remove(folder_ / "muster");
    fs::remove_all(folder_ / "build");
    for (const char* file : {"muster", "CMakePresets.json"}) fs::copy(tree / file, folder_);
    for (const char* storey : {"platform", "modules", "policies"}) fs::create_directory(folder_ / storey);
    write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.25)\nproject(muster LANGUAGES NONE)\n"
          "option(MUSTER_TESTS \"Build the tests\" ON)\n"
          "file(COPY bin/muster DESTINATION ${PROJECT_BINARY_DIR})\nadd_custom_target(muster)\n"
          "if(MUSTER_TESTS)\nenable_testing()\nadd_test(NAME passes COMMAND ${CMAKE_COMMAND} -E true)\nendif()\n");
  }

  /// Runs the lines in the folder with a shell that ends at the first command that fails.
  command_result shell(const std::string& lines) const {
    write("lines.sh",
          "set -euo pipefail\nexport HOME=$PWD PATH=$PWD/bin:$PATH MUSTER_SMALL_RUN='" + small_run + "'\n" + lines);
    FILE* pipe = popen(("cd " + folder_.string() + " && bash lines.sh 2>&1").c_str(), "r");
    command_result result{-1, {}};
    char buffer[4096];
    for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) result.output.append(buffer, n);
    const int status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
  }

  /// All commands of the lines succeed. @return what they print
  std::string expect_success(const std::string& lines) const {
    const command_result result = shell(lines);
    EXPECT_EQ(result.status, 0) << lines << result.output;
    return result.output;
  }

  bool works(const std::string& lines) const { return shell(lines).status == 0; }
  /// Whether the program was built with MPI, and can be started by it.
  static bool has_mpi() {
    return fs::exists(fs::path(MUSTER_BINARY).parent_path() / "muster_mpi.so") &&
           std::system("command -v mpirun >/dev/null") == 0;
  }

  static void expect_within(const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n is not in\n" << text;
  }

  fs::path folder_;

 private:
  static std::string small_muster() {
    return "case ${1:-} in run) small=$MUSTER_SMALL_RUN ;;\n"
           "tune | crossover) small='--set run.jobs=10000 --budget 100 --quiet' ;; *) small= ;; esac\n"
           "exec " MUSTER_BINARY " \"$@\" $small";
  }
  void stand_in(const std::string& program, const std::string& lines) const {
    write(program, "#!/usr/bin/env bash\n" + lines + "\n");
    fs::permissions(folder_ / program, fs::perms::owner_all);
  }
};

}  // namespace muster
