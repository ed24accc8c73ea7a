#include "platform/metrics/estimate_cell.h"

#include <fmt/format.h>

namespace muster {

std::string legend_of(const cautions& marks) {
  std::string text;
  for (const caution_entry& entry : caution_catalogue())
    if (marks.has(entry.reason)) text += fmt::format("{}  {}: {}\n", entry.letter, entry.word, entry.about);
  return text;
}

}  // namespace muster
