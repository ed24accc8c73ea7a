#include "platform/command_line/import_text.h"

#include <string_view>

#include <fmt/format.h>

#include "platform/log/log_text.h"
#include "platform/toml/diagnostics.h"

namespace muster {

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

}  // namespace muster
