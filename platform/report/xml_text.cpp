#include "platform/report/xml_text.h"

namespace muster {

std::string xml_escaped(const std::string& text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
      escaped += "\xef\xbf\xbd";
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace muster
