#pragma once

#include <cstdint>

namespace muster {

/// What rigid jobs may state of their size and their user, and what the scheduler believes of their sizes.
struct estimate_settings {
  enum class source : std::uint8_t {
    size,    ///< the size itself, whatever a submission states
    stated,  ///< what the submission states
    learnt   ///< see learnt_estimates; what the submission states is the most
  };
  source from = source::size;  ///< of job::estimate, for a policy whose entry says uses_estimates
  std::uint32_t users = 0;     ///< users who may be stated, numbered from 0
  std::uint32_t qos = 0;       ///< QOS that may be stated, numbered from 0

  /// Whether a submission may state an estimate, a user and a QOS, see job_descriptor.
  bool stated() const { return from != source::size || users > 0 || qos > 0; }
};

}  // namespace muster
