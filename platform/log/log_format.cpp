#include "platform/log/log_format.h"

#include <algorithm>

#include "platform/log/log_text.h"

namespace muster {

bool log_reader::next_text() {
  while (lines_.next())
    if (!without_blanks(lines_.line()).empty()) return true;
  return false;
}

const log_format_entry* format_of(std::string_view begin) {
  const auto& all = log_format_catalogue();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const log_format_entry* entry) { return entry->looks_alike(begin); });
  return found == all.end() ? nullptr : *found;
}

}  // namespace muster
