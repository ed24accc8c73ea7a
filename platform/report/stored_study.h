#pragma once

#include "platform/model/scenario.h"
#include "platform/store/result_directory.h"

namespace muster {

/// The study of a run, as it has left it in its directory.
/// @throws scenario_error; where the run had plugins that are not loaded now, it has the command of the run
study read_stored_study(const result_directory& directory);

}  // namespace muster
