#pragma once

#include <cstdint>

#include <tlm>

/// @file
/// The data that the submission of a rigid job may carry behind its job_descriptor.

namespace muster {

/// The words behind the descriptor of a rigid job. Those that are left out are 0.
struct rigid_words {
  std::uint64_t need = 0;      ///< number of the need that the job brings, from 1; 0: it needs what its class does
  std::uint64_t estimate = 0;  ///< stated size, in ticks; 0: none is stated
  std::uint64_t user = 0;      ///< number of the user, plus 1; 0: the user is not known
  std::uint64_t qos = 0;       ///< number of the QOS, plus 1; 0: the job has none

  /// Reads the words. @param p of at least a job_descriptor, and whole words
  static rigid_words of(const tlm::tlm_generic_payload& p);
};

}  // namespace muster
