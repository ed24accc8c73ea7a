#pragma once

#include <string>

#include <pybind11/pybind11.h>

namespace muster {

/// The program `muster` that a cluster's process runs: the one that was installed together with the module, else what
/// the environment variable MUSTER_PROGRAM names, else the one in PATH.
/// @param module_file the module's `__file__`
/// @throws cluster_process_error if there is none
std::string program_file(const pybind11::str& module_file);

}  // namespace muster
