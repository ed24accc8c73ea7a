#include "platform/store/results_csv.h"

#include "platform/metrics/metric.h"
#include "platform/model/study_families.h"
#include "platform/tables/writers.h"

namespace muster {

namespace {

// The source of a row of a table of the points.
template <class Part>
struct row_of_point {
  std::size_t point;
  const Part& part;
};

template <class Part>
table_layout<row_of_point<Part>> layout_of_points(const study& s) {
  using row = row_of_point<Part>;
  table_layout<row> layout("points");
  layout.text("scenario", [&s](const row&) { return s.name; }).whole("point", &row::point);
  for (std::size_t k = 0; k < s.keys.size(); ++k)
    layout.text(s.keys[k], [&s, k](const row& r) { return s.points[r.point].values[k]; });
  return layout;
}

template <class Part>
std::string csv_of_points(const table_layout<row_of_point<Part>>& layout,
                          const std::vector<std::vector<Part>>& by_point) {
  std::string text = csv_line(csv_names(layout.columns()));
  for (std::size_t p = 0; p < by_point.size(); ++p)
    for (const Part& part : by_point[p]) text += csv_line(csv_texts(layout.columns(), layout.cells({p, part})));
  return text;
}

}  // namespace

std::string unit_of(const std::string& metric, const study& s, std::size_t point) {
  const metric_entry* found = find_metric(metric);
  return found ? found->unit_name(s.points[point].model.unit.name) : "";
}

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

std::string results_csv(const study& s, const std::vector<std::vector<estimate>>& by_point) {
  using row = row_of_point<estimate>;
  auto layout = layout_of_points<estimate>(s);
  layout.text("class", [](const row& r) { return r.part.class_name; })
      .text("metric", [](const row& r) { return r.part.metric; })
      .text("unit", [&](const row& r) { return unit_of(r.part.metric, s, r.point); })
      .all_of(estimate_layout(), [](const row& r) -> const estimate& { return r.part; });
  return csv_of_points(layout, by_point);
}

std::string presence_csv(const study& s, const std::vector<std::vector<presence_sample>>& by_point) {
  using row = row_of_point<presence_sample>;
  auto layout = layout_of_points<presence_sample>(s);
  layout.number("time", [](const row& r) { return r.part.time; })
      .text("class", [](const row& r) { return r.part.class_name; })
      .whole("jobs", [](const row& r) { return r.part.jobs; });
  return csv_of_points(layout, by_point);
}

}  // namespace muster
