#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/job.h"

namespace muster {

/// The QOS of jobs, by rows: row 0 for jobs without one, then those of the policy's parameter `qos`.
class qos_table {
 public:
  /// The parameters of a QOS.
  static std::vector<parameter> parameters();
  /// Why there cannot be such QOS: one preempts another that there is not, or by way of others itself; nothing: there
  /// can. @param given complete settings of the policy
  static std::optional<setting_conflict> objection(const settings& given);

  /// @param given complete settings of the policy, to which there is no objection
  explicit qos_table(const settings& given);

  std::size_t size() const { return rows_.size(); }
  /// The row of a job's QOS.
  std::size_t row_of(const job& j) const { return j.qos < rows_.size() - 1 ? std::size_t{j.qos} + 1 : 0; }
  const std::string& name(std::size_t row) const { return rows_[row].name; }
  std::uint64_t priority(std::size_t row) const { return rows_[row].priority; }
  /// The priority over the largest of all QOS.
  double factor(std::size_t row) const { return rows_[row].factor; }
  /// Whether jobs of one QOS may preempt those of another.
  bool preempts(std::size_t row, std::size_t other) const { return rows_[row].preempts[other]; }
  /// The length of the longest chain of QOS that begins with one and in which each preempts the next; 0: it preempts
  /// none.
  std::size_t level(std::size_t row) const { return rows_[row].level; }

 private:
  struct row {
    std::string name{};
    std::uint64_t priority = 0;
    double factor = 0.0;
    std::vector<bool> preempts{};  // by row
    std::size_t level = 0;
  };

  std::vector<row> rows_;
};

}  // namespace muster
