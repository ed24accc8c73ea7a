#pragma once

#include "platform/model/plugin_file.h"
#include "platform/model/study.h"
#include "platform/store/code_fingerprint.h"

namespace muster {

/// The code that a study runs by: the program, and the loaded plugins whose policies the study names.
code_fingerprint code_of(const study& s);

}  // namespace muster
