#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platform/toml/toml_value.h"

namespace muster {

/// A scenario as a run has stored it.
struct stored_scenario {
  toml_value document;           ///< scenario.toml
  std::filesystem::path folder;  ///< relative to which it names files
};

/// A key in which two scenarios differ.
struct changed_key {
  std::string key;                  ///< dotted; elements of arrays go by their names: `classes.light.need`
  std::optional<std::string> a, b;  ///< the values in the form of results.csv; none: it is not there
};

/// The keys in which two scenarios differ, in the order of the first, then those that only the second has. A table, or
/// an element of an array of tables, that only one of them has counts as one key; numbers that are equal are the same
/// however they are written. Of a file that both name, a difference in content counts as one in the key that names it.
std::vector<changed_key> scenario_differences(const stored_scenario& a, const stored_scenario& b);

}  // namespace muster
