#include "platform/command_line/caution_text.h"

#include <fmt/format.h>

namespace muster {

std::string marked(const std::string& number, const cautions& marks) {
  return marks.any() ? fmt::format("{} {}", number, marks.letters()) : number;
}

std::string explained(const cautions& marks) {
  std::string text;
  for (const caution_entry& entry : caution_catalogue())
    if (marks.has(entry.reason)) text += fmt::format("{}  {}: {}\n", entry.letter, entry.word, entry.about);
  return text;
}

}  // namespace muster
