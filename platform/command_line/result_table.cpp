#include "platform/command_line/result_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/command_line/text_table.h"

namespace muster {

namespace {

constexpr const char* shown[] = {"response_time", "weighted_response_time", "response_time_p99", "jobs_in_system",
                                 "utilization"};

std::string value(const std::vector<estimate>& estimates, const std::string& metric) {
  const auto found = std::find_if(estimates.begin(), estimates.end(),
                                  [&](const estimate& e) { return e.class_name == "all" && e.metric == metric; });
  if (found == estimates.end() || !found->mean) return "-";
  if (!found->ci_low) return fmt::format("{:.4g}", *found->mean);
  return fmt::format("{:.4g} +- {:.2g}", *found->mean, *found->mean - *found->ci_low);
}

}  // namespace

std::string result_table(const study& s, const std::vector<std::vector<estimate>>& estimates) {
  std::vector<std::vector<std::string>> rows{{"point"}};
  for (const std::string& key : s.keys) rows[0].push_back(key);
  for (const char* metric : shown) rows[0].push_back(metric);
  for (std::size_t p = 0; p < estimates.size(); ++p) {
    if (estimates[p].empty()) continue;
    std::vector<std::string> row{fmt::format("{}", p)};
    for (const std::string& v : s.points[p].values) row.push_back(v);
    for (const char* metric : shown) row.push_back(value(estimates[p], metric));
    rows.push_back(std::move(row));
  }
  return fmt::format("{}: {}\nmean +- half-width of the 95 % confidence interval; times in {}\n\n{}", s.name, s.about,
                     s.points.front().what.unit.name, text_table(rows));
}

}  // namespace muster
