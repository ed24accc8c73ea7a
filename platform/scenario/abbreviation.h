#pragma once

#include "platform/toml/toml_value.h"

namespace muster {

/// Replaces `policy = "msf"` by the table that it abbreviates.
void spell_out_policy(toml_value& document);
/// Replaces `run.precision = 0.01` by the table that it abbreviates.
void spell_out_precision(toml_value& document);

}  // namespace muster
