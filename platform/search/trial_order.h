#pragma once

#include <cstddef>
#include <vector>

#include "platform/search/trial.h"

namespace muster {

/// @name Judgement of trials by what their replications have found
/// @{
/// Whether a bound is met (1), violated (-1), or that cannot be told (0): by a t-test.
/// @param values at least two
/// @param alpha probability of an error
int judge(const search_constraint& bound, const std::vector<double>& values, double alpha);

/// Whether a trial is better than another one: in each objective in which they differ, and in one at least.
/// @param alpha probability of an error, by paired t-tests over the replications that both have; at least two
bool is_better(const trial& a, const trial& b, const std::vector<search_objective>& objectives, double alpha);

/// Whether the means of a trial are better, in each objective in which they differ, and in one at least.
bool excels(const trial& a, const trial& b, const std::vector<search_objective>& objectives);

/// How far the means are beyond the bounds, in multiples of these, all together; 0: they meet all of them. Of a
/// combination that was not measured: infinitely far.
double violation(const trial& c, const std::vector<search_constraint>& bounds);
/// @}

}  // namespace muster
