#include "platform/command_line/import_text.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "platform/command_line/command.h"
#include "platform/command_line/written_file.h"
#include "platform/log/log_text.h"
#include "platform/store/result_directory.h"
#include "platform/store/stored_run.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

// The scenario with what it does not have, as far as that matters, at its head, as a comment.
std::string scenario_with_head(const imported_site& site) {
  std::string text = "# A cluster that muster import has read from files of Slurm.\n#\n";
  for (const std::string& sentence : site.scenario.sentences) text += fmt::format("# {}\n", printable(sentence, 4'000));
  text += "#\n# Not imported, and matters to when or where jobs start:\n";
  for (const unused_values::row& row : site.unused.rows())
    if (row.effect == schedule_effect::certain)
      text += fmt::format("# {}:{}: {}: {}\n", printable(row.first.file, 4'000), row.first.line, row.what, row.why);
  // Files of a site may have any bytes, a scenario is UTF-8.
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > '~' || c == '\0'; }, '?');
  return text + "\n" + site.scenario.toml;
}

// What can be done with the scenario, by what it has.
std::string next_commands(const site_scenario& made, const std::string& out) {
  const std::string file = shell_word(out);
  std::string text = fmt::format("{} is written; muster run {} simulates it\n", out, file);
  if (made.jobs_with_start > 0)
    text += fmt::format("muster calibrate {} says how far the replay is from what happened\n", file);
  else if (!made.jobs.empty())
    text +=
        "no file tells when jobs started: with the column Start of sacct, muster calibrate holds the replay to it\n";
  if (made.waiting > 0)
    text += fmt::format("muster forecast {}{} says when the jobs that wait start\n", file,
                        made.jobs.empty() ? " --history LOG" : "");
  return text;
}

}  // namespace

table_document import_document(const fitted_log& fit, const model_check& check) {
  table_document document("class_figures");
  for (const std::string& sentence : sentences_of(fit)) document.say(sentence + "\n");
  document.add_sentences("notes", sentences_of(fit));
  document.say("\n");
  document.add(figures_table(check));
  document.say("\n");
  document.add(class_figures_table(fit, check));
  document.say("\n");
  document.add(laws_table(fit, false));
  document.add_data(laws_table(fit, true));
  return document;
}

std::string scenario_with_head(const fitted_log& fit, const model_check& check, const std::string& scenario) {
  constexpr std::size_t longest_line = 4'000;
  std::string text =
      "# A model that muster import has fitted to a log, and how well its jobs reproduce those of the log.\n#\n";
  const std::string document = import_document(fit, check).text();
  for (std::string_view rest = document; !rest.empty();) {
    const std::string_view line = first_line(rest);
    text += line.empty() ? "#\n" : fmt::format("# {}\n", printable(line, longest_line));
  }
  return text + "\n" + scenario;
}

table_document site_document(const imported_site& site) {
  table_document document("not_imported");
  for (const std::string& sentence : site.scenario.sentences) document.say(sentence + "\n");
  document.add_sentences("notes", site.scenario.sentences);
  document.say("\n");
  document.add(unused_table(site.unused));
  return document;
}

void write_site(const imported_site& site, const std::string& out, const std::string& name, bool force,
                output_format format) {
  const std::filesystem::path written = file_behind(out, "a scenario to write, such as my.toml");
  const std::filesystem::path folder = folder_of(written);
  std::vector<std::pair<std::string, std::string>> files;
  if (!site.scenario.jobs.empty()) files.emplace_back(name + "_jobs.csv", site.scenario.jobs);
  if (!site.scenario.queue.empty()) files.emplace_back(name + "_queue.csv", site.scenario.queue);
  files.emplace_back(written.filename().string(), scenario_with_head(site));
  for (const auto& [file, text] : files) check_free(folder / file, (folder / file).lexically_normal(), force);
  for (const auto& [file, text] : files) result_directory::as_it_is(folder).write(file, text);
  fmt::print("{}", site_document(site).in(format));
  if (format == output_format::table) fmt::print("\n{}", next_commands(site.scenario, out));
}

}  // namespace muster
