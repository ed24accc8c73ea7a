#include "platform/report/html_text.h"

#include <cctype>
#include <numeric>

#include <fmt/format.h>

namespace muster {

namespace {

// The letters, digits and `also` as they are, other characters as a URL has their bytes.
std::string percent_encoded(const std::string& text, std::string_view also) {
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || also.find(c) != also.npos);
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return encoded;
}

}  // namespace

std::string html_escaped(const std::string& text) {
  static const std::map<char, const char*> named{{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  std::string escaped;
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    const auto found = named.find(c);
    escaped += control ? "\xef\xbf\xbd" : found != named.end() ? found->second : std::string(1, c);
  }
  return escaped;
}

std::string url_of_path(const std::string& path) { return percent_encoded(path, "-._~/"); }

std::string url_of_svg(const std::string& svg) {
  return "data:image/svg+xml," + percent_encoded(svg, " -._~/:=,;()+*!@$?");
}

std::string filled(std::string_view page, const std::map<std::string_view, std::string>& parts) {
  std::string text;
  text.reserve(std::accumulate(parts.begin(), parts.end(), page.size(),
                               [](std::size_t sum, const auto& part) { return sum + part.second.size(); }));
  for (std::size_t at = 0;;) {
    const std::size_t begin = page.find('@', at);
    const std::size_t end = begin == page.npos ? page.npos : page.find('@', begin + 1);
    text += page.substr(at, begin == page.npos ? page.npos : begin - at);
    if (end == page.npos) return text;
    text += parts.at(page.substr(begin + 1, end - begin - 1));
    at = end + 1;
  }
}

}  // namespace muster
