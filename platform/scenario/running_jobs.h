#pragma once

#include "platform/model/scenario.h"
#include "platform/scenario/log_file.h"

namespace muster {

/// Gives the jobs that run at time 0 the servers that their queue names, and adds a note. The units of a job, cores or
/// tasks, are divided evenly over its servers, as far as these have room. One whose servers are not known, or have too
/// few cores free beside the jobs ahead of it, gets none, and is counted by its reason.
/// @param model whose jobs and classes are complete
void place_running_jobs(const log_file& queue, scenario& model);

}  // namespace muster
