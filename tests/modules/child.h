#pragma once

#include <functional>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace muster {

/// Runs a simulation in a child process, as SystemC holds one per process, for tests that compare several.
/// @return what `what` returns; "failed" if an expectation did not hold there
inline std::string in_child(const std::function<std::string()>& what) {
  int ends[2];
  if (pipe(ends) != 0) return "failed";
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    std::string text = what();
    if (testing::Test::HasFailure()) text = "failed";
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = ::write(ends[1], text.data() + done, text.size() - done);
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    _exit(0);  // the destructors of a large model take long
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? text : "failed";
}

}  // namespace muster
