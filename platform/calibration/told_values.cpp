#include "platform/calibration/told_values.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "muster/policies/catalogue.h"
#include "platform/calibration/estimate_errors.h"
#include "platform/calibration/pass_grid.h"
#include "platform/calibration/sample_quantile.h"
#include "platform/calibration/start_delays.h"
#include "platform/model/class_table.h"
#include "platform/tables/number_text.h"

namespace muster {

namespace {

constexpr std::size_t fewest_observations = 10;  // observations behind a number

std::string not_told(const std::string& why) { return "not told by this log: " + why; }

// Whether the policy of a scenario has a parameter of that name.
bool has_parameter(const scenario& model, std::string_view name) {
  const policy_entry* const policy = find_policy(model.policy.name);
  return policy && std::any_of(policy->parameters.begin(), policy->parameters.end(),
                               [&](const parameter& p) { return p.name == name; });
}

// A time of the log in the scenario's unit, as a value of a setting.
std::string in_units(double seconds, const scenario& model) { return fmt::format("{}", seconds / model.unit.seconds); }

/// Collects what a log tells.
class told_values {
 public:
  told_values(const logged_past& past, const scenario& model)
      : past_(past), model_(model), delays_(delays_of(past, total_cores(model))) {}

  std::vector<told_value> all() {
    tell_passes();
    tell_reaction();
    tell_freed_cores();
    tell_limits();
    tell_estimates();
    tell_cores();
    return std::move(values_);
  }

 private:
  void tell_passes() {
    const pass_grid grid = find_grid(past_);
    told_value& value = add("interval between passes", "s", grid.starts);
    if (!grid.interval) {
      value.remark =
          not_told(grid.starts < 20 ? "fewer than 20 starts of jobs that have waited"
                                    : "starts of jobs that have waited fall on no grid of 2 to 3600 whole seconds");
    } else if (grid.of_all_times) {
      value.remark = not_told(
          fmt::format("arrivals fall on the same grid of {} s as starts, as the log's clock does", *grid.interval));
    } else {
      passes_ = value.value = grid.interval;
      value.remark = fmt::format("{:.3g} % of the starts of jobs that have waited are within 1 s of such a grid",
                                 100.0 * grid.share);
      for (const char* name : {"bf_interval", "sched_interval"})
        if (has_parameter(model_, name) && value.setting.empty())
          value.setting = fmt::format("policy.{}={}", name, in_units(*grid.interval, model_));
    }
    if (!passes_) tell_backfill_passes();
  }

  // A scheduler that reacts to arrivals and completions, too, has passes of backfilling that only some starts tell.
  void tell_backfill_passes() {
    const pass_grid passes = find_backfill_passes(past_);
    if (passes.starts < 20 || passes.of_all_times) return;
    told_value& value = add("interval between backfill passes", "s", passes.starts);
    if (!passes.interval) {
      value.remark = not_told("times between starts that pass over a waiting job are no multiples of 4 to 3600 s");
      return;
    }
    value.value = passes.interval;
    value.remark = fmt::format(
        "{:.3g} % of the times between starts that pass over a waiting job, and follow no completion or arrival, are "
        "multiples of it within 1 s",
        100.0 * passes.share);
    if (has_parameter(model_, "bf_interval"))
      value.setting = fmt::format("policy.bf_interval={}", in_units(*passes.interval, model_));
  }

  // A scheduler without passes takes as long for each start as for one that nothing keeps. With a single server each
  // start is one slice, so that the scenario can say the same.
  void tell_reaction() {
    const std::size_t first = values_.size();
    tell_quantiles("arrival to start, nothing in the way", delays_.from_arrival, {0.5, 0.95},
                   "jobs that find enough cores free and no job waiting");
    told_value& median = values_[first];
    if (!median.value || passes_ || has_parameter(model_, "bf_interval") || !is_narrow(median) ||
        !(*median.low > 0.0) || total_servers(model_) > 1)
      return;
    reaction_ = median;
    median.setting = fmt::format("platform.decision.per_dispatch={}", in_units(*median.value, model_));
  }

  static bool is_narrow(const told_value& value) {
    return value.low && value.high && *value.high <= 2.0 * *value.value + 1.0;
  }

  // Dispatch, prolog and epilog show where cores change hands. Between passes cores are free before they are given
  // away.
  void tell_freed_cores() {
    const std::size_t first = values_.size();
    tell_quantiles("freed cores to the next start", delays_.from_completion, {0.05, 0.5, 0.95},
                   "first jobs of the queue, from the completion that frees enough cores");
    if (!values_[first].value) return;
    const told_value median = values_[first + 1];
    told_value& value = add("dispatch, prolog and epilog", "s", median.observations);
    std::tie(value.value, value.low, value.high) = std::tie(median.value, median.low, median.high);
    value.remark = "the median above";
    if (passes_) {
      const time_before_pass before = find_time_before_pass(delays_.from_completion, *passes_);
      std::tie(value.value, value.low, value.high) = std::tuple(before.value, before.low, before.high);
      value.remark = "cores that are freed less than that before a pass are given away at the next one";
    } else if (reaction_) {
      const auto less = [](std::optional<double> x, std::optional<double> by) {
        return x && by ? std::optional(std::max(0.0, *x - *by)) : std::nullopt;
      };
      value.value = less(value.value, reaction_->value);
      value.low = less(value.low, reaction_->high);
      value.high = less(value.high, reaction_->low);
      value.remark = "the median above, less that of jobs with nothing in the way";
    }
    constexpr double longest = 600.0;
    if (*value.value > longest) {
      value.value = value.low = value.high = std::nullopt;
      value.remark = not_told(
          "cores stay free for longer than 10 min before the first job of the queue starts, so that "
          "more than dispatch keeps it");
      return;
    }
    if (!is_narrow(value))
      value.remark += "; its interval is too wide for a setting";
    else if (*value.low > 0.0)
      value.setting = fmt::format("platform.costs.dispatch_latency={}", in_units(*value.value, model_));
  }

  void tell_limits() {
    estimates_ = errors_of_estimates(past_);
    if (estimates_.jobs == 0) {
      add("kill delay", "s", 0).remark = not_told("it has no requested times");
      return;
    }
    constexpr double longest = 600.0;  // beyond that a job has run on
    std::vector<double> killed;
    for (const double beyond : estimates_.beyond_limit)
      if (beyond <= longest) killed.push_back(beyond);
    const std::size_t on = estimates_.beyond_limit.size() - killed.size(), first = values_.size();
    tell_quantiles("limit to the end (kill delay)", killed, {0.5, 0.95},
                   on == 0 ? std::string{"jobs that reach their requested time"}
                           : fmt::format("jobs that end within 10 min of it; {} run on for longer", on));
    if (!values_[first].value || !is_narrow(values_[first])) return;
    if (has_parameter(model_, "kill_wait"))
      values_[first].setting = fmt::format("policy.kill_wait={}", in_units(*values_[first].value, model_));
    if (has_parameter(model_, "KillWait"))  // whole seconds
      values_[first].setting = fmt::format("policy.KillWait={:.0f}", *values_[first].value / model_.unit.seconds);
  }

  void tell_estimates() {
    told_value& requested = add("error of requested times", "s", estimates_.jobs);
    if (estimates_.jobs == 0) {
      requested.remark = not_told("it has no requested times");
      return;
    }
    requested.value = estimates_.requested;
    requested.remark = "mean absolute difference from the run time";
    told_value& learnt = add("error of learnt times", "s", estimates_.jobs);
    if (estimates_.knows_users) learnt.value = estimates_.learnt;
    learnt.remark = estimates_.knows_users ? "the same of the mean of the user's last two jobs (arrivals.estimate)"
                                           : not_told("it has no users");
    told_value& factor = add("error of scaled requests", "s", estimates_.jobs);
    factor.value = estimates_.factor;
    factor.remark = fmt::format("the same of {} times the request, the median share that is used",
                                with_digits(estimates_.median_ratio, 3));
  }

  void tell_cores() {
    const std::uint64_t cores = total_cores(model_), most = delays_.most_cores;
    told_value& value = add("cores held at once, at most", "", past_.with_start());
    value.value = static_cast<double>(most);
    value.remark = most > cores ? fmt::format("the platform has {}: it is too small", cores)
                                : fmt::format("the platform has {}", cores);
  }

  told_value& add(std::string what, std::string unit, std::size_t observations) {
    told_value value;
    value.what = std::move(what);
    value.unit = std::move(unit);
    value.observations = observations;
    return values_.emplace_back(std::move(value));
  }

  void tell_quantiles(const std::string& what, const std::vector<double>& sample, std::initializer_list<double> shares,
                      const std::string& remark) {
    if (sample.size() < fewest_observations) {
      add(what, "s", sample.size()).remark = not_told(fmt::format("fewer than {} {}", fewest_observations, remark));
      return;
    }
    for (const double share : shares) {
      const sample_quantile quantile = quantile_of(sample, share);
      told_value& value =
          add(fmt::format("{}: {}", what, share == 0.5 ? "median" : fmt::format("{:.0f} %", 100.0 * share)), "s",
              sample.size());
      value.value = quantile.value;
      value.low = quantile.low;
      value.high = quantile.high;
      value.remark = remark;
    }
  }

  const logged_past& past_;
  const scenario& model_;
  start_delays delays_;
  estimate_errors estimates_;
  std::optional<double> passes_;
  std::optional<told_value> reaction_;  // to a job that nothing keeps
  std::vector<told_value> values_;
};

}  // namespace

std::vector<told_value> values_told(const logged_past& past, const scenario& model) {
  return told_values(past, model).all();
}

std::vector<std::string> settings_of(const std::vector<told_value>& values) {
  std::vector<std::string> settings;
  for (const told_value& value : values)
    if (!value.setting.empty()) settings.push_back(value.setting);
  return settings;
}

}  // namespace muster
