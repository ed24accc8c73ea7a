#pragma once

#include <gtest/gtest.h>

#include <ostream>

#include "tests/scenario/sample.h"

namespace muster {

/// A change that breaks the sample, and all that is said about it: word for word, because users and scripts read it.
struct mistake {
  const char* from;
  const char* to;
  const char* message;
};

inline void PrintTo(const mistake& m, std::ostream* out) { *out << m.to; }

}  // namespace muster
