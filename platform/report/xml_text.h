#pragma once

#include <string>

namespace muster {

/// Text as content or attribute of XML and HTML; characters that XML cannot hold become U+FFFD.
std::string xml_escaped(const std::string& text);

}  // namespace muster
