#pragma once

#include "muster/policies/catalogue.h"
#include "muster/version.h"

/// @file
/// Policies in a shared library, for `muster --plugin FILE`.
///
/// Such a library is compiled against the installed headers, linked with muster::policies, and lists its policies once,
/// outside all namespaces:
/// @code
/// MUSTER_PLUGIN(&my_policy_entry, &another_entry)
/// @endcode

extern "C" {
/// The version of muster that the plugin was compiled with; read first, and must equal that of the program.
const char* muster_plugin_version();
/// The plugin's policies; a null pointer ends the list. List and policies must stay valid while the plugin is loaded.
const muster::policy_entry* const* muster_plugin_policies();
}

/// Makes a shared library a plugin. @param ... addresses of the `policy_entry` of each of its policies
#define MUSTER_PLUGIN(...)                                                                                    \
  extern "C" [[gnu::visibility("default")]] const char* muster_plugin_version() { return ::muster::version; } \
  extern "C" [[gnu::visibility("default")]] const ::muster::policy_entry* const* muster_plugin_policies() {   \
    static const ::muster::policy_entry* const all[] = {__VA_ARGS__, nullptr};                                \
    return all;                                                                                               \
  }
