#include "platform/calibration/listed_past.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "platform/model/job_kind.h"
#include "platform/scenario/file_kinds.h"
#include "platform/scenario/text_field.h"
#include "platform/store/stored_run.h"
#include "platform/toml/number_in.h"

namespace muster {

namespace {

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

}  // namespace

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

}  // namespace muster
