#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/catalogue_text.h"
#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/key_text.h"
#include "platform/command_line/program_text.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

class help_command {
 public:
  explicit help_command(CLI::App& app) {
    app.add_option("name", name_,
                   "a command, a key of scenarios, or a policy, distribution, utility, metric or kind of trace")
        ->type_name("COMMAND|NAME");
    app.add_flag("--man", man_, "the manual page, for `man -l -`");
    app.add_option("--completion", shell_, "completion of command lines, for the start of a shell: bash")
        ->type_name("SHELL")
        ->check(CLI::IsMember({"bash"}));
  }

  int run(const invocation& how) const {
    if (man_) return print(manual_page(how.program));
    if (!shell_.empty()) return print(bash_completion(how.program));
    if (name_.empty())
      return print(how.program.get_formatter()->make_help(&how.program, "muster", CLI::AppFormatMode::Normal));
    std::vector<std::string> known;
    std::string text;
    for (const CLI::App* command : how.program.get_subcommands({})) {
      known.push_back(command->get_name());
      if (known.back() == name_) text += command->help("muster");
    }
    for (const list_subject& subject : list_subjects()) {
      if (!subject.has_names) continue;
      for (const listed_name& entry : subject.entries()) {
        known.push_back(entry.name);
        if (entry.name == name_) text += text_of(entry, subject);
      }
    }
    if (text.empty()) text = key_help(name_).value_or("");  // a table, or the end of a path
    if (!text.empty()) return print(text);
    const std::string meant = suggestion(name_, known);
    fmt::print(stderr, "unknown name {}{}\n", in_quotes(name_),
               meant.empty() ? "; see `muster help` and `muster list`" : meant);
    return bad_input;
  }

 private:
  static int print(const std::string& text) {
    fmt::print("{}", text);
    return done;
  }

  static std::string text_of(const listed_name& entry, const list_subject& subject) {
    const std::string example = entry.example.empty() ? "" : fmt::format("\nExample:\n  {}\n", entry.example);
    return fmt::format("Of {}:\n\n{}{}{}\n", subject.name, subject.before, entry.text, example);
  }

  std::string name_, shell_;
  bool man_ = false;
};

}  // namespace

extern const command_entry help_command_entry{"help",
                                              "what a command does, or what a name in a scenario or an option means",
                                              90, "muster help msfq", define_command<help_command>};

}  // namespace muster
