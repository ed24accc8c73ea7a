#include "platform/model/plugin_file.h"

#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#define BOOST_DLL_USE_STD_FS  // else it needs Boost.Filesystem
#include <boost/dll/shared_library.hpp>

#include "muster/policies/plugin.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

std::string shown(const std::string& file) { return "plugin '" + printable(file, 4096) + "'"; }

// What the system says, where Boost has wrapped it up: ".. message: WHAT): Bad file descriptor".
std::string_view reason(std::string_view what) {
  constexpr std::string_view before = "message: ";
  const auto begin = what.find(before);
  const auto end = what.rfind("): ");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return what;
  return what.substr(begin + before.size(), end - begin - before.size());
}

boost::dll::shared_library opened(const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) throw plugin_error(shown(file) + ": no such file");
  try {
    return boost::dll::shared_library(file, boost::dll::load_mode::rtld_now);
  } catch (const std::exception& e) {
    throw plugin_error(fmt::format("{} cannot be loaded: {}", shown(file), printable(reason(e.what()), 1000)));
  }
}

void check(const std::string& file, const boost::dll::shared_library& library) {
  for (const char* symbol : {"muster_plugin_version", "muster_plugin_policies"})
    if (!library.has(symbol))
      throw plugin_error(
          fmt::format("{} is none of muster's: it has no {}, which MUSTER_PLUGIN of "
                      "<muster/policies/plugin.h> would define",
                      shown(file), symbol));
  const std::string_view built_with = library.get<decltype(muster_plugin_version)>("muster_plugin_version")();
  if (built_with != version)
    throw plugin_error(fmt::format("{} was built with muster {}, but this is muster {}; build it anew", shown(file),
                                   printable(built_with), version));
}

}  // namespace

std::set<std::string> load_plugin(const std::string& file) {
  static std::vector<boost::dll::shared_library> loaded;
  const boost::dll::shared_library& library = loaded.emplace_back(opened(file));
  check(file, library);
  const auto list = library.get<decltype(muster_plugin_policies)>("muster_plugin_policies");
  std::set<std::string> names;
  for (auto entry = list(); *entry; ++entry) {
    try {
      add_policy(**entry);
      names.insert(std::string((*entry)->name));
    } catch (const policy_error& e) {
      throw plugin_error(fmt::format("{}: {}", shown(file), e.what()));
    }
  }
  return names;
}

}  // namespace muster
