#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <vector>

#include "platform/theory/one_or_all/one_or_all.h"

namespace muster {

/// The roots of unity at which the equation of period_transforms is made to hold (see solve_one_or_all), and what
/// belongs to them whatever the threshold is: systems that differ in it alone share them.
class one_or_all_nodes {
 public:
  using complex = std::complex<double>;
  /// Factors of the values at all nodes whose sum is the value at t of the polynomial through them. Those of a node are
  /// factors of the real part of its value, then of the imaginary part, each with what they add to the real part of the
  /// sum and to its imaginary part; the conjugate in the lower half is among them.
  using interpolation = std::vector<std::array<double, 4>>;

  /// A point half-way between two nodes.
  struct half_way {
    common_transforms<complex> common;
    interpolation here, at_step;  ///< at_step: at the t of the step
  };

  /// @param model for whose threshold the scale is the best one
  /// @param terms odd, so that t = -1, where s is infinite, is no node
  one_or_all_nodes(const one_or_all& model, std::size_t terms);

  static complex interpolate(const interpolation& factors, const std::vector<complex>& values) {
    // Real and imaginary parts apart: std::complex would look for infinities in each product.
    double re = 0.0, im = 0.0;
    for (std::size_t j = 0; j < factors.size(); ++j) {
      const double x = values[j].real(), y = values[j].imag();
      const std::array<double, 4>& f = factors[j];
      re += f[0] * x + f[2] * y;
      im += f[1] * x + f[3] * y;
    }
    return {re, im};
  }

  std::size_t terms, upper;  ///< upper: number of nodes in the upper half plane and at t = 1
  /// @name Of the nodes of the upper half plane
  /// @{
  std::vector<complex> inverse;  ///< 1 / z
  std::vector<complex> powers;   ///< of each node z^(w - cores + 1), from w = cores - 1 down to 0
  std::vector<complex> whole;    ///< z^(1 - cores)
  std::vector<double> slope;     ///< t dz/dt
  std::vector<common_transforms<complex>> common;
  /// @}
  std::vector<double> alive;  ///< passages without a heavy job
  interpolation at_empty, at_alive;
  std::vector<interpolation> at_step;  ///< of the nodes but t = 1
  std::vector<half_way> halves;        ///< most of them near t = 1, where P changes fast

 private:
  double angle_of(double node) const;
  interpolation weights(complex t) const;

  template <class Number>
  complex t_of(const Number& s) const {
    return (scale_ - s) / (scale_ + s);
  }

  double scale_;
  std::vector<complex> t_;
};

}  // namespace muster
