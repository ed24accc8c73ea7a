#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/command_line/forecast_text.h"
#include "platform/tables/table_layout.h"

// The tables of `muster forecast` for programs.

namespace muster {

namespace {

/// A row of the tables: a variant, and a job of it that waits.
struct forecast_row {
  const forecast_variant* variant = nullptr;
  const queue_forecast* of = nullptr;
  const job_forecast* job = nullptr;
};

std::string verdict_of(const time_shift& shift) {
  static constexpr std::array names{"earlier", "later", "open", "none", "unknown"};
  return names.at(static_cast<std::size_t>(shift.answer));
}

cell finite(double time) { return std::isfinite(time) ? cell(time) : cell(); }

// The name of a column on a time: within_4_h.
std::string column_of(const forecast_request& request, double time) {
  std::string name = "within_" + time_in_words(time * request.variants.front().model.unit.seconds);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

/// The columns that a row begins with.
table_layout<forecast_row> layout_of(const forecast_request& request, std::string name) {
  table_layout<forecast_row> layout(std::move(name));
  layout.text("scenario", [&](const forecast_row&) { return request.subject->name; })
      .whole("point", [&](const forecast_row&) { return request.point; })
      .settings(request.subject->keys,
                [&](const forecast_row&) { return request.subject->points[request.point].values; })
      .text("with", [](const forecast_row& r) { return r.variant->name; });
  return layout;
}

/// @param start,shift of a row
template <class Start, class Shift>
void add_times(table_layout<forecast_row>& layout, const Start& start, const Shift& shift) {
  const auto of_start = [start](auto member) {
    return [start, member](const forecast_row& r) { return finite(start(r).*member); };
  };
  const auto of_median = [start](auto member) {
    return [start, member](const forecast_row& r) {
      const std::optional<double> end = start(r).*member;
      return end ? finite(*end) : cell();
    };
  };
  layout.number("start_p10", of_start(&time_quantiles::p10))
      .number("start_p50", of_start(&time_quantiles::p50))
      .number("start_p90", of_start(&time_quantiles::p90))
      .number("start_p50_ci_low", of_median(&time_quantiles::p50_low))
      .number("start_p50_ci_high", of_median(&time_quantiles::p50_high));
  const auto known = [shift](auto value) {
    return [shift, value](const forecast_row& r) {
      const std::optional<time_shift>& s = shift(r);
      return s && s->answer != time_shift::verdict::unknown ? cell(value(*s)) : cell();
    };
  };
  layout.number("shift", known([](const time_shift& s) { return s.apart.mean; }))
      .number("shift_ci_low", known([](const time_shift& s) { return s.apart.ci_low; }))
      .number("shift_ci_high", known([](const time_shift& s) { return s.apart.ci_high; }))
      .number("p", known([](const time_shift& s) { return s.p; }))
      .text("verdict", [shift](const forecast_row& r) {
        const std::optional<time_shift>& s = shift(r);
        return s ? cell(verdict_of(*s)) : cell();
      });
}

double share_of_finite(const std::vector<double>& times) {
  return static_cast<double>(std::count_if(times.begin(), times.end(), [](double t) { return std::isfinite(t); })) /
         static_cast<double>(times.size());
}

}  // namespace

data_table start_table(const forecast_request& request, const std::vector<queue_forecast>& found) {
  table_layout<forecast_row> layout = layout_of(request, "starts");
  layout.text("job", [](const forecast_row& r) { return r.job->job.name; })
      .whole("line", [](const forecast_row& r) { return r.job->job.line; })
      .text("user", [](const forecast_row& r) { return r.job->job.user; })
      .text("class", [](const forecast_row& r) { return r.job->class_name; })
      .whole("cores", [](const forecast_row& r) { return r.job->job.cores > 0 ? cell(r.job->job.cores) : cell(); })
      .number("limit", [](const forecast_row& r) { return r.job->job.limit > 0.0 ? cell(r.job->job.limit) : cell(); })
      .text("run_time_from", [](const forecast_row& r) { return name_of(r.job->from); })
      .text("unit", [&](const forecast_row&) { return request.variants.front().model.unit.name; })
      .whole("replications", [&](const forecast_row&) { return request.replications; })
      .number("started", [](const forecast_row& r) { return share_of_finite(r.job->starts); });
  for (std::size_t n = 0; n < request.within.size(); ++n)
    layout.number(column_of(request, request.within[n]), [n](const forecast_row& r) { return r.job->within[n]; });
  add_times(
      layout, [](const forecast_row& r) { return r.job->start; }, [](const forecast_row& r) { return r.job->shift; });
  std::vector<forecast_row> rows;
  for (std::size_t v = 0; v < found.size(); ++v)
    for (const job_forecast& job : found[v].jobs) rows.push_back({&request.variants[v], &found[v], &job});
  return layout.table(rows);
}

data_table queue_table(const forecast_request& request, const std::vector<queue_forecast>& found) {
  table_layout<forecast_row> layout = layout_of(request, "queue");
  layout.whole("jobs", [](const forecast_row& r) { return r.of->jobs.size(); })
      .text("unit", [&](const forecast_row&) { return request.variants.front().model.unit.name; })
      .whole("replications", [&](const forecast_row&) { return request.replications; })
      .number("started", [](const forecast_row& r) { return share_of_finite(r.of->emptied); });
  add_times(
      layout, [](const forecast_row& r) { return r.of->empty; }, [](const forecast_row& r) { return r.of->shift; });
  std::vector<forecast_row> rows;
  for (std::size_t v = 0; v < found.size(); ++v) rows.push_back({&request.variants[v], &found[v], nullptr});
  return layout.table(rows);
}

}  // namespace muster
