#include "platform/import/slurm/site_blocks.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "platform/log/line_stream.h"
#include "platform/log/log_text.h"
#include "platform/log/slurm_text.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

// The key of a word `Key=Value`; empty: it has none.
std::string_view key_of(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || std::isalpha(static_cast<unsigned char>(word.front())) == 0) return {};
  const std::string_view key = word.substr(0, equals);
  const bool valid = std::all_of(key.begin(), key.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '_' || c == ':';
  });
  return valid ? key : std::string_view{};
}

// Keys whose value is free text to the end of its line.
bool is_free_text(std::string_view key) {
  return has_word("JobName Command WorkDir Comment AdminComment SystemComment StdErr StdIn StdOut SubmitLine Reason OS",
                  key);
}

void take_words(std::string_view line, site_line& block) {
  constexpr std::size_t most_words = 1'000;
  std::vector<std::string_view> words;
  words_of(line, most_words, words);
  bool free = false;
  for (const std::string_view word : words) {
    const std::string_view key = key_of(word);
    if (!free && !key.empty()) {
      block.words.emplace_back(key, word.substr(key.size() + 1));
      // What follows the reason of a job that waits on its line is no part of it.
      free = is_free_text(key) && !(same_word(key, "Reason") && block.begins_with("JobId"));
    } else if (!block.words.empty()) {
      block.words.back().second += ' ';
      block.words.back().second += word;
    }
  }
}

double time_of(std::string_view text) { return duration_of(text).value_or(log_record::unknown); }

// The user of `ann(1001)`.
std::string user_of(std::string_view text) { return std::string(text.substr(0, text.find('('))); }

/// Lists the keys of a block that are not read, whatever their values, but for those that show what goes on now, and
/// names of files and users.
/// @param read blanks set the keys apart
void list_other_keys(const site_line& block, std::string_view read, unused_values& unused) {
  constexpr std::string_view shown =
      "Arch CPUAlloc CPUEfctv CPUErr CPULoad ActiveFeatures NodeAddr NodeHostName Version OS AllocMem FreeMem "
      "Partitions BootTime SlurmdStartTime LastBusyTime ResumeAfterTime CfgTRES AllocTRES CapWatts CurrentWatts "
      "AveWatts ExtSensorsJoules ExtSensorsWatts ExtSensorsTemp TotalCPUs TotalNodes TRES Hidden RootOnly AllocNodes "
      "AllowGroups AllowAccounts AllowQos DisableRootJobs JobName GroupId MCS_label RunTime EndTime StartTime "
      "AccrueTime EligibleTime SuspendTime LastSchedEval AllocNode:Sid ReqNodeList BatchHost NumTasks Command WorkDir "
      "StdErr StdIn StdOut Comment ExitCode BatchFlag Restarts Reboot Requeue Priority Nice Scheduler TimeMin "
      "Deadline PreemptEligibleTime PreemptTime Reason Gres Sockets Boards CoresPerSocket TmpDisk Owner MinNodes "
      "MaxNodes State JobState";
  for (const auto& [key, value] : block.words) {
    if (has_word(read, key)) continue;
    const bool harmless = has_word(shown, key);
    unused.add(
        block.at, harmless ? schedule_effect::none : schedule_effect::possible, key,
        harmless ? "it is not read: it shows the present, names, or what is told elsewhere, too" : "it is not read");
  }
}

/// Makes a job of a block. @return why it is none; empty: it is one
std::string_view read_job(const site_line& block, const std::vector<std::string>& gres, site_job& job) {
  const auto value = [&](std::string_view key) { return block.first_value(key); };
  const std::string_view state = value("JobState"), reason = value("Reason");
  const bool runs = same_word(state, "RUNNING") || same_word(state, "CONFIGURING");
  if (!runs && !same_word(state, "PENDING")) return "that neither wait nor run";
  if (!runs && reason.find("JobHeld") != std::string_view::npos) return "that are held";
  const auto cores = number_in<std::uint32_t>(value("NumCPUs").substr(0, value("NumCPUs").find('-')));
  if (!cores || *cores == 0) return "without a number of cores";
  const std::string_view nodes = value("NumNodes");
  job.at = block.at;
  job.cores = *cores;
  job.nodes = number_in<std::uint32_t>(nodes.substr(0, nodes.find('-'))).value_or(0);
  job.number.job = number_in<std::uint64_t>(value("JobId")).value_or(0);
  job.submit = moment_of(value("SubmitTime")).value_or(log_record::unknown);
  job.requested = time_of(value("TimeLimit"));
  job.elapsed = time_of(value("RunTime"));
  job.state = runs ? logged_state::runs : logged_state::waits;
  if (runs && job.elapsed < 0.0) return "that run without a time since their start (RunTime)";
  job.user = user_of(value("UserId"));
  if (!same_word(value("QOS"), "(null)")) job.qos = value("QOS");
  job.partition = value("Partition").substr(0, value("Partition").find(','));
  if (runs) job.node_list = node_list_in(value("NodeList"));
  job.exclusive = same_word(value("OverSubscribe"), "NO");
  std::string_view resources = value("TRES");
  if (resources.empty()) resources = runs ? value("AllocTRES") : value("ReqTRES");
  if (const auto memory = memory_of(value_in(resources, "mem"))) job.memory = *memory / job.cores;
  for (const std::string& name : gres) job.gres.push_back(number_in_list(resources, "gres/" + name).value_or(0.0));
  return {};
}

}  // namespace

std::vector<site_line> read_site_blocks(const std::string& path, std::string_view key) {
  line_stream lines(path);
  std::vector<site_line> all;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (same_word(line.substr(0, std::min(line.find('='), line.size())), key))
      all.push_back({{path, lines.number()}, {}});
    if (!all.empty()) take_words(line, all.back());
  }
  return all;
}

site_line as_configured(const site_line& block, unused_values& unused) {
  constexpr std::string_view keys =
      "NodeName CPUTot RealMemory AvailableFeatures Gres MemSpecLimit CoreSpecCount Weight ThreadsPerCore "
      "PartitionName Nodes Default MaxTime DefaultTime OverSubscribe DefMemPerCPU DefMemPerNode PriorityTier "
      "PriorityJobFactor QoS State PreemptMode MaxCPUsPerNode LLN ExclusiveUser GraceTime ReqResv";
  site_line line{block.at, {}};
  const bool of_node = block.begins_with("NodeName");
  for (std::string_view rest = keys; !rest.empty();) {
    const std::string_view shown = take_part(rest, ' ');
    const std::string_view value = block.first_value(shown);
    const bool none = value.empty() || has_word("(null) N/A UNLIMITED", value) || (of_node && shown == "State") ||
                      (value == "1" && has_word("Weight PriorityTier PriorityJobFactor", shown));
    if (none) continue;
    const std::string_view configured = shown == "CPUTot"              ? "CPUs"
                                        : shown == "AvailableFeatures" ? "Feature"
                                        : shown == "QoS"               ? "QOS"
                                                                       : shown;
    line.words.emplace_back(configured, value);
  }
  list_other_keys(block, keys, unused);
  return line;
}

void take_job_blocks(const std::vector<site_line>& blocks, site_jobs& jobs, unused_values& unused) {
  std::size_t taken = 0;
  for (const site_line& block : blocks) {
    site_job job;
    if (const std::string_view why = read_job(block, jobs.gres, job); !why.empty()) {
      unused.add(block.at, schedule_effect::possible, fmt::format("jobs {}", why), "left out");
      continue;
    }
    for (const auto& [key, why] :
         {std::pair("Dependency", "dependencies are not imported yet; the job waits at time 0 like any other"),
          std::pair("Features", "a job may have any node of its partition"),
          std::pair("Reservation", "there are no reservations of Slurm in a scenario"),
          std::pair("Licenses", "jobs have no licences")}) {
      const std::string_view value = block.first_value(key);
      if (!value.empty() && !same_word(value, "(null)"))
        unused.add(block.at, schedule_effect::certain, fmt::format("{}={}", key, value), why);
    }
    if (block.first_value("ArrayTaskId").find_first_of("-,") != std::string_view::npos)
      unused.add(block.at, schedule_effect::certain, fmt::format("ArrayTaskId={}", block.first_value("ArrayTaskId")),
                 "the tasks of an array that waits are one job; squeue -r has a line for each");
    list_other_keys(block,
                    "JobId JobState Reason NumCPUs NumNodes SubmitTime TimeLimit RunTime UserId Partition NodeList "
                    "OverSubscribe TRES AllocTRES ReqTRES Dependency Features Reservation Licenses ArrayTaskId",
                    unused);
    jobs.queue.push_back(std::move(job));
    ++taken;
  }
  if (!blocks.empty())
    jobs.sources.push_back(fmt::format("{} jobs of {} (scontrol show job)", taken,
                                       blocks.front().at.file.substr(blocks.front().at.file.find_last_of('/') + 1)));
}

}  // namespace muster
