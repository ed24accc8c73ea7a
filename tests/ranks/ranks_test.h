#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/command_line/command.h"

namespace muster {

/// mpirun with three ranks on this machine, in the background.
class ranks_test : public command_line_test {
 protected:
  // As root in a container, too, and by no network but the machine's own memory.
  static std::string mpirun(const std::string& words, std::size_t ranks = 3) {
    return "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -n " + std::to_string(ranks) +
           " --oversubscribe --mca pml ob1 --mca btl self,vader --mca btl_vader_single_copy_mechanism none " + words;
  }
  static std::string muster_on_ranks(const std::string& words) { return mpirun(MUSTER_BINARY " " + words); }

  std::string results(const std::string& directory) const { return content_of(folder_ / directory / "results.csv"); }

  void TearDown() override {
    if (mpirun_) end(SIGKILL);
    command_line_test::TearDown();
  }

  void start(const std::string& command) {
    mpirun_ = fork();
    if (*mpirun_ != 0) return;
    const int out = open(at("said").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    _exit(127);
  }
  void signal(int number) const { kill(*mpirun_, number); }
  command_result end(int number = 0) {
    if (number != 0) signal(number);
    int status = 0;
    waitpid(*mpirun_, &status, 0);
    mpirun_.reset();
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content_of(folder_ / "said")};
  }

  static std::vector<pid_t> children_of(pid_t process) {
    const std::string text =
        content_of("/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children");
    std::istringstream in(text);
    std::vector<pid_t> all;
    for (pid_t child; in >> child;) all.push_back(child);
    return all;
  }

  /// A rank's process; 0 if it is not there.
  pid_t rank(std::size_t number) const {
    for (const pid_t child : children_of(*mpirun_))
      if (content_of("/proc/" + std::to_string(child) + "/environ")
              .find("OMPI_COMM_WORLD_RANK=" + std::to_string(number) + '\0') != std::string::npos)
        return child;
    return 0;
  }
  /// A process that simulates on a rank; 0 if there is none now.
  pid_t simulation_on(std::size_t number) const {
    const pid_t process = rank(number);
    const std::vector<pid_t> all = process == 0 ? std::vector<pid_t>{} : children_of(process);
    return all.empty() ? 0 : all.front();
  }

  static bool comes_true(const std::function<bool()>& condition) {
    for (int tries = 0; tries < 20'000; ++tries) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }

  // A rank gets another task when rank 0 has stored what it has found.
  bool a_replication_has_been_stored() const {
    pid_t first = 0, now = 0;
    return comes_true([&] { return (first = simulation_on(1)) != 0; }) &&
           comes_true([&] { return (now = simulation_on(1)) != 0 && now != first; });
  }

  std::optional<pid_t> mpirun_;
};

inline std::size_t times(const std::string& what, const std::string& text) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

}  // namespace muster
