#pragma once

#include "platform/theory/stability/rigid_workload.h"

namespace muster {

/// The order in which waiting jobs that fit start; drains: see adaptive_quickswap.
enum class admission_order { largest_first, earliest_first, largest_first_with_drains };

/// Finds by simulation whether long queues become short.
///
/// Jobs of all classes wait to begin with, drawn as they arrive, so many that queues of single classes come and go
/// before a tenth of the work is left. They drain if this happens in each of eight runs, within 40 times the time in
/// which so many jobs arrive, or 3 times that in which all cores would do the work. Work whose mean does not fall comes
/// down so far in fewer than half of such runs, and in all eight less than once in a hundred times. Whether queues grow
/// where they do not drain is not decided: at the ends of phases cores are idle that would be busy with longer queues.
/// @param workload known @param total_rate of Poisson arrivals
bool long_queues_drain(const rigid_workload& workload, admission_order order, double total_rate);

/// Finds the highest of some total rates at which long queues drain, as they do at all lower ones of these.
/// @param stable_below where the policy is known to be stable
/// @param unstable_from where no policy is
/// @return at least `stable_below`, which it is where a class is so rare that this would take long. Fixed seed: the
/// same for the same workload
double rate_at_which_long_queues_drain(const rigid_workload& workload, admission_order order, double stable_below,
                                       double unstable_from);

}  // namespace muster
