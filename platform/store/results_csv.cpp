#include "platform/store/results_csv.h"

#include "platform/model/study_families.h"
#include "platform/tables/writers.h"

namespace muster {

table_layout<difference_row> differences_layout(const study& s) {
  using row = difference_row;
  const auto of = [](const auto& value) { return [value](const row& r) { return cell(std::invoke(value, r.apart)); }; };
  table_layout<row> layout("differences");
  layout.text("scenario", [&s](const row&) { return s.name; });
  for (std::size_t k = 0; k < s.keys.size(); ++k)
    if (!is_policy_key(s.keys[k]))
      layout.text(s.keys[k], [&s, k](const row& r) { return s.points[r.pair.a].values[k]; });
  layout.text("policy_a", [&s](const row& r) { return policy_of(s, r.pair.a); })
      .text("policy_b", [&s](const row& r) { return policy_of(s, r.pair.b); })
      .text("class", of(&estimate::class_name))
      .text("metric", of(&estimate::metric))
      .text("unit", [&s](const row& r) { return unit_of(r.apart.metric, s, r.pair.a); })
      .number("difference", of(&estimate::mean))
      .number("ci_low", of(&estimate::ci_low))
      .number("ci_high", of(&estimate::ci_high))
      .whole("replications", of(&estimate::replications))
      .text("note", [](const row& r) { return r.apart.marks.words(); });
  return layout;
}

std::string differences_csv(const study& s, const std::vector<paired_difference>& pairs) {
  const auto layout = differences_layout(s);
  std::string text = csv_line(csv_names(layout.columns()));
  for (const paired_difference& pair : pairs)
    for (const estimate& apart : pair.differences)
      text += csv_line(csv_texts(layout.columns(), layout.cells({pair, apart})));
  return text;
}

}  // namespace muster
