#include "platform/report/page.h"

#include <map>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "platform/report/page_data.h"
#include "platform/report/page_files.h"
#include "platform/report/xml_text.h"

namespace muster {

namespace {

// No string of the data can end the script element that holds it.
std::string within_script(const nlohmann::ordered_json& data) {
  const std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) escaped += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return escaped;
}

// In one pass: what is put in is not looked at again.
std::string filled(std::string_view page, const std::map<std::string_view, std::string>& parts) {
  std::string text;
  for (std::size_t at = 0;;) {
    const std::size_t begin = page.find('@', at);
    const std::size_t end = begin == page.npos ? page.npos : page.find('@', begin + 1);
    text += page.substr(at, begin == page.npos ? page.npos : begin - at);
    if (end == page.npos) return text;
    text += parts.at(page.substr(begin + 1, end - begin - 1));
    at = end + 1;
  }
}

}  // namespace

std::string page_of(const study& s, const stored_results& stored) {
  return filled(page_files::page_html, {{"title", xml_escaped(s.name + " - muster")},
                                        {"name", xml_escaped(s.name)},
                                        {"about", xml_escaped(s.about)},
                                        {"style", std::string(page_files::style_css)},
                                        {"scenario", xml_escaped(s.resolved)},
                                        {"manifest", xml_escaped(stored.manifest)},
                                        {"data", within_script(page_data(s, stored))},
                                        {"chart", std::string(page_files::chart_js)},
                                        {"script", std::string(page_files::script_js)}});
}

}  // namespace muster
