#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/model/scenario.h"
#include "platform/trace/perfetto_file.h"

// The names in a Perfetto trace, which packets have by number.

namespace muster::perfetto_names {

/// Names of events that are in every trace, in their order; those of the classes follow, then those of jobs.
enum : std::uint64_t { overhead = 1, saving, interruption, migration, preemption, failure, completed, expired };
inline constexpr std::string_view event_names[] = {"overhead",   "saving",  "interruption", "migration",
                                                   "preemption", "failure", "completed",    "expired"};
inline constexpr std::uint64_t first_class = std::size(event_names) + 1;

/// Names of annotations, in their order.
enum : std::uint64_t { of_job = 1, of_outcome, of_interruptions, of_migrations };
inline constexpr std::string_view annotation_names[] = {"job", "outcome", "interruptions", "migrations"};

/// The labels of the classes, behind which the number of a job fits.
inline std::vector<std::string> labels_of(const scenario& model) {
  constexpr std::size_t longest = track_event::longest_name - std::string_view(" 18446744073709551615").size();
  std::vector<std::string> labels;
  for (const std::size_t at : by_descending_need(model)) {
    const std::string& name = model.classes[at].name;
    labels.push_back(name.size() <= longest ? name : fmt::format("class {}", at));
  }
  return labels;
}

/// The names of events with those of the classes.
inline std::vector<std::string_view> names_with(const std::vector<std::string>& classes) {
  std::vector<std::string_view> names(std::begin(event_names), std::end(event_names));
  names.insert(names.end(), classes.begin(), classes.end());
  return names;
}

}  // namespace muster::perfetto_names
