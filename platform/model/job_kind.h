#pragma once

#include "muster/policies/job_kind.h"
#include "platform/model/scenario.h"

namespace muster {

/// How all jobs of a scenario use servers: slotted where every class has units, else as its policy serves them.
/// @param model may be incomplete: without a class that is known or a policy that is, its jobs are rigid
job_kind kind_of_jobs(const scenario& model);

inline bool is_pooled(const scenario& model) { return kind_of_jobs(model) == job_kind::pooled; }
inline bool is_slotted(const scenario& model) { return kind_of_jobs(model) == job_kind::slotted; }

/// Whether the greatest utility that any schedule could give the jobs can be computed: they are slotted and finite, and
/// of concave utility.
bool has_optimum(const scenario& model);

}  // namespace muster
