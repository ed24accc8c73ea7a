#pragma once

#include "preemptive_queue.h"

namespace muster::oracle {

// Rules of policies for `serve_preemptively`, from all jobs in the system, anew at each event. Each finds how many jobs
// of each need, or class, are to be in service, among these jobs or those: first those that are, so that none is
// exchanged for an earlier one, then those that arrived first.

/// ServerFilling. M is the shortest prefix by arrival whose needs add up to all cores. The jobs of M by descending need
/// (equal needs: by arrival) are filled in while they fit; one that does not fit is passed over, or ends the filling.
preemptive_rule server_filling_rule(bool until_misfit);

/// DivisorFilling. M is the first k jobs by arrival, k being all cores. Of all numbers of jobs by need, none more than
/// M has, those that fill most cores; of several the one with most jobs of the largest need, then of the next.
preemptive_rule divisor_filling_rule();

/// MaxWeight. Of all numbers of jobs by class, none more than are in the system, those with the largest sum of jobs
/// served times jobs in the system; of several the one with most jobs of the first class, then of the next.
/// @param needs by class, in descending order
preemptive_rule max_weight_rule(const std::vector<std::uint32_t>& needs);

/// ServerFilling-SRPT. All jobs are ranked by need times work left, equal ones by arrival; M is the shortest prefix
/// whose needs add up to all cores. The jobs of M by descending need (equal needs: by rank) are filled in while they
/// fit; one that does not fit is passed over. These very jobs are to be in service.
preemptive_rule server_filling_srpt_rule();

/// Last come, first served: the latest arrivals, up to the first that does not fit beside those after it.
preemptive_rule last_come_first_served_rule();

}  // namespace muster::oracle
