#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <boost/algorithm/string/case_conv.hpp>

#include "muster/version.h"
#include "platform/command_line/catalogue_text.h"
#include "platform/command_line/program_text.h"

namespace muster {

namespace {

std::string with_single_spaces(std::string text) {
  text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }), text.end());
  return text;
}

// Text of one line, as it is: troff would take some characters for others, or for requests.
std::string troff(const std::string& text) {
  static const std::map<char, const char*> escapes{{'\\', "\\(rs"}, {'-', "\\-"},   {'\'', "\\(aq"},
                                                   {'`', "\\(ga"},  {'^', "\\(ha"}, {'~', "\\(ti"}};
  std::string escaped = !text.empty() && (text.front() == '.' || text.front() == '\'') ? "\\&" : "";
  for (const char c : text) {
    const auto found = escapes.find(c);
    escaped += found == escapes.end() ? std::string(1, c) : found->second;
  }
  return escaped;
}

std::string verbatim(const std::string& lines) {
  std::string text = ".PP\n.nf\n";
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) text += troff(line) + "\n";
  return text + ".fi\n";
}

// An option, without what is checked of its type, and without the default of -j, which is that of the machine.
std::string paragraph_of(const CLI::Option& o) {
  const std::string type = type_of(o);
  std::string name = o.get_positional() ? type : o.get_name(false, true);
  if (!o.get_positional() && o.get_items_expected_max() > 0) name += " " + type;
  if (!o.get_default_str().empty() && !o.check_sname("j")) name += "=" + o.get_default_str();
  return fmt::format(".TP\n\\fB{}\\fR\n{}{}\n", troff(name), troff(o.get_description()),
                     o.get_required() && !o.get_positional() ? " (required)" : "");
}

std::string section_of(const CLI::App& command) {
  std::string text = fmt::format(".SS {}\n{}.\n.PP\n\\fBmuster {}\\fR", command.get_name(),
                                 troff(command.get_description()), command.get_name());
  std::string paragraphs;
  for (const CLI::Option* o : option_list(command)) {
    if (o == command.get_help_ptr()) continue;
    paragraphs += paragraph_of(*o);
    if (o->get_positional())
      text += fmt::format(o->get_required() ? " \\fI{}\\fR" : " [\\fI{}\\fR]", troff(type_of(*o)));
  }
  text += " [\\fIOPTIONS\\fR]\n" + paragraphs;
  return command.get_footer() == command.get_parent()->get_footer() ? text : text + verbatim(command.get_footer());
}

// Names begin a line, what is said of them is indented by four, or by eight where it is said of a parameter.
std::string section_of(const list_subject& subject) {
  std::string text =
      fmt::format(".SH {}\n{}", boost::to_upper_copy(std::string(subject.name)), troff(std::string(subject.before)));
  for (const listed_name& entry : subject.entries()) {
    std::istringstream in(entry.text);
    for (std::string line; std::getline(in, line);) {
      const std::size_t indented = line.find_first_not_of(' ');
      const std::size_t name = indented > 0 ? 0 : std::min(line.find(' '), line.size());
      const std::size_t rest = std::min(line.find_first_not_of(name > 0 ? " -" : " ", name), line.size());
      if (name > 0)
        text += fmt::format(".TP\n\\fB{}\\fR\n", troff(line.substr(0, name)));
      else if (indented > 4)
        text += "\\(em ";
      if (rest < line.size()) text += troff(with_single_spaces(line.substr(rest))) + "\n.br\n";
    }
  }
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& program) {
  const std::string footer = program.get_footer();
  const std::string begin_of_status = "Exit status: ";
  const std::size_t status = footer.find(begin_of_status);
  const std::string about = program.get_description(), title = "muster: ";
  std::string text = fmt::format(
      ".TH MUSTER 1 \"\" \"muster {}\" \"muster\"\n.SH NAME\nmuster \\- {}\n.SH SYNOPSIS\n\\fBmuster\\fR "
      "\\fICOMMAND\\fR ...\n.SH COMMANDS\n",
      version, troff(about.substr(about.rfind(title, 0) == 0 ? title.size() : 0)));
  for (const CLI::App* command : program.get_subcommands({})) text += section_of(*command);
  for (const list_subject& subject : list_subjects())
    if (subject.has_names) text += section_of(subject);
  return text + ".SH EXAMPLES\n" + verbatim(footer.substr(footer.find("\n  "), status - footer.find("\n  "))) +
         ".SH EXIT STATUS\n" + troff(footer.substr(status + begin_of_status.size())) + "\n";
}

}  // namespace muster
