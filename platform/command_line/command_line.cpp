#include "platform/command_line/command.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <boost/algorithm/string/replace.hpp>

#include "muster/policies/thrown_text.h"
#include "muster/version.h"
#include "platform/cluster_process/serve_cluster.h"
#include "platform/experiment/interrupt_guard.h"
#include "platform/model/plugin_file.h"
#include "platform/search/scenario_search.h"
#include "platform/store/database.h"
#include "platform/store/stored_run.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"
#include "platform/toml/toml_value.h"

namespace muster {

namespace {

constexpr const char* about_exit_status =
    "Exit status: 0 done; 1 `compare` has found a difference; 2 bad usage or bad scenario; 3 a fault during "
    "simulation; 130 interrupted (what is\nfinished is kept).";

// All ranks have the same command line, and one of them is enough to speak.
bool is_not_first_rank() {
  const auto place = place_among_ranks();
  return place && place->rank > 0;
}

std::vector<const command_entry*> entries_in_place() {
  std::vector<const command_entry*> entries = command_catalogue();
  std::stable_sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) { return a->place < b->place; });
  return entries;
}

/// All commands with their options.
class program {
 public:
  program() {
    app_.name("muster");
    app_.set_version_flag("--version", std::string("muster ") + version);
    app_.require_subcommand(1);
    const std::vector<const command_entry*> entries = entries_in_place();
    std::string examples;
    for (const command_entry* entry : entries) {
      std::istringstream lines{std::string(entry->examples)};
      for (std::string line; std::getline(lines, line);) examples += "  " + line + "\n";
    }
    app_.footer(fmt::format("\nExamples:\n{}\n{}", examples, about_exit_status));
    for (const command_entry* entry : entries) add(*entry);
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      if (is_not_first_rank()) return done;
      if (argc > 1) fmt::print(stderr, "{}{}", what_is_wrong_with(argv[1]), unknown_options());
      return app_.exit(e) == 0 ? done : bad_input;
    }
    std::string words = "muster";
    for (int i = 1; i < argc; ++i) words += " " + shell_word(argv[i]);
    const invocation how{app_, words, plugins_};
    const auto called =
        std::find_if(commands_.begin(), commands_.end(), [](const subcommand& c) { return c.app->parsed(); });
    if (!called->entry->on_all_ranks) {
      if (is_not_first_rank()) return done;
      how.load_plugins();
    }
    return called->run(how);
  }

 private:
  struct subcommand {
    const command_entry* entry;
    CLI::App* app;
    command_entry::action run;
  };

  void add(const command_entry& entry) {
    CLI::App* app = app_.add_subcommand(std::string(entry.name), std::string(entry.about));
    commands_.push_back({&entry, app, entry.define(*app)});
    if (entry.takes_plugins)
      app->add_option("--plugin", plugins_, "shared library with more policies, see policies/plugin.h; repeatable")
          ->type_name("FILE")
          ->allow_extra_args(false);
  }

  // Empty if the first word is a command, or an option.
  std::string what_is_wrong_with(const std::string& word) const {
    std::vector<std::string> names;
    for (const subcommand& c : commands_) names.emplace_back(c.entry->name);
    if (word.rfind('-', 0) == 0 || std::find(names.begin(), names.end(), word) != names.end()) return "";
    return fmt::format("unknown command '{}'{}\n", word, suggestion(word, names));
  }

  // What is wrong with words of a command that are no options of it, though they look like one; empty: nothing.
  std::string unknown_options() const {
    std::string lines;
    for (const CLI::App* command : app_.get_subcommands()) {
      std::vector<std::string> names;
      for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      for (const std::string& word : command->remaining()) {
        const std::string given = word.substr(0, word.find('='));
        if (given.rfind("--", 0) == 0 && given.size() > 2)
          lines += fmt::format("unknown option '{}' of {}{}\n", given, command->get_name(), suggestion(given, names));
      }
    }
    return lines;
  }

  CLI::App app_{"muster: a hardware-level model of a compute cluster, for scheduling policies with true timing"};
  std::vector<std::string> plugins_;
  std::vector<subcommand> commands_;
};

// What an error says of standard output that a full disk, or nobody, takes.
constexpr const char* unwritable_output = "standard output: cannot be written";

// Whether a full disk has taken it is known only now.
void flush_output() {
  if (std::fflush(stdout) != 0) throw output_error(fmt::format("{}: {}", unwritable_output, std::strerror(errno)));
  if (std::ferror(stdout)) throw output_error(unwritable_output);
}

template <class... Errors>
bool is_any_of(const std::exception& e) {
  return (... || dynamic_cast<const Errors*>(&e));
}

int tell(int status, const std::string& what) {
  const std::string line = fmt::format("{}{}\n", status == fault ? "fault: " : "", what);
  std::fputs(line.c_str(), stderr);  // unlike fmt::print() without an exception, should that be full too
  return status;
}

// What `act` returns. If it throws, what has gone wrong goes to standard error, and decides on the status.
int reporting_errors(const std::function<int()>& act) {
  try {
    return act();
  } catch (const std::system_error& e) {
    if (!std::ferror(stdout)) return tell(fault, e.what());
    return tell(bad_input, fmt::format("{}: {}", unwritable_output, e.code().message()));
  } catch (const std::exception& e) {
    const bool refused = is_any_of<scenario_error, plugin_error, results_error, rank_error, output_error>(e);
    const int status = refused ? bad_input : is_any_of<search_interrupted>(e) ? interrupted : fault;
    return tell(status, e.what());
  } catch (...) {
    return tell(fault, "an exception, " + thrown_text());
  }
}

// The command that a cluster_process starts. No person calls it, and no list of commands has it.
constexpr const char* inner_command = "cluster-process";

int serve_cluster_at(const std::vector<std::string>& words) {
  struct stat file {};
  const int socket = words.size() == 1 ? std::atoi(words.front().c_str()) : 0;
  if (socket <= STDERR_FILENO || ::fstat(socket, &file) != 0 || !S_ISSOCK(file.st_mode))
    return tell(bad_input,
                fmt::format("{}: expected the number of a socket; programs start it that hold a cluster in a "
                            "process of its own, see platform/docs/cluster_process.md",
                            inner_command));
  serve_cluster(socket);
  return done;
}

}  // namespace

void invocation::load_plugins() const {
  for (const std::string& file : plugins) add_running_code(file, load_plugin(file));
}

code_fingerprint code_of(const study& s) {
  std::set<std::string> policies;
  for (const study::point& p : s.points) policies.insert(p.model.policy.name);
  return running_code(policies);
}

std::string shell_word(const std::string& word) {
  const bool plain = word.find_first_not_of(std::string(bare_characters) + "+=.,:/@%") == std::string::npos;
  return plain && !word.empty() ? word : "'" + boost::replace_all_copy(word, "'", "'\\''") + "'";
}

int run_among_ranks(const rank_place& place, std::size_t workers, const std::function<study()>& read,
                    const std::function<int(const study&, task_runner&)>& run, const simulation& work) {
  const std::unique_ptr<rank_link> link = join_ranks(place);
  if (place.rank > 0) {
    serve_rank_0(*link, read, workers, work);
    return done;
  }
  const int status = reporting_errors([&] { return lead_ranks(*link, read, workers, run, work); });
  link->leave(status);
  return status;
}

int run_here_or_among_ranks(std::size_t workers, const std::function<void()>& prepare,
                            const std::function<study()>& read, const std::function<int(task_runner*)>& run,
                            const simulation& work) {
  if (const auto place = place_among_ranks()) {
    const auto prepare_and_read = [&] {
      prepare();
      return read();
    };
    return run_among_ranks(
        *place, workers, prepare_and_read, [&](const study&, task_runner& team) { return run(&team); }, work);
  }
  prepare();
  return run(nullptr);
}

int command_line(int argc, char** argv) {
  end_when_interrupted(interrupted);
  return reporting_errors([&] {
    if (argc > 1 && std::string(argv[1]) == inner_command) return serve_cluster_at({argv + 2, argv + argc});
    const int status = program().run(argc, argv);
    flush_output();
    return status;
  });
}

}  // namespace muster
