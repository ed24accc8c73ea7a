#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/random/distribution.h"
#include "platform/toml/schema.h"

namespace muster {

struct scenario;
class workload;

/// What theories know of an arrival process; of `other` its rate alone.
enum class arrival_kind { poisson, renewal, uniform, list, log, other };

/// A process of arrivals. A file NAME.cpp of arrivals/ defines `const arrival_entry NAME_arrivals`.
struct arrival_entry {
  std::string_view name;
  int order;  ///< in lists, ascending; the first is the default
  arrival_kind kind;
  /// The keys of `arrivals` that it has beside those of all processes. Integers, numbers and words go into
  /// arrival_spec::values, a table is the law of the times between arrivals, a text names a file with a list of jobs.
  /// Those of a log are read by code of its own.
  std::vector<described_key> keys{};
  /// The times between arrivals of a given mean; null: they come to an end, or the scenario says which law they have.
  distribution (*between)(double mean) = nullptr;
  /// The jobs; null: a synthetic_workload. @param model outlives them @param replication keys the random streams
  std::unique_ptr<workload> (*make)(const scenario& model, std::uint32_t replication) = nullptr;
  /// The last slot in which slotted jobs that come to an end may be served; null: the arrivals never end. Where it is
  /// beyond the range of the clock, the first of the keys is at fault.
  std::uint64_t (*last_slot)(const scenario& model) = nullptr;
  /// The key whose value does not fit the others, and why; null: all values fit. @param values see `keys`
  std::optional<std::pair<std::string_view, std::string>> (*objection)(const std::vector<double>& values) = nullptr;
  /// The index of dispersion: the variance of the number of arrivals in a long time over its mean. Null: it follows
  /// from the times between arrivals. @param values see `keys`
  double (*dispersion)(const std::vector<double>& values) = nullptr;
};

/// All arrival processes, in their order.
const std::vector<const arrival_entry*>& arrival_catalogue();

}  // namespace muster
