#pragma once

#include <cstddef>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "platform/metrics/replication_pictures.h"
#include "platform/model/scenario.h"

namespace muster {

/// Shares of busy cores as the page has them: `begin`; `lasts`, the duration of each bin; `each`, how many servers
/// share a row; `rows`, a text for each row with a letter for each bin, whose place among A-Z, a-z, 0-9, + and / is the
/// share in 63rds.
/// @param most_cells as many letters: rows and bins are joined by two until they fit
/// @{
nlohmann::ordered_json server_data(const std::vector<time_bin>& bins, const scenario& model, std::size_t most_cells);
nlohmann::ordered_json server_data(const std::vector<server_bin>& bins, const scenario& model, std::size_t most_cells);
/// @}

/// Entries of platform.servers: name, number of servers, cores of each.
nlohmann::ordered_json server_entries(const scenario& model);

}  // namespace muster
