#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/toml/toml_value.h"

namespace muster {

/// The parts of a dotted key such as `arrivals.rate`; a part with dots of its own may stand in quotes.
/// @return nothing if it is not a key
std::optional<std::vector<std::string>> split_key(std::string_view dotted);

/// The parts with dots between them, but for the place of an element without a name: `run.precision[0].metric`.
std::string join_key(const std::vector<std::string>& parts);

/// What a path has for an element of an array of tables: its name or, without one, its place, `[0]`.
std::string part_of(const toml_array& elements, const toml_value& element);

/// Whether the key is `ancestor` or lies within it.
bool lies_within(std::string_view key, std::string_view ancestor);

/// The value to which the path leads, or null.
const toml_value* find(const toml_value& root, const std::vector<std::string>& path);

/// The paths for which one with `*` in place of an element's name stands, as in `classes.*.size`: one for each element
/// of the array of tables, in its order. None if there is no such array, or if `*` is the last part. Without `*`: the
/// path itself.
std::vector<std::vector<std::string>> spell_out(const toml_value& root, const std::vector<std::string>& path);

/// Whether a part of the path is `*`.
bool has_wildcard(const std::vector<std::string>& path);

/// Removes the value to which the path leads, if there is one.
void erase(toml_value& root, const std::vector<std::string>& path);

/// Sets the value to which the path leads; tables on the way are made where they are missing. An element of an array
/// of tables goes by its name, which may have dots: `classes.light.size`; one without a name by its place, `[0]`;
/// `classes.*.size` means every element.
/// @param key_where position of the key, for messages about it
/// @param hint where an array on the way likely has the element
/// @return what is wrong with the path, or nothing
std::optional<std::string> assign(toml_value& root, const std::vector<std::string>& path, position key_where,
                                  toml_value value, std::size_t hint = 0);

}  // namespace muster
