#include "platform/command_line/run_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/metrics/estimate_cell.h"
#include "platform/metrics/metric.h"
#include "platform/model/job_kind.h"
#include "platform/tables/table_layout.h"
#include "platform/tables/terminal.h"

namespace muster {

namespace {

// The estimate over all jobs; null where it has no value.
const estimate* find_value(const std::vector<estimate>& estimates, const std::string& metric) {
  const auto found = std::find_if(estimates.begin(), estimates.end(),
                                  [&](const estimate& e) { return e.class_name == "all" && e.metric == metric; });
  return found == estimates.end() || !found->mean ? nullptr : &*found;
}

// All replications of a point: an estimate without a value in some of them counts fewer.
std::uint32_t replications_of(const std::vector<estimate>& estimates) {
  std::uint32_t most = 0;
  for (const estimate& e : estimates) most = std::max(most, e.replications);
  return most;
}

}  // namespace

table_document run_text(const study& s, const std::vector<std::vector<estimate>>& estimates,
                        const std::vector<theory>& answers) {
  cautions marks;  // of the values that are shown
  const auto value_of = [&marks](const std::vector<estimate>& of_point, const std::string& metric) -> cell {
    const estimate* found = find_value(of_point, metric);
    if (!found) return {};
    marks.add(found->marks);
    return estimate_cell(*found);
  };
  table_layout<std::size_t> layout("points");
  layout.whole("point", [](std::size_t p) { return p; })
      .settings(
          s.keys, [&](std::size_t p) -> const auto& { return s.points[p].values; });
  for (const std::string& metric : metrics_with_column(&metric_columns::run, is_slotted(s.points.front().model))) {
    layout.estimate(metric, [&, metric](std::size_t p) { return value_of(estimates[p], metric); });
    if (find_metric(metric)->columns.run_beside_theory)
      layout.number(column("theory").named(metric + "_theory"),
                    [&, metric](std::size_t p) { return value_of(answers[p].values, metric); });
  }
  layout.whole("replications", [&](std::size_t p) { return replications_of(estimates[p]); });
  std::vector<std::size_t> finished;
  for (std::size_t p = 0; p < estimates.size(); ++p)
    if (!estimates[p].empty()) finished.push_back(p);
  const data_table table = layout.table(finished);
  table_document found("points");
  if (!finished.empty())
    found.say(fmt::format("{}: {}\nmean +- half-width of the 95 % confidence interval; times in {}\n\n{}{}", s.name,
                          s.about, s.points.front().model.unit.name, to_terminal(without_empty_columns(table)),
                          legend_of(marks)));
  found.add_data(table);
  return found;
}

std::string imprecise_points(const std::vector<std::size_t>& imprecise, std::size_t points) {
  if (imprecise.empty()) return "";
  constexpr std::size_t most = 20;
  const std::vector<std::size_t> named(
      imprecise.begin(), imprecise.begin() + static_cast<std::ptrdiff_t>(std::min(most, imprecise.size())));
  return fmt::format("the precision was missed at {} of {} points: {}{}\n", imprecise.size(), points,
                     fmt::join(named, ", "), imprecise.size() > most ? ", .." : "");
}

}  // namespace muster
