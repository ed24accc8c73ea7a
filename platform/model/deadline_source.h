#pragma once

#include <cstdint>
#include <string>

#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "platform/model/scenario.h"
#include "platform/random/random_stream.h"

namespace muster {

/// Draws the deadlines of a class of slotted jobs.
class deadline_source {
 public:
  /// @param class_name keys the stream, which nothing else draws from
  deadline_source(const deadline_spec& spec, std::uint64_t seed, std::uint32_t replication,
                  const std::string& class_name)
      : spec_(spec), bits_(seed, replication, "source", "deadlines of " + class_name) {}

  /// The last slot in which the class's next job may be served; 0: no deadline. Slots count from 1.
  /// @param arrival slot
  std::uint64_t next(std::uint64_t arrival) {
    switch (spec_.kind) {
      case deadline_spec::law::none:
        return 0;
      case deadline_spec::law::constant:
        return arrival + spec_.first;
      case deadline_spec::law::uniform:
        return arrival + boost::random::uniform_int_distribution<std::uint64_t>{spec_.first, spec_.second}(bits_);
      case deadline_spec::law::two_valued:
        return arrival + (boost::random::uniform_01<double>{}(bits_) < spec_.tight_share ? spec_.first : spec_.second);
      case deadline_spec::law::fixed_slot:
        return spec_.first;
    }
    return 0;
  }

 private:
  deadline_spec spec_;
  random_stream bits_;
};

}  // namespace muster
