#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/import/slurm/site_jobs.h"
#include "platform/import/slurm/site_lines.h"
#include "platform/import/slurm/unused_values.h"

namespace muster {

/// Reads what `scontrol show` prints: blocks of words `Key=Value`, each a line of the result. A block begins where a
/// line begins with the key, without a blank before it. A value goes on until the next word that has a key.
/// @throws std::runtime_error that says why the file cannot be read, but not its name
std::vector<site_line> read_site_blocks(const std::string& path, std::string_view key);

/// A block of `scontrol show node` or `scontrol show partition` as slurm.conf would have it, with the keys alone that
/// describe the machine.
/// @param unused receives the other keys
site_line as_configured(const site_line& block, unused_values& unused);

/// Adds the jobs of `scontrol show job`: those that wait or run.
void take_job_blocks(const std::vector<site_line>& blocks, site_jobs& jobs, unused_values& unused);

}  // namespace muster
