#pragma once

#include <string>

#include "platform/model/scenario.h"
#include "platform/tables/table_document.h"

namespace muster {

/// Work as time in the unit in which it reads best: "200 ms", "3 min", "20 h". @param seconds not negative
std::string readable_time(double seconds);

/// What arrives at a point: the rate of all arrivals and the `arrivals.load` that it is, and of each class the rate,
/// the need, the mean size as readable_time() and the share of the load, by which a mistaken unit is seen.
void add_class_glance(table_document& report, const scenario& model);
/// The load of each resource and which one binds, where jobs need tasks.
void add_resource_loads(table_document& report, const scenario& model);

/// What energy costs and emits over time at a point: each step of a table of prices and of a column of a file, or of
/// more than 48 the first ones; its least and greatest value and its mean. Nothing where energy has neither.
void add_energy_prices(table_document& report, const scenario& model);

}  // namespace muster
