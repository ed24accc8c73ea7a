#include "platform/scenario/dependency_finder.h"

#include <optional>
#include <tuple>
#include <utility>

namespace muster {

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

}  // namespace muster
