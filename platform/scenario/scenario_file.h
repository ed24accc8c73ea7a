#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/model/study.h"
#include "platform/scenario/queued_job.h"
#include "platform/toml/diagnostics.h"

namespace muster {

/// Reads a scenario file, expands its sweep and checks every point.
///
/// @param path a TOML file of at most 4 MiB; the files that it names lie in its folder or below
/// @param overrides `dotted.key=value`, as after `--set`; a value is TOML, or a bare word that is taken as a string.
///   An override of a swept key replaces that sweep; one within a swept table goes into each of its values. To name
///   another policy (`policy.name=..`) drops the parameters of the one that the file names.
/// @throws scenario_error with everything that is wrong
study read_study(const std::string& path, const std::vector<std::string>& overrides);

/// Reads a scenario from a text, as read_study() does from a file.
/// @param display_name stands for the file in messages
/// @param folder of the files that the scenario names; empty: the current one
study read_study(std::string_view text, const std::string& display_name, const std::vector<std::string>& overrides,
                 const std::string& folder = {});

/// A study, and of each of its points what the file of `[initial]` tells of the jobs that the point has from it, in
/// their order.
struct study_with_queues {
  study read;
  std::vector<std::vector<queued_job>> queues;
};

/// Reads a study as read_study() does, and what its queues tell.
study_with_queues read_study_with_queues(const std::string& path, const std::vector<std::string>& overrides);

}  // namespace muster
