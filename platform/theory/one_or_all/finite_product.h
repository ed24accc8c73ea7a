#pragma once

#include <complex>

namespace muster {

/// a b, both finite: std::complex would look for infinities in each product.
inline std::complex<double> product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace muster
