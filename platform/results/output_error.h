#pragma once

#include <stdexcept>

namespace muster {

/// An output directory, or a store of results in it, that cannot or must not be used.
class output_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace muster
