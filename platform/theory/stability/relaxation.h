#pragma once

#include <optional>

#include "platform/model/scenario.h"
#include "platform/theory/stability/stability.h"

namespace muster {

/// The number of arrivals within which the queue of a point forgets where it began: the relaxation time of Brownian
/// motion reflected at zero, 2 variance / drift^2 (Harrison, Brownian Motion and Stochastic Flow Systems, 1985, Section
/// 3.6; Abate and Whitt, 1987), whose variance and drift are those of the work in the queue.
///
/// The work that arrives with a job is its size times its need. Counted in arrivals, with the squared coefficients of
/// variation c_a^2 of the time between arrivals and c_w^2 of that work, and with the load rho against the policy's
/// limit of stability (or the lowest rate that is known to be beyond it), the time is 2 (c_a^2 + c_w^2)
/// (rho / (1 - rho))^2; for M/M/1 4 (rho / (1 - rho))^2. Rigid jobs on many cores hardly wait, but the jobs in service
/// change no faster than they are served: the time is at least the arrivals within E[S^2] / E[S], the mean service time
/// of the jobs that an arbitrary instant finds. Pooled jobs of a class whose own servers are pressed as hard as all
/// wait in a queue of their own, whose relaxation time is counted in their arrivals: the time is at least that, over
/// the share of the class. A policy under which jobs wait for rare events takes longer.
/// @return none where there is no such queue: the arrivals end, all jobs leave at a deadline, or the point is unstable;
/// 0 where it is not known, as a variance is infinite
std::optional<double> relaxation_in_jobs(const scenario& model, const stability& limits);

/// The relaxation time, in arrivals, of a cluster whose schedules take turns whatever the queues are
/// (stability_rule::best_mix_in_turn), from the waiting times that have been seen: what is served varies then as the
/// schedules do, far more than what arrives. The queue of a class has the mean variance / (2 drift), and the drift (1 -
/// rho) / rho of its arrivals, so that 2 variance / drift^2 is 4 mean / drift; of the class that waits longest in most
/// arrivals.
/// @param waiting mean number of all arrivals within the mean waiting time of that class
double relaxation_of_turns(const stability& limits, double waiting);

/// Arrivals within which a queue forgets where it began whose mean length has been seen, whatever the limit is: that
/// of reflected Brownian motion is variance / (2 drift), so that 2 variance / drift^2 is 8 mean^2 / variance. An upper
/// estimate: some of that queue waits for cores to become free together, however low the load.
/// @param waiting mean number of jobs that wait
/// @return 0 where a variance is infinite, and where nothing varies
double relaxation_of_queue(const scenario& model, double waiting);

}  // namespace muster
