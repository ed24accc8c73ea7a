#pragma once

#include <string_view>

namespace muster {

/// The files of platform/report/page and the modules of d3, as they were when muster was built; see embed.cmake.
namespace page_files {
extern const std::string_view page_html, gallery_html, gallery_css, style_css, script_js, library_js;
}

}  // namespace muster
