#pragma once

#include "platform/theory/theory.h"

namespace muster {

/// Answer for jobs that take one core each, in order of arrival: M/M/k by Erlang's C formula, M/G/1 by that of
/// Pollaczek and Khinchine. Classes may differ in size on one core; on several, sizes are exponential with one mean.
theory first_come_first_served_answer(const scenario& what);

}  // namespace muster
