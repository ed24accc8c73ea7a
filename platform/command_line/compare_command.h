#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace muster {

/// `muster compare DIR_A DIR_B`.
class compare_command {
 public:
  explicit compare_command(CLI::App& app);
  bool given() const;
  /// Prints the two runs side by side. @return the exit status
  /// @throws results_error
  int run() const;

 private:
  CLI::App* command_;
  std::string a_, b_;
  bool all_ = false;
};

}  // namespace muster
