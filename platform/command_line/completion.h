#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace muster {

/// A script that makes bash, or zsh with its bashcompinit, complete the words of muster's command line: commands,
/// options, and what stands for the words in capitals in their help; files elsewhere.
std::string bash_completion(const CLI::App& program);

}  // namespace muster
