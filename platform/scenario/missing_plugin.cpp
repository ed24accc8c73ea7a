#include "platform/scenario/missing_plugin.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

void name_missing_plugin(const std::string& path, std::vector<diagnostic>& errors) {
  if (std::none_of(errors.begin(), errors.end(), is_unknown_policy)) return;
  const std::filesystem::path manifest = std::filesystem::path{path}.parent_path() / "manifest.json";
  const std::string command = command_with_plugins(manifest);
  if (!command.empty())
    errors.push_back({manifest.string(), 1, 1, "command",
                      fmt::format("the run was `{}`; give the same --plugin here", printable(command, 1000))});
}

}  // namespace muster
