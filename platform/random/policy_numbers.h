#pragma once

#include <boost/random/uniform_01.hpp>

#include "muster/policies/random_numbers.h"
#include "platform/random/random_stream.h"

namespace muster {

/// The random numbers of a replication's policy.
class policy_numbers final : public random_numbers {
 public:
  policy_numbers(std::uint64_t seed, std::uint64_t replication) : bits_(seed, replication, "policy", "decisions") {}

  double uniform() override { return boost::random::uniform_01<double>{}(bits_); }

 private:
  random_stream bits_;
};

}  // namespace muster
