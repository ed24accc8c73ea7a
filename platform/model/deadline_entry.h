#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "platform/random/random_stream.h"
#include "platform/toml/schema.h"

namespace muster {

/// The last slot of jobs, counted from 1: far beyond all that is simulated.
inline constexpr std::uint64_t most_slots = 1'000'000'000'000;

/// A law of deadlines. A file NAME.cpp of deadlines/ defines `const deadline_entry NAME_deadline`.
struct deadline_entry {
  std::string_view name;
  int order;  ///< in lists, ascending
  /// The law's keys of `classes.*.deadline`: numbers, and slots, of which none may be less than the one before.
  std::vector<described_key> keys;
  /// The last slot in which a job may be served. @param values of the keys @param arrival slot, counted from 1
  std::uint64_t (*draw)(const std::vector<double>& values, std::uint64_t arrival, random_stream& bits);
  bool absolute = false;  ///< its slots are counted from the first one, not from that of the arrival
};

/// All laws of deadlines, in their order.
const std::vector<const deadline_entry*>& deadline_catalogue();

/// A number of slots that is a key of a deadline; the word stands for that in which the last job arrives.
constexpr integer_key slots_from(std::int64_t lowest) {
  return {lowest, static_cast<std::int64_t>(most_slots), "slots", "arrival_slots"};
}

/// A number of slots that a key has.
inline std::uint64_t in_slots(double value) { return static_cast<std::uint64_t>(value); }

}  // namespace muster
