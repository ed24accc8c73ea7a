#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "platform/random/distribution.h"

namespace muster {

struct scenario;
class workload;

/// What theories know of an arrival process.
enum class arrival_kind { poisson, renewal, uniform, list };

/// A process of arrivals. A file NAME.cpp of arrivals/ defines `const arrival_entry NAME_arrivals`.
struct arrival_entry {
  std::string_view name;
  int order;  ///< in lists, ascending; the first is the default
  arrival_kind kind;
  /// The times between arrivals of a given mean; null: they come to an end, or the scenario says which law they have.
  distribution (*between)(double mean) = nullptr;
  /// The jobs; null: a synthetic_workload. @param model outlives them @param replication keys the random streams
  std::unique_ptr<workload> (*make)(const scenario& model, std::uint32_t replication) = nullptr;
};

/// All arrival processes, in their order.
const std::vector<const arrival_entry*>& arrival_catalogue();

}  // namespace muster
