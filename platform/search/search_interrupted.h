#pragma once

#include <stdexcept>

namespace muster {

/// SIGINT or SIGTERM has ended a search before its end.
class search_interrupted : public std::runtime_error {
 public:
  search_interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace muster
