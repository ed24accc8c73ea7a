#pragma once

#include <string>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/scenario/named_file.h"

namespace muster {

/// A list of slotted jobs as it stands in a file.
struct job_list_file : named_file {
  std::vector<listed_job> jobs;  ///< in the order of arrival, then of ids
};

/// Slots and units of a job in a list.
constexpr std::uint64_t most_units = 1'000'000;

/// Reads a list of jobs from the content: CSV with the header `id,arrival,deadline,units,marginals`, a job a line.
///
/// `id` is a whole number that no other job has; `arrival` the slot of arrival, counted from 1; `deadline` the last
/// slot in which the job may be served, not before its arrival, or nothing; `units` how many units of work it has;
/// `marginals` what each of them adds to the job's utility: so many numbers >= 0 with blanks between them. Blank lines,
/// blanks around a field, a byte order mark and line ends of either kind are allowed.
void parse_job_list(job_list_file& list);

}  // namespace muster
