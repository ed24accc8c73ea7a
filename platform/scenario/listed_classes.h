#pragma once

#include "platform/model/scenario.h"

namespace muster {

/// Sets of each class of a list or log its share and mean size, and of each of its needs the number of jobs and their
/// mean size; of jobs that are killed, what they do until then.
/// @param model whose classes have all their needs, without jobs yet, and whose estimates are known
void count_listed_jobs(scenario& model, const timed_jobs& jobs);

}  // namespace muster
