#pragma once

#include <optional>

#include "muster/modules/server/gang_exchange.h"
#include "platform/model/scenario.h"

namespace muster {

/// What the tasks of jobs of each class exchange while they work, in ticks.
table<class_id, std::optional<class_exchange>> exchange_of_classes(const scenario& model);

}  // namespace muster
