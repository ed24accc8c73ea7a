#pragma once

#include <cstdint>
#include <string>

#include "platform/model/scenario.h"

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
  std::uint64_t next(std::uint64_t arrival) { return spec_.law ? spec_.law->draw(spec_.values, arrival, bits_) : 0; }

 private:
  deadline_spec spec_;
  random_stream bits_;
};

}  // namespace muster
