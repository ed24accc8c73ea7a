#pragma once

#include "platform/model/scenario.h"
#include "platform/theory/theory.h"

namespace muster {

/// Computes what theory knows of a point. Pooled jobs: balanced fairness, in closed form for two classes and for draws
/// among like servers, else by recursion. Rigid jobs on like cores: under FCFS M/M/k, M/G/1 and the chain of few
/// classes; under MSF and MSFQ, one core or all, the exact chain beside the analysis of Section 5 of the Quickswap
/// paper. Slotted jobs: the optimum of finite arrivals, and the bound of ISPEED's competitive ratio.
///
/// Utilization is given where all cores have the same capacity, as only then it follows from the load.
theory known_answer(const scenario& model);

}  // namespace muster
