#include "muster/policies/linear_program.h"

#include <glpk.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

namespace muster {

namespace {

/// GLPK's memory and terminal. Both are as before when it ends, also for other users of GLPK in the thread.
class glpk_session {
 public:
  glpk_session() : first_(glp_init_env() == 0), output_(glp_term_out(GLP_OFF)) {}
  glpk_session(const glpk_session&) = delete;
  glpk_session& operator=(const glpk_session&) = delete;
  ~glpk_session() {
    glp_term_out(output_);
    if (first_) glp_free_env();
  }

 private:
  bool first_;
  int output_;
};

struct delete_problem {
  void operator()(glp_prob* p) const { glp_delete_prob(p); }
};
using problem = std::unique_ptr<glp_prob, delete_problem>;

// GLPK counts from 1.
int counted(std::size_t number) { return static_cast<int>(number) + 1; }

int type_of_row(linear_program::relation to_bound) {
  switch (to_bound) {
    case linear_program::relation::at_most:
      return GLP_UP;
    case linear_program::relation::at_least:
      return GLP_LO;
    default:
      return GLP_FX;
  }
}

void solve(glp_prob* p) {
  glp_smcp how;
  glp_init_smcp(&how);
  how.msg_lev = GLP_MSG_OFF;
  how.tol_bnd = how.tol_dj = 1e-10;
  glp_scale_prob(p, GLP_SF_AUTO);
  glp_adv_basis(p, 0);
  if (const int failure = glp_simplex(p, &how); failure != 0)
    throw std::runtime_error("linear program of " + std::to_string(glp_get_num_rows(p)) + " rows and " +
                             std::to_string(glp_get_num_cols(p)) + " variables: GLPK's simplex method failed, code " +
                             std::to_string(failure));
}

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
  const glpk_session session;
  const problem p{glp_create_prob()};
  glp_set_obj_dir(p.get(), GLP_MAX);
  if (!rows_.empty()) glp_add_rows(p.get(), static_cast<int>(rows_.size()));
  for (std::size_t r = 0; r < rows_.size(); ++r)
    glp_set_row_bnds(p.get(), counted(r), type_of_row(rows_[r].to_bound), rows_[r].bound, rows_[r].bound);
  if (!variables_.empty()) glp_add_cols(p.get(), static_cast<int>(variables_.size()));
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    glp_set_col_bnds(p.get(), counted(v), GLP_LO, 0.0, 0.0);
    glp_set_obj_coef(p.get(), counted(v), variables_[v].weight);
    std::vector<int> rows{0};  // GLPK reads from the second element on
    std::vector<double> factors{0.0};
    for (const entry& e : variables_[v].entries) {
      if (e.factor == 0.0) continue;
      rows.push_back(counted(e.row));
      factors.push_back(e.factor);
    }
    glp_set_mat_col(p.get(), counted(v), static_cast<int>(rows.size()) - 1, rows.data(), factors.data());
  }

  solve(p.get());
  solution result;
  switch (const int status = glp_get_status(p.get())) {
    case GLP_OPT:
      result.found = outcome::optimal;
      break;
    case GLP_NOFEAS:
      return result;
    case GLP_UNBND:
      result.found = outcome::unbounded;
      return result;
    default:
      throw std::runtime_error("linear program: GLPK's simplex method ended undecided, status " +
                               std::to_string(status));
  }
  result.value = glp_get_obj_val(p.get());
  for (std::size_t v = 0; v < variables_.size(); ++v) result.variables.push_back(glp_get_col_prim(p.get(), counted(v)));
  for (std::size_t r = 0; r < rows_.size(); ++r) result.prices.push_back(glp_get_row_dual(p.get(), counted(r)));
  return result;
}

}  // namespace muster
