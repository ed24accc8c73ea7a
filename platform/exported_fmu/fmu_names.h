#pragma once

#include <cstddef>
#include <string_view>

#include "platform/fmi/fmi3.h"

namespace muster {

// What the files of an exported FMU and its shared library agree upon.

/// The value reference of the independent variable, `time`.
inline constexpr fmi3ValueReference time_reference = 0;
/// The value reference of the variable at a place among those of the cluster.
constexpr fmi3ValueReference reference_of(std::size_t place) { return static_cast<fmi3ValueReference>(place + 1); }
/// The place of a variable of the cluster. @param reference not that of `time`
constexpr std::size_t place_of(fmi3ValueReference reference) { return std::size_t{reference} - 1; }

/// @name Files of the folder `resources`
/// @{
inline constexpr std::string_view fmu_program = "muster";
inline constexpr std::string_view fmu_scenario = "scenario/scenario.toml";  ///< the files that it names lie beside it
inline constexpr std::string_view fmu_plugins = "plugins";  ///< a folder; they are loaded in the order of names
inline constexpr std::string_view fmu_token = "instantiation_token";  ///< as modelDescription.xml has it
/// @}

/// A kind of messages, which an importer switches on and off.
struct fmu_log_category {
  const char* name;  ///< one of those that the standard suggests
  std::string_view about;
};

inline constexpr fmu_log_category events_category{"logEvents", "The begin and the end of the cluster's process"};
inline constexpr fmu_log_category discard_category{"logStatusDiscard", "Why a call has been discarded"};
inline constexpr fmu_log_category error_category{"logStatusError", "Why a call has failed"};
inline constexpr fmu_log_category fmu_log_categories[] = {events_category, discard_category, error_category};

}  // namespace muster
