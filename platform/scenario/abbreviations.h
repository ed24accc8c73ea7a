#pragma once

#include "platform/toml/toml_value.h"

// Short forms of values in a scenario, which its keys lead into as into the long ones.

namespace muster {

/// The table that an abbreviation stands for, with this value alone: { name = "msf" } of `policy = "msf"`.
toml_value spelled_out(const char* key, toml_value value);

/// Puts the table of a policy in place of its name. @param policy null: there is none
void spell_out_policy(toml_value* policy);

/// Spells out all short forms: the name of a policy, the half-width of a precision. An FMU without a name is called as
/// its file is, if that is a valid name.
void spell_out_abbreviations(toml_value& document);

}  // namespace muster
