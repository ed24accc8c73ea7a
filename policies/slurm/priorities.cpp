#include "muster/policies/slurm/priorities.h"

#include <algorithm>
#include <cmath>

namespace muster {

namespace {

ticks in_ticks(double seconds, ticks second) {
  return static_cast<ticks>(std::llround(seconds * static_cast<double>(second)));
}

}  // namespace

priorities::priorities(const cluster_view& cluster, const settings& given, const node_table& nodes,
                       const qos_table& qos)
    : multifactor_(given.choice("PriorityType") == "multifactor"),
      favor_small_(given.choice("PriorityFavorSmall") == "yes"),
      age_(static_cast<double>(given.integer("PriorityWeightAge"))),
      fair_share_(static_cast<double>(given.integer("PriorityWeightFairshare"))),
      job_size_(static_cast<double>(given.integer("PriorityWeightJobSize"))),
      partition_(static_cast<double>(given.integer("PriorityWeightPartition"))),
      of_qos_(static_cast<double>(given.integer("PriorityWeightQOS"))),
      max_age_(std::max<ticks>(1, in_ticks(given.number("PriorityMaxAge"), cluster.ticks_per_unit()))),
      period_(std::max<ticks>(1, in_ticks(given.number("PriorityCalcPeriod"), cluster.ticks_per_unit()))),
      cores_(cluster.all_cores()),
      qos_(qos),
      tree_(given),
      users_(1) {
  for (const fair_tree::user& described : fair_tree::described_users(given)) users_.push_back(described);
  counted_.resize(users_.size());
  const double half_life = given.number("PriorityDecayHalfLife");
  decay_ = half_life > 0.0 ? std::exp2(-given.number("PriorityCalcPeriod") / half_life) : 1.0;
  double largest = 0.0;
  for (const class_id id : cluster.classes()) {
    const double factor = cluster.parameters(id).number("PriorityJobFactor");
    factor_of_partition_.push_back(factor);
    largest = std::max(largest, factor);
    share_of_nodes_.push_back(static_cast<double>(nodes.fewest_nodes(id)) / static_cast<double>(nodes.size()));
  }
  for (double& factor : factor_of_partition_) factor = largest > 0.0 ? factor / largest : 0.0;
}

fair_tree::user& priorities::of_user(std::uint32_t number) {
  if (row(number) >= users_.size()) {
    users_.resize(row(number) + 1);
    counted_.resize(users_.size());
  }
  return users_[row(number)];
}

void priorities::begin(const slurm_job& j, ticks now) {
  if (multifactor_) held_.begin(j.of->user, j.cores, now);
}

void priorities::end(const slurm_job& j, ticks now) {
  if (multifactor_) held_.end(j.of->user, j.cores, now);
}

bool priorities::bring_up_to_date(ticks now) {
  if (!multifactor_ || now / period_ == computed_) return false;
  while (computed_ < now / period_) {
    ++computed_;
    for (std::size_t n = 0; n < users_.size(); ++n) {
      const tick_sum all = held_.of(n == 0 ? job::no_user : static_cast<std::uint32_t>(n - 1), computed_ * period_);
      users_[n].usage = (users_[n].usage + static_cast<double>(all - counted_[n])) * decay_;
      counted_[n] = all;
    }
  }
  tree_.rank(users_);
  return true;
}

std::uint64_t priorities::of(const slurm_job& j, ticks now) const {
  if (!multifactor_) return 0;
  const double age = std::min(1.0, static_cast<double>(now - j.of->arrival) / static_cast<double>(max_age_));
  const std::size_t number = row(j.of->user);
  const double fair_share = number < users_.size() ? users_[number].factor : 1.0;
  double size = std::min(1.0, (share_of_nodes_[j.of->type] + j.cores / cores_) / 2.0);
  if (favor_small_) size = 1.0 - size;
  return static_cast<std::uint64_t>(age_ * age + fair_share_ * fair_share + job_size_ * size +
                                    partition_ * factor_of_partition_[j.of->type] + of_qos_ * qos_.factor(j.qos));
}

}  // namespace muster
