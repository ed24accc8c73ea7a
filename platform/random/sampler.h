#pragma once

#include <functional>
#include <variant>

#include <boost/random/exponential_distribution.hpp>

#include "platform/random/random_stream.h"

namespace muster {

/// Draws from any law, of which it holds a copy.
class any_sampler {
 public:
  /// @param law callable with a random_stream& and with a compact_random_stream&; returns a double
  template <class Law>
  explicit any_sampler(const Law& law) : draw_(law), draw_compact_(law) {}

  double operator()(random_stream& bits) { return draw_(bits); }
  double operator()(compact_random_stream& bits) { return draw_compact_(bits); }

 private:
  std::function<double(random_stream&)> draw_;
  std::function<double(compact_random_stream&)> draw_compact_;
};

/// Draws from a law. Exponential times, the most frequent ones, are drawn without a virtual call.
using sampler = std::variant<boost::random::exponential_distribution<double>, any_sampler>;

/// A number from 0 to below 1.
template <class Bits>
double uniform_number(Bits& bits) {
  return static_cast<double>(bits() >> 11) * 0x1p-53;
}

}  // namespace muster
