#include "platform/scenario/log_dependencies.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace muster {

namespace {

bool before(const job_number& a, const job_number& b) { return std::tie(a.job, a.task) < std::tie(b.job, b.task); }

bool same(const job_number& a, const job_number& b) { return std::tie(a.job, a.task) == std::tie(b.job, b.task); }

bool same_dependencies(const job_dependencies& a, const job_dependencies& b) {
  const auto same_links = [](const auto& x, const auto& y) {
    return std::tie(x.followers, x.preceding) == std::tie(y.followers, y.preceding);
  };
  const auto same_follower = [](const auto& x, const auto& y) {
    return std::tie(x.job, x.think) == std::tie(y.job, y.think);
  };
  return a.jobs.size() == b.jobs.size() && a.followers.size() == b.followers.size() &&
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
  if (logged.number.job > 0) numbered_.push_back({logged.number, at});
  if (logged.waits_otherwise) count_left_out(not_replayed_, "of a kind that is not replayed", logged.line);
  for (std::uint32_t n = 0; n < logged.waits; ++n) {
    const log_file::preceding_job& p = log_.preceding[logged.first_wait + n];
    const double wait = p.think >= 0.0 ? p.think * units_per_second_ : job_dependency::no_think;
    waiting_.push_back({p.number, wait, at, logged.line});
  }
}

std::shared_ptr<const job_dependencies> log_dependencies::find(std::size_t jobs) {
  numbered_.sort([](const numbered& a, const numbered& b) { return before(a.number, b.number); });
  waiting_.sort([](const waiting& a, const waiting& b) { return before(a.on, b.on); });
  spooled_list<job_dependency> all;
  std::size_t of_job = 0, of_task = 0;  // the first that has at least the number, without and with its task
  for (const waiting& w : waiting_) {
    while (of_job < numbered_.size() && numbered_[of_job].number.job < w.on.job) ++of_job;
    for (of_task = std::max(of_task, of_job); of_task < numbered_.size(); ++of_task)
      if (!before(numbered_[of_task].number, w.on)) break;
    const bool whole = w.on.task == job_number::whole;
    bool is_there = false, is_before = false;
    for (std::size_t at = whole ? of_job : of_task; at < numbered_.size(); ++at) {
      const numbered& other = numbered_[at];
      if (whole ? other.number.job != w.on.job : !same(other.number, w.on)) break;
      is_there = true;
      if (other.place >= w.place) continue;
      is_before = true;
      all.push_back({other.place, w.place, w.think});
    }
    if (is_before)
      wait_.first_line = wait_.first_line == 0 ? w.line : std::min<std::uint64_t>(wait_.first_line, w.line);
    else
      count_left_out(not_replayed_, is_there ? "on a job that is no earlier one" : "on a job that is not simulated",
                     w.line);
  }
  if (all.empty()) return nullptr;
  auto found = std::make_shared<const job_dependencies>(std::move(all), jobs);
  for (const job_dependencies::links& l : found->jobs) wait_.lines += l.preceding > 0 ? 1 : 0;
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
