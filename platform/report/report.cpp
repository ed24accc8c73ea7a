#include "platform/report/report.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "platform/report/figures.h"
#include "platform/report/page_data.h"
#include "platform/report/page_files.h"
#include "platform/results/result_store.h"
#include "platform/toml/text_file.h"

namespace muster {

namespace {

std::string manifest_in(const std::string& file) {
  constexpr std::size_t largest_file = std::size_t{1} << 30;
  std::string text;
  try {
    text = read_text_file(file, "JSON file", std::min<std::size_t>(largest_file, std::filesystem::file_size(file)));
  } catch (const std::filesystem::filesystem_error& e) {
    throw output_error(fmt::format("{}: cannot be read: {}", file, e.code().message()));
  } catch (const std::runtime_error& e) {
    throw output_error(fmt::format("{}: {}", file, e.what()));
  }
  if (!nlohmann::json::accept(text))
    throw output_error(fmt::format("{}: is not JSON; expected what muster run has written", file));
  return text;
}

// Checked: every point is one of the study's, every number is a number.
stored_results read_stored_results(const result_directory& directory, const study& s) {
  try {
    result_store store = result_store::of_run(directory.file("results.sqlite").string(), s);
    stored_results stored{store.estimates(s), {}, manifest_in(directory.file("manifest.json").string())};
    for (std::size_t p = 0; p < s.points.size(); ++p)
      stored.presence.push_back(stored.estimates.measured[p].empty() ? std::vector<presence_sample>{}
                                                                     : store.presence(p));
    return stored;
  } catch (const database_error& e) {
    throw output_error(e.what());
  }
}

// Text as content of HTML; characters that it cannot hold become U+FFFD.
std::string html_escaped(const std::string& text) {
  std::string escaped;
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

// One file that needs no other, with the plots and tables of a run, its scenario and its manifest.
std::string page_of(const study& s, const stored_results& stored) {
  return filled(page_files::page_html, {{"title", html_escaped(s.name + " - muster")},
                                        {"name", html_escaped(s.name)},
                                        {"about", html_escaped(s.about)},
                                        {"style", std::string(page_files::style_css)},
                                        {"scenario", html_escaped(s.resolved)},
                                        {"manifest", html_escaped(stored.manifest)},
                                        {"data", within_script(page_data(s, stored))},
                                        {"chart", std::string(page_files::chart_js)},
                                        {"script", std::string(page_files::script_js)}});
}

}  // namespace

void write_report(const result_directory& directory, const study& s) {
  const stored_results stored = read_stored_results(directory, s);
  directory.remove_report();
  directory.write("report.html", page_of(s, stored));
  for (const auto& [name, svg] : figures_of(s, stored.estimates)) directory.write("figures/" + name, svg);
}

}  // namespace muster
