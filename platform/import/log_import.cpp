#include "platform/import/log_import.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "platform/import/need_ranges.h"
#include "platform/scenario/log_file.h"
#include "platform/scenario/log_jobs.h"
#include "platform/scenario/scenario_schema.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

constexpr std::uint32_t most_cores_of_server = 1'000'000;

/// Fits a model to a log that is read.
class log_fitter {
 public:
  log_fitter(const import_request& request, const log_file& log) : request_(request), log_(log) {
    fit_.name = request.name;
    fit_.file = std::filesystem::path{log.path}.filename().string();
  }

  fitted_log fit() {
    choose_servers();
    fit_.class_by = request_.class_by.empty() ? class_rule_by_needs(needs()) : request_.class_by;
    take_jobs();
    if (!(fit_.jobs.arrivals.back() > 0.0))
      throw log_error(0, fmt::format("has {}; expected jobs that arrive at different times, so that there is a rate",
                                     fit_.jobs.arrivals.size() == 1 ? "one job" : "jobs that all arrive together"));
    fit_rates();
    fit_classes();
    fit_requests();
    return std::move(fit_);
  }

 private:
  // Servers of the option, of the log's head, or as many cores as jobs would hold at most.
  void choose_servers() {
    if (request_.servers) {
      fit_.servers = *request_.servers;
      capacity_note_ = "as given";
      return;
    }
    const log_header& head = log_.header;
    double cores = head.cores.value_or(head.nodes.value_or(0.0));
    capacity_note_ = head.cores ? "MaxProcs of the log" : "MaxNodes of the log, each of one core";
    if (!(cores > 0.0)) {
      cores = largest_use();
      capacity_note_ = starts_note() + ", as the log has no head that tells it; --servers COUNTxCORES gives another";
    }
    cores = std::min(std::ceil(cores), static_cast<double>(most_cores));
    const double nodes = head.nodes.value_or(0.0);
    const bool even = nodes >= 1.0 && nodes <= static_cast<double>(most_servers) && std::fmod(cores, nodes) == 0.0;
    const double count = even ? nodes : std::ceil(cores / most_cores_of_server);
    fit_.servers = {static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(std::ceil(cores / count))};
  }

  // The most cores that jobs hold at once.
  double largest_use() const {
    std::vector<std::pair<double, double>> changes;  // moment, and cores that are taken or come back
    for (const log_file::job& job : log_.jobs) {
      const double start = job.submit + std::max(job.waited, 0.0), cores = job.cores(request_.allocated);
      changes.emplace_back(start, cores);
      changes.emplace_back(start + job.run, -cores);
    }
    std::sort(changes.begin(), changes.end());  // ends first
    double used = 0.0, most = 1.0;
    for (const auto& [moment, cores] : changes) most = std::max(most, used += cores);
    return most;
  }

  // How the starts are known that the largest use follows from.
  std::string starts_note() const {
    const auto unknown =
        std::count_if(log_.jobs.begin(), log_.jobs.end(), [](const log_file::job& job) { return job.waited < 0.0; });
    if (unknown == 0) return "the most that its jobs held at once";
    return fmt::format(
        "the most that its jobs hold at once, if those {} of them start as they arrive whose start is not "
        "known",
        unknown);
  }

  std::vector<need_weight> needs() const {
    std::map<std::uint32_t, need_weight> all;
    for (const log_file::job& job : log_.jobs) {
      const std::uint32_t need = job.cores(request_.allocated);
      if (need == 0 || need > fit_.capacity()) continue;
      need_weight& weight = all.emplace(need, need_weight{need, 0.0, 0.0}).first->second;
      weight.jobs += 1.0;
      weight.work += need * job.run;
    }
    std::vector<need_weight> ascending;
    ascending.reserve(all.size());
    for (const auto& [need, weight] : all) ascending.push_back(weight);
    return ascending;
  }

  // The jobs and classes as those of a scenario that replays the log.
  void take_jobs() {
    scenario model;
    server_spec server;
    server.name = "node";
    server.count = fit_.servers.count;
    server.cores = fit_.servers.cores;
    model.servers.push_back(std::move(server));
    log_keys keys;
    keys.allocated = request_.allocated;
    std::string wrong;
    keys.class_by = log_class_rule::of_text(fit_.class_by, wrong);
    if (!wrong.empty()) throw std::invalid_argument("--class-by: " + wrong);
    const double longest = model.unit.to_units(end_of_clock) / 2.0;
    if (const auto refused = take_jobs_of_log(log_, keys, longest, model)) {
      if (refused->first == "class_by") throw std::invalid_argument("--class-by: " + refused->second);
      throw log_error(0, refused->second);
    }
    const timed_jobs& jobs = *model.arrivals.jobs;
    begins_ = model.arrivals.log.begins;
    first_ = jobs.front().arrival;
    for (const timed_job& job : jobs) {
      fit_.jobs.arrivals.push_back(job.arrival - first_);
      fit_.jobs.sizes.push_back(job.size);
      fit_.jobs.types.push_back(job.type);
      fit_.jobs.needs.push_back(model.classes[job.type].listed[job.need].need.cores);
      requested_.push_back(job.requested);
    }
    for (const class_spec& c : model.classes) {
      fit_.classes.emplace_back();
      fit_.classes.back().name = c.name;
    }
    fit_.notes = model.arrivals.notes;
    fit_.notes.push_back(fmt::format("capacity: {} cores, {}", fit_.capacity(), capacity_note_));
  }

  void fit_rates() {
    std::optional<double> moment;
    if (begins_) moment = *begins_ + first_;
    fit_.known_days = moment.has_value();
    fit_.arrivals = fit_arrivals(fit_.jobs.arrivals, moment);
  }

  void fit_classes() {
    std::vector<std::vector<double>> sizes(fit_.classes.size());
    std::vector<double> needs(fit_.classes.size(), 0.0);
    for (std::size_t n = 0; n < fit_.jobs.sizes.size(); ++n) {
      const std::uint32_t type = fit_.jobs.types[n], need = fit_.jobs.needs[n];
      fitted_class& c = fit_.classes[type];
      c.least = sizes[type].empty() ? need : std::min(c.least, need);
      c.largest = std::max(c.largest, need);
      needs[type] += need;
      sizes[type].push_back(fit_.jobs.sizes[n]);
    }
    for (std::size_t type = 0; type < fit_.classes.size(); ++type) {
      fitted_class& c = fit_.classes[type];
      const auto jobs = static_cast<double>(sizes[type].size());
      c.mean_need = needs[type] / jobs;
      c.need = static_cast<std::uint32_t>(std::lround(c.mean_need));
      c.share = jobs / static_cast<double>(fit_.jobs.sizes.size());
      c.run = moments_of(sizes[type]);
      c.laws = fit_laws(std::move(sizes[type]));
    }
  }

  void fit_requests() {
    std::vector<double> ratios;
    double requested = 0.0, run = 0.0;
    for (std::size_t n = 0; n < requested_.size(); ++n) {
      if (!(requested_[n] > 0.0)) continue;
      ratios.push_back(requested_[n] / fit_.jobs.sizes[n]);
      requested += requested_[n];
      run += fit_.jobs.sizes[n];
    }
    if (ratios.empty()) return;
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    fit_.requests = request_ratio{ratios.size(), requested / run, *middle};
  }

  const import_request& request_;
  const log_file& log_;
  fitted_log fit_{};
  std::string capacity_note_{};
  double first_ = 0.0;               // arrival of the first job, since that of the log's first line
  std::optional<double> begins_{};   // the moment of that line, in seconds since 1970; none: not known
  std::vector<double> requested_{};  // of each job; 0: not known
};

}  // namespace

std::optional<equal_servers> servers_of_text(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  const auto count = number_in<std::uint32_t>(text.substr(0, cross));
  const auto cores = number_in<std::uint32_t>(text.substr(cross + 1));
  if (!count || !cores || *count == 0 || *count > most_servers || *cores == 0 || *cores > most_cores_of_server)
    return std::nullopt;
  if (static_cast<std::uint64_t>(*count) * *cores > static_cast<std::uint64_t>(most_cores)) return std::nullopt;
  return equal_servers{*count, *cores};
}

fitted_log fit_log(const import_request& request) {
  const auto log = read_log_file(std::filesystem::absolute(request.path).string(), nullptr, request.columns);
  if (!log->refusal.empty()) throw log_error(log->refused_line, log->refusal);
  if (!request.columns.empty() && !log->format->takes_columns)
    throw std::invalid_argument(
        fmt::format("--columns: has no effect with format '{}', whose columns have their own "
                    "names; expected format 'csv'",
                    log->format->name));
  return log_fitter(request, *log).fit();
}

}  // namespace muster
