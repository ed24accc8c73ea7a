#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "platform/toml/table_findings.h"

namespace muster {

/// The number that a value is by the description of its key, perhaps with a unit. Null if it is none, or out of range;
/// that is reported.
std::optional<double> number_of(const number_key& type, std::string_view key, const toml_value& found,
                                table_findings& table);
/// The whole number that a value is by the description of its key, as number_of().
std::optional<std::int64_t> whole_number_of(const integer_key& type, std::string_view key, const toml_value& found,
                                            table_findings& table);

}  // namespace muster
