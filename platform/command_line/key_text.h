#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/tables/data_table.h"
#include "platform/toml/schema.h"

namespace muster {

/// What a key may be, such as "a number > 0".
std::string value_of(const described_key& key);

/// Table of `muster list keys`: every key of a scenario in a row with type, default, unit and help.
data_table key_table();

/// Path of every key, in the order of the list.
std::vector<std::string> key_paths();

/// All about a key, with an example for `--set`.
/// @param key its path, such as `platform.costs.save`, with a name or `*` for an element; or as much of its end as is
///   wanted (`save`): several keys with that end are told one after the other. A table (`platform.costs`) is listed.
/// @return nothing if there is none
std::optional<std::string> key_help(const std::string& key);

/// The reference of platform/docs/keys.md: every key by table, as Markdown.
std::string key_reference();

}  // namespace muster
