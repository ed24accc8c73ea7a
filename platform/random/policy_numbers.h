#pragma once

#include <string_view>

#include <boost/random/uniform_01.hpp>

#include "muster/policies/random_numbers.h"
#include "platform/random/random_stream.h"

namespace muster {

/// The random numbers of a replication's policy, or of its rule of placement.
class policy_numbers final : public random_numbers {
 public:
  /// @param purpose what they are drawn for, which names their stream
  policy_numbers(std::uint64_t seed, std::uint64_t replication, std::string_view purpose = "decisions")
      : bits_(seed, replication, "policy", purpose) {}

  double uniform() override { return boost::random::uniform_01<double>{}(bits_); }

 private:
  random_stream bits_;
};

}  // namespace muster
