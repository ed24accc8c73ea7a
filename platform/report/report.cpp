#include "platform/report/report.h"

#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>
#include <nlohmann/json.hpp>

#include "platform/report/figures.h"
#include "platform/report/html_text.h"
#include "platform/report/page_data.h"
#include "platform/store/result_store.h"
#include "platform/toml/text_file.h"

namespace muster {

namespace {

std::string manifest_in(const std::string& path) {
  constexpr std::size_t largest_file = std::size_t{1} << 30;
  std::string text = read_text_file<output_error>(path, "JSON file", largest_file);
  if (!nlohmann::json::accept(text))
    throw output_error(fmt::format("{}: is not JSON; expected what muster run has written", path));
  return text;
}

// Reads and checks the results: every point is one of the study's, every number is a number. That the database is whole
// is known by then.
stored_results read_stored_results(const result_directory& directory, const study& s) {
  const std::string file = directory.file("results.sqlite").string();
  return with_database_errors_as<output_error>(file, [&] {
    result_store store = result_store::of_run(file, s, true);
    stored_results stored{
        store.estimates(s), {}, manifest_in(directory.file("manifest.json").string()), store.pictures(s)};
    for (std::size_t p = 0; p < s.points.size(); ++p)
      stored.presence.push_back(stored.estimates.measured[p].empty() ? std::vector<presence_sample>{}
                                                                     : store.presence(p));
    return stored;
  });
}

// No string of the JSON can end the script element that holds it.
std::string within_script(const std::string& text) { return boost::replace_all_copy(text, "<", "\\u003c"); }

// A script element for each column, which the page reads when it needs it.
std::string elements_of(const page_columns& columns) {
  std::string elements;
  for (std::size_t n = 0; n < columns.texts().size(); ++n)
    elements += fmt::format("<script type=\"application/json\" id=\"column-{}\">{}</script>\n", n,
                            within_script(columns.texts()[n]));
  return elements;
}

// The page: one file that needs no other, with the plots and tables of a run, its scenario and its manifest.
std::string page_of(const study& s, const stored_results& stored) {
  page_columns columns;
  plain_texts texts;
  const std::string data =
      page_data(s, stored, columns, texts).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return filled(page_files::page_html, {{"title", html_escaped(s.name + " - muster")},
                                        {"name", html_escaped(s.name)},
                                        {"about", html_escaped(s.about)},
                                        {"style", std::string(page_files::style_css)},
                                        {"scenario", html_escaped(s.resolved)},
                                        {"manifest", html_escaped(stored.manifest)},
                                        {"data", texts.filled(within_script(data))},
                                        {"columns", elements_of(columns)},
                                        {"library", std::string(page_files::library_js)},
                                        {"script", std::string(page_files::script_js)}});
}

}  // namespace

void write_report(const result_directory& directory, const study& s, bool with_figures) {
  const stored_results stored = read_stored_results(directory, s);
  directory.remove_report();
  directory.write("report.html", page_of(s, stored));
  if (!with_figures) return;
  for (const auto& [name, svg] : figures_of(s, stored.estimates)) directory.write("figures/" + name, svg);
}

}  // namespace muster
