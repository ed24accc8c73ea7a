#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/catalogue_text.h"
#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

command_entry::action define_list(CLI::App& app) {
  const auto subject = std::make_shared<std::string>();
  const std::vector<std::string> subjects = names_of(list_subjects());
  app.add_option("what", *subject, in_words(subjects))
      ->required()
      ->check(known_name("subject", subjects))
      ->type_name("WHAT");
  const auto format = std::make_shared<output_format>(output_format::table);
  add_format(app, *format, "them all");
  return [subject, format](const invocation&) {
    for (const list_subject& s : list_subjects())
      if (s.name == *subject) fmt::print("{}", s.output().in(*format));
    return done;
  };
}

}  // namespace

extern const command_entry list_command_entry{
    "list",
    "what scenarios may name: policies, placements, governors, dispatching, distributions, utilities, metrics, traces, "
    "keys or scenarios",
    80, "muster list policies", define_list};

}  // namespace muster
