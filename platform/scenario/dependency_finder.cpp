#include "platform/scenario/dependency_finder.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "platform/log/slurm_text.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

std::string in_words(const job_number& number) {
  return number.task == job_number::whole ? fmt::format("{}", number.job)
                                          : fmt::format("{}_{}", number.job, number.task);
}

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

// Links the jobs that wait to those of their numbers. Where jobs wait for several, a joint does so in their place. It
// has the jobs of its number that are before one that waits; a later one that waits for more has a joint that waits for
// the joint before and for these.
// @param key what of a number tells which jobs it names
template <class Key>
void dependency_finder::link(spooled_list<waiting>& all, const Key& key, const receiver& tell) {
  const auto of_job = [&](const numbered& n) { return std::tuple(key(n.number), n.place); };
  const auto of_wait = [&](const waiting& w) { return std::tuple(key(w.on), w.place); };
  numbered_.sort([&](const numbered& a, const numbered& b) { return of_job(a) < of_job(b); });
  all.sort([&](const waiting& a, const waiting& b) { return of_wait(a) < of_wait(b); });
  std::size_t first = 0;  // job that has at least the number
  for (std::size_t at = 0; at < all.size();) {
    const auto number = key(all[at].on);
    while (first < numbered_.size() && key(numbered_[first].number) < number) ++first;
    const auto has_number = [&](std::size_t n) { return n < numbered_.size() && key(numbered_[n].number) == number; };
    std::size_t end = first, in_joint = first;  // the first jobs that are not before, and not in a joint
    std::optional<std::uint32_t> joint;
    for (; at < all.size() && key(all[at].on) == number; ++at) {
      const waiting w = all[at];
      while (has_number(end) && numbered_[end].place < w.place) ++end;
      if (end - first > 1 && in_joint < end) {
        const std::uint32_t next = new_joint();
        if (joint) links_.push_back({*joint, next});
        for (; in_joint < end; ++in_joint) links_.push_back({numbered_[in_joint].place, next});
        joint = next;
      }
      if (end > first) links_.push_back({joint ? *joint : numbered_[first].place, w.place, w.think});
      tell(w, end > first ? result::waits : has_number(first) ? result::not_earlier : result::not_there);
    }
  }
}

std::uint32_t dependency_finder::new_joint() { return static_cast<std::uint32_t>(jobs_ + joints_++); }

std::shared_ptr<const job_dependencies> dependency_finder::find(std::size_t jobs, const receiver& tell) {
  jobs_ = jobs;
  if (!on_all_.empty())
    link(
        on_all_, [](const job_number& n) { return n.job; }, tell);
  if (!on_task_.empty())
    link(
        on_task_, [](const job_number& n) { return std::pair(n.job, n.task); }, tell);
  if (links_.empty()) return nullptr;
  return std::make_shared<const job_dependencies>(std::move(links_), jobs, joints_);
}

std::string list_dependencies::add(const values& told) {
  lines_.push_back({told, preceding_.size()});
  if (told.after.text.empty()) return {};
  std::vector<job_number> named;
  if (const auto one = job_number_of(told.after.text))
    named.push_back(*one);
  else if (!preceding_jobs(told.after.text, told.own.value_or(job_number{}), named) || named.empty())
    return fmt::format(
        "expected the jobs whose ends it waits for, such as 17 or afterok:17,afterany:18, or nothing, found {}",
        in_quotes(told.after.text));
  preceding_.insert(preceding_.end(), named.begin(), named.end());
  return {};
}

std::shared_ptr<const job_dependencies> list_dependencies::find(
    const std::vector<std::uint32_t>& lines, std::size_t first,
    const std::function<void(const text_field&, const std::string&)>& complain) {
  dependency_finder finder;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const line& l = lines_[lines[n]];
    const auto place = static_cast<std::uint32_t>(first + n);
    const std::size_t end =
        lines[n] + std::size_t{1} < lines_.size() ? lines_[lines[n] + std::size_t{1}].first_wait : preceding_.size();
    if (l.told.own) finder.add(*l.told.own, place);
    for (std::size_t at = l.first_wait; at < end; ++at) finder.add({preceding_[at], l.told.think, place, lines[n]});
  }
  return finder.find(first + lines.size(), [&](const dependency_finder::waiting& w, dependency_finder::result r) {
    if (r == dependency_finder::result::not_there)
      complain(lines_[w.line].told.after, fmt::format("no job of the list has the number {}", in_words(w.on)));
    if (r == dependency_finder::result::not_earlier)
      complain(lines_[w.line].told.after,
               fmt::format("expected jobs that arrive before this one; job {} does not", in_words(w.on)));
  });
}

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
