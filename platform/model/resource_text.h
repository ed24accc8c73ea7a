#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "muster/policies/resources.h"

namespace muster {

/// What a unit of amounts measures, such as bytes of "B", so that an amount may be written in others that measure it.
/// Empty: it is a unit of its own.
std::string_view measured_by(std::string_view unit);

/// An amount as texts show it: "64 GB", "12", of devices in parts "0.25".
std::string amount_text(const resource_type& type, std::uint64_t amount);

}  // namespace muster
