#include <fmt/format.h>

#include "platform/command_line/command.h"
#include "platform/command_line/exit_status.h"
#include "platform/command_line/scenario_options.h"
#include "platform/command_line/stability_text.h"
#include "platform/scenario/scenario_file.h"

namespace muster {

namespace {

class check_command {
 public:
  explicit check_command(CLI::App& app) { given_.add_to(app); }

  int run(const invocation&) const {
    fmt::print("{}", stability_report(read_study(given_.file, given_.settings)));
    return done;
  }

 private:
  scenario_options given_;
};

}  // namespace

extern const command_entry check_command_entry{
    "check", "validate a scenario; print its loads and stability limits; store nothing", 20,
    "muster check scenarios/quickswap_borg_b.toml", define_command<check_command>};

}  // namespace muster
