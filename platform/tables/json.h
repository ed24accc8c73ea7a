#pragma once

#include <nlohmann/json_fwd.hpp>

#include "platform/tables/data_table.h"

namespace muster {

/// The rows as a list of objects: numbers are numbers, nothing and an empty text are null, a note is always a text.
nlohmann::ordered_json to_json(const data_table& table);

}  // namespace muster
