#include "platform/scenario/log_dependencies.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace muster {

namespace {

bool same_dependencies(const job_dependencies& a, const job_dependencies& b) {
  const auto same_links = [](const auto& x, const auto& y) {
    return std::tie(x.followers, x.preceding) == std::tie(y.followers, y.preceding);
  };
  const auto same_follower = [](const auto& x, const auto& y) {
    return std::tie(x.job, x.think) == std::tie(y.job, y.think);
  };
  return a.listed == b.listed && a.jobs.size() == b.jobs.size() && a.followers.size() == b.followers.size() &&
         std::equal(a.jobs.begin(), a.jobs.end(), b.jobs.begin(), same_links) &&
         std::equal(a.followers.begin(), a.followers.end(), b.followers.begin(), same_follower);
}

}  // namespace

double log_dependencies::think(const log_file::job& logged) const {
  const double seconds = logged.waits > 0 ? log_.preceding[logged.first_wait].think : 0.0;
  return std::max(seconds, 0.0) * units_per_second_;
}

void log_dependencies::add(const log_file::job& logged, std::size_t place) {
  const auto at = static_cast<std::uint32_t>(place);
  if (logged.number.job > 0) finder_.add(logged.number, at);
  if (logged.waits_otherwise) count_left_out(not_replayed_, "of a kind that is not replayed", logged.line);
  for (std::uint32_t n = 0; n < logged.waits; ++n) {
    const log_file::preceding_job& p = log_.preceding[logged.first_wait + n];
    finder_.add({p.number, p.think >= 0.0 ? p.think * units_per_second_ : job_dependency::no_think, at, logged.line});
  }
}

std::shared_ptr<const job_dependencies> log_dependencies::find(std::size_t jobs) {
  using result = dependency_finder::result;
  auto found = finder_.find(jobs, [&](const dependency_finder::waiting& w, result r) {
    if (r == result::waits)
      wait_.first_line = wait_.first_line == 0 ? w.line : std::min<std::uint64_t>(wait_.first_line, w.line);
    else
      count_left_out(not_replayed_,
                     r == result::not_earlier ? "on a job that is no earlier one" : "on a job that is not simulated",
                     w.line);
  });
  if (!found) return nullptr;
  for (std::size_t job = 0; job < jobs; ++job) wait_.lines += found->jobs[job].preceding > 0 ? 1 : 0;
  if (!log_.shared_dependencies || !same_dependencies(*log_.shared_dependencies, *found))
    log_.shared_dependencies = std::move(found);
  return log_.shared_dependencies;
}

std::string log_dependencies::in_words() const {
  std::string text = wait_.lines > 0 ? "; " + wait_.in_words() : "";
  for (std::size_t n = 0; n < not_replayed_.size(); ++n)
    text += (n == 0 ? "; dependencies that are not waited for: " : ", ") + not_replayed_[n].in_words();
  return text;
}

}  // namespace muster
