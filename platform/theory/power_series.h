#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace muster {

/// A power series in s, cut after the terms of order `Order`. Sums, products, quotients and square roots of series are
/// exact in the terms that are kept: a transform that is evaluated at the series s gives its derivatives at 0 to
/// rounding errors, where differences of values would lose half of the digits.
template <std::size_t Order>
class power_series {
 public:
  /// A constant.
  power_series(double value = 0.0) : terms_{} { terms_[0] = value; }  // NOLINT(google-explicit-constructor)

  /// The series s itself.
  static power_series variable() {
    power_series s;
    s.terms_[1] = 1.0;
    return s;
  }

  /// Factor of s^n.
  double operator[](std::size_t n) const { return terms_[n]; }

  friend power_series operator+(power_series a, const power_series& b) {
    for (std::size_t n = 0; n <= Order; ++n) a.terms_[n] += b.terms_[n];
    return a;
  }
  friend power_series operator-(power_series a, const power_series& b) {
    for (std::size_t n = 0; n <= Order; ++n) a.terms_[n] -= b.terms_[n];
    return a;
  }
  friend power_series operator*(const power_series& a, const power_series& b) {
    power_series product;
    for (std::size_t n = 0; n <= Order; ++n)
      for (std::size_t m = 0; n + m <= Order; ++m) product.terms_[n + m] += a.terms_[n] * b.terms_[m];
    return product;
  }
  /// The divisor's constant term is not 0.
  friend power_series operator/(const power_series& a, const power_series& b) {
    power_series quotient;
    for (std::size_t n = 0; n <= Order; ++n) {
      double rest = a.terms_[n];
      for (std::size_t m = 0; m < n; ++m) rest -= quotient.terms_[m] * b.terms_[n - m];
      quotient.terms_[n] = rest / b.terms_[0];
    }
    return quotient;
  }
  /// The constant term is positive.
  friend power_series sqrt(const power_series& a) {
    power_series root(std::sqrt(a.terms_[0]));
    for (std::size_t n = 1; n <= Order; ++n) {
      double rest = a.terms_[n];
      for (std::size_t m = 1; m < n; ++m) rest -= root.terms_[m] * root.terms_[n - m];
      root.terms_[n] = rest / (2.0 * root.terms_[0]);
    }
    return root;
  }

 private:
  std::array<double, Order + 1> terms_;
};

/// First and second moment of a random time, and what sums of independent ones have.
struct time_moments {
  double first = 0.0, second = 0.0;

  double variance() const { return second - first * first; }
  friend time_moments operator+(const time_moments& a, const time_moments& b) {
    return {a.first + b.first, a.second + 2.0 * a.first * b.first + b.second};
  }
};

/// Moments of the time whose Laplace transform has this series.
template <std::size_t Order>
time_moments moments_of(const power_series<Order>& transform) {
  static_assert(Order >= 2);
  return {-transform[1], 2.0 * transform[2]};
}

}  // namespace muster
