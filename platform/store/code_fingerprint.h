#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace muster {

/// The code that makes results, by the name of its file (`muster` is the program, others are plugins): what tells its
/// build from others. Empty: nothing is known of it.
using code_fingerprint = std::map<std::string, std::string>;

/// The build id that the linker has left in an ELF file, which stays when the file is installed or stripped; else a
/// digest of its bytes. Empty if it cannot be read.
std::string build_of(const std::filesystem::path& file);

/// Notes that a plugin has been loaded. @param policies that it brings
void add_running_code(const std::filesystem::path& plugin, const std::set<std::string>& policies);
/// Whether a plugin has been loaded.
bool runs_plugins();
/// The program that runs, and the plugins that bring any of these policies; without them, all plugins.
code_fingerprint running_code(const std::optional<std::set<std::string>>& policies = {});

/// The difference of two builds in words, such as "muster (build 3545b021fbdd then, d83c970e4369 now)"; empty if
/// nothing does that is known of both.
/// @param of_a,of_b where they are
std::string code_difference(const code_fingerprint& a, const code_fingerprint& b, std::string_view of_a = "then",
                            std::string_view of_b = "now");

}  // namespace muster
