#pragma once

#include <stdexcept>

#ifndef BOOST_UBLAS_NDEBUG
#define BOOST_UBLAS_NDEBUG 1  // switches off uBLAS's checks, which take rounding errors for faults
#endif
#include <boost/numeric/ublas/lu.hpp>
#include <boost/numeric/ublas/matrix.hpp>

namespace muster {

using matrix = boost::numeric::ublas::matrix<double>;

/// The solution x of a x = b, by elimination with partial pivoting. @throws std::domain_error a is singular
inline matrix solve(matrix a, matrix b) {
  boost::numeric::ublas::permutation_matrix<> rows(a.size1());
  if (lu_factorize(a, rows) != 0) throw std::domain_error("a singular matrix");
  lu_substitute(a, rows, b);
  return b;
}

/// The solution x of x a = b, for each row of b.
inline matrix solve_left(const matrix& a, const matrix& b) { return trans(solve(trans(a), trans(b))); }

}  // namespace muster
