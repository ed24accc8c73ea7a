#pragma once

#include <stdexcept>

namespace muster {

/// A call that could not be carried out and has changed nothing: the importer may try another one.
class discarded_call : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A call that the standard does not allow, by its arguments or in the present mode.
class illegal_call : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace muster
