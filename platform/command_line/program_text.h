#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace muster {

/// The options that the help of a command shows, those of its groups among them, positional ones first.
inline std::vector<const CLI::Option*> option_list(const CLI::App& command) {
  const auto shown = [](const CLI::Option* o) { return !o->get_group().empty(); };
  std::vector<const CLI::Option*> options = command.get_options(shown);
  for (const CLI::App* group : command.get_subcommands([](const CLI::App* a) { return a->get_name().empty(); }))
    for (const CLI::Option* o : group->get_options(shown))
      if (o != group->get_help_ptr()) options.push_back(o);
  std::stable_partition(options.begin(), options.end(), [](const CLI::Option* o) { return o->get_positional(); });
  return options;
}

/// The type of an option as help has it, without what is checked of it: METRIC, UINT, ..
inline std::string type_of(const CLI::Option& o) {
  const std::string type = o.get_type_name();
  return type.substr(0, type.find(':'));
}

/// A script that makes bash, or zsh with its bashcompinit, complete the words of muster's command line: commands,
/// options, and what stands for the words in capitals in their help; files elsewhere.
std::string bash_completion(const CLI::App& program);

/// muster.1, for troff with the macros of man: commands with their options, and all that `muster list` knows.
std::string manual_page(const CLI::App& program);

}  // namespace muster
