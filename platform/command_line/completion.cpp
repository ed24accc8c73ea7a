#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/catalogue_text.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/key_text.h"
#include "platform/command_line/program_text.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

std::string in_line(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string names_in(std::string_view subject) {
  for (const list_subject& s : list_subjects())
    if (s.name == subject) return in_line(names_of(s.entries()));
  return "";
}

// What the type of an option, a word in capitals, may stand for; empty: a file, or what only the user knows.
std::string candidates(const CLI::Option& o, const CLI::App& program) {
  const std::string type = type_of(o);
  if (type.rfind("KEY=", 0) == 0) return fmt::format("{}=", fmt::join(key_paths(), "= "));
  if (type == "METRIC") return names_in("metrics");
  if (type == "FORMAT") return in_line(names_of(format_catalogue()));
  if (type == "KIND") return names_in("traces");
  if (type == "POLICY POLICY") return names_in("policies");
  if (type == "SHELL") return "bash";
  if (type == "WHAT") return in_line(names_of(list_subjects()));
  if (type != "COMMAND|NAME") return "";
  std::string all;
  for (const CLI::App* command : program.get_subcommands({})) all += command->get_name() + " ";
  for (const list_subject& s : list_subjects())
    if (s.has_names) all += names_in(s.name) + " ";
  return all;
}

// A branch of `case` that sets the words to choose from.
std::string branch(const std::string& pattern, const std::string& words) {
  return fmt::format("    {}) words='{}' ;;\n", pattern, words);
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::vector<std::string> commands, files;  // these are options that take something else
  std::string options = branch("''", "--help --version"), values, pairs;
  std::string positionals;
  for (const CLI::App* command : program.get_subcommands({})) {
    const std::string& name = command->get_name();
    commands.push_back(name);
    std::vector<std::string> names;
    for (const CLI::Option* o : option_list(*command)) {
      const std::string words = candidates(*o, program);
      if (o->get_positional()) {
        if (!words.empty()) positionals += branch(name, words);
        continue;
      }
      const std::string option =
          o->get_lnames().empty() ? "-" + o->get_snames().front() : "--" + o->get_lnames().front();
      names.push_back(option);
      const std::string place = fmt::format("{}:{}", name, option);
      if (o->get_items_expected_max() > 0 && words.empty()) files.push_back(place);
      if (!words.empty()) values += branch(place, words);
      if (o->get_expected_max() == 2) pairs += fmt::format("    {}:{}) before={} ;;\n", name, option, option);
    }
    options += branch(name, in_line(names));
  }
  values += branch(fmt::format("{}", fmt::join(files, "|")), "");
  positionals = branch("''", in_line(commands)) + positionals;
  return fmt::format(
      R"(# Completion of muster's command line, for bash; for zsh after `autoload -U bashcompinit && bashcompinit`.
_muster() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in {}) command=${{COMP_WORDS[i]}}; break ;; esac
  done
  [ "$COMP_CWORD" -lt 3 ] || case $command:${{COMP_WORDS[COMP_CWORD-2]}} in
{}  esac
  case $command:$before in
{}    *) case $word in
    -*) case $command in
{}    esac ;;
    *) case $command in
{}    esac ;;
    esac ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  [[ $COMPREPLY != *= ]] || compopt -o nospace 2>/dev/null
}}
complete -o bashdefault -o default -F _muster muster
)",
      fmt::join(commands, " | "), pairs, values, options, positionals);
}

}  // namespace muster
