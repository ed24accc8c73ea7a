#pragma once

#include <map>
#include <string>
#include <string_view>

namespace muster {

/// Text as content of HTML, or as a quoted attribute; characters that it cannot hold become U+FFFD.
std::string html_escaped(const std::string& text);

/// The path of a file as a relative URL, in an attribute.
std::string url_of_path(const std::string& path);

/// An SVG file as the URL of an image, in an attribute: what it names does not mix with the page's own.
std::string url_of_svg(const std::string& svg);

/// A page with `@NAME@` replaced, in one pass: what is put in is not looked at again.
/// @throws std::out_of_range if a part is missing
std::string filled(std::string_view page, const std::map<std::string_view, std::string>& parts);

/// The files of platform/report/page and the modules of d3, as they were when muster was built; see embed.cmake.
namespace page_files {
extern const std::string_view page_html, gallery_html, gallery_css, style_css, script_js, library_js;
}

}  // namespace muster
