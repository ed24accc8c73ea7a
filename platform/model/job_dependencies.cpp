#include "platform/model/job_dependencies.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace muster {

job_dependencies::job_dependencies(spooled_list<job_dependency> all, std::size_t in_list, std::size_t joints)
    : listed(in_list) {
  const std::size_t count = in_list + joints;
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

namespace {

/// Finds the dependencies of copies. A block has copies of those joints alone that wait for a job of it.
class copied_dependencies {
 public:
  copied_dependencies(const job_dependencies& of_list, const std::vector<job_copy>& copies)
      : of_list_(of_list), copies_(copies), places_(copies.size()) {
    std::iota(places_.begin(), places_.end(), std::uint32_t{0});
    std::sort(places_.begin(), places_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return before(copies[a], copies[b]); });
  }

  std::shared_ptr<const job_dependencies> find() {
    for (std::uint32_t on = 0; on < copies_.size(); ++on) add_followers(copies_[on], on);
    for (std::size_t n = 0; n < joints_.size(); ++n)  // which become more
      add_followers(joints_[n], static_cast<std::uint32_t>(copies_.size() + n));
    return std::make_shared<const job_dependencies>(std::move(all_), copies_.size(), joints_.size());
  }

 private:
  static bool before(const job_copy& a, const job_copy& b) {
    return std::tie(a.block, a.job) < std::tie(b.block, b.job);
  }

  // Adds what waits for a copy. @param place of the copy in the replication
  void add_followers(const job_copy copy, std::uint32_t place) {
    const std::uint32_t end = of_list_.jobs[copy.job + std::size_t{1}].followers;
    for (std::uint32_t at = of_list_.jobs[copy.job].followers; at < end; ++at) {
      const job_dependencies::follower f = of_list_.followers[at];
      if (const auto follower = place_of({f.job, copy.block})) all_.push_back({place, *follower, f.think});
    }
  }

  // The place of the copy of a job or joint in a block. Nothing: the block does not have the job.
  std::optional<std::uint32_t> place_of(const job_copy& wanted) {
    if (of_list_.is_joint(wanted.job)) {
      const auto next = static_cast<std::uint32_t>(copies_.size() + joints_.size());
      const auto [place, is_new] = joint_places_.emplace(std::pair{wanted.block, wanted.job}, next);
      if (is_new) joints_.push_back(wanted);
      return place->second;
    }
    const auto found = std::lower_bound(places_.begin(), places_.end(), wanted,
                                        [&](std::uint32_t a, const job_copy& b) { return before(copies_[a], b); });
    return found != places_.end() && !before(wanted, copies_[*found]) ? std::optional(*found) : std::nullopt;
  }

  const job_dependencies& of_list_;
  const std::vector<job_copy>& copies_;
  std::vector<std::uint32_t> places_;                                              // of copies, by block and job
  std::vector<job_copy> joints_;                                                   // behind the copies
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> joint_places_;  // by block and joint
  spooled_list<job_dependency> all_;
};

}  // namespace

std::shared_ptr<const job_dependencies> dependencies_of_copies(const job_dependencies& of_list,
                                                               const std::vector<job_copy>& copies) {
  return copied_dependencies(of_list, copies).find();
}

}  // namespace muster
