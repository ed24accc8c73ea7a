#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "platform/log/log_record.h"

namespace muster {

/// The number of a job as Slurm writes it: `17`, `17_3` of an array, `17_*` for all of it, `17+1` of a job of several
/// parts. Nothing: the text is no such number.
std::optional<job_number> job_number_of(std::string_view text);

/// Reads the jobs for whose ends a job waits, of a dependency such as `afterok:17,afterany:18_3:19`.
/// @param own number of the job that waits, for the task of `aftercorr`
/// @param jobs receives them
/// @return whether that is all that the dependency says. Not read are `after`, which waits for a start, `singleton`,
///   other words, and dependencies of which one suffices (`?`)
bool preceding_jobs(std::string_view dependency, const job_number& own, std::vector<job_number>& jobs);

}  // namespace muster
