#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace muster {

/// muster.1, for troff with the macros of man: commands with their options, and all that `muster list` knows.
std::string manual_page(const CLI::App& program);

}  // namespace muster
