#include "platform/import/slurm/site_settings.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "platform/import/slurm/known_parameters.h"
#include "platform/log/log_text.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

using namespace slurm_parameters;

template <class Names>
bool is_one_of(std::string_view word, const Names& names) {
  return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) { return same_word(name, word); });
}

// Whether a value switches its parameter off.
bool is_off(std::string_view value) {
  for (const std::string_view off :
       {"0", "NO", "NONE", "OFF", "(null)", "priority/basic", "preempt/none", "topology/none", "topology/default",
        "topology/flat", "burst_buffer/none", "INFINITE", "-1", ""})
    if (same_word(value, off)) return true;
  return false;
}

std::string why_not(const policy_taking& policy, std::string_view otherwise) {
  return policy.known ? policy.expected + "; Slurm's default is taken" : std::string(otherwise);
}

// Why an option of SchedulerParameters is not taken, with the option that was most likely meant.
std::string why_no_option(const policy_taking& policy, std::string_view name) {
  std::vector<std::string> known = scheduler_options();
  known.insert(known.end(), std::begin(effective_options), std::end(effective_options));
  known.insert(known.end(), std::begin(harmless_options), std::end(harmless_options));
  const auto near = policy.known || is_one_of(name, known) ? std::nullopt : nearest_name(name, known);
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
    const bool harmless = is_one_of(name, harmless_options);
    unused.add(line.at, harmless ? schedule_effect::none : schedule_effect::certain,
               fmt::format("SchedulerParameters={}", option),
               harmless ? "has no effect on the schedule" : why_no_option(policy, name));
  }
}

void list_unknown(const site_line& line, const std::string& key, const std::string& what, unused_values& unused) {
  std::vector<std::string> known;
  for (const auto& parameter : effective_parameters) known.emplace_back(parameter.name);
  known.insert(known.end(), std::begin(read_parameters), std::end(read_parameters));
  known.insert(known.end(), std::begin(harmless_parameters), std::end(harmless_parameters));
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
    if (!is_one_of(option, std::vector<std::string_view>{"CR_Core", "CR_CPU", "CR_Core_Memory", "CR_CPU_Memory",
                                                         "CR_Memory", "NONE", ""}))
      unused.add(line.at, schedule_effect::certain, fmt::format("SelectTypeParameters={}", option),
                 "which cores and nodes are taken first is up to the policy's placement");
  }
}

}  // namespace

void take_settings(const site_line& line, site_settings& settings, unused_values& unused) {
  for (const auto& [key, value] : line.words) {
    const auto is = [&k = key](const char* name) { return same_word(k, name); };
    const std::string what = fmt::format("{}={}", key, value);
    const auto* const effective =
        std::find_if(std::begin(effective_parameters), std::end(effective_parameters),
                     [&k = key](const effective_parameter& p) { return same_word(p.name, k); });
    if (is("ClusterName")) {
      settings.cluster = value;
    } else if (is("SchedulerType")) {
      settings.backfill = !same_word(value, "sched/builtin");
      if (settings.backfill && !same_word(value, "sched/backfill"))
        unused.add(line.at, schedule_effect::certain, what,
                   "expected sched/backfill or sched/builtin; the former is taken");
    } else if (is("SelectType")) {
      settings.whole_nodes = same_word(value, "select/linear");
      if (!is_one_of(value, std::vector<std::string_view>{"select/linear", "select/cons_res", "select/cons_tres"}))
        unused.add(line.at, schedule_effect::certain, what, "cores are what jobs hold, as of select/cons_tres");
    } else if (is("SelectTypeParameters")) {
      take_select(line, value, settings, unused);
    } else if (is("DefMemPerCPU") || is("DefMemPerNode")) {
      (is("DefMemPerCPU") ? settings.memory_of_core : settings.memory_of_node) =
          number_of(value).value_or(0.0) * bytes_of_megabyte;
    } else if (is("GresTypes")) {
      continue;  // devices are those of the nodes
    } else if (is("SchedulerParameters")) {
      take_options(line, value, settings, unused);
    } else if (const policy_taking policy = take_policy_parameter(line.at, key, value, settings.policy); policy.known) {
      if (!policy.taken()) unused.add(line.at, schedule_effect::certain, what, why_not(policy, ""));
    } else if (effective != std::end(effective_parameters)) {
      const bool off = is_off(value);
      unused.add(line.at, off ? schedule_effect::none : schedule_effect::certain, what,
                 off ? "it is switched off" : effective->why);
    } else if (is_one_of(key, harmless_parameters)) {
      unused.add(line.at, schedule_effect::none, what, "has no effect on the schedule");
    } else {
      list_unknown(line, key, what, unused);
    }
  }
}

}  // namespace muster
