#pragma once

#include "platform/model/scenario.h"
#include "platform/theory/theory.h"

namespace muster {

/// The answer for rigid jobs in order of arrival. Jobs of one core: M/M/k by Erlang's C formula, M/G/1 by that of
/// Pollaczek and Khinchine. Other needs, with exponential sizes: the chain of solve_fcfs().
theory first_come_first_served_answer(const scenario& model);

}  // namespace muster
