#include "platform/forecast/history_sources.h"

#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "platform/scenario/log_file.h"

namespace muster {

run_time_history history_of_log(const scenario& model) {
  run_time_history history;
  const arrival_spec& arrivals = model.arrivals;
  if (arrivals.jobs)
    for (std::size_t n = arrivals.initial; n < arrivals.jobs->size(); ++n) {
      const timed_job& job = (*arrivals.jobs)[n];
      history.add(job.user < arrivals.users.size() ? arrivals.users[job.user] : "", job.size, job.requested);
    }
  history.settle();
  return history;
}

history_of_file read_history(const std::string& path, const time_unit& unit) {
  const auto file = read_log_file(std::filesystem::absolute(path).string(), nullptr, {});
  if (!file->refusal.empty())
    throw std::runtime_error(fmt::format(
        "{}{}: {}", path, file->refused_line > 0 ? fmt::format(":{}", file->refused_line) : "", file->refusal));
  history_of_file found{{}, file->digest};
  for (const log_file::job& job : file->jobs)
    found.jobs.add(job.user == log_file::no_name ? "" : file->users[job.user], job.run / unit.seconds,
                   job.requested / unit.seconds);
  found.jobs.settle();
  return found;
}

}  // namespace muster
