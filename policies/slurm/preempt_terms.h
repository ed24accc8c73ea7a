#pragma once

#include <optional>
#include <vector>

#include "muster/policies/catalogue.h"

namespace muster {

/// How a job gives way to another one.
struct preempt_terms {
  bool is_cancelled = false;  ///< CANCEL: it is killed for good; REQUEUE: it waits again
  ticks grace = 0;            ///< GraceTime, for which it runs on
  ticks exempt = 0;           ///< PreemptExemptTime, for which it has run before
};

/// The terms of jobs. PreemptMode and GraceTime are those of their partition where PreemptType is partition_prio, of
/// their QOS where it is qos. PreemptExemptTime is that of the QOS of their partition, else that of their own QOS, and
/// with OverPartQOS the other way round. PreemptMode and PreemptExemptTime of the cluster hold where these have none.
class preempt_terms_table {
 public:
  /// @name Parameters of the cluster, a partition and a QOS
  /// @{
  static parameter of_cluster();
  static std::vector<parameter> of_partition();
  static std::vector<parameter> of_qos();
  /// @}
  /// Why jobs cannot give way in such a way; nothing: they can. @param given complete settings of the policy
  static std::optional<setting_conflict> objection(const settings& given);
  /// Whether jobs preempt others. @param given complete settings of the policy
  static bool preempts(const settings& given) { return given.choice("PreemptType") != "none"; }
  /// Whether jobs of a partition may be cancelled. @param given,of_partition complete settings
  static bool cancels(const settings& given, const settings& of_partition);

  /// @param given complete settings of the policy, to which there is no objection
  preempt_terms_table(const cluster_view& cluster, const settings& given, ticks second);

  /// The terms of a job; nothing: it never gives way. @param qos row of qos_table
  std::optional<preempt_terms> of(class_id type, std::size_t qos) const;

 private:
  /// What a partition or a QOS says.
  struct row {
    std::optional<preempt_terms> terms{};  ///< without `exempt`
    std::optional<ticks> exempt{};
    bool over_partition = false;  ///< of a QOS: OverPartQOS
  };
  static row row_of(const settings& own, const settings& given, ticks second);

  bool by_qos_;
  ticks exempt_;
  table<class_id, row> of_class_;
  std::vector<row> of_qos_;  // as those of qos_table; jobs without a QOS never give way by QOS
};

}  // namespace muster
