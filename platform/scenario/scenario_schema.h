#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/toml/schema.h"

namespace muster {

/// Servers and cores of the largest platform.
inline constexpr std::int64_t most_servers = 1'000'000;
inline constexpr std::int64_t most_cores = 10'000'000;
/// Slotted jobs of the largest finite population.
inline constexpr std::int64_t most_slotted_jobs = 10'000'000;

/// The range of the half-width of an interval, as a share of the mean.
inline constexpr number_range share_of_mean{"a share > 0 and < 1, such as 0.01 or \"1%\"", 0.0, true, 1.0, true};

/// A price: sums, products and squares of prices are finite.
inline constexpr number_key price_key{zero_or_more, {}, clock_limit::none, 1e50};
/// The power of a core, a device or a unit of an amount.
inline constexpr number_key power_key{zero_or_more, "W", clock_limit::none, price_key.most};

/// An amount of a resource: up to 2^53, so that a double has each of them.
inline constexpr number_range whole_amount{"a whole number from 0 to 2^53", 0.0, false, 9007199254740992.0};
/// Devices of a server.
inline constexpr std::int64_t most_devices = 1'024;
/// Resources beside cores.
inline constexpr std::size_t most_resources = 7;

/// Every key of a scenario, in the order of its reference. Parameters of policies, distributions and utility functions
/// are described by their catalogues.
const key_node& scenario_schema();

/// The key in whose stead this one may be given, so that to give the one drops the other: of `arrivals.rate`
/// `arrivals.load`, and the like among the parameters of policies and their classes. Nothing if there is none.
std::optional<std::vector<std::string>> alternative_key(const std::vector<std::string>& path);

/// @name Traits of a document on which the effect of keys depends
/// @{
/// Replications are added until what they tell is enough: run.precision or run.equal_within.
inline constexpr std::string_view looks_at_replications = "looks at replications";
inline constexpr std::string_view slotted_jobs = "slotted jobs";
inline constexpr std::string_view endless_arrivals = "endless arrivals";
inline constexpr std::string_view failing_servers = "failing servers";
/// Schedulers, or what deals jobs out to them, look at numbers that may be old.
inline constexpr std::string_view looks_at_others = "looks at others";
/// The classes name their servers: there is no platform.graph.
inline constexpr std::string_view servers_of_classes = "servers of classes";
/// @}

}  // namespace muster
