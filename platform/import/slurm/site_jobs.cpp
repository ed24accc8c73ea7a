#include "platform/import/slurm/site_jobs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "platform/log/line_stream.h"
#include "platform/log/log_text.h"

namespace muster {

namespace {

constexpr double most_cores_of_job = 10'000'000.0;

// Columns of sacct or squeue, and options of sbatch, that change when or where jobs start and are not read.
const std::vector<words_with_reason> effective_columns{
    {"Constraints Features --constraint -C --nodelist -w --exclude", "a job may have any node of its partition"},
    {"Reservation --reservation", "there are no reservations of Slurm in a scenario"},
    {"Priority", "the policy slurm computes priorities itself, and others have none"},
    {"--nice", "the priorities of the policy slurm have no such part"},
    {"Account -A --account", "limits and shares of accounts are not imported yet"},
    {"Dependency --dependency -d", "dependencies are not imported yet; a job arrives when it did in the log"},
    {"--begin", "a job may start from its submission on"},
    {"Licenses -L --licenses", "jobs have no licences"},
    {"--exclusive", "jobs share nodes by the cores that they hold"},
    {"--ntasks-per-node", "tasks are divided evenly among the nodes"},
};

// Columns and options that are read, or are steps of the simulator of Slurm itself.
constexpr std::string_view read_columns =
    "JobID JobIDRaw User UID Partition QOS -q --qos Submit Eligible Start End Elapsed ElapsedRaw Timelimit "
    "TimelimitRaw ReqCPUS "
    "NCPUS AllocCPUS ReqMem ReqTRES AllocTRES State ST Time Time_limit Time_left CPUS Submit_time Nodelist "
    "Nodelist(Reason) Nodes Tres_per_node Reason -dt -sim-walltime -e -n --ntasks -N --nodes -c --cpus-per-task -t "
    "--time -p --partition --uid --mem --mem-per-cpu --gres";

void list_column(std::string_view name, const site_place& at, unused_values& unused) {
  if (name.empty() || has_word(read_columns, name)) return;
  const bool option = name.front() == '-';
  const auto why = reason_of(effective_columns, name, option);
  unused.add(at,
             why      ? schedule_effect::certain
             : option ? schedule_effect::possible
                      : schedule_effect::none,
             fmt::format("{} {}", option ? "option" : "column", name),
             why      ? *why
             : option ? "muster does not read this option"
                      : "has no effect on the schedule");
}

// Lists the columns of a table, or the options of events, that are not read.
void list_columns(const std::string& path, const log_format_entry& format, unused_values& unused) {
  line_stream lines(path);
  std::vector<std::string_view> words;
  constexpr std::size_t most_words = 200;
  while (lines.next()) {
    const std::string_view line = without_blanks(lines.line());
    const site_place at{path, lines.number()};
    if (line.empty()) continue;
    if (format.name == "slurm_events") {
      words_of(line, most_words, words);
      for (const std::string_view word : words)
        if (word.size() > 1 && word.front() == '-' && !number_of(word))
          list_column(word.substr(0, word.find('=')), at, unused);
      continue;
    }
    if (format.name != "sacct" && format.name != "squeue") return;
    if (line.find('|') != std::string_view::npos)
      split(line, '|', words);
    else
      words_of(line, most_words, words);
    for (const std::string_view head : words) list_column(without_blanks(head.substr(0, head.find('%'))), at, unused);
    return;
  }
}

std::uint32_t whole_cores(double own, double other) {
  const double cores = own > 0.0 ? own : other;
  return cores >= 1.0 && cores <= most_cores_of_job ? static_cast<std::uint32_t>(std::lround(std::ceil(cores))) : 0;
}

/// Reads the jobs of a file.
class job_file_reader {
 public:
  job_file_reader(const std::string& path, bool allocated, site_jobs& jobs, unused_values& unused)
      : path_(path), allocated_(allocated), jobs_(jobs), unused_(unused) {}

  void read(const log_format_entry& format, bool queue) {
    line_stream lines(path_);
    const auto reader = queue ? format.open_queue(lines) : format.open(lines, {});
    ask_for_resources(*reader);
    std::size_t taken = 0;
    log_record record;
    while (reader->next(record)) taken += take(record, queue) ? 1U : 0U;
    if (!lines.bytes().flaw().empty())
      unused_.add({path_, lines.number()}, schedule_effect::certain, "the end of the file", lines.bytes().flaw());
    jobs_.sources.push_back(
        fmt::format("{} jobs of {} ({})", taken, std::filesystem::path{path_}.filename().string(), format.name));
  }

 private:
  void ask_for_resources(log_reader& reader) {
    std::vector<std::string> names{"node"};
    for (const std::string& name : jobs_.gres) names.push_back("gres/" + name);
    try {
      tells_resources_ = reader.tell(names);
    } catch (const log_error&) {
      tells_resources_ = false;
    }
    if (!tells_resources_)
      unused_.add({path_, 0}, schedule_effect::certain, "nodes and devices of jobs",
                  "the file does not tell them (ReqTRES and AllocTRES of sacct, NODES and TRES_PER_NODE of squeue); "
                  "jobs have cores on any nodes");
  }

  void leave_out(const log_record& record, std::string_view why) {
    const bool harmless = why == "that are steps of jobs" || why == "that submit no job";
    unused_.add({path_, record.line},
                harmless         ? schedule_effect::none
                : record.damaged ? schedule_effect::certain
                                 : schedule_effect::possible,
                fmt::format("lines {}", why), "left out");
  }

  bool take(const log_record& record, bool queue) {
    if (!record.left_out.empty()) return leave_out(record, record.left_out), false;
    site_job job;
    job.cores = allocated_ ? whole_cores(record.allocated_cores, record.requested_cores)
                           : whole_cores(record.requested_cores, record.allocated_cores);
    if (job.cores == 0) return leave_out(record, "without a number of cores"), false;
    if (record.depends)
      unused_.add({path_, record.line}, schedule_effect::certain, "jobs that wait for another one",
                  "dependencies are not imported yet; a job arrives when it did in the log");
    job.at = {path_, record.line};
    job.number = record.number;
    if (!queue && job.number.job > 0 && !seen_.emplace(job.number.job, job.number.task).second)
      return leave_out(record, "of a job that has one before"), false;
    job.submit = record.submit;
    job.run = record.run;
    job.waited = record.waited;
    job.requested = record.requested;
    job.elapsed = record.elapsed;
    job.memory = std::max(record.memory, 0.0);
    job.state = record.state;
    job.user = record.user;
    job.qos = record.queue;
    job.partition = record.partition.substr(0, record.partition.find(','));
    if (job.partition.size() < record.partition.size())
      unused_.add({path_, record.line}, schedule_effect::certain, "jobs of several partitions",
                  "each is a job of the first of them");
    job.node_list = record.nodes;
    job.gres.assign(jobs_.gres.size(), 0.0);
    if (tells_resources_ && record.amounts != nullptr) {
      const double nodes = record.amounts[0];
      job.nodes = nodes >= 1.0 && nodes <= most_cores_of_job ? static_cast<std::uint32_t>(nodes) : 0;
      for (std::size_t n = 0; n < job.gres.size(); ++n) job.gres[n] = std::max(record.amounts[n + 1], 0.0);
    }
    (queue ? jobs_.queue : jobs_.ended).push_back(std::move(job));
    return true;
  }

  const std::string& path_;
  bool allocated_, tells_resources_ = false;
  site_jobs& jobs_;
  unused_values& unused_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> seen_;  // numbers of jobs
};

}  // namespace

void read_site_jobs(const std::string& path, const log_format_entry& format, bool queue, bool allocated,
                    site_jobs& jobs, unused_values& unused) {
  list_columns(path, format, unused);
  job_file_reader(path, allocated, jobs, unused).read(format, queue);
}

}  // namespace muster
