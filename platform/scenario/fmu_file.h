#pragma once

#include <string>

#include "platform/imported_fmu/fmu_description.h"

namespace muster {

/// An FMU that a scenario names, as its description tells. It is read once for all points of a study.
struct fmu_file {
  fmu_description description;
  std::string refusal;  ///< why it cannot be used; empty: it can
  std::string digest;   ///< tells contents apart
};

/// Reads the description of an FMU. @param path absolute
fmu_file read_fmu_file(const std::string& path);

}  // namespace muster
