#include "platform/model/job_dependencies.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace muster {

job_dependencies::job_dependencies(spooled_list<job_dependency> all, std::size_t count) {
  spooled_list<std::uint32_t> preceding;
  all.sort([](const job_dependency& a, const job_dependency& b) { return a.job < b.job; });
  std::size_t at = 0;
  for (std::size_t job = 0; job < count; ++job) {
    const std::size_t first = at;
    while (at < all.size() && all[at].job == job) ++at;
    preceding.push_back(static_cast<std::uint32_t>(at - first));
  }
  all.sort([](const job_dependency& a, const job_dependency& b) { return a.on < b.on; });
  at = 0;
  for (std::size_t job = 0; job < count; ++job) {
    jobs.push_back({static_cast<std::uint32_t>(followers.size()), preceding[job]});
    for (; at < all.size() && all[at].on == job; ++at) followers.push_back({all[at].job, all[at].think});
  }
  jobs.push_back({static_cast<std::uint32_t>(followers.size()), 0});
}

std::shared_ptr<const job_dependencies> dependencies_of_copies(const job_dependencies& of_list,
                                                               const std::vector<job_copy>& copies) {
  const auto before = [&](const job_copy& a, const job_copy& b) {
    return std::tie(a.block, a.job) < std::tie(b.block, b.job);
  };
  std::vector<std::uint32_t> places(copies.size());  // of copies, by block and job
  for (std::uint32_t n = 0; n < places.size(); ++n) places[n] = n;
  std::sort(places.begin(), places.end(),
            [&](std::uint32_t a, std::uint32_t b) { return before(copies[a], copies[b]); });
  spooled_list<job_dependency> all;
  for (std::uint32_t on = 0; on < copies.size(); ++on) {
    const std::uint32_t end = of_list.jobs[copies[on].job + std::size_t{1}].followers;
    for (std::uint32_t at = of_list.jobs[copies[on].job].followers; at < end; ++at) {
      const job_dependencies::follower& f = of_list.followers[at];
      const job_copy wanted{f.job, copies[on].block};
      const auto found = std::lower_bound(places.begin(), places.end(), wanted,
                                          [&](std::uint32_t a, const job_copy& b) { return before(copies[a], b); });
      if (found != places.end() && !before(wanted, copies[*found])) all.push_back({on, *found, f.think});
    }
  }
  return std::make_shared<const job_dependencies>(std::move(all), copies.size());
}

}  // namespace muster
