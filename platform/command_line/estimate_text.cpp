#include "platform/command_line/estimate_text.h"

#include <fmt/format.h>

namespace muster {

std::string with_half_width(double mean, const std::optional<double>& ci_low, int digits) {
  const std::string number = fmt::format("{:.{}g}", mean, digits);
  return ci_low ? fmt::format("{} +- {:.2g}", number, mean - *ci_low) : number;
}

std::string marked(const std::string& number, const cautions& marks) {
  return marks.any() ? fmt::format("{} {}", number, marks.letters()) : number;
}

std::string explained(const cautions& marks) {
  std::string text;
  for (const caution_entry& entry : caution_catalogue())
    if (marks.has(entry.reason)) text += fmt::format("{}  {}: {}\n", entry.letter, entry.word, entry.about);
  return text;
}

std::string counted(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

}  // namespace muster
