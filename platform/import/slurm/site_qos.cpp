#include "platform/import/slurm/site_qos.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "platform/import/slurm/site_hardware.h"
#include "platform/log/line_stream.h"
#include "platform/log/log_text.h"

namespace muster {

namespace {

constexpr limit_key limit_keys[] = {{"Priority", "Priority"},
                                    {"GrpCPUs", "GrpCPUs"},
                                    {"GrpNodes", "GrpNodes"},
                                    {"GrpJobs", "GrpJobs"},
                                    {"MaxCPUsPerUser", "MaxCPUsPerUser"},
                                    {"MaxNodesPerUser", "MaxNodesPerUser"},
                                    {"MaxJobsPerUser", "MaxJobsPerUser"},
                                    {"MaxJobsPU", "MaxJobsPerUser"},
                                    {"GrpTRES", "GrpCPUs", "GrpNodes"},
                                    {"MaxTRESPU", "MaxCPUsPerUser", "MaxNodesPerUser"},
                                    {"MaxTRESPerUser", "MaxCPUsPerUser", "MaxNodesPerUser"}};

// Keys that have no effect on jobs that were accepted.
constexpr std::string_view of_submission =
    "MaxSubmitJobsPerUser MaxSubmitJobs MaxSubmitPU MaxSubmitPA MaxSubmitJobsPerAccount GrpSubmit GrpSubmitJobs "
    "MaxTRES MaxTRESPerJob MaxTRESPerNode MinTRES MinTRESPerJob MaxCPUsPerJob MaxNodesPerJob MinCPUs";
constexpr std::string_view without_effect = "Name Description Descr Where Set Names";

// Takes the flags of which the policy has some.
void take_flags(site_qos& qos, const site_place& at, std::string_view value, unused_values& unused) {
  std::vector<std::string_view> flags;
  split(value, ',', flags);
  for (const std::string_view flag : flags)
    if (same_word(flag, "OverPartQOS"))
      qos.settings["OverPartQOS"] = "\"yes\"";
    else if (!without_blanks(flag).empty() && flag != "-1")
      unused.add(at, same_word(flag, "DenyOnLimit") ? schedule_effect::none : schedule_effect::certain,
                 fmt::format("Flags={} of QOS {}", flag, qos.name),
                 same_word(flag, "DenyOnLimit") ? "has no effect on jobs that were accepted"
                                                : "the policy slurm has OverPartQOS alone");
}

// Takes the PreemptMode of a QOS, which may be that of the cluster. @return false: a scenario has no such one
bool take_preempt_mode(site_qos& qos, std::string_view value) {
  qos.settings.erase("PreemptMode");
  for (const char* mode : {"requeue", "cancel"})
    if (same_word(mode, value)) qos.settings["PreemptMode"] = fmt::format("\"{}\"", mode);
  return qos.settings.count("PreemptMode") > 0 || same_word(value, "cluster") || same_word(value, "OFF");
}

// Takes GraceTime, a plain number of which is in seconds, or PreemptExemptTime, of which it is in minutes; or none.
// @return false: it is no time
bool take_time(site_qos& qos, std::string_view key, std::string_view value) {
  const bool grace = same_word(key, "GraceTime");
  const std::string parameter = grace ? "GraceTime" : "PreemptExemptTime";
  qos.settings.erase(parameter);
  if (same_word(value, "NONE") || value == "-1") return true;
  const double seconds = grace && number_of(value) ? *number_of(value) : slurm_time(value);
  if (seconds < 0.0 || seconds > 365.0 * 86400.0 || seconds != std::floor(seconds)) return false;
  if (!grace || seconds > 0.0) qos.settings[parameter] = fmt::format("{:.0f}", seconds);
  return true;
}

// Why the policy does not have a value; empty: it does, or would do the same.
std::string_view why_not(std::string_view key, std::string_view value) {
  if (same_word(key, "UsageFactor")) return number_of(value) == 1.0 ? "" : "usage counts in full";
  return "this limit of a QOS is not imported";
}

}  // namespace

site_limits site_qos::limits() const {
  site_limits all = settings;
  for (const char* other : {"Priority", "OverPartQOS", "Preempt", "PreemptMode", "GraceTime"}) all.erase(other);
  return all;
}

const site_qos* find_qos(const std::vector<site_qos>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const site_qos& q) { return same_word(q.name, name); });
  return found == all.end() ? nullptr : &*found;
}

void take_qos_value(site_qos& qos, const site_place& at, std::string_view key, std::string_view value,
                    unused_values& unused) {
  value = without_blanks(value);
  if (value.empty() || has_word(without_effect, key)) return;
  const auto list_value = [&](schedule_effect effect, std::string_view why) {
    unused.add(at, effect, fmt::format("{}={} of QOS {}", key, value, qos.name), why);
  };
  for (const limit_key& one : limit_keys)
    if (same_word(one.key, key)) {
      for (const std::string_view left : take_limit(one, value, qos.settings))
        unused.add(at, schedule_effect::certain, fmt::format("{}={} of QOS {}", key, left, qos.name),
                   one.of_nodes.empty() ? "expected a whole number up to 1000000000, of a limit at least 1"
                                        : "a QOS limits cores, nodes and jobs alone; expected whole numbers of cpu and "
                                          "node");
      return;
    }
  if (same_word(key, "Preempt")) {
    std::string names(value == "-1" ? "" : value);
    names.erase(std::remove_if(names.begin(), names.end(), [](char c) { return c == ' ' || c == '"'; }), names.end());
    qos.settings["Preempt"] = names;
  } else if (same_word(key, "PreemptMode")) {
    if (!take_preempt_mode(qos, value))
      list_value(schedule_effect::certain, "expected Cluster, REQUEUE or CANCEL; that of the cluster is taken");
  } else if (has_word("GraceTime PreemptExemptTime", key)) {
    if (!take_time(qos, key, value))
      list_value(schedule_effect::certain, "expected a time such as 0:30; none is taken");
  } else if (same_word(key, "MaxWall") || same_word(key, "MaxWallDurationPerJob")) {
    qos.longest = value == "-1" ? 0.0 : slurm_time(value);
    if (qos.longest < 0.0) list_value(schedule_effect::certain, "expected a time such as 7-0 or 1:00:00");
    qos.longest = std::max(qos.longest, 0.0);
  } else if (same_word(key, "Flags")) {
    take_flags(qos, at, value, unused);
  } else if (has_word(of_submission, key)) {
    list_value(schedule_effect::none, "has no effect on jobs that were accepted");
  } else if (const std::string_view why = why_not(key, value); !why.empty()) {
    list_value(schedule_effect::certain, why);
  }
}

void read_qos_table(const std::string& path, std::vector<site_qos>& all, unused_values& unused) {
  line_stream lines(path);
  std::vector<std::string_view> fields;
  std::vector<std::string> heads;
  std::size_t name_at = 0;
  while (lines.next()) {
    const std::string_view line = without_blanks(lines.line());
    const site_place at{path, lines.number()};
    if (line.empty()) continue;
    split(line, '|', fields);
    if (heads.empty()) {
      heads.assign(fields.begin(), fields.end());
      name_at = static_cast<std::size_t>(
          std::find_if(heads.begin(), heads.end(), [](const std::string& h) { return same_word(h, "Name"); }) -
          heads.begin());
      continue;
    }
    if (fields.size() != heads.size() || fields[name_at].empty()) {
      unused.add(at, schedule_effect::certain, "a line with another number of fields than heads",
                 "it is cut short, and not read");
      continue;
    }
    site_qos& qos = all.emplace_back(site_qos{std::string(fields[name_at]), at});
    for (std::size_t n = 0; n < fields.size(); ++n) take_qos_value(qos, at, heads[n], fields[n], unused);
  }
}

}  // namespace muster
