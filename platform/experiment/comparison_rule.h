#pragma once

#include <cstddef>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/model/metric_of_class.h"
#include "platform/model/scenario.h"

namespace muster {

/// Which policies need more replications, where run.equal_within asks that each two are told apart or are equal within
/// a share, by each metric that judges them (judged_metrics()).
///
/// Two policies are compared by the paired difference of the replications that they have in common, at each look of the
/// sequential_rule, as judge() does it afterwards; the error rates are those of findings_of() for all looks together. A
/// policy that is undecided with none of the others gets no more replications. Nor do two of which one is marked as
/// biased or overloaded: it is not judged, however many there are.
class comparison_rule {
 public:
  /// @param policies that are compared, those included that are known to be unstable and are not given to undecided()
  comparison_rule(const scenario& model, std::size_t policies);

  /// Whether policies are compared at all.
  bool is_wanted() const { return run_.precision && run_.precision->equal_within; }
  /// @param seen of each policy, its first replications
  /// @return of each policy whether there is another that it is neither told apart from nor equal to
  std::vector<bool> undecided(const std::vector<const std::vector<replication_result>*>& seen) const;

 private:
  run_spec run_;
  std::size_t policies_;
  std::vector<metric_of_class> metrics_;
};

}  // namespace muster
