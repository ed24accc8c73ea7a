#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/log/log_record.h"

namespace muster {

/// The list of nodes that a field tells; empty where it says that there are none, as Slurm does by `(null)`,
/// `None assigned` or `N/A`.
std::string_view node_list_in(std::string_view field);

/// The names in a list of nodes as Slurm writes it: `node[01-03,07],gpu5`, `r[1-2]n[01-04]`. The first number of a
/// range tells how many digits its numbers have. Of several brackets the last one counts fastest.
/// @param most names that a list may have
/// @return nothing: the text is no such list, is cut short, or has more names
std::optional<std::vector<std::string>> names_in_node_list(std::string_view list, std::size_t most = 1'000'000);

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
