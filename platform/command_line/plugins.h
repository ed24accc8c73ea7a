#pragma once

#include <stdexcept>
#include <string>

#include "platform/model/scenario.h"
#include "platform/store/code_fingerprint.h"

namespace muster {

/// A plugin that cannot be used.
class plugin_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Loads a shared library and adds its policies to the catalogue; see policies/plugin.h. It stays loaded, and worker
/// processes, which are forked, have it too.
/// @param file its path; a name without a folder is looked up here, not where the system keeps its libraries
/// @throws plugin_error if it is missing, is no plugin, was built with another version, or brings a name that is taken
void load_plugin(const std::string& file);

/// The code that a study runs by: the program, and the loaded plugins whose policies the study names.
code_fingerprint code_of(const study& s);

}  // namespace muster
