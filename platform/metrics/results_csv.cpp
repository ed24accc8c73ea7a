#include "platform/metrics/results_csv.h"

#include "platform/metrics/metric.h"
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

table_layout<estimate> estimate_layout() {
  table_layout<estimate> layout("estimates");
  return layout.number("estimate", &estimate::mean)
      .number("ci_low", &estimate::ci_low)
      .number("ci_high", &estimate::ci_high)
      .whole("replications", &estimate::replications)
      .whole("jobs", &estimate::jobs)
      .text("note", [](const estimate& e) { return e.marks.words(); });
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
