#include "platform/metrics/replication_pictures.h"

namespace muster {

namespace {

std::vector<double> all_shares() {
  std::vector<double> shares{0.001, 0.01};
  for (int n = 1; n < 40; ++n) shares.push_back(n / 40.0);
  shares.insert(shares.end(), {0.99, 0.995, 0.999, 0.9999});
  return shares;
}

}  // namespace

const std::vector<double>& quantile_shares() {
  static const std::vector<double> shares = all_shares();
  return shares;
}

std::vector<class_quantiles> quantiles_of(const std::vector<class_responses>& responses, const time_unit& unit) {
  coarse_sketch together;
  for (const class_responses& of_class : responses) together.merge(of_class.times);
  std::vector<class_quantiles> all;
  const auto add = [&](const std::string& name, const coarse_sketch& times) {
    if (times.total() == 0) return;
    std::vector<double> shares;
    for (const double share : quantile_shares())
      if ((1.0 - share) * static_cast<double>(times.total()) >= 1.0) shares.push_back(share);
    class_quantiles added{name, times.quantiles(shares)};
    for (double& time : added.times) time /= static_cast<double>(unit.ticks);
    all.push_back(std::move(added));
  };
  add("all", together);
  for (const class_responses& of_class : responses) add(of_class.class_name, of_class.times);
  return all;
}

}  // namespace muster
