#include "muster/policies/algorithms/linear_program.h"

#include <coin/Clp_C_Interface.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "muster/policies/algorithms/linear_equations.h"

namespace muster {

namespace {

struct delete_model {
  void operator()(Clp_Simplex* model) const { Clp_deleteModel(model); }
};
using clp_model = std::unique_ptr<Clp_Simplex, delete_model>;

/// A program in Clp's form: bounds of rows, and the columns of the matrix one after the other.
struct clp_input {
  std::vector<double> lower, upper, weights, factors;
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> rows;

  void add_row(linear_program::relation to_bound, double bound) {
    constexpr double unlimited = std::numeric_limits<double>::max();
    lower.push_back(to_bound == linear_program::relation::at_most ? -unlimited : bound);
    upper.push_back(to_bound == linear_program::relation::at_least ? unlimited : bound);
  }

  void add_column(double weight, const std::vector<linear_program::entry>& entries) {
    weights.push_back(weight);
    for (const linear_program::entry& e : entries) {
      if (e.factor == 0.0) continue;
      rows.push_back(static_cast<int>(e.row));
      factors.push_back(e.factor);
    }
    starts.push_back(static_cast<CoinBigIndex>(rows.size()));
  }
};

clp_model model_of(const clp_input& input) {
  constexpr double tolerance = 1e-10;
  constexpr int no_perturbation = 102;
  clp_model model{Clp_newModel()};
  Clp_setLogLevel(model.get(), 0);
  Clp_setOptimizationDirection(model.get(), -1.0);  // maximise
  Clp_setPrimalTolerance(model.get(), tolerance);
  Clp_setDualTolerance(model.get(), tolerance);
  Clp_setPerturbation(model.get(), no_perturbation);
  Clp_loadProblem(model.get(), static_cast<int>(input.weights.size()), static_cast<int>(input.lower.size()),
                  input.starts.data(), input.rows.data(), input.factors.data(), nullptr, nullptr, input.weights.data(),
                  input.lower.data(), input.upper.data());
  return model;
}

std::runtime_error undecided(const linear_program& program, const std::string& how) {
  return std::runtime_error("linear program of " + std::to_string(program.rows()) + " rows and " +
                            std::to_string(program.variables()) + " variables: Clp's simplex method ended " + how);
}

/// The basis of an optimal vertex: the variables that may differ from 0, and the rows that meet their bounds, of both
/// the same number.
struct basis {
  std::vector<std::size_t> variables, rows;

  explicit basis(Clp_Simplex* model) {
    constexpr int basic = 1;
    for (int v = 0; v < Clp_numberColumns(model); ++v)
      if (Clp_getColumnStatus(model, v) == basic) variables.push_back(static_cast<std::size_t>(v));
    for (int r = 0; r < Clp_numberRows(model); ++r)
      if (Clp_getRowStatus(model, r) != basic) rows.push_back(static_cast<std::size_t>(r));
  }
};

}  // namespace

std::size_t linear_program::add_row(relation to_bound, double bound) {
  if (!std::isfinite(bound)) throw std::invalid_argument("linear program: the bound of a row is not finite");
  rows_.push_back({to_bound, bound});
  return rows_.size() - 1;
}

std::size_t linear_program::add_variable(double weight, std::vector<entry> entries) {
  bool valid = std::isfinite(weight);
  std::vector<bool> seen(rows_.size());
  for (const entry& e : entries) {
    valid = valid && e.row < rows_.size() && !seen[e.row] && std::isfinite(e.factor);
    if (valid) seen[e.row] = true;
  }
  if (!valid)
    throw std::invalid_argument("linear program: expected finite weights and factors, and rows that exist, each once");
  variables_.push_back({weight, std::move(entries)});
  return variables_.size() - 1;
}

linear_program::solution linear_program::maximise() const {
  clp_input input;
  for (const row& r : rows_) input.add_row(r.to_bound, r.bound);
  for (const variable& v : variables_) input.add_column(v.weight, v.entries);
  const clp_model model = model_of(input);
  Clp_primal(model.get(), 0);
  const basis optimum{model.get()};
  switch (const int status = Clp_status(model.get())) {
    case 0:
      if (optimum.variables.size() != optimum.rows.size()) throw undecided(*this, "without a basis");
      return vertex(optimum.variables, optimum.rows);
    case 1: return {};
    case 2: return {outcome::unbounded, 0.0, {}, {}};
    default: throw undecided(*this, "undecided, status " + std::to_string(status));
  }
}

// Computes the vertex anew, as Clp's own values are exact only to its tolerances.
linear_program::solution linear_program::vertex(const std::vector<std::size_t>& basic,
                                                const std::vector<std::size_t>& tight) const {
  solution result{outcome::optimal, 0.0, std::vector<double>(variables_.size()), std::vector<double>(rows_.size())};
  const std::size_t size = basic.size();
  if (size == 0) return result;
  std::vector<std::size_t> equation(rows_.size(), size);
  matrix bounds(size, 1), weights(1, size), factors = boost::numeric::ublas::zero_matrix<double>(size, size);
  for (std::size_t n = 0; n < size; ++n) {
    equation[tight[n]] = n;
    bounds(n, 0) = rows_[tight[n]].bound;
  }
  for (std::size_t n = 0; n < size; ++n) {
    weights(0, n) = variables_[basic[n]].weight;
    for (const entry& e : variables_[basic[n]].entries)
      if (equation[e.row] < size) factors(equation[e.row], n) = e.factor;
  }
  const matrix values = solve(factors, bounds), prices = solve_left(factors, weights);
  for (std::size_t n = 0; n < size; ++n) {
    result.variables[basic[n]] = std::max(0.0, values(n, 0));
    result.prices[tight[n]] = prices(0, n);
    result.value += weights(0, n) * result.variables[basic[n]];
  }
  return result;
}

}  // namespace muster
