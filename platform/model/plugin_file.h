#pragma once

#include <set>
#include <stdexcept>
#include <string>

namespace muster {

/// A plugin that cannot be used.
class plugin_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Loads a shared library and adds its policies to the catalogue; see policies/plugin.h. It stays loaded, and worker
/// processes, which are forked, have it too.
/// @param file its path; a name without a folder is looked up here, not where the system keeps its libraries
/// @return names of its policies
/// @throws plugin_error if it is missing, is no plugin, was built with another version, or brings a name that is taken
std::set<std::string> load_plugin(const std::string& file);

}  // namespace muster
