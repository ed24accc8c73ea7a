#pragma once

#include <cmath>
#include <complex>

namespace muster {

/// a b, both finite: std::complex would look for infinities in each product.
inline std::complex<double> product(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// a / b by Smith's method. It has the bits of std::complex, without its checks for infinities and underflow: both
/// numbers are far from the ends of their range.
inline std::complex<double> quotient(const std::complex<double>& a, const std::complex<double>& b) {
  const double re = b.real(), im = b.imag();
  if (std::abs(re) < std::abs(im)) {
    const double ratio = re / im, denominator = re * ratio + im;
    return {(a.real() * ratio + a.imag()) / denominator, (a.imag() * ratio - a.real()) / denominator};
  }
  const double ratio = im / re, denominator = im * ratio + re;
  return {(a.imag() * ratio + a.real()) / denominator, (a.imag() - a.real() * ratio) / denominator};
}

/// @name The same of other numbers
/// @{
template <class Number>
Number product(const Number& a, const Number& b) {
  return a * b;
}
template <class Number>
Number quotient(const Number& a, const Number& b) {
  return a / b;
}
/// @}

}  // namespace muster
