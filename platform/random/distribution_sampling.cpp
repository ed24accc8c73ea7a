#include <algorithm>
#include <cmath>

#include "platform/random/distribution.h"

namespace muster {

namespace {

// From 0 to below 1.
template <class Bits>
double uniform(Bits& bits) {
  return static_cast<double>(bits() >> 11) * 0x1p-53;
}

}  // namespace

template <class Bits>
double distribution::pareto::operator()(Bits& bits) const {
  const double u = static_cast<double>((bits() >> 11) + 1) * 0x1p-53;
  // Rounding must not take a value past the end.
  return std::min(highest, lowest * std::pow(cut + u * (1.0 - cut), -1.0 / shape));
}

template <class Bits>
double distribution::bimodal_phases::operator()(Bits& bits) {
  return uniform(bits) < first_probability ? first(bits) : second(bits);
}

template <class Bits>
double distribution::zipf_phases::operator()(Bits& bits) {
  if (up_to.empty()) {
    for (double k = 1.0; k <= most; k += 1.0)
      up_to.push_back((up_to.empty() ? 0.0 : up_to.back()) + std::pow(k, -exponent));
  }
  const auto drawn = std::upper_bound(up_to.begin(), up_to.end(), uniform(bits) * up_to.back());
  const auto count = static_cast<double>(std::min(drawn, up_to.end() - 1) - up_to.begin()) + 1.0;
  return boost::random::gamma_distribution<double>{count, phase_mean}(bits);
}

template <class Bits>
double distribution::sample(Bits& bits) {
  return std::visit([&bits](auto& draw) -> double { return draw(bits); }, sampler_);
}

template double distribution::sample(random_stream& bits);
template double distribution::sample(compact_random_stream& bits);

}  // namespace muster
