#pragma once

#include <string>
#include <vector>

namespace muster {

/// What gnuplot writes for the plots of a script, in their order.
/// @param script of plots for the terminal svg
/// @throws output_error if gnuplot is not there, or refuses the script: with its words
std::vector<std::string> draw_with_gnuplot(const std::string& script);

/// Text as a string of a script, in which gnuplot takes nothing for a command; control characters become U+FFFD.
std::string gnuplot_string(const std::string& text);

}  // namespace muster
