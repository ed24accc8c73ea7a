#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/toml/toml_value.h"

namespace muster {

/// A value that is given in place of the file's, as by `--set`.
struct override_value {
  std::vector<std::string> path;
  position key_where;
  toml_value value;
};

/// Reads `dotted.key=value`. A word needs no quotes, and a number may have a unit.
/// @param source of its positions
/// @return nothing if it is invalid, which is added to the errors
std::optional<override_value> parse_override(const std::string& text, std::uint32_t source, findings& errors);

}  // namespace muster
