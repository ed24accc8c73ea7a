#pragma once

#include <nlohmann/json_fwd.hpp>

#include "platform/tables/data_table.h"

namespace muster {

/// Values for the page: numbers are numbers, nothing is null, a number that is not finite is a text, as JSON does not
/// know it. @param digits of numbers, significant ones; 0: all
nlohmann::ordered_json to_page(const table_cells& row, int digits = 0);

/// The table for the page: `columns`, their names; `texts`, how many columns of texts come first; `words`, each of
/// their texts once; `rows`, with the place among the words for each of those texts. Null without rows.
nlohmann::ordered_json to_page(const data_table& table, int digits = 0);

/// So many significant digits of a number.
double rounded_to_digits(double value, int digits);

}  // namespace muster
