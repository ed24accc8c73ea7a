#include "platform/forecast/run_time_history.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <boost/random/uniform_int_distribution.hpp>

#include "platform/scenario/log_file.h"

namespace muster {

namespace {

// One of the values above a bound, each as likely. Nothing: there are too few. @param sorted ascending
std::optional<double> draw_above(const std::vector<double>& sorted, double bound, random_stream& bits) {
  const auto first = std::upper_bound(sorted.begin(), sorted.end(), bound);
  const auto count = static_cast<std::size_t>(sorted.end() - first);
  if (count < run_time_history::fewest) return std::nullopt;
  const auto chosen = boost::random::uniform_int_distribution<std::size_t>{0, count - 1}(bits);
  return first[static_cast<std::ptrdiff_t>(chosen)];
}

}  // namespace

const char* name_of(run_time_source source) {
  static constexpr const char* names[] = {"file", "user", "all_users", "law"};
  return names[static_cast<std::size_t>(source)];
}

void run_time_history::add(const std::string& user, double run, double requested) {
  const auto add_to = [&](jobs_of_user& jobs) {
    jobs.runs.push_back(run);
    if (requested > 0.0) jobs.shares.push_back(run / requested);
  };
  add_to(all_);
  if (!user.empty()) add_to(users_[user]);
}

void run_time_history::settle() {
  const auto sort = [](jobs_of_user& jobs) {
    std::sort(jobs.runs.begin(), jobs.runs.end());
    std::sort(jobs.shares.begin(), jobs.shares.end());
  };
  sort(all_);
  for (auto& [name, jobs] : users_) sort(jobs);
}

std::size_t run_time_history::users_with_enough() const {
  return static_cast<std::size_t>(
      std::count_if(users_.begin(), users_.end(), [](const auto& u) { return u.second.runs.size() >= fewest; }));
}

std::optional<double> run_time_history::draw_from(const jobs_of_user& jobs, double limit, double elapsed,
                                                  random_stream& bits) {
  if (limit <= 0.0 || jobs.shares.size() < fewest) return draw_above(jobs.runs, elapsed, bits);
  const std::optional<double> share = draw_above(jobs.shares, elapsed / limit, bits);
  return share ? std::optional(*share * limit) : std::nullopt;
}

std::optional<run_time_history::drawn_time> run_time_history::draw(const std::string& user, double limit,
                                                                   double elapsed, random_stream& bits) const {
  if (const auto own = users_.find(user); own != users_.end())
    if (const auto whole = draw_from(own->second, limit, elapsed, bits))
      return drawn_time{*whole, run_time_source::user};
  if (const auto whole = draw_from(all_, limit, elapsed, bits)) return drawn_time{*whole, run_time_source::all_users};
  return std::nullopt;
}

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
