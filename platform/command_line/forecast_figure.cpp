#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "platform/command_line/forecast_text.h"
#include "platform/report/figures.h"

namespace muster {

std::string start_figure(const forecast_request& request, const std::vector<queue_forecast>& found) {
  constexpr std::size_t most_jobs = 60, most_named = 40;  // characters of a name
  figure drawn;
  std::map<std::uint32_t, std::size_t> places;  // on the axis, by those in initial.file
  for (const job_forecast& job : found.front().jobs) {
    if (places.size() == most_jobs) break;
    places.emplace(job.job.place, places.size());
    drawn.categories.push_back(job.job.label());
  }
  double longest = 0.0;
  for (const queue_forecast& of : found)
    for (const job_forecast& job : of.jobs)
      if (places.count(job.job.place) > 0 && std::isfinite(job.start.p90)) longest = std::max(longest, job.start.p90);
  const time_unit& own = request.variants.front().model.unit;
  const time_unit* shown = &own;
  for (const time_unit& unit : time_units())
    if (2.0 * unit.seconds <= longest * own.seconds) shown = &unit;
  const double factor = own.seconds / shown->seconds;
  bool any = false;
  for (std::size_t v = 0; v < found.size(); ++v) {
    const std::string& name = request.variants[v].name;
    curve& c = drawn.curves.emplace_back();
    c.label = v == 0 ? "as it is" : fmt::format("{:.{}}", name, most_named);
    c.style = {v, v};
    for (const job_forecast& job : found[v].jobs) {
      const auto place = places.find(job.job.place);
      if (place == places.end() || !std::isfinite(job.start.p50)) continue;
      curve_point& point = c.measured.emplace_back();
      point.x = static_cast<double>(place->second);
      point.y = factor * job.start.p50;
      if (std::isfinite(job.start.p90))
        std::tie(point.low, point.high) = std::pair(factor * job.start.p10, factor * job.start.p90);
      any = true;
    }
  }
  drawn.title = fmt::format("{}: starts, with the range of 80 % of the cases", request.subject->name);
  drawn.x_name = "job";
  drawn.y_name = fmt::format("start ({})", shown->name);
  return any ? to_svg({drawn}).front() : "";
}

}  // namespace muster
