#include "platform/report/gallery.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/inference/judge.h"
#include "platform/inference/verdict_sentences.h"
#include "platform/report/html_text.h"
#include "platform/scenario/scenario_file.h"
#include "platform/store/result_store.h"
#include "platform/tables/number_text.h"
#include "platform/toml/text_file.h"

namespace muster {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_of_figures(const result_directory& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory.file("figures"), error))
    if (entry.path().extension() == ".svg") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The figure that a study is shown by, as the name of its file without the extension.
std::optional<std::string> first_figure(const study& s, const std::vector<std::string>& names) {
  std::vector<std::string> wanted;
  for (const metric_of_class& m : judged_metrics(s.points.front().model))
    wanted.push_back(m.class_name == "all" ? m.metric : m.metric + "." + m.class_name);
  wanted.emplace_back("response_time");
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) != names.end()) return name;
  return names.empty() ? std::nullopt : std::optional(names.front());
}

std::string picture(const result_directory& directory, const study& s, const std::string& link) {
  const std::optional<std::string> name = first_figure(s, names_of_figures(directory));
  if (!name) return "<p class=\"about\">The report has tables alone.</p>\n";
  constexpr std::size_t largest_file = std::size_t{1} << 24;
  const std::string file = directory.file("figures/" + *name + ".svg").string();
  return fmt::format("<a class=\"picture\" href=\"{}\"><img alt=\"{}: {}\" src=\"{}\"></a>\n", link,
                     html_escaped(s.name), html_escaped(*name),
                     url_of_svg(read_text_file<output_error>(file, "figure", largest_file)));
}

// The sentences of a study: the verdict by its first metric, at the last value of the key, and what the other keys
// change.
std::vector<std::string> sentences_of(const verdict& v) {
  constexpr std::size_t most = 3;
  std::vector<std::string> sentences;
  if (!v.metrics.empty()) {
    const metric_verdict& first = v.metrics.front();
    const contest& last = first.by_others.front().back();
    const std::string where = v.key.empty() ? "" : fmt::format(" at {} = {}", v.key, v.values.back());
    if (last.best())
      sentences.push_back(
          fmt::format("{}{}: {}", first.of.title(), where, with_plus_minus_sign(sentence_of(last, first.unit))));
  }
  for (const std::string& sentence : v.sentences)
    if (sentences.size() < most) sentences.push_back(sentence);
  return sentences;
}

std::string count_of(const study& s, std::size_t finished) {
  if (finished < s.points.size()) return fmt::format("{} of {} points", finished, s.points.size());
  return counted(finished, "point");
}

}  // namespace

gallery_entry gallery_entry_of(const result_directory& directory, const fs::path& beside) {
  const std::string folder = directory.path().string();
  const study s = read_study(directory.file("scenario.toml").string(), {});
  const std::string file = directory.file("results.sqlite").string();
  const study_estimates all =
      with_database_errors_as<output_error>(file, [&] { return result_store::of_run(file, s).estimates(s); });
  const auto finished = static_cast<std::size_t>(std::count_if(
      all.measured.begin(), all.measured.end(), [](const std::vector<estimate>& e) { return !e.empty(); }));
  if (finished == 0) throw output_error(fmt::format("{}: no point is finished; `muster run` goes on", folder));
  if (!fs::exists(directory.file("report.html")))
    throw output_error(fmt::format("{0}: holds no report.html; `muster report {0}` writes it", folder));
  const std::string link = url_of_path(fs::absolute(directory.file("report.html"))
                                           .lexically_normal()
                                           .lexically_relative(fs::absolute(beside).lexically_normal())
                                           .generic_string());
  std::string sentences;
  for (const std::string& sentence : sentences_of(all.best))
    sentences += fmt::format("<li>{}</li>\n", html_escaped(sentence));
  return {s.name, link,
          fmt::format("{}{}{}<p class=\"count\">{}</p>\n",
                      s.about.empty() ? "" : fmt::format("<p class=\"about\">{}</p>\n", html_escaped(s.about)),
                      picture(directory, s, link), sentences.empty() ? "" : "<ul>\n" + sentences + "</ul>\n",
                      html_escaped(fmt::format("{} in {}", count_of(s, finished), folder)))};
}

std::string gallery_page(const std::vector<gallery_entry>& entries) {
  std::string contents, articles;
  for (std::size_t n = 0; n < entries.size(); ++n) {
    const gallery_entry& e = entries[n];
    const std::string name = html_escaped(e.name);
    contents += fmt::format("<li><a href=\"#study-{}\">{}</a></li>\n", n, name);
    articles += fmt::format(
        "<article id=\"study-{0}\" aria-labelledby=\"title-{0}\">\n<h2 id=\"title-{0}\"><a href=\"{1}\">{2}</a></h2>\n"
        "{3}</article>\n",
        n, e.link, name, e.html);
  }
  return filled(page_files::gallery_html,
                {{"style", std::string(page_files::style_css)},
                 {"gallery_style", std::string(page_files::gallery_css)},
                 {"contents", contents},
                 {"count", fmt::format("{} {}", entries.size(), entries.size() == 1 ? "study" : "studies")},
                 {"articles", articles}});
}

}  // namespace muster
