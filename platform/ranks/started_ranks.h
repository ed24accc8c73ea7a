#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>

#include "platform/ranks/rank_link.h"

namespace muster {

/// An error of ranks that cannot work together: MPI is not there, or they have read different studies.
class rank_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct rank_place {
  std::size_t rank = 0, ranks = 1;
};

/// The place of this process among those that mpirun or srun has started, from the environment; nothing if it is alone.
std::optional<rank_place> place_among_ranks();

/// Joins the ranks. Loads the module for MPI, which takes time and is needed by no other run.
/// @throws rank_error
std::unique_ptr<rank_link> join_ranks(const rank_place& place);

}  // namespace muster
