#include "platform/import/slurm/site_settings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "platform/import/slurm/known_parameters.h"
#include "platform/import/slurm/site_hardware.h"
#include "platform/log/log_text.h"
#include "platform/toml/nearest_name.h"

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
                                              {"PriorityWeightQOS", value_kind::whole, 0.0, most_weight},
                                              {"PriorityMaxAge", value_kind::time},
                                              {"PriorityDecayHalfLife", value_kind::time},
                                              {"PriorityCalcPeriod", value_kind::time, 1.0},
                                              {"PriorityFavorSmall", value_kind::yes_or_no},
                                              {"PreemptExemptTime", value_kind::time}};

// Parameters of words, of which the policy has some.
struct word_of_policy {
  std::string_view name, in_slurm, in_scenario;
};
constexpr word_of_policy words[] = {
    {"PriorityType", "priority/basic", "\"basic\""}, {"PriorityType", "priority/multifactor", "\"multifactor\""},
    {"PreemptType", "preempt/none", "\"none\""},     {"PreemptType", "preempt/partition_prio", "\"partition_prio\""},
    {"PreemptType", "preempt/qos", "\"qos\""},       {"PreemptMode", "OFF", "\"off\""},
    {"PreemptMode", "REQUEUE", "\"requeue\""},       {"PreemptMode", "CANCEL", "\"cancel\""}};
constexpr std::string_view flags[] = {"defer", "bf_continue", "pack_serial_at_end", "preempt_youngest_first",
                                      "preempt_strict_order"};

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
                                           {"bf_max_job_start"},
                                           {"bf_max_time", value_kind::whole, 1.0, 3600.0},
                                           {"bf_yield_interval", value_kind::whole, 1.0, 1e7},
                                           {"bf_yield_sleep", value_kind::whole, 1.0, 1e7},
                                           {"preempt_reorder_count", value_kind::whole, 0.0, 1000.0}};

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

using namespace slurm_parameters;

// Whether a value switches its parameter off.
bool is_off(std::string_view value) {
  return value.empty() || has_word(
                              "0 NO NONE OFF (null) priority/basic preempt/none topology/none topology/default "
                              "topology/flat burst_buffer/none INFINITE -1",
                              value);
}

// Adds the words that blanks set apart.
void add_words(std::string_view words, std::vector<std::string>& to) {
  while (!words.empty()) to.emplace_back(take_part(words, ' '));
}

std::string why_not(const policy_taking& policy, std::string_view otherwise) {
  return policy.known ? policy.expected + "; Slurm's default is taken" : std::string(otherwise);
}

// Why an option of SchedulerParameters is not taken, with the option that was most likely meant.
std::string why_no_option(const policy_taking& policy, std::string_view name) {
  std::vector<std::string> known = scheduler_options();
  for (const std::string_view words : {effective_options, harmless_options}) add_words(words, known);
  const auto is_name = [&](std::string_view one) { return same_word(one, name); };
  const bool is_known = policy.known || std::any_of(known.begin(), known.end(), is_name);
  const auto near = is_known ? std::nullopt : nearest_name(name, known);
  return why_not(policy, passes) + (near ? fmt::format("; did you mean '{}'?", *near) : "");
}

void take_options(const site_line& line, std::string_view value, site_settings& settings, unused_values& unused) {
  std::vector<std::string_view> options;
  split(value, ',', options);
  for (const std::string_view option : options) {
    if (without_blanks(option).empty()) continue;
    const policy_taking policy = take_scheduler_option(line.at, option, settings.policy);
    if (policy.taken()) continue;
    const std::string_view name = without_blanks(option.substr(0, option.find('=')));
    const bool harmless = has_word(harmless_options, name);
    unused.add(line.at, harmless ? schedule_effect::none : schedule_effect::certain,
               fmt::format("SchedulerParameters={}", option),
               harmless ? "has no effect on the schedule" : why_no_option(policy, name));
  }
}

void list_unknown(const site_line& line, const std::string& key, const std::string& what, unused_values& unused) {
  std::vector<std::string> known;
  for (const words_with_reason& parameters : effective_parameters) add_words(parameters.words, known);
  for (const std::string_view words : {read_parameters, harmless_parameters}) add_words(words, known);
  const auto near = nearest_name(key, known);
  unused.add(line.at, schedule_effect::possible, what,
             "muster does not know this parameter" + (near ? fmt::format("; did you mean '{}'?", *near) : ""));
}

void take_select(const site_line& line, const std::string& value, site_settings& settings, unused_values& unused) {
  std::vector<std::string_view> options;
  split(value, ',', options);
  for (std::string_view option : options) {
    option = without_blanks(option);
    settings.counts_memory =
        settings.counts_memory || (option.size() >= 6 && same_word(option.substr(option.size() - 6), "Memory"));
    if (same_word(option, "CR_LLN"))
      settings.policy["CR_LLN"] = {"\"yes\"", line.at, "SelectTypeParameters=CR_LLN"};
    else if (has_word("CR_Pack_Nodes CR_CORE_DEFAULT_DIST_BLOCK", option))
      unused.add(line.at, schedule_effect::none, fmt::format("SelectTypeParameters={}", option),
                 "it places tasks within the nodes that a job has");
    else if (!option.empty() && !has_word("CR_Core CR_CPU CR_Core_Memory CR_CPU_Memory CR_Memory NONE", option))
      unused.add(line.at, schedule_effect::certain, fmt::format("SelectTypeParameters={}", option),
                 "which cores and nodes are taken first is up to the policy's placement");
  }
}

// Whether limits are among what the accounting enforces.
bool enforces_limits(std::string_view value) {
  std::vector<std::string_view> words;
  split(value, ',', words);
  return std::any_of(words.begin(), words.end(),
                     [](std::string_view word) { return has_word("limits safe all 2", without_blanks(word)); });
}

}  // namespace

policy_taking take_policy_parameter(const site_place& at, std::string_view key, std::string_view value,
                                    policy_settings_of_site& settings) {
  const std::string given = fmt::format("{}={}", key, value);
  policy_taking taking;
  for (const word_of_policy& word : words) {
    if (!same_word(word.name, key)) continue;
    if (same_word(word.in_slurm, value)) {
      settings.insert_or_assign(std::string(word.name), policy_setting{std::string(word.in_scenario), at, given});
      return {true};
    }
    taking.known = true;
    taking.expected += fmt::format("{}{}", taking.expected.empty() ? "expected " : " or ", word.in_slurm);
  }
  if (taking.known) return taking;
  const bool off = same_word(key, "PreemptExemptTime") && value == "-1";
  return take(parameters, key, off ? "0" : value, {"", at, given}, settings);
}

void settle_preemption(policy_settings_of_site& settings, unused_values& unused) {
  const auto type = settings.find("PreemptType"), mode = settings.find("PreemptMode");
  const bool has_type = type != settings.end() && type->second.text != "\"none\"";
  const bool has_mode = mode != settings.end() && mode->second.text != "\"off\"";
  if (has_type == has_mode) return;
  const policy_setting& alone = (has_type ? type : mode)->second;
  unused.add(alone.at, schedule_effect::certain, alone.given,
             fmt::format("{} is taken; jobs are not preempted", has_type ? "no PreemptMode" : "no PreemptType"));
  settings.erase("PreemptType");
  settings.erase("PreemptMode");
}

policy_taking take_scheduler_option(const site_place& at, std::string_view option, policy_settings_of_site& settings) {
  option = without_blanks(option);
  const std::string given = fmt::format("SchedulerParameters={}", option);
  for (const std::string_view flag : flags) {
    if (!same_word(option, flag)) continue;
    settings.insert_or_assign(std::string(flag), policy_setting{"\"yes\"", at, given});
    return {true};
  }
  const std::size_t sign = std::min(option.find('='), option.size());
  const std::string_view value = option.substr(std::min(sign + 1, option.size()));
  return take(options, option.substr(0, sign), value, {"", at, given}, settings);
}

std::vector<std::string> scheduler_options() {
  std::vector<std::string> names(std::begin(flags), std::end(flags));
  for (const parameter_of_policy& option : options) names.emplace_back(option.name);
  return names;
}

void take_settings(const site_line& line, site_settings& settings, unused_values& unused) {
  for (const auto& [key, value] : line.words) {
    const auto is = [&k = key](const char* name) { return same_word(k, name); };
    const std::string what = fmt::format("{}={}", key, value);
    if (is("ClusterName")) {
      settings.cluster = value;
    } else if (is("SchedulerType")) {
      settings.backfill = !same_word(value, "sched/builtin");
      if (settings.backfill && !same_word(value, "sched/backfill"))
        unused.add(line.at, schedule_effect::certain, what,
                   "expected sched/backfill or sched/builtin; the former is taken");
    } else if (is("SelectType")) {
      settings.whole_nodes = same_word(value, "select/linear");
      if (!has_word("select/linear select/cons_res select/cons_tres", value))
        unused.add(line.at, schedule_effect::certain, what, "cores are what jobs hold, as of select/cons_tres");
    } else if (is("SelectTypeParameters")) {
      take_select(line, value, settings, unused);
    } else if (is("DefMemPerCPU") || is("DefMemPerNode")) {
      (is("DefMemPerCPU") ? settings.memory_of_core : settings.memory_of_node) =
          number_of(value).value_or(0.0) * bytes_of_megabyte;
    } else if (is("AccountingStorageEnforce")) {
      settings.enforces_limits = enforces_limits(value);
    } else if (is("GresTypes")) {
      continue;  // devices are those of the nodes
    } else if (is("SchedulerParameters")) {
      take_options(line, value, settings, unused);
    } else if (const policy_taking policy = take_policy_parameter(line.at, key, value, settings.policy); policy.known) {
      if (!policy.taken()) unused.add(line.at, schedule_effect::certain, what, why_not(policy, ""));
    } else if (const auto why = reason_of(effective_parameters, key)) {
      const bool off = is_off(value);
      unused.add(line.at, off ? schedule_effect::none : schedule_effect::certain, what,
                 off ? "it is switched off" : *why);
    } else if (has_word(harmless_parameters, key)) {
      unused.add(line.at, schedule_effect::none, what, "has no effect on the schedule");
    } else {
      list_unknown(line, key, what, unused);
    }
  }
}

}  // namespace muster
