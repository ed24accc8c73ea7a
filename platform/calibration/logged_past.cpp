#include "platform/calibration/logged_past.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "platform/model/job_kind.h"
#include "platform/scenario/file_kinds.h"
#include "platform/scenario/log_file.h"
#include "platform/scenario/scenario_file.h"
#include "platform/scenario/text_field.h"
#include "platform/store/stored_run.h"
#include "platform/toml/dotted_key.h"
#include "platform/toml/quantity.h"
#include "platform/toml/toml_value.h"

namespace muster {

namespace {

// The table `arrivals` of a study that has been read: complete, with the log's whole path.
toml_value arrivals_of(const study& s) {
  findings errors({s.name});
  const auto document = parse_toml(s.resolved, 0, errors);
  const toml_value* arrivals = document ? document->find("arrivals") : nullptr;
  return arrivals ? *arrivals : toml_value{};
}

std::string text_of(const toml_value& table, std::string_view key) {
  const auto* text = as_if<std::string>(table.find(key));
  return text ? *text : "";
}

void check_process(const study& s) {
  const arrival_spec& arrivals = s.points.front().model.arrivals;
  if (arrivals.kind != arrival_kind::log && arrivals.kind != arrival_kind::list)
    throw results_error(
        fmt::format("{}: arrivals.process is \"{}\"; expected \"log\" or \"list\", as only these tell what happened",
                    s.name, arrivals.entry->name));
}

// What the jobs of the log are must be the same at all points.
void check_sweep(const study& s) {
  for (const std::string& key : s.keys) {
    const bool of_log = key.rfind("arrivals", 0) == 0;
    if (of_log && key != "arrivals.estimate" && key.rfind("arrivals.estimate.", 0) != 0 &&
        key != "arrivals.kill_at_estimate")
      throw results_error(fmt::format(
          "{}: the sweep changes {}; expected the same log at all points, such as --set {}=..", s.name, key, key));
  }
}

void check_scale(const study& s, const toml_value& arrivals) {
  const toml_value* scale = arrivals.find("scale");
  const auto factor = scale ? scale->number() : std::nullopt;
  if (factor && *factor != 1.0)
    throw results_error(fmt::format(
        "{}: arrivals.scale is {}; expected 1, as jobs that arrive at other times cannot start as in the log", s.name,
        *factor));
}

log_columns columns_of(const toml_value& arrivals) {
  log_columns columns;
  for (const toml_entry& entry : contents_of<toml_table>(arrivals.find("columns")))
    if (const auto* name = entry.value.as<std::string>()) columns.emplace_back(entry.key, *name);
  return columns;
}

const log_format_entry* format_named(std::string_view name) {
  const auto& all = log_format_catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto* entry) { return entry->name == name; });
  return found == all.end() ? nullptr : *found;
}

// The starts that a list tells, by line, in its unit of time. The list has been read, and is valid.
std::unordered_map<std::uint32_t, double> listed_starts(const job_list_file& list) {
  std::unordered_map<std::uint32_t, double> starts;
  std::size_t column = 0, columns = 0;
  named_file report;
  const auto read_header = [&](const std::vector<text_field>& heads) {
    columns = heads.size();
    column = static_cast<std::size_t>(
        std::find_if(heads.begin(), heads.end(), [](const text_field& head) { return head.text == "start"; }) -
        heads.begin());
  };
  read_comma_separated(list.lines(), report, read_header, [&](const std::vector<text_field>& fields) {
    if (column >= columns) return;
    if (const auto start = number_in<double>(fields[column].text)) starts.emplace(fields[column].number, *start);
  });
  return starts;
}

// What a list of rigid jobs tells of what happened, by its column `start`. Its jobs are those of the first point.
logged_past past_of_list(const study& s, const std::string& path) {
  const scenario& model = s.points.front().model;
  if (kind_of_jobs(model) != job_kind::rigid)
    throw results_error(fmt::format("{}: the jobs of its list are {}; expected rigid jobs, whose starts are told",
                                    s.name, is_slotted(model) ? "slotted" : "pooled"));
  logged_past past;
  past.path = path;
  job_list_file list;
  if (const auto file = s.files.find(path); file != s.files.end()) list.content = file->second;
  const std::unordered_map<std::uint32_t, double> starts = listed_starts(list);
  const double unit = model.unit.seconds;
  const timed_jobs& all = *model.arrivals.jobs;
  for (const timed_job& job : all) {
    logged_job to;
    to.line = job.line;
    to.cores = model.classes[job.type].listed[job.need].need.cores;
    to.user = job.user;
    to.submit = job.arrival * unit;
    to.run = job.size * unit;
    to.requested = job.requested * unit;
    if (const auto start = starts.find(job.line); start != starts.end())
      to.waited = (start->second - job.arrival) * unit;
    past.jobs.push_back(to);
  }
  if (past.with_start() == 0)
    throw results_error(
        fmt::format("{}: tells no starts in its {} jobs; expected a column start, which muster import writes where "
                    "sacct has printed the column Start",
                    past.path, past.jobs.size()));
  return past;
}

}  // namespace

std::size_t logged_past::with_start() const {
  return static_cast<std::size_t>(
      std::count_if(jobs.begin(), jobs.end(), [](const logged_job& job) { return job.waited.has_value(); }));
}

double logged_past::last_end() const {
  double last = 0.0;
  for (const logged_job& job : jobs)
    if (job.waited) last = std::max(last, job.end());
  return last;
}

study without_initial_jobs(study s, const std::string& file) {
  findings errors({s.name});
  auto document = parse_toml(s.resolved, 0, errors);
  if (!document || !document->find("initial")) return s;
  erase(*document, {"initial"});
  return read_study(to_toml(*document->as<toml_table>()), file, {}, std::filesystem::path{file}.parent_path().string());
}

logged_past read_past(const study& s) {
  check_process(s);
  check_sweep(s);
  const toml_value arrivals = arrivals_of(s);
  check_scale(s, arrivals);
  const std::string path = text_of(arrivals, "file");
  if (s.points.front().model.arrivals.kind == arrival_kind::list) {
    logged_past past = past_of_list(s, path);
    past.format = format_named("csv");
    return past;
  }
  const auto log = read_log_file(path, format_named(text_of(arrivals, "format")), columns_of(arrivals));
  if (!log->refusal.empty()) throw results_error(fmt::format("{}: {}", path, log->refusal));
  const bool allocated = text_of(arrivals, "processors") == "allocated";
  logged_past past;
  past.path = path;
  past.format = log->format;
  const double first = log->jobs.front().submit;
  for (const log_file::job& job : log->jobs) {
    logged_job to;
    to.line = job.line;
    to.cores = job.cores(allocated);
    to.user = job.user;
    to.submit = job.submit - first;
    to.run = job.run;
    to.requested = job.requested;
    if (job.waited >= 0.0) to.waited = job.waited;
    past.jobs.push_back(to);
  }
  if (past.with_start() == 0)
    throw results_error(
        fmt::format("{}: tells no starts in its {} jobs; expected a log of what happened: waits in field 3 (Standard "
                    "Workload Format), or the column Start (sacct)",
                    path, past.jobs.size()));
  return past;
}

}  // namespace muster
