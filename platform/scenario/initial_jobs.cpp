#include "platform/scenario/initial_jobs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace muster {

std::vector<queued_job> queued_jobs_of(const log_file& queue, const time_unit& unit) {
  std::vector<queued_job> all;
  for (const std::uint32_t place : queue.taken) {
    const log_file::job& logged = queue.jobs[place];
    const log_file::queued& state = queue.states[place];
    queued_job& j = all.emplace_back();
    if (logged.number.job > 0) j.name = fmt::format("{}", logged.number.job);
    if (logged.number.job > 0 && logged.number.task != job_number::whole)
      j.name += fmt::format("_{}", logged.number.task);
    if (logged.user != log_file::no_name) j.user = queue.users[logged.user];
    j.line = logged.line;
    j.place = place;
    j.cores = logged.cores(false);
    j.runs = state.runs;
    j.elapsed = state.runs ? state.elapsed / unit.seconds : 0.0;
    j.limit = logged.requested / unit.seconds;
    j.by_request = !(logged.run > 0.0);
    j.size = j.by_request ? j.limit : logged.run / unit.seconds;
  }
  return all;
}

initial_jobs::initial_jobs(const log_file& queue, const time_unit& unit, double longest)
    : queue_(queue), step_(unit.to_units(1)), left_out_(queue.left_out) {
  for (std::size_t n = 0; n < queue.jobs.size(); ++n) add(n, unit, longest);
  const auto waiting = std::stable_partition(jobs_.begin(), jobs_.end(), [](const initial_job& j) { return j.runs; });
  std::stable_partition(jobs_.begin(), waiting, [](const initial_job& j) { return j.nodes != log_file::no_name; });
  by_submission_ = waiting != jobs_.end() &&
                   std::all_of(waiting, jobs_.end(), [](const initial_job& j) { return j.logged.submit >= 0.0; });
  if (by_submission_)
    std::stable_sort(waiting, jobs_.end(),
                     [](const initial_job& a, const initial_job& b) { return a.logged.submit < b.logged.submit; });
}

void initial_jobs::add(std::size_t place, const time_unit& unit, double longest) {
  const log_file::job& logged = queue_.jobs[place];
  const log_file::queued& state = queue_.states[place];
  initial_job added{logged, {}, state.runs, !(logged.run > 0.0), state.job_class, state.nodes};
  added.place = static_cast<std::uint32_t>(place);
  if (added.by_request) added.logged.run = logged.requested;
  if (!(added.logged.run > 0.0)) return leave_out(added, "without a size and a time limit");
  const double done = state.runs ? state.elapsed : 0.0;
  const auto left_of = [&](double whole) { return std::max((whole - done) / unit.seconds, step_); };
  added.at_its_end = added.logged.run <= done;
  added.job.arrival = state.runs ? 0.0 : step_;
  added.job.size = left_of(added.logged.run);
  added.job.requested = logged.requested > 0.0 ? left_of(logged.requested) : 0.0;
  if (std::max(added.job.size, added.job.requested) >= longest)
    return leave_out(added, "with times beyond the range of the clock");
  jobs_.push_back(added);
}

void initial_jobs::leave_out(const initial_job& job, std::string_view why) {
  count_left_out(left_out_, why, job.logged.line);
}

void initial_jobs::enter_all(const std::function<std::string_view(const initial_job&)>& enter, arrival_spec& arrivals) {
  std::vector<initial_job> taken;
  for (const initial_job& j : jobs_)
    if (const std::string_view why = enter(j); why.empty())
      taken.push_back(j);
    else
      leave_out(j, why);
  tell(taken, arrivals);
}

void initial_jobs::tell(const std::vector<initial_job>& taken, arrival_spec& arrivals) const {
  const auto count = [&](auto which) {
    return static_cast<std::size_t>(std::count_if(taken.begin(), taken.end(), which));
  };
  queue_.taken.clear();
  for (const initial_job& j : taken) queue_.taken.push_back(j.place);
  arrivals.initial = taken.size();
  arrivals.running = count([](const initial_job& j) { return j.runs; });
  for (std::size_t n = 0; n < arrivals.running; ++n)
    arrivals.at_time_0.push_back({taken[n].logged.line, taken[n].nodes});
  if (std::all_of(arrivals.at_time_0.begin(), arrivals.at_time_0.end(),
                  [](const running_job& j) { return j.nodes == running_job::no_nodes; }))
    arrivals.at_time_0.clear();
  std::string text = fmt::format("initial {} ({}): {} jobs run at time 0, and {} wait",
                                 std::filesystem::path{queue_.path}.filename().string(), queue_.format->name,
                                 arrivals.running, arrivals.initial - arrivals.running);
  if (arrivals.running < arrivals.initial)
    text += by_submission_ ? ", in the order of their submission" : ", in the order of the file";
  if (const std::size_t n = count([](const initial_job& j) { return j.by_request; }); n > 0)
    text += fmt::format("; the size of {} is their time limit", n);
  if (const std::size_t n = count([](const initial_job& j) { return j.at_its_end; }); n > 0)
    text += fmt::format("; {} have run for their whole size and end at once", n);
  if (const std::size_t n = count([](const initial_job& j) { return j.logged.depends; }); n > 0)
    text += fmt::format("; {} that wait for another job do not do so here", n);
  if (!queue_.flaw.empty()) text += "; " + queue_.flaw;
  for (std::size_t n = 0; n < left_out_.size(); ++n) text += (n == 0 ? "; left out: " : ", ") + left_out_[n].in_words();
  arrivals.notes.push_back(text);
}

std::optional<std::uint32_t> class_of(const initial_job& initial, const log_file& queue,
                                      const std::vector<class_spec>& classes) {
  const bool is_named = initial.job_class != log_file::no_name;
  const auto suits = [&](const class_spec& c) {
    return is_named ? c.name == queue.classes[initial.job_class]
                    : classes.size() == 1 || c.need == initial.logged.cores(false);
  };
  const auto end = classes.end(), found = std::find_if(classes.begin(), end, suits);
  if (found == end || std::find_if(found + 1, end, suits) != end) return std::nullopt;
  return static_cast<std::uint32_t>(found - classes.begin());
}

}  // namespace muster
