#include "platform/ranks/rank_team.h"

#include <cstdlib>

#include <fmt/format.h>
#define BOOST_DLL_USE_STD_FS  // else it needs Boost.Filesystem
#include <boost/dll/shared_library.hpp>

#include "platform/toml/quantity.h"

namespace muster {

namespace {

std::optional<std::size_t> number_of(const char* variable) {
  const char* text = std::getenv(variable);
  return text ? number_in<std::size_t>(text) : std::nullopt;
}

}  // namespace

// The variables are those of Open MPI's mpirun, of MPICH's and srun --mpi=pmi2, and of srun --mpi=pmix (only the rank).
std::optional<rank_place> place_among_ranks() {
  constexpr const char* known[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                      {"PMI_RANK", "PMI_SIZE"},
                                      {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};
  for (const auto& [rank_variable, size_variable] : known) {
    const auto rank = number_of(rank_variable), ranks = number_of(size_variable);
    if (rank && ranks) return *ranks > 1 ? std::optional(rank_place{*rank, *ranks}) : std::nullopt;
  }
  return std::nullopt;
}

std::unique_ptr<rank_link> join_ranks(const rank_place& place) {
  // The program's run path finds the module beside the program, or where it was installed.
  static boost::dll::shared_library module;  // has to outlive the link
  try {
    module.load("muster_mpi.so", boost::dll::load_mode::search_system_folders | boost::dll::load_mode::rtld_global);
  } catch (const std::exception& e) {
    throw rank_error(fmt::format(
        "{} ranks have been started, but the module that speaks MPI cannot be loaded: {}; it is built where "
        "Debian's libboost-mpi-dev is installed, and is in the package muster-mpi",
        place.ranks, e.what()));
  }
  std::unique_ptr<rank_link> link(module.get<rank_link*()>("muster_open_rank_link")());
  if (link->ranks() != place.ranks)
    throw rank_error(
        fmt::format("{} ranks have been started, but MPI knows of {}: they were not started by the mpirun, or with the "
                    "srun --mpi=TYPE, of the MPI that muster is built with (Open MPI)",
                    place.ranks, link->ranks()));
  return link;
}

}  // namespace muster
