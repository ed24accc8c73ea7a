#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/imported_fmu/fmu_archive.h"

namespace muster {

/// A variable of an FMU.
struct fmu_variable {
  /// A real has 64 bits, an integer 32, a long_integer 64; arrays of any type, and others, are of no use here.
  enum class kind { real, integer, long_integer, boolean, other, array };

  std::string name;
  kind type = kind::other;
  std::string type_name;  ///< as the description calls it: Real, Float64, ..
  std::uint32_t reference = 0;
  std::string causality;  ///< input, output, parameter, local, ..
  std::string unit;       ///< empty: none is told
};

/// The largest magnitude of a long_integer that can be set: doubles, in which values are, have the whole numbers up to
/// it one by one.
constexpr double largest_whole_number = 9007199254740992.0;  // 2^53

/// What an FMU says of itself.
struct fmu_description {
  std::string version;  ///< of FMI: 2.0, 3.0, ..
  std::string model_name;
  std::string model_identifier;  ///< the name of its binary
  std::string token;             ///< by which the binary knows that the description is its own
  bool once_per_process = false;
  std::vector<fmu_variable> variables;

  /// 2 or 3.
  int major() const { return version.front() - '0'; }
  /// Null if there is none.
  const fmu_variable* find(const std::string& name) const;
  /// The name of the binary in the archive, for the processor of this program.
  std::string binary() const;
};

/// Reads the description of an FMU for co-simulation.
/// @throws fmu_error if it is missing or damaged, if this program cannot run the FMU, or it is not for co-simulation
fmu_description read_fmu_description(const fmu_archive& archive);

}  // namespace muster
