#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/model/study.h"
#include "platform/simulation/cluster_variable.h"

namespace muster {

/// What an FMU is made of.
struct fmu_parts {
  study of;                                 ///< of one point
  std::vector<cluster_variable> variables;  ///< of its cluster
  std::filesystem::path program;            ///< `muster`
  std::string build;                        ///< tells the program and the plugins from others
  std::filesystem::path library;            ///< that FMI's functions are in, muster_fmu.so
  std::vector<std::filesystem::path> plugins{};
};

/// Writes an FMU that stands alone: the description, the library, the program, and the scenario with all files that it
/// names. The same parts make the same bytes, and the same instantiation token.
/// @throws std::runtime_error if a file cannot be read or written
void write_fmu(const std::filesystem::path& file, const fmu_parts& parts);

}  // namespace muster
