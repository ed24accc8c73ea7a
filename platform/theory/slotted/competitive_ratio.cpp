#include "platform/theory/slotted/competitive_ratio.h"

#include <algorithm>
#include <cmath>

namespace muster {

// The paper's proof has a gap: while another schedule serves units of a job that ISPEED never comes to, ISPEED is said
// to serve nothing of less gain than the first of them. It may have got less far with the job at the time, and that
// job's next unit may gain less. The theorem stands nevertheless:
//   Let ISPEED end with J units of the job, the other schedule with m > J. In every slot in which the latter serves it,
// all of ISPEED's cores work, on units with keys of at least the smallest that the job has after j = 0 .. J units: it
// is there, with one of these. To each of the other schedule's m units belongs one of ISPEED's in the same slot, to no
// two the same. So with the smallest key after j units, ISPEED's units have keys of at least m key(j) together.
//   Key the largest mean: units J + 1 .. m gain at most (m - j) key(j), and by equation 3 a unit's key is at most
// 1 + alpha times its gain. Key the gain: by equation 3 these units gain at most (m - j) (1 + alpha) key(j). Either way
// what only the other schedule serves is worth at most 1 + alpha times what ISPEED serves; the rest ISPEED serves too.
std::optional<double> competitive_bound(const std::vector<const utility*>& jobs) {
  double alpha = 0.0;
  for (const utility* job : jobs) alpha = std::max(alpha, job->alpha());
  if (std::isinf(alpha)) return std::nullopt;
  return 2.0 + alpha;
}

}  // namespace muster
