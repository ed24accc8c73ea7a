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

struct arrival_spec;
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
  /// arrival_spec::values, lists of numbers into arrival_spec::lists, a table is the law of the times between arrivals,
  /// a text names a file with a list of jobs. The keys of a log are read by code of their own. Two processes may share
  /// a key: both describe it alike.
  std::vector<described_key> keys{};
  /// The times between arrivals of a given mean; null: they come to an end, or the scenario says which law they have.
  distribution (*between)(double mean) = nullptr;
  /// The jobs; null: a synthetic_workload. @param model outlives them @param replication keys the random streams
  std::unique_ptr<workload> (*make)(const scenario& model, std::uint32_t replication) = nullptr;
  /// The last slot in which slotted jobs that come to an end may be served; null: the arrivals never end. Where it is
  /// beyond the range of the clock, the first of the keys is at fault.
  std::uint64_t (*last_slot)(const scenario& model) = nullptr;
  /// The key whose value does not fit the others, and why; null: all values fit. Asked again once the rate is known.
  /// @param arrivals with the values of `keys`; its rate is 0 as long as it is not known
  std::optional<std::pair<std::string_view, std::string>> (*objection)(const arrival_spec& arrivals) = nullptr;
  /// The index of dispersion: the variance of the number of arrivals in a long time over its mean. Null: it follows
  /// from the times between arrivals. @param arrivals with their rate
  double (*dispersion)(const arrival_spec& arrivals) = nullptr;
  /// The mean time in which the rate goes once through all that it becomes, in units of time: in much less, other jobs
  /// arrive than in the long run. Null: the rate is always the same.
  double (*cycle)(const arrival_spec& arrivals) = nullptr;
};

/// Exponential times between arrivals, for arrival_entry::between.
inline distribution exponential_times(double mean) { return distribution::make("exponential", {{"mean", {mean}}}); }

/// The jobs of a class of workloads, for arrival_entry::make.
template <class Jobs>
std::unique_ptr<workload> make_jobs(const scenario& model, std::uint32_t replication) {
  return std::make_unique<Jobs>(model, replication);
}

/// All arrival processes, in their order.
const std::vector<const arrival_entry*>& arrival_catalogue();

}  // namespace muster
