#include "platform/import/slurm/unused_values.h"

#include <algorithm>

#include "platform/log/log_text.h"
#include "platform/tables/table_layout.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr std::size_t longest_text = 200;  // of a value that the table shows

std::string effect_text(schedule_effect effect) {
  switch (effect) {
    case schedule_effect::none: return "no";
    case schedule_effect::possible: return "may";
    case schedule_effect::certain: break;
  }
  return "yes";
}

}  // namespace

std::optional<std::string_view> reason_of(const std::vector<words_with_reason>& rows, std::string_view word,
                                          bool exact) {
  for (const words_with_reason& row : rows)
    if (has_word(row.words, word, exact)) return row.why;
  return std::nullopt;
}

void unused_values::add(const site_place& at, schedule_effect effect, std::string_view what, std::string_view why) {
  const std::string shown = printable(what, longest_text);
  const auto [known, is_new] = places_.try_emplace({at.file, shown, std::string(why)}, rows_.size());
  if (is_new)
    rows_.push_back({at, 1, shown, std::string(why), effect});
  else
    ++rows_[known->second].lines;
}

data_table unused_table(const unused_values& unused) {
  using row = unused_values::row;
  std::vector<row> rows = unused.rows();
  std::stable_sort(rows.begin(), rows.end(), [](const row& a, const row& b) { return a.effect > b.effect; });
  table_layout<row> layout("not_imported");
  layout.text("file", [](const row& r) { return r.first.file; });
  layout.whole("line", [](const row& r) { return r.first.line; });
  layout.whole("lines", [](const row& r) { return r.lines; });
  layout.text(column("matters to the schedule").named("matters"), [](const row& r) { return effect_text(r.effect); });
  layout.text("not imported", [](const row& r) { return r.what; });
  layout.text("why", [](const row& r) { return r.why; });
  return layout.table(rows);
}

}  // namespace muster
