#pragma once

#include <cstddef>

#include "platform/theory/one_or_all/one_or_all.h"

namespace muster {

/// The threshold of least mean response time over all jobs: of those that analyse_corrected() does not find far worse
/// than the best, by exact solutions of 1e-5 (with more than most_exact_cores, by the analysis). The least of several
/// that are equal. The result is kept in the process for equal systems.
///
/// Most thresholds are excluded by solutions of few terms, which cost a hundredth: one whose value is further above the
/// least than the errors of both solutions. The exact solutions are computed for those that are left, if they are
/// several.
/// @param system of less load than 1; its threshold does not matter
std::size_t best_threshold(const one_or_all& system);

}  // namespace muster
