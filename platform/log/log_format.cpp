#include "platform/log/log_format.h"

#include <algorithm>

#include "platform/log/log_text.h"

namespace muster {

bool log_reader::next_text() {
  while (lines_.next())
    if (!without_blanks(lines_.line()).empty()) return true;
  return false;
}

bool log_reader::keep(const std::vector<std::string>& resources) {
  resources_ = resources;
  amounts_.resize(resources.size());
  return true;
}

std::string_view log_reader::flaw_of_times(const log_record& record, bool cancelled) {
  if (record.submit < 0.0) return "without a time of arrival";
  if (record.run > 0.0) return {};
  if (cancelled) return "cancelled before they started";
  return record.run == 0.0 ? "with a run time of 0" : "without a run time";
}

const log_format_entry* format_of(std::string_view begin) {
  const auto& all = log_format_catalogue();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const log_format_entry* entry) { return entry->looks_alike(begin); });
  return found == all.end() ? nullptr : *found;
}

}  // namespace muster
