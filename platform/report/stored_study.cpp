#include "platform/report/stored_study.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "platform/scenario/scenario_file.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

bool is_unknown_policy(const diagnostic& d) { return d.message.rfind("unknown policy ", 0) == 0; }

// Empty if it has loaded no plugin, or is not known.
std::string command_with_plugins(const std::filesystem::path& manifest) {
  std::ifstream in(manifest);
  const auto stored = nlohmann::json::parse(in, nullptr, false);
  if (!stored.is_object() || !stored.contains("command") || !stored["command"].is_string()) return "";
  const auto command = stored["command"].get<std::string>();
  return command.find("--plugin") == std::string::npos ? "" : command;
}

}  // namespace

study read_stored_study(const result_directory& directory) {
  try {
    return read_study(directory.file("scenario.toml").string(), {});
  } catch (const scenario_error& e) {
    std::vector<diagnostic> all = e.diagnostics();
    const std::filesystem::path manifest = directory.file("manifest.json");
    const std::string command = command_with_plugins(manifest);
    if (command.empty() || std::none_of(all.begin(), all.end(), is_unknown_policy)) throw;
    all.push_back({manifest.string(), 1, 1, "command",
                   fmt::format("the run was `{}`; give the same --plugin here", printable(command, 1000))});
    throw scenario_error(all);
  }
}

}  // namespace muster
