#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace muster {

/// The scenario of a command, and what replaces values in it.
struct scenario_options {
  std::string file;
  std::vector<std::string> settings;

  void add_to(CLI::App& command);
};

}  // namespace muster
