#include "platform/scenario/log_share.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <boost/random/uniform_01.hpp>

#include "platform/random/random_stream.h"

namespace muster {

log_share::log_share(const log_file& log, double share, std::uint64_t seed) : share_(share), seed_(seed) {
  if (!(share < 1.0) || log.users.empty()) return;
  random_stream bits{seed, 0, "log", "share of users"};
  std::vector<std::pair<std::uint64_t, std::size_t>> lots;
  for (std::size_t user = 0; user < log.users.size(); ++user) lots.emplace_back(bits(), user);
  std::sort(lots.begin(), lots.end());
  const double wanted = std::floor(share * static_cast<double>(lots.size()) + 0.5);
  lots.resize(std::max<std::size_t>(1, static_cast<std::size_t>(wanted)));
  users_.resize(log.users.size());
  for (const auto& lot : lots) users_[lot.second] = true;
}

bool log_share::has(const log_file::job& job) const {
  if (!(share_ < 1.0)) return true;
  if (job.user != log_file::no_name) return users_[job.user];
  compact_random_stream bits{seed_, job.line, "log", "share of jobs without user"};
  return boost::random::uniform_01<double>{}(bits) < share_;
}

}  // namespace muster
