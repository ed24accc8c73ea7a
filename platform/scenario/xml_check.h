#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// What Boost's XML parser, which has no bound on its recursion, should not be given: elements nested too deeply, and a
/// document type with declarations of its own, which could hide them. Nothing if there is no such thing; the text may
/// be no XML all the same.
std::optional<std::string> complaint_about_xml(std::string_view text);

}  // namespace muster
