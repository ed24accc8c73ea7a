#pragma once

#include <optional>

#include "platform/model/scenario.h"
#include "platform/theory/one_or_all/one_or_all.h"
#include "platform/theory/theory.h"

namespace muster {

/// The model of `msfq`, or of `msf`, which is threshold 0. None: the policy is another, or the scenario is not the
/// Quickswap paper's one-or-all model: two classes that arrive, of need 1 and of all cores, Poisson arrivals,
/// exponential sizes, servers of one capacity, and nothing that takes time but the jobs.
std::optional<one_or_all> one_or_all_of(const scenario& model);

/// Computes mean response times by class, for all jobs and weighted: the exact ones where they have converged, those of
/// Section 5 put right, and, with the paper's drain, those of Section 5 as printed, with the moments of its lemmas.
theory quickswap_answer(const scenario& model, const one_or_all& system);

}  // namespace muster
