#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/catalogue_text.h"
#include "platform/command_line/command.h"
#include "platform/command_line/exit_status.h"
#include "platform/command_line/names.h"

namespace muster {

namespace {

class list_command {
 public:
  explicit list_command(CLI::App& app) {
    const std::vector<std::string> subjects = names_of(list_subjects());
    app.add_option("what", subject_, in_words(subjects))->required()->check(CLI::IsMember(subjects))->type_name("WHAT");
  }

  int run(const invocation&) const {
    for (const list_subject& s : list_subjects())
      if (s.name == subject_) fmt::print("{}", s.text());
    return done;
  }

 private:
  std::string subject_;
};

}  // namespace

extern const command_entry list_command_entry{"list", "what scenarios may name", 80, "muster list policies",
                                              define_command<list_command>};

}  // namespace muster
