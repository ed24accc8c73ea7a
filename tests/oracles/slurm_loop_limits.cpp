#include "slurm_loop_limits.h"

#include <algorithm>

namespace muster::oracle {

namespace {

using shares = std::vector<slurm_loop_share>;

// What running jobs are and hold for which a test holds, with a job beside them.
template <class Test>
slurm_loop_limits used_with(const slurm_loop_share& waiting, const shares& running, const Test& counts) {
  slurm_loop_limits used;
  const auto add = [&](const slurm_loop_share& j) {
    ++used.jobs_of_all;
    used.cores_of_all += j.cores;
    used.nodes_of_all += j.nodes;
    if (j.user != waiting.user) return;
    ++used.jobs_of_user;
    used.cores_of_user += j.cores;
    used.nodes_of_user += j.nodes;
  };
  add(waiting);
  for (const slurm_loop_share& j : running)
    if (counts(j)) add(j);
  return used;
}

bool exceeds_limits_of_qos(const slurm_loop_share& waiting, const shares& running,
                           const slurm_loop_limits& of_partition, const slurm_loop_limits& of_qos, bool over) {
  const auto in_partition = used_with(waiting, running, [&](const auto& j) { return j.need == waiting.need; });
  const auto in_qos = used_with(waiting, running, [&](const auto& j) { return j.qos == waiting.qos; });
  for (const auto which :
       {&slurm_loop_limits::jobs_of_all, &slurm_loop_limits::cores_of_all, &slurm_loop_limits::nodes_of_all,
        &slurm_loop_limits::jobs_of_user, &slurm_loop_limits::cores_of_user, &slurm_loop_limits::nodes_of_user}) {
    const std::uint64_t most = of_partition.*which, most_of_qos = of_qos.*which;
    const bool by_qos = most == 0 || (over && most_of_qos > 0);
    if (by_qos ? most_of_qos > 0 && in_qos.*which > most_of_qos : in_partition.*which > most) return true;
  }
  return false;
}

// The associations in which a user's jobs count: the user's own, and those above it.
std::vector<std::size_t> associations_of(std::uint32_t user, const slurm_loop_settings& set) {
  std::vector<std::size_t> all;
  for (std::size_t n = user; n < set.associations.size(); n = set.associations[n].above) all.push_back(n);
  return all;
}

bool exceeds_limits_of_associations(const slurm_loop_share& waiting, const shares& running,
                                    const slurm_loop_limits& of_partition, const slurm_loop_limits& of_qos,
                                    const slurm_loop_settings& set) {
  const auto without = [&](std::uint64_t slurm_loop_limits::*which) {
    return of_partition.*which == 0 && of_qos.*which == 0;
  };
  std::uint64_t max_jobs = 0;
  const std::vector<std::size_t> own = associations_of(waiting.user, set);
  for (const std::size_t n : own) {
    const slurm_loop_association& limits = set.associations[n];
    const slurm_loop_limits used = used_with(waiting, running, [&](const slurm_loop_share& j) {
      const std::vector<std::size_t> others = associations_of(j.user, set);
      return std::find(others.begin(), others.end(), n) != others.end();
    });
    if (limits.jobs > 0 && without(&slurm_loop_limits::jobs_of_all) && used.jobs_of_all > limits.jobs) return true;
    if (limits.cores > 0 && without(&slurm_loop_limits::cores_of_all) && used.cores_of_all > limits.cores) return true;
    if (limits.nodes > 0 && without(&slurm_loop_limits::nodes_of_all) && used.nodes_of_all > limits.nodes) return true;
    if (max_jobs == 0) max_jobs = limits.max_jobs;
  }
  const slurm_loop_limits of_user = used_with(waiting, running, [](const auto&) { return true; });
  return max_jobs > 0 && without(&slurm_loop_limits::jobs_of_user) && of_user.jobs_of_user > max_jobs;
}

}  // namespace

bool slurm_exceeds_limits(const slurm_loop_share& waiting, const shares& running,
                          const std::vector<slurm_loop_need>& needs, const slurm_loop_settings& settings) {
  const bool has_qos = waiting.qos < settings.qos.size();
  const slurm_loop_limits of_partition = needs[waiting.need].limits;
  const slurm_loop_limits of_qos = has_qos ? settings.qos[waiting.qos].limits : slurm_loop_limits{};
  const bool over = has_qos && settings.qos[waiting.qos].over_partition;
  return exceeds_limits_of_qos(waiting, running, of_partition, of_qos, over) ||
         exceeds_limits_of_associations(waiting, running, of_partition, of_qos, settings);
}

}  // namespace muster::oracle
