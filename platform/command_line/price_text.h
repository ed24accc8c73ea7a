#pragma once

#include "platform/model/scenario.h"
#include "platform/tables/table_document.h"

namespace muster {

/// What energy costs and emits over time at a point: each step of a table of prices and of a column of a file, or of
/// more than 48 the first ones; its least and greatest value and its mean. Nothing where energy has neither.
void add_energy_prices(table_document& report, const scenario& model);

}  // namespace muster
