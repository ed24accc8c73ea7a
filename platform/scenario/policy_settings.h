#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "muster/policies/catalogue.h"
#include "platform/model/scenario.h"
#include "platform/toml/toml_reader.h"

namespace muster {

/// Reads the parameters of a policy, or of a class or table of it, and closes the table. All other keys of the table
/// have been read.
/// @param known whether the cores and classes of the scenario are; else only the form of values is checked
setting_list read_settings(table_reader& table, const std::vector<parameter>& parameters, const scenario& model,
                           bool known);

/// Reads a value of a parameter that must stand at a key of another name, relations to other parameters aside. Nothing:
/// it is missing or wrong, which is reported.
/// @param classes_known as of read_settings()
std::optional<setting_value> read_setting_alone(table_reader& table, std::string_view key, const parameter& type,
                                                const scenario& model, bool classes_known);

}  // namespace muster
