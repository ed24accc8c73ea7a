#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/metrics/replication_pictures.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/class_table.h"
#include "platform/model/joined_servers.h"
#include "platform/model/scenario.h"

namespace muster {

/// The numbers in "0-3,7".
inline std::vector<std::uint32_t> numbers_in(const std::string& runs) {
  std::vector<std::uint32_t> all;
  for (std::size_t at = 0; at < runs.size();) {
    const std::size_t end = std::min(runs.find(',', at), runs.size());
    const std::string run = runs.substr(at, end - at);
    const auto first = static_cast<std::uint32_t>(std::stoul(run));
    const std::size_t dash = run.find('-');
    const auto last = dash == run.npos ? first : static_cast<std::uint32_t>(std::stoul(run.substr(dash + 1)));
    for (std::uint32_t n = first; n <= last; ++n) all.push_back(n);
    at = end + 1;
  }
  return all;
}

/// What the pictures of a first replication owe to its measurements.
/// @return what is wrong; empty if nothing is
class picture_checks {
 public:
  picture_checks(const scenario& model, const replication_result& result)
      : model_(model), result_(result), seen_(result.pictures) {}

  std::string bins() const {
    if (seen_.bins.empty()) return "no bins";
    double time = 0.0, utilization = 0.0, overhead = 0.0, begin = seen_.bins.front().begin;
    std::vector<double> jobs(model_.classes.size());
    for (const time_bin& bin : seen_.bins) {
      const double lasts = bin.end - bin.begin;
      if (bin.begin != begin || lasts <= 0.0) return fmt::format("a bin from {} to {}", bin.begin, bin.end);
      if (bin.utilization < 0.0 || bin.overhead_share < 0.0 || bin.utilization + bin.overhead_share > 1.0 + 1e-9)
        return fmt::format("at {}: {} running, {} in overhead", begin, bin.utilization, bin.overhead_share);
      if (const double busy = mean_of(bin.servers); std::abs(busy - bin.utilization - bin.overhead_share) > 0.0006)
        return fmt::format("at {}: {} of the servers' cores are busy, {} run, {} are in overhead", begin, busy,
                           bin.utilization, bin.overhead_share);
      begin = bin.end;
      time += lasts;
      utilization += lasts * bin.utilization;
      overhead += lasts * bin.overhead_share;
      for (std::size_t n = 0; n < jobs.size(); ++n) jobs[n] += lasts * bin.jobs.at(n);
    }
    if (begin != result_.simulated_time) return fmt::format("the last bin ends at {}", begin);
    std::string wrong = compare("all", "utilization", utilization / time);
    wrong += compare("all", "overhead_share", overhead / time);
    for (std::size_t n = 0; n < jobs.size(); ++n)
      wrong += compare(model_.classes[n].name, "jobs_in_system", jobs[n] / time);
    return wrong;
  }

  /// No core has two slices at once, and no slice lies outside the window.
  std::string cores() const {
    const core_window& window = seen_.cores;
    if (window.servers == 0 || window.slices.empty()) return "no slices";
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::pair<double, double>>> by_core;
    for (const core_slice& s : window.slices) {
      const double works = s.works.value_or(s.begun), saves = s.saves.value_or(works);
      const double ended = s.ended.value_or(window.end);
      if (s.begun > works || works > saves || saves > ended || s.begun >= window.end || ended < window.begin)
        return fmt::format("job {} from {} to {}, window from {} to {}", s.job, s.begun, ended, window.begin,
                           window.end);
      const std::vector<std::uint32_t> cores = numbers_in(s.cores);
      if (cores.size() != s.count) return fmt::format("{} cores are {}", s.count, s.cores);
      for (const std::uint32_t core : cores) by_core[{s.server, core}].emplace_back(s.begun, ended);
    }
    for (auto& [core, slices] : by_core) {
      std::sort(slices.begin(), slices.end());
      for (std::size_t n = 1; n < slices.size(); ++n)
        if (slices[n].first < slices[n - 1].second)
          return fmt::format("server {}, core {}: two slices at {}", core.first, core.second, slices[n].first);
    }
    return window_bins();
  }

  /// The longest waits: in order, within the run, and what ran meanwhile is no more than there is.
  std::string waits() const {
    double before = std::numeric_limits<double>::infinity();
    if (seen_.waits.size() > 10) return "more than ten waits";
    for (const long_wait& w : seen_.waits) {
      double sum = 0.0;
      for (const double share : w.running) {
        if (share < 0.0) return fmt::format("job {}: a share of {}", w.job, share);
        sum += share;
      }
      const double within = 1e-9 * result_.simulated_time;
      if (w.wait > before || w.wait <= 0.0 || w.until > result_.simulated_time || w.arrival + w.wait > w.until + within)
        return fmt::format("job {} waits {} from {} to {}, after one that waits {}", w.job, w.wait, w.arrival, w.until,
                           before);
      if (sum > 1.0 + 1e-9) return fmt::format("job {}: {} of the cores run", w.job, sum);
      before = w.wait;
    }
    return "";
  }

  std::string responses() const {
    for (const class_quantiles& of_class : quantiles_of(seen_.responses, model_.unit))
      for (const auto& [metric, share] : {std::pair{"response_time_p50", 0.5}, {"response_time_p95", 0.95}}) {
        const auto& shares = quantile_shares();
        const auto at = static_cast<std::size_t>(std::find(shares.begin(), shares.end(), share) - shares.begin());
        if (at >= of_class.times.size()) continue;
        const measurement& known = found(of_class.class_name, metric);
        if (std::abs(of_class.times[at] - known.value) > known.value / 16 + 16 / static_cast<double>(model_.unit.ticks))
          return fmt::format("{} of {} is {}, not {}", metric, of_class.class_name, of_class.times[at], known.value);
      }
    for (const class_responses& of_class : seen_.responses)
      if (const auto jobs = found(of_class.class_name, "response_time").jobs; of_class.times.total() != jobs)
        return fmt::format("{} of {} jobs of {}", of_class.times.total(), jobs, of_class.class_name);
    return "";
  }

 private:
  /// The share of all cores that is busy.
  double mean_of(const server_shares& rows) const {
    const joined_servers servers(model_);
    if (rows.size() != servers.count()) throw std::logic_error("not as many shares as rows");
    double busy = 0.0;
    for (std::size_t row = 0; row < rows.size(); ++row) busy += rows[row] * static_cast<double>(servers.cores(row));
    return busy / 1000.0 / static_cast<double>(total_cores(model_));
  }

  /// Shares of busy cores over the window, against its slices where those of all servers are recorded.
  std::string window_bins() const {
    const core_window& window = seen_.cores;
    double begin = window.begin, busy = 0.0, held = 0.0;
    for (const server_bin& bin : window.bins) {
      if (bin.begin != begin || bin.end <= begin) return fmt::format("a bin of the window from {}", bin.begin);
      begin = bin.end;
      busy += mean_of(bin.servers) * (bin.end - bin.begin);
    }
    if (begin != window.end) return fmt::format("the last bin of the window ends at {}, not {}", begin, window.end);
    if (window.servers < total_servers(model_)) return "";
    for (const core_slice& s : window.slices)
      held += s.count * (std::min(s.ended.value_or(window.end), window.end) - std::max(s.begun, window.begin));
    held /= static_cast<double>(total_cores(model_));
    if (std::abs(busy - held) > 0.001 * (window.end - window.begin))
      return fmt::format("{} of the core time is busy, slices hold {}", busy, held);
    return "";
  }

  const measurement& found(const std::string& class_name, const std::string& metric) const {
    const measurement* m = result_.find(class_name, metric);
    return m ? *m : throw std::logic_error("no " + metric + " of " + class_name);
  }
  std::string compare(const std::string& class_name, const std::string& metric, double mean) const {
    const double known = found(class_name, metric).value;
    if (std::abs(mean - known) <= 1e-9 * std::max(1.0, known)) return "";
    return fmt::format("{} of {} is {}, not {}; ", metric, class_name, mean, known);
  }

  const scenario& model_;
  const replication_result& result_;
  const replication_pictures& seen_;
};

}  // namespace muster
