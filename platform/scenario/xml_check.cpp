#include "platform/scenario/xml_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace muster {

namespace {

constexpr int deepest = 32;

// Behind the tag that begins at `at`; attributes in quotes may hold a '>'.
std::size_t end_of_tag(std::string_view text, std::size_t at) {
  for (char quote = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote)
      quote = c == quote ? '\0' : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '>')
      return at + 1;
  }
  return text.size();
}

}  // namespace

std::optional<std::string> complaint_about_xml(std::string_view text) {
  int depth = 0;
  std::size_t at = 0;
  const auto starts = [&](std::string_view with) { return text.compare(at, with.size(), with) == 0; };
  const auto pass = [&](std::string_view begin, std::string_view end) {
    const std::size_t found = text.find(end, at + begin.size());
    at = std::min(found, text.size() - end.size()) + end.size();
  };
  while ((at = text.find('<', at)) != std::string_view::npos) {
    if (starts("<!--")) {
      pass("<!--", "-->");
    } else if (starts("<![CDATA[")) {
      pass("<![CDATA[", "]]>");
    } else if (starts("<?")) {
      pass("<?", "?>");
    } else if (starts("<!")) {
      const std::size_t begin = at;
      pass("<!", ">");
      if (text.substr(begin, at - begin).find('[') != std::string_view::npos)
        return "expected no document type with declarations of its own";
    } else if (starts("</")) {
      pass("</", ">");
      --depth;
    } else {
      at = end_of_tag(text, at);
      if (text[at - 1] != '>' || text[at - 2] != '/') ++depth;
      if (depth > deepest) return fmt::format("nested too deeply: expected at most {}", deepest);
    }
  }
  return std::nullopt;
}

}  // namespace muster
