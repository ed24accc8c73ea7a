#include "platform/import/slurm/policy_settings.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "platform/import/slurm/site_hardware.h"
#include "platform/log/log_text.h"

namespace muster {

namespace {

enum class value_kind {
  whole,
  time,  ///< as of slurm.conf: a plain number is in minutes
  yes_or_no
};

struct parameter_of_policy {
  std::string_view name;  ///< in slurm.conf and of the policy
  value_kind kind = value_kind::whole;
  double lowest = 0.0, highest = 1e6;  ///< of a whole number; of a time the lowest alone, in seconds
};

constexpr double most_weight = 1e9, year = 365.0 * 86400.0;

constexpr parameter_of_policy parameters[] = {{"KillWait", value_kind::whole, 0.0, year},
                                              {"PriorityWeightAge", value_kind::whole, 0.0, most_weight},
                                              {"PriorityWeightFairshare", value_kind::whole, 0.0, most_weight},
                                              {"PriorityWeightJobSize", value_kind::whole, 0.0, most_weight},
                                              {"PriorityWeightPartition", value_kind::whole, 0.0, most_weight},
                                              {"PriorityMaxAge", value_kind::time},
                                              {"PriorityDecayHalfLife", value_kind::time},
                                              {"PriorityCalcPeriod", value_kind::time, 1.0},
                                              {"PriorityFavorSmall", value_kind::yes_or_no}};

constexpr parameter_of_policy options[] = {{"sched_interval", value_kind::whole, -1.0, year},
                                           {"batch_sched_delay", value_kind::whole, 0.0, year},
                                           {"sched_min_interval", value_kind::whole, 0.0, year},
                                           {"default_queue_depth"},
                                           {"bf_interval", value_kind::whole, 1.0, year},
                                           {"bf_window", value_kind::whole, 1.0, year / 60.0},
                                           {"bf_resolution", value_kind::whole, 1.0, 3600.0},
                                           {"bf_window_linear", value_kind::whole, 0.0, year},
                                           {"bf_max_job_test", value_kind::whole, 1.0},
                                           {"bf_max_job_user"},
                                           {"bf_max_job_part"},
                                           {"bf_max_job_start"}};

std::optional<std::string> text_of(const parameter_of_policy& parameter, std::string_view value) {
  if (parameter.kind == value_kind::time) {
    const double seconds = slurm_time(value);
    return seconds < parameter.lowest ? std::nullopt : std::optional(fmt::format("{:.1f}", seconds));
  }
  if (parameter.kind == value_kind::yes_or_no) {
    if (!same_word(value, "YES") && !same_word(value, "NO")) return std::nullopt;
    return same_word(value, "YES") ? "\"yes\"" : "\"no\"";
  }
  const auto number = number_of(value);
  if (!number || *number < parameter.lowest || *number > parameter.highest || *number != std::floor(*number))
    return std::nullopt;
  return fmt::format("{:.0f}", *number);
}

std::string expected_of(const parameter_of_policy& parameter) {
  switch (parameter.kind) {
    case value_kind::time:
      return parameter.lowest > 0.0 ? "expected a time of a second or more, such as 0:30, 1:00:00, or minutes"
                                    : "expected a time such as 7-0, 1:00:00, or minutes";
    case value_kind::yes_or_no: return "expected YES or NO";
    case value_kind::whole: break;
  }
  return fmt::format("expected a whole number from {:.0f} to {:.0f}", parameter.lowest, parameter.highest);
}

template <std::size_t count>
policy_taking take(const parameter_of_policy (&all)[count], std::string_view key, std::string_view value,
                   policy_setting setting, policy_settings_of_site& settings) {
  for (const parameter_of_policy& parameter : all) {
    if (!same_word(parameter.name, key)) continue;
    const auto text = text_of(parameter, value);
    if (!text) return {true, expected_of(parameter)};
    setting.text = *text;
    settings.insert_or_assign(std::string(parameter.name), std::move(setting));
    return {true};
  }
  return {};
}

}  // namespace

policy_taking take_policy_parameter(const site_place& at, std::string_view key, std::string_view value,
                                    policy_settings_of_site& settings) {
  const std::string given = fmt::format("{}={}", key, value);
  if (!same_word(key, "PriorityType")) return take(parameters, key, value, {"", at, given}, settings);
  const bool multifactor = same_word(value, "priority/multifactor");
  if (!multifactor && !same_word(value, "priority/basic"))
    return {true, "expected priority/basic or priority/multifactor"};
  settings.insert_or_assign("PriorityType", policy_setting{multifactor ? "\"multifactor\"" : "\"basic\"", at, given});
  return {true};
}

policy_taking take_scheduler_option(const site_place& at, std::string_view option, policy_settings_of_site& settings) {
  option = without_blanks(option);
  const std::string given = fmt::format("SchedulerParameters={}", option);
  if (same_word(option, "defer")) {
    settings.insert_or_assign("defer", policy_setting{"\"yes\"", at, given});
    return {true};
  }
  const std::size_t sign = std::min(option.find('='), option.size());
  const std::string_view value = option.substr(std::min(sign + 1, option.size()));
  return take(options, option.substr(0, sign), value, {"", at, given}, settings);
}

std::vector<std::string> scheduler_options() {
  std::vector<std::string> names{"defer"};
  for (const parameter_of_policy& option : options) names.emplace_back(option.name);
  return names;
}

}  // namespace muster
