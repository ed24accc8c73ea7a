#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platform/model/study.h"
#include "platform/ranks/rank_team.h"
#include "platform/store/code_fingerprint.h"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace muster {

/// How muster ends; scripts rely on it.
enum exit_status {
  done = 0,
  differs = 1,  ///< of `compare` alone: something differs beyond chance
  bad_input = 2,
  fault = 3,
  interrupted = 130
};

/// How a command was called.
struct invocation {
  const CLI::App& program;  ///< with all commands
  std::string words;        ///< the command line, quoted where a shell needs it
  std::vector<std::string> plugins;

  /// @throws plugin_error
  void load_plugins() const;
};

/// The code that a study runs by: the program, and the loaded plugins whose policies the study names.
code_fingerprint code_of(const study& s);

/// A word of a command line, quoted where a shell needs it.
std::string shell_word(const std::string& word);

/// Runs a command in this process, with a null for the ranks, unless mpirun or srun has started several: then among
/// these, as run_among_ranks() does.
/// @param prepare called before all the rest, on every rank
int run_here_or_among_ranks(std::size_t workers, const std::function<void()>& prepare,
                            const std::function<study()>& read, const std::function<int(task_runner*)>& run,
                            const simulation& work);

/// Runs a command on the ranks that mpirun or srun has started together: rank 0 runs it and reports its errors, the
/// others simulate for it.
/// @param workers simulations at a time, on each rank
/// @param read,run,work as lead_ranks() has them
/// @return the exit status
int run_among_ranks(const rank_place& place, std::size_t workers, const std::function<study()>& read,
                    const std::function<int(const study&, task_runner&)>& run, const simulation& work = simulate);

/// The description of a subcommand, from which it is listed, parsed and made. A file NAME_command.cpp of commands/
/// defines `const command_entry NAME_command_entry`.
struct command_entry {
  /// Runs it: plugins are loaded, and this is the only rank, or the one that speaks. What it throws is reported, and
  /// decides on the exit status, which else is what it returns.
  using action = std::function<int(const invocation& how)>;

  std::string_view name;
  std::string_view about;     ///< a line
  int place;                  ///< where lists of commands have it: ascending
  std::string_view examples;  ///< command lines, one a line
  /// Adds options and footer to the command, and returns what runs it with their values.
  action (*define)(CLI::App& app);
  bool takes_plugins = true;
  bool on_all_ranks = false;  ///< it is run on every rank, and loads plugins itself
};

/// For command_entry::define: of a class that adds its options when it is made, and has a member run(const
/// invocation&).
template <class Command>
command_entry::action define_command(CLI::App& app) {
  return [made = std::make_shared<Command>(app)](const invocation& how) { return made->run(how); };
}

/// The descriptions of all commands, by name of their files.
const std::vector<const command_entry*>& command_catalogue();

/// The whole command line. @return the exit status
int command_line(int argc, char** argv);

}  // namespace muster
