#pragma once

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace muster {

/// A small matrix of doubles, by rows.
class dense_matrix {
 public:
  dense_matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), values_(rows * columns, 0.0) {}

  static dense_matrix identity(std::size_t size) {
    dense_matrix one(size, size);
    for (std::size_t n = 0; n < size; ++n) one(n, n) = 1.0;
    return one;
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double& operator()(std::size_t row, std::size_t column) { return values_[row * columns_ + column]; }
  double operator()(std::size_t row, std::size_t column) const { return values_[row * columns_ + column]; }

  friend dense_matrix operator+(dense_matrix a, const dense_matrix& b) {
    for (std::size_t n = 0; n < a.values_.size(); ++n) a.values_[n] += b.values_[n];
    return a;
  }
  friend dense_matrix operator-(dense_matrix a, const dense_matrix& b) {
    for (std::size_t n = 0; n < a.values_.size(); ++n) a.values_[n] -= b.values_[n];
    return a;
  }
  friend dense_matrix operator*(double factor, dense_matrix a) {
    for (double& value : a.values_) value *= factor;
    return a;
  }
  friend dense_matrix operator*(const dense_matrix& a, const dense_matrix& b) {
    dense_matrix product(a.rows_, b.columns_);
    for (std::size_t r = 0; r < a.rows_; ++r)
      for (std::size_t m = 0; m < a.columns_; ++m) {
        const double factor = a(r, m);
        if (factor == 0.0) continue;
        for (std::size_t c = 0; c < b.columns_; ++c) product(r, c) += factor * b(m, c);
      }
    return product;
  }

  /// Largest absolute value.
  double largest() const {
    double most = 0.0;
    for (const double value : values_) most = std::max(most, std::abs(value));
    return most;
  }

 private:
  std::size_t rows_, columns_;
  std::vector<double> values_;
};

/// x of a x = b, by elimination with partial pivoting. @throws std::domain_error a is singular
inline dense_matrix solve(dense_matrix a, dense_matrix b) {
  const std::size_t n = a.rows();
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t pivot = step;
    for (std::size_t r = step + 1; r < n; ++r)
      if (std::abs(a(r, step)) > std::abs(a(pivot, step))) pivot = r;
    if (a(pivot, step) == 0.0) throw std::domain_error("a singular matrix");
    if (pivot != step) {
      for (std::size_t c = 0; c < n; ++c) std::swap(a(step, c), a(pivot, c));
      for (std::size_t c = 0; c < b.columns(); ++c) std::swap(b(step, c), b(pivot, c));
    }
    for (std::size_t r = step + 1; r < n; ++r) {
      const double factor = a(r, step) / a(step, step);
      if (factor == 0.0) continue;
      for (std::size_t c = step; c < n; ++c) a(r, c) -= factor * a(step, c);
      for (std::size_t c = 0; c < b.columns(); ++c) b(r, c) -= factor * b(step, c);
    }
  }
  for (std::size_t r = n; r-- > 0;)
    for (std::size_t c = 0; c < b.columns(); ++c) {
      double rest = b(r, c);
      for (std::size_t m = r + 1; m < n; ++m) rest -= a(r, m) * b(m, c);
      b(r, c) = rest / a(r, r);
    }
  return b;
}

/// x of x a = b, for each row of b.
inline dense_matrix solve_left(const dense_matrix& a, const dense_matrix& b) {
  const auto transposed = [](const dense_matrix& m) {
    dense_matrix turned(m.columns(), m.rows());
    for (std::size_t r = 0; r < m.rows(); ++r)
      for (std::size_t c = 0; c < m.columns(); ++c) turned(c, r) = m(r, c);
    return turned;
  };
  return transposed(solve(transposed(a), transposed(b)));
}

}  // namespace muster
