#pragma once

#include <string>

namespace muster {

/// A word of a command line, quoted where a shell needs it.
std::string shell_word(const std::string& word);

}  // namespace muster
