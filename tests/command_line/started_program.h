#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace muster {

/// The binary under test, started in a process group of its own, so that it can be sent signals.
class started_program {
 public:
  /// @param words of the command line, without the program
  /// @param shown,told files for standard output and standard error
  /// @param path before those of PATH
  started_program(std::vector<std::string> words, const std::string& shown, const std::string& told,
                  const std::string& path = "") {
    words.insert(words.begin(), "muster");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    process_ = fork();
    if (process_ > 0) return;
    setpgid(0, 0);
    if (!path.empty()) setenv("PATH", (path + ":" + getenv("PATH")).c_str(), 1);
    dup2(open(shown.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(told.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    execv(MUSTER_BINARY, arguments.data());
    _exit(1);
  }
  ~started_program() {
    if (process_ > 0) end(SIGKILL);
  }
  started_program(const started_program&) = delete;
  started_program& operator=(const started_program&) = delete;

  /// Waits until that holds. @param microseconds between two looks
  /// @return whether it came to hold within five minutes, before the program ended
  bool wait_until(const std::function<bool()>& holds, int microseconds = 10000) const {
    for (int tries = 0; tries < 300000000 / microseconds; ++tries) {
      if (holds()) return true;
      siginfo_t ended{};
      if (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0)
        return false;
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    }
    return false;
  }
  /// Processor time of the program itself so far, in seconds.
  double processor_time() const {
    std::ifstream in("/proc/" + std::to_string(process_) + "/stat");
    std::string text;
    std::getline(in, text, ')');
    double user = 0.0, system = 0.0;
    for (int field = 0; field < 11; ++field) in >> text;
    in >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  /// Sends a signal to the whole group, as a terminal does, and waits for the program's end.
  /// @return the exit status; of one that a signal has ended 128 and the signal's number
  int end(int signal) {
    kill(-process_, signal);
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t process_ = 0;
};

}  // namespace muster
